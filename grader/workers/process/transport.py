"""How bytes reach a worker and come back: what a transport is, and a jailed worker's socket and pidfd.

Every wait has one deadline for all of its bytes, so that a reply sent byte by byte runs out of time like one that never
comes.
"""

import os
import select
import socket
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from grader.jail import Lease
from grader.system.stalls import STALL_S, Stalls

from .failures import OutOfTime, WorkerDied

TICK_S = 0.25
LATE_S = 0.05
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

    def unpin(self, pid: int) -> None:
        """Let a worker run on any processor, since another process took the one that it was pinned to."""


@dataclass
class Patience:
    """How long one exchange may take.

    Attributes:
        deadline: By the monotonic clock.
        tick: Called every quarter of a second while waiting; raises OutOfTime when another limit is reached.
        more: Called when the deadline is over; returns seconds to add, for which the worker had no processor.
        stalls: Reads the clocks. Between two readings this process waits as long as it meant to, or computes; all
            other time it was stopped, or had no processor.
        stalled_s: Seconds that were added for that.
    """

    deadline: float
    tick: Callable[[], None]
    more: Callable[[], float] = lambda: 0.0
    stalls: Stalls = field(default_factory=Stalls)
    stalled_s: float = 0.0
    _rest: float = 0.0

    def left(self) -> float:
        """Return the seconds until the next tick or the deadline; raises OutOfTime if there are none."""
        self.look()
        rest = self.deadline - self.stalls.seen
        if rest <= 0:
            self.deadline += self.more()
            rest = self.deadline - self.stalls.seen
        if rest <= 0:
            raise OutOfTime("wall")
        self._rest = min(rest, TICK_S)
        return self._rest

    def waited(self) -> None:
        """Read the clocks after a wait of at most as many seconds as `left` returned."""
        self.look(self._rest)

    def look(self, waited_s: float = 0.0) -> None:
        """Add the time in which this process could not run since the last reading.

        Args:
            waited_s: How long it waited at most. If it was stopped for much longer, the beginning of the stop is
                unknown, and the wait is not charged to the worker.
        """
        lost = self.stalls.since(waited_s, LATE_S)
        if lost > STALL_S:
            lost += waited_s
        self.deadline += lost
        self.stalled_s += lost


class Transport(ABC):
    """One worker's bytes, clock and life."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._queued = 0.0

    @abstractmethod
    def send(self, data: bytes, patience: Patience) -> None:
        """Send all of it; raises OutOfTime or WorkerDied."""

    @abstractmethod
    def receive(self, patience: Patience) -> bytes:
        """Wait for some bytes; raises OutOfTime or WorkerDied."""

    @abstractmethod
    def is_silent(self) -> bool:
        """Return whether there are no unread bytes; raises WorkerDied."""

    def cpu_seconds(self) -> float | None:
        """Return the processor time used so far, None where it cannot be read."""
        return process_seconds(self._pid)

    def newly_queued_seconds(self) -> float:
        """Return for how long since the last call the worker was ready to run but had no processor."""
        before, self._queued = self._queued, queued_seconds(self._pid)
        return max(self._queued - before, 0.0)

    @abstractmethod
    def unpin(self) -> None:
        """Let a worker that is pinned to a processor run on any, since another process took the one that it had."""

    @abstractmethod
    def end(self) -> None:
        """Kill the worker if it lives, and close its descriptors."""

    @abstractmethod
    def exit_status(self) -> int | None:
        """Wait a moment for a worker that is ending; returns its wait status, None if it still lives."""


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


def queued_seconds(pid: int) -> float:
    """Return how long a process waited for a processor, from /proc; 0 where the kernel does not report it."""
    try:
        with open(f"/proc/{pid}/schedstat", "rb") as file:  # noqa: PTH123 - a hot path, and Path costs more than the reading
            return int(file.read().split()[1]) / 1e9
    except (OSError, IndexError, ValueError):
        return 0.0


class SocketTransport(Transport):
    """A jailed worker on Linux.

    Args:
        lease: Its socket, pidfd and pid; they are closed by `end`.
        lender: Where it comes from.
    """

    def __init__(self, lease: Lease, lender: WorkerSource) -> None:
        super().__init__(lease.pid)
        self._lease, self._sock, self._pidfd = lease, lease.sock, lease.pidfd
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
        ready = poll.poll(max(1, int(patience.left() * 1000)))
        patience.waited()
        if not ready:
            patience.tick()
        return any(fd == self._pidfd for fd, _ in ready)

    def send(self, data: bytes, patience: Patience) -> None:
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
        try:
            waiting = self._sock.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            return True
        except OSError:
            raise WorkerDied from None
        if not waiting:
            raise WorkerDied
        return False

    def unpin(self) -> None:
        self._lender.unpin(self._pid)

    def exit_status(self) -> int | None:
        if self._status is None and self._pidfd >= 0:
            waiting = select.poll()
            waiting.register(self._pidfd, select.POLLIN)
            if waiting.poll(int(REAP_S * 1000)):
                self._status = self._lender.exit_status(self._pid)
        return self._status

    def end(self) -> None:
        if self._pidfd < 0:
            return
        self._lease.kill()
        self._pidfd = -1
