"""Confines a process by namespaces, Landlock, a system-call filter and limits, and tests that by trying to escape."""
