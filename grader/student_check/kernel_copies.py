"""Workers that are copies of a running kernel: a student's functions as they are now, in processes that may die.

A copy by fork has the very functions that the student's cells defined, and costs milliseconds. An endless loop, a crash
or a change of torch's settings ends with the copy, and the kernel never sees it. Forking is sound only where torch and
the system say so (see `possible`); elsewhere `grader.student_check.notebook_check` runs the notebook's cells once more
instead.
"""

import contextlib
import os
import signal
import socket
import sys
import time
import warnings
from collections.abc import Mapping
from types import ModuleType

from grader.jail import Lease
from grader.limits import DEFAULT_LIMITS

REAP_S = 2.0
ASK_AGAIN_S = 0.005


def possible() -> bool:
    """Return whether a kernel can be copied here.

    Only on Linux: macOS and Windows have no fork that libraries survive. Not beside a GPU: after one backward pass
    torch refuses gradients in every copy. Not without pidfd, by which a copy is watched and ended.
    """
    if sys.platform != "linux" or not hasattr(os, "pidfd_open"):
        return False
    import torch

    if torch.accelerator.is_available():
        return False
    try:
        os.close(os.pidfd_open(os.getpid()))
    except OSError:
        return False
    return True


class KernelCopies:
    """Forks a worker whenever one is asked for.

    Args:
        module: What the notebook's cells are run in.
        files: The names that its cells were compiled under, with the number of each cell.
        hidden: Names in it that are the kernel's own.
    """

    def __init__(self, module: ModuleType, files: Mapping[str, int], hidden: frozenset[str]) -> None:
        self._module, self._files, self._hidden = module, dict(files), hidden
        self._alive: dict[int, int | None] = {}

    def lease(self) -> Lease:
        """Return a copy of the kernel as it is now."""
        from grader.inside.worker.notebook_entry import serve_copy

        mine, theirs = socket.socketpair()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Python warns of forks beside threads; the copy uses none of them
            pid = os.fork()
        if pid == 0:
            mine.close()
            settings = {"memory_bytes": DEFAULT_LIMITS.memory_bytes}
            serve_copy(theirs.fileno(), self._module, self._files, self._hidden, settings)
        theirs.close()
        self._alive[pid] = None
        return Lease(mine, os.pidfd_open(pid), pid)

    def unpin(self, pid: int) -> None:
        """Do nothing: a copy of the kernel is kept to no processor."""

    def exit_status(self, pid: int) -> int | None:
        """Return the wait status of a dead copy, None while it lives."""
        if pid in self._alive and self._alive[pid] is None:
            with contextlib.suppress(ChildProcessError):
                done, status = os.waitpid(pid, os.WNOHANG)
                self._alive[pid] = status if done else None
        return self._alive.get(pid)

    def close(self) -> None:
        """End every copy, and wait for its end."""
        deadline = time.monotonic() + REAP_S
        for pid, status in list(self._alive.items()):
            if status is not None:
                continue
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
            while self.exit_status(pid) is None and time.monotonic() < deadline:
                time.sleep(ASK_AGAIN_S)
