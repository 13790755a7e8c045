"""A connection to the zygote, over which a process of the trusted side leases workers.

Each child process that grades has its own connection, because answers on a shared one could reach the wrong process.
When a connection ends, the zygote ends the workers that were leased over it.
"""

import contextlib
import os
import signal
import socket
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from grader.errors import IsolationError
from grader.inside.protocol import control

ANSWER_SECONDS = 60.0
LEASE_SECONDS = 10.0
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 1.0
ENDS_FIRST = "750"  # above the zygote's (`launch.py`): if memory runs out, one submission loses its worker, not all


class LeaseFailed(IsolationError):
    """A worker could not be leased from a working jail: the machine is short of processes, memory or descriptors."""


@dataclass(frozen=True)
class Lease:
    """A worker that only this process uses.

    Attributes:
        sock: The stream socket that its `serve` reads.
        pidfd: Its handle for signals; readable when it has ended.
        pid: Its pid in this process's namespace.
    """

    sock: socket.socket
    pidfd: int
    pid: int

    def close(self) -> None:
        """Close both descriptors; the worker ends when its socket is closed."""
        self.sock.close()
        os.close(self.pidfd)

    def kill(self) -> None:
        """Kill the worker if it lives, and close both descriptors."""
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.pidfd, signal.SIGKILL)
        self.close()


class Branch:
    """One control connection to a zygote.

    Args:
        link: The connection; closed with this object.
    """

    def __init__(self, link: socket.socket) -> None:
        self._link = link
        self._inner: dict[int, int] = {}

    def lease(self, entry: str = control.WORKER, patience_s: float = LEASE_SECONDS) -> Lease:
        """Return a confined worker that waits for requests.

        What is used up may be free again in a moment, when another submission's worker has ended. So the request is
        repeated with growing pauses.

        Args:
            entry: The module whose `serve` runs in it.
            patience_s: For how long the request is repeated.

        Raises:
            LeaseFailed: No worker could be started in that time; a later request may succeed.
            IsolationError: The zygote refuses, or has ended.
        """
        deadline, pause = time.monotonic() + patience_s, FIRST_PAUSE
        while True:
            try:
                return self._lease(entry)
            except LeaseFailed:
                if time.monotonic() + pause > deadline:
                    raise
            time.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    def _lease(self, entry: str) -> Lease:
        reply, descriptors = self._ask(control.LeaseRequest(entry))
        try:
            if not isinstance(reply, control.Leased) or len(descriptors) != 2:
                raise _scarce("Its descriptors did not arrive.")
            pid = _own_number(descriptors[1])
        except BaseException as error:  # the descriptors are open here, and only this closes them
            for number in descriptors:
                os.close(number)
            if isinstance(error, OSError):
                raise _scarce(f"Its number could not be read ({error.strerror}).") from None
            raise
        self._inner[pid] = reply.pid
        with contextlib.suppress(OSError):
            Path(f"/proc/{pid}/oom_score_adj").write_text(ENDS_FIRST, encoding="ascii")
        return Lease(socket.socket(fileno=descriptors[0]), descriptors[1], pid)

    def exit_status(self, pid: int) -> int | None:
        """Return the wait status of a worker of this branch that has ended; None while it lives or if it is unknown."""
        inner = self._inner.get(pid)
        if inner is None:
            return None
        reply, _ = self._ask(control.ExitStatusRequest(inner))
        status = reply.status if isinstance(reply, control.ExitStatus) else None
        return None if status is None else int.from_bytes(status, sys.byteorder)

    def status(self) -> control.Ready:
        """Return the zygote's state.

        Raises:
            IsolationError: It has a second thread or a descriptor too many, or has ended.
        """
        reply, _ = self._ask(control.Status())
        if not isinstance(reply, control.Ready):
            raise IsolationError(f"The process that starts workers gave {reply!r} as its state.")
        return reply

    def branch(self) -> "Branch":
        """Open a further connection; call it before a fork, and use it in the child only."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._ask(control.Adopt(), [theirs.fileno()])
        return Branch(ours)

    def close(self) -> None:
        """End the connection, and with it the workers that were leased over it."""
        self._link.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *details: object) -> None:
        self.close()

    def _ask(self, request: control.Request, descriptors: list[int] | None = None) -> tuple[control.Reply, list[int]]:
        try:
            self._link.settimeout(ANSWER_SECONDS)
            control.send(self._link, request, descriptors)
            reply, received = control.receive_reply(self._link)
        except OSError as error:
            raise IsolationError(
                f"The process that starts workers gave no answer ({error}).",
                "Start the grading again; reports written so far are whole.",
            ) from None
        if reply is None:
            raise IsolationError(
                "The process that starts workers has ended.",
                "Look for an out-of-memory message of the kernel, and start the grading again.",
            )
        if isinstance(reply, control.Refused):
            if reply.again:
                raise _scarce(reply.sentence)
            raise IsolationError(f"The process that starts workers failed: {reply.sentence}")
        return reply, received


def _scarce(sentence: str) -> LeaseFailed:
    hint = "Look at the limits on processes, memory and open files (`ulimit -a`), or grade with fewer --jobs."
    return LeaseFailed(f"A worker for a student's code could not be started: {sentence}", hint)


def _own_number(pidfd: int) -> int:
    """Return a process's pid in this process's pid namespace, from its pidfd."""
    for line in Path(f"/proc/self/fdinfo/{pidfd}").read_text(encoding="ascii").splitlines():
        if line.startswith("Pid:"):
            return int(line.split()[1])
    raise IsolationError("The kernel does not give the number of a worker in /proc/self/fdinfo.")
