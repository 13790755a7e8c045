"""A worker as a process: how it starts, how bytes reach it, its clock and its end."""
