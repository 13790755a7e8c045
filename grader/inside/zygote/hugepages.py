"""Gathers a process's memory into huge pages, so that a fork copies a hundred entries instead of fifty thousand.

A process with torch imported has about 220 MB that are neither a file's nor zero. Copying the page tables of that
costs most of a fork and of the child's end: measured, 12 ms of processor time a worker without this and 5 ms with it.
"""

import ctypes

from ..sandbox.syscalls import libc

HUGE = 2 * 1024 * 1024
MADV_COLLAPSE = 25


def gather(maps: str) -> int:
    """Ask for huge pages wherever one fits in private writable memory (since Linux 6.1); returns the bytes gathered."""
    gathered = 0
    for line in maps.splitlines():
        span, rights, _, _, inode, *name = line.split(maxsplit=5)
        if rights != "rw-p" or inode != "0" or (name and name[0].startswith("[stack")):
            continue
        low, high = (int(number, 16) for number in span.split("-"))
        first, last = -(-low // HUGE) * HUGE, high // HUGE * HUGE
        if last > first and libc.madvise(ctypes.c_void_p(first), ctypes.c_size_t(last - first), MADV_COLLAPSE) == 0:
            gathered += last - first
    return gathered
