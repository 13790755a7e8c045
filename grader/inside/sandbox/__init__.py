"""Shuts a process in: namespaces, Landlock, system-call filter, limits; and tries to get out, to prove it."""
