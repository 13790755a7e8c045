"""How bytes reach a worker and come back: by its socket, and by its pidfd for its end.

The clocks are read every quarter of a second, also between the pieces of a reply, so that one sent byte by byte runs
out of time like one that never comes.
"""

import os
import select
import socket
import time
from typing import Protocol, runtime_checkable

from grader.jail import Lease

from .clock import Patience
from .failures import WorkerDied

REAP_S = 2.0
CHUNK = 1 << 16
CLOCK_OF_PROCESS = 2  # CPUCLOCK_SCHED, the lowest bits of a process's clock, as clock_getcpuclockid makes its number
_CLOCK_TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


@runtime_checkable
class WorkerSource(Protocol):
    """The source of jailed workers: a jail, or a branch of it in a child process."""

    def lease(self) -> Lease:
        """Return an unused worker."""

    def exit_status(self, pid: int) -> int | None:
        """Return the wait status of a dead worker, None while it lives or if it is unknown."""


def process_seconds(pid: int) -> float | None:
    """Return a process's processor time, None where it cannot be read.

    Linux has a clock for every process, exact to the nanosecond and 30 times as fast to read as /proc; /proc is used
    where a sandbox does not offer that clock.
    """
    try:
        return time.clock_gettime((~pid << 3) | CLOCK_OF_PROCESS)
    except (OSError, AttributeError):
        return process_seconds_by_ticks(pid)


def process_seconds_by_ticks(pid: int) -> float | None:
    """Return a process's processor time from /proc, None where there is none to read."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:  # noqa: PTH123 - a hot path, and Path costs more than the reading
            fields = file.read().rpartition(b")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _CLOCK_TICKS
    except (OSError, IndexError, ValueError):
        return None


class SocketTransport:
    """One worker's bytes, clock and life.

    Args:
        lease: Its socket, pidfd and pid; they are closed by `end`.
        lender: Where it comes from.
    """

    def __init__(self, lease: Lease, lender: WorkerSource) -> None:
        self._lease, self._sock, self._pidfd, self._pid = lease, lease.sock, lease.pidfd, lease.pid
        self._lender = lender
        self._status: int | None = None
        self._sock.setblocking(False)
        self._input, self._output = select.poll(), select.poll()
        self._input.register(self._sock, select.POLLIN)
        self._output.register(self._sock, select.POLLOUT)
        for poll in (self._input, self._output):
            poll.register(self._pidfd, select.POLLIN)

    def _wait(self, poll: "select.poll", patience: Patience) -> bool:
        """Wait for the socket; returns whether the process is dead."""
        ready = poll.poll(int(patience.tick_s * 1000))
        patience.tick()
        return any(fd == self._pidfd for fd, _ in ready)

    def send(self, data: bytes, patience: Patience) -> None:
        """Send all of it; raises OutOfTime or WorkerDied."""
        view = memoryview(data)
        while view:
            try:
                view = view[self._sock.send(view) :]
            except BlockingIOError:
                if self._wait(self._output, patience):
                    raise WorkerDied from None
            except OSError:
                raise WorkerDied from None

    def receive(self, patience: Patience) -> bytes:
        """Wait for some bytes; raises OutOfTime or WorkerDied."""
        dead = False
        while True:
            if not dead:
                dead = self._wait(self._input, patience)
            try:
                data = self._sock.recv(CHUNK)
            except BlockingIOError:
                if dead:
                    raise WorkerDied from None
                continue
            except OSError:
                raise WorkerDied from None
            if not data:
                raise WorkerDied
            return data

    def is_silent(self) -> bool:
        """Return whether there are no unread bytes; raises WorkerDied."""
        try:
            waiting = self._sock.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            return True
        except OSError:
            raise WorkerDied from None
        if not waiting:
            raise WorkerDied
        return False

    def cpu_seconds(self) -> float | None:
        """Return the processor time used so far, None where it cannot be read."""
        return process_seconds(self._pid)

    def exit_status(self) -> int | None:
        """Wait a moment for a worker that is ending; returns its wait status, None if it still lives."""
        if self._status is None and self._pidfd >= 0:
            waiting = select.poll()
            waiting.register(self._pidfd, select.POLLIN)
            if waiting.poll(int(REAP_S * 1000)):
                self._status = self._lender.exit_status(self._pid)
        return self._status

    def end(self) -> None:
        """Kill the worker if it lives, and close its descriptors."""
        if self._pidfd < 0:
            return
        self._lease.kill()
        self._pidfd = -1
