"""Remembers how workers ended, in memory that no worker inherits.

A student chooses how a worker ends, and every later worker is a copy of the process that is told of it. So the kernel
writes the wait statuses into pages that a fork leaves out, and they are sent from there: no object is ever made of one,
whose freed memory the next student's code could search.
"""

import ctypes
import mmap
import os
from collections import OrderedDict
from collections.abc import Iterator

from ..sandbox.syscalls import checked, libc

REMEMBERED = 4096
STATUS_BYTES = 4
DONTFORK = 10


class ExitLog:
    """The wait statuses of the last children that ended.

    Raises:
        StepRefused: The kernel cannot keep memory out of a fork.
    """

    def __init__(self) -> None:
        self._pages = mmap.mmap(-1, REMEMBERED * STATUS_BYTES, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        self._first = ctypes.addressof(ctypes.c_char.from_buffer(self._pages))
        size = ctypes.c_size_t(len(self._pages))
        checked("keep memory out of a fork", libc.madvise(ctypes.c_void_p(self._first), size, DONTFORK))
        self._view = memoryview(self._pages)
        self._places: OrderedDict[int, int] = OrderedDict()
        self._free = list(range(0, len(self._pages), STATUS_BYTES))

    def reap(self) -> Iterator[int]:
        """Yield the number of each child that ended, and remember how it did."""
        while True:
            place = self._free.pop() if self._free else self._places.popitem(last=False)[1]
            pid = libc.waitpid(-1, ctypes.c_void_p(self._first + place), os.WNOHANG)
            if pid <= 0:  # None has ended, or there is none.
                self._free.append(place)
                return
            self._places[pid] = place
            yield pid

    def of(self, pid: int) -> memoryview | None:
        """Return the wait status of a child that has ended, in the machine's byte order; None if nobody knows."""
        place = self._places.get(pid)
        return None if place is None else self._view[place : place + STATUS_BYTES]

    def forget(self, pid: int) -> None:
        """Forget how a process ended whose number another one has now."""
        place = self._places.pop(pid, None)
        if place is not None:
            self._free.append(place)
