"""The trusted side of every call into student code."""
