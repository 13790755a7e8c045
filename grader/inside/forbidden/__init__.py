"""The library calls that an exercise can forbid, and how they are taken away for a call."""
