"""How much memory this process has, and a bound on how much more it may take."""

import resource
from pathlib import Path


def bound_memory(more: int) -> None:
    """Let this process map so many more bytes, so that what needs more gets an error and the machine stays as it is."""
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    bound = _statm()[0] + more
    resource.setrlimit(resource.RLIMIT_AS, (bound if soft == resource.RLIM_INFINITY else min(soft, bound), hard))


def resident_bytes() -> int:
    """Return how much memory this process has."""
    return _statm()[1]


def _statm() -> list[int]:
    pages = Path("/proc/self/statm").read_bytes().split()
    return [int(count) * resource.getpagesize() for count in pages]
