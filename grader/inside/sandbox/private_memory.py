"""Makes memory that a fork would share one that it copies.

A library may map shared memory when it is imported (some OpenMP runtimes do, to find each other). Every worker would
have the same pages then, and what one student's code writes there the next one's could read.
"""

import ctypes

from .syscalls import checked, libc

READ, WRITE, EXECUTE = 1, 2, 4
MAP_PRIVATE, MAP_FIXED, MAP_ANONYMOUS = 0x02, 0x10, 0x20


def make_private(maps: str) -> int:
    """Copy every shared mapping that could be written into private memory at the same place.

    Args:
        maps: The text of this process's `maps` in procfs.

    Returns:
        How many there were.

    Raises:
        StepRefused: One could not be replaced.
    """
    replaced = 0
    for line in maps.splitlines():
        span, rights, *_ = line.split(maxsplit=2)
        if rights[3] != "s":
            continue
        low, high = (int(number, 16) for number in span.split("-"))
        place, size = ctypes.c_void_p(low), ctypes.c_size_t(high - low)
        if libc.mprotect(place, size, READ | WRITE) == -1:
            continue  # A file that was opened for reading: nobody can write through it, nor ever could.
        content = ctypes.string_at(low, high - low)
        _map_anew(low, high - low)
        ctypes.memmove(low, content, len(content))
        now = READ * (rights[0] == "r") | WRITE * (rights[1] == "w") | EXECUTE * (rights[2] == "x")
        checked("protect copied memory", libc.mprotect(place, size, now))
        replaced += 1
    return replaced


def _map_anew(low: int, size: int) -> None:
    mmap = ctypes.CDLL(None, use_errno=True).mmap
    mmap.restype, mmap.argtypes = (
        ctypes.c_ssize_t,
        [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long],
    )
    checked("copy shared memory", mmap(low, size, READ | WRITE, MAP_PRIVATE | MAP_FIXED | MAP_ANONYMOUS, -1, 0))
