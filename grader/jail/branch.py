"""Asks the zygote for workers, and is how every process of the trusted side holds on to them.

Each forked grading session has a connection of its own, because answers on a shared one would reach the wrong
process. When a connection ends, the zygote ends the workers that were handed out over it.
"""

import os
import socket
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.errors import IsolationError
from grader.inside.protocol import control
from grader.system.processors import keep_to

ANSWER_SECONDS = 60.0
LEASE_SECONDS = 10.0
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 1.0


class LeaseFailed(IsolationError):
    """A worker could not be had although the jail stands: the machine is short of processes, memory or descriptors."""


@dataclass(frozen=True)
class Lease:
    """A worker that is this process's own until it ends.

    Attributes:
        sock: The stream socket that its `serve` reads.
        pidfd: Its handle for signals; readable when it has ended.
        pid: Its number as this process sees it.
    """

    sock: socket.socket
    pidfd: int
    pid: int

    def close(self) -> None:
        """Let go of both descriptors; the worker ends when it finds its socket closed."""
        self.sock.close()
        os.close(self.pidfd)


@dataclass(frozen=True)
class Kept:
    """Where workers are kept to.

    Attributes:
        processor: The number of the processor.
        all: Those that there are.
    """

    processor: int
    all: Sequence[int]


class Branch:
    """One control connection to a zygote.

    Args:
        link: The connection; closed with this object.
        kept: The processor that its workers are kept to; None for any.
    """

    def __init__(self, link: socket.socket, kept: Kept | None = None) -> None:
        self._link = link
        self._kept = kept
        self._inner: dict[int, int] = {}

    def lease(self, entry: str = control.WORKER, patience_s: float = LEASE_SECONDS) -> Lease:
        """Return a worker that is shut in and waits.

        What is used up now may be free again in a moment: another submission's worker is ended by its clock, say. So
        it is asked for again, with growing pauses.

        Args:
            entry: Whose `serve` runs in it.
            patience_s: For how long it is asked for again.

        Raises:
            LeaseFailed: There was none in all that time; others may be luckier.
            IsolationError: The zygote refuses, or is gone.
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
        reply, descriptors = self._ask(control.Lease(1, entry))
        try:
            if not isinstance(reply, control.Leased) or len(descriptors) != 2:
                raise _scarce("Its descriptors did not arrive.")
            pid = _own_number(descriptors[1])
        except BaseException as error:  # the descriptors came, and nobody else closes them
            for number in descriptors:
                os.close(number)
            if isinstance(error, OSError):
                raise _scarce(f"Its number could not be read ({error.strerror}).") from None
            raise
        self._inner[pid] = reply.pids[0]
        if self._kept is not None:
            keep_to([self._kept.processor], pid)
        return Lease(socket.socket(fileno=descriptors[0]), descriptors[1], pid)

    def fate(self, pid: int) -> int | None:
        """Return the wait status of a worker of this branch that has ended; None while it lives or if nobody knows."""
        inner = self._inner.get(pid)
        if inner is None:
            return None
        reply, _ = self._ask(control.Fate(inner))
        status = reply.status if isinstance(reply, control.Fated) else None
        return None if status is None else int.from_bytes(status, sys.byteorder)

    def spread(self, pid: int) -> None:
        """Let this process, a worker and those that come after it run on any processor, since somebody else has theirs.

        Args:
            pid: The worker, which lives.
        """
        kept, self._kept = self._kept, None
        if kept is not None:
            keep_to(kept.all)
            keep_to(kept.all, pid)

    def status(self) -> control.Ready:
        """Return how the zygote is.

        Raises:
            IsolationError: It has a second thread or a descriptor too many, or is gone.
        """
        reply, _ = self._ask(control.Status())
        if not isinstance(reply, control.Ready):
            raise IsolationError("The state of the zygote was asked for.", f"It answered {reply!r}.")
        return reply

    def branch(self, kept: Kept | None = None) -> "Branch":
        """Open a further connection; to be called before a fork, and used in the child only.

        Args:
            kept: Where its workers are kept to; None for where those of this one are.

        Raises:
            IsolationError: The zygote refuses, or is gone.
        """
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._ask(control.Adopt(), [theirs.fileno()])
        return Branch(ours, kept or self._kept)

    def close(self) -> None:
        """End the connection, and with it the workers that were handed out over it."""
        self._link.close()

    def _ask(self, request: control.Request, descriptors: list[int] | None = None) -> tuple[control.Reply, list[int]]:
        try:
            self._link.settimeout(ANSWER_SECONDS)
            control.send(self._link, request, descriptors)
            reply, received = control.receive_reply(self._link)
        except OSError as error:
            raise IsolationError(
                "The process that starts workers was asked for something.",
                f"It gave no answer ({error}).",
                "Start the grading again; reports written so far are whole.",
            ) from None
        if reply is None:
            raise IsolationError(
                "The process that starts workers was asked for something.",
                "It has ended.",
                "Look for an out-of-memory message of the kernel, and start the grading again.",
            )
        if isinstance(reply, control.Refused):
            if reply.again:
                raise _scarce(reply.sentence)
            raise IsolationError("The process that starts workers was asked for something.", reply.sentence)
        return reply, received


def _scarce(sentence: str) -> LeaseFailed:
    hint = "Look at the limits on processes, memory and open files (`ulimit -a`), or grade with fewer --jobs."
    return LeaseFailed("A worker for a student's code was asked for.", sentence, hint)


def _own_number(pidfd: int) -> int:
    """Return a process's number in this process's pid namespace, by its handle."""
    for line in Path(f"/proc/self/fdinfo/{pidfd}").read_text(encoding="ascii").splitlines():
        if line.startswith("Pid:"):
            return int(line.split()[1])
    raise IsolationError("The number of a worker was looked up.", "The kernel does not tell it in /proc/self/fdinfo.")
