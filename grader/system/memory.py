"""A bound on how much more memory this process may take."""

import resource
from pathlib import Path


def bound_memory(more: int) -> None:
    """Let this process map so many more bytes, so that what needs more gets an error and the machine stays as it is."""
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    mapped = int(Path("/proc/self/statm").read_bytes().split()[0]) * resource.getpagesize()
    bound = mapped + more
    resource.setrlimit(resource.RLIMIT_AS, (bound if soft == resource.RLIM_INFINITY else min(soft, bound), hard))
