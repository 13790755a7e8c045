"""How bytes reach a worker and come back: what every way has in common, and a jailed worker's socket and pidfd.

Every wait has one deadline for all of its bytes, so that a reply which comes a byte at a time ends with the clock like
one that never comes.
"""

import contextlib
import os
import select
import signal
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from grader.system.stalls import STALL_S, Stalls

from .failures import OutOfTime, WorkerDied

TICK_S = 0.25
LATE_S = 0.05
REAP_S = 2.0
CHUNK = 1 << 16
CLOCK_OF_PROCESS = 2  # CPUCLOCK_SCHED, the lowest bits of a process's clock, as clock_getcpuclockid makes its number
_CLOCK_TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


class Lease(Protocol):
    """A worker that is lent: its stream socket, its pidfd, and its pid in this process's pid namespace."""

    @property
    def sock(self) -> socket.socket: ...
    @property
    def pidfd(self) -> int: ...
    @property
    def pid(self) -> int: ...


class Lender(Protocol):
    """Whom a jailed worker comes from, as far as its bytes and its life go."""

    def fate(self, pid: int) -> int | None:
        """Return the wait status of a dead worker, None while it lives or when nobody knows."""

    def spread(self, pid: int) -> None:
        """Let a worker run on any processor, where it was kept to one that somebody else has now."""


@dataclass
class Patience:
    """How long one exchange may take.

    Attributes:
        deadline: By the monotonic clock.
        tick: Called every quarter of a second while waiting; raises OutOfTime when another limit is reached.
        more: Asked once the deadline is over; returns seconds to add, since the worker had no processor for so long.
        stalls: Looks at the clocks. From one look to the next this process waits as long as it was told, or computes;
            all else is time in which it was stopped, or had no processor.
        stalled_s: Seconds that were added for that.
    """

    deadline: float
    tick: Callable[[], None]
    more: Callable[[], float] = lambda: 0.0
    stalls: Stalls = field(default_factory=Stalls)
    stalled_s: float = 0.0
    _rest: float = 0.0

    def left(self) -> float:
        """Return the seconds until the next tick or the deadline.

        Raises:
            OutOfTime: There are none.
        """
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
        """Look after a wait of as many seconds as `left` said, or fewer."""
        self.look(self._rest)

    def look(self, waited_s: float = 0.0) -> None:
        """Add the time in which this process was kept from running since the last look.

        Args:
            waited_s: For how long at most it waited. Where it was kept much longer, nobody knows when that began, and
                the worker is not charged for the wait.
        """
        lost = self.stalls.since(waited_s, LATE_S)
        if lost > STALL_S:
            lost += waited_s
        self.deadline += lost
        self.stalled_s += lost


class Transport(Protocol):
    """One worker's bytes, clock and life."""

    def send(self, data: bytes, patience: Patience) -> None:
        """Send all of it; raises OutOfTime or WorkerDied."""

    def receive(self, patience: Patience) -> bytes:
        """Wait for some bytes; raises OutOfTime or WorkerDied."""

    def quiet(self) -> bool:
        """Tell whether nothing has come that was not read; raises WorkerDied."""

    def cpu_seconds(self) -> float | None:
        """Return the processor time used so far, None where that cannot be seen."""

    def newly_queued_seconds(self) -> float:
        """Return for how long, since this was last asked, the worker was ready to run and had no processor."""

    def spread(self) -> None:
        """Let the worker run on any processor, where it was kept to one that somebody else has now."""

    def end(self) -> None:
        """Kill the worker if it lives and let go of everything."""

    def fate(self) -> int | None:
        """Wait a moment for a worker that is ending by itself; returns its wait status, None when it lives on."""


def process_seconds(pid: int) -> float | None:
    """Return a process's processor time, None where nothing tells it.

    Linux has a clock for every process, to the nanosecond and 30 times as fast to ask as /proc; where a sandbox does
    not offer it, /proc does.
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
    """Return how long a process waited for a processor, from /proc; 0 where the kernel does not tell."""
    try:
        with open(f"/proc/{pid}/schedstat", "rb") as file:  # noqa: PTH123 - a hot path, and Path costs more than the reading
            return int(file.read().split()[1]) / 1e9
    except (OSError, IndexError, ValueError):
        return 0.0


class SocketTransport:
    """A jailed worker on Linux.

    Args:
        lease: Its socket, pidfd and pid; they are closed by `end`.
        lender: Where it comes from.
    """

    def __init__(self, lease: Lease, lender: Lender) -> None:
        self._sock, self._pidfd, self._pid = lease.sock, lease.pidfd, lease.pid
        self._lender = lender
        self._status: int | None = None
        self._queued = 0.0
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

    def quiet(self) -> bool:
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
        return process_seconds(self._pid)

    def newly_queued_seconds(self) -> float:
        before, self._queued = self._queued, queued_seconds(self._pid)
        return max(self._queued - before, 0.0)

    def spread(self) -> None:
        self._lender.spread(self._pid)

    def fate(self) -> int | None:
        if self._status is None and self._pidfd >= 0:
            waiting = select.poll()
            waiting.register(self._pidfd, select.POLLIN)
            if waiting.poll(int(REAP_S * 1000)):
                self._status = self._lender.fate(self._pid)
        return self._status

    def end(self) -> None:
        if self._pidfd < 0:
            return
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)
        self._sock.close()
        os.close(self._pidfd)
        self._pidfd = -1
