"""Turns memory that forks would share into memory that a fork copies.

A library may map shared memory at import (some OpenMP runtimes do, to find each other). All workers would then have the
same pages, and one student's code could read what another's wrote.
"""

import ctypes

from .syscalls import checked, libc

READ, WRITE, EXECUTE = 1, 2, 4
MAP_PRIVATE, MAP_FIXED, MAP_ANONYMOUS = 0x02, 0x10, 0x20


def make_private(maps: str) -> int:
    """Copy every shared mapping that could be written into private memory in its place; returns how many there were."""
    replaced = 0
    for line in maps.splitlines():
        span, rights, *_ = line.split(maxsplit=2)
        if rights[3] != "s":
            continue
        low, high = (int(number, 16) for number in span.split("-"))
        place, size = ctypes.c_void_p(low), ctypes.c_size_t(high - low)
        if libc.mprotect(place, size, READ | WRITE) == -1:
            continue  # A file opened for reading only: nobody can write through the mapping.
        content = ctypes.string_at(low, high - low)
        _map_private(low, high - low)
        ctypes.memmove(low, content, len(content))
        now = READ * (rights[0] == "r") | WRITE * (rights[1] == "w") | EXECUTE * (rights[2] == "x")
        checked("protect copied memory", libc.mprotect(place, size, now))
        replaced += 1
    return replaced


def _map_private(low: int, size: int) -> None:
    mmap = ctypes.CDLL(None, use_errno=True).mmap
    mmap.restype, mmap.argtypes = (
        ctypes.c_ssize_t,
        [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long],
    )
    checked("copy shared memory", mmap(low, size, READ | WRITE, MAP_PRIVATE | MAP_FIXED | MAP_ANONYMOUS, -1, 0))
