"""Reads the names that platforms give to what they hand over: whose each file is, and of which attempt."""
