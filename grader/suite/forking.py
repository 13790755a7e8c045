"""Grades many submissions with one collected suite: forked children of the pytest session take some of them each.

Collecting costs a second, a fork some milliseconds, and the first submission in a process more than the next ones,
since each page that it writes to is copied. So a child takes several, one after the other (`in_turn.py`). It runs
the items, writes each verdict as a line the moment it is reached, lets pytest-json-report write its raw report, and
leaves by os._exit. A child that dies keeps what it had said; what it had not said, the manifest turns into `crash`, and
what it had not begun goes to another one.
"""

import contextlib
import errno
import gc
import itertools
import os
import select
import signal
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from grader.errors import CourseError, UsageError
from grader.inside import hugepages
from grader.jail import Jail, Kept, LeaseFailed
from grader.limits import Limits
from grader.processors import keep_to, processors
from grader.stalls import Stalls
from grader.stopping import held_back, raise_if_asked
from grader.suite.done import Done, Ended, read_done
from grader.suite.in_turn import LEFT, Collected, grade_in_turn
from grader.suite.plugin import GradingPlugin
from grader.suite.submission import Job, warm
from grader.suite.unchanged import Unchanged

ROOM_S = 20.0  # how long to wait for room when nothing of ours takes it
NO_ROOM = (errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE)
MANY = 64  # forks and ends of children that cost together what gathering the memory does; each is 6 ms cheaper then
GRACE_S = 30.0  # beyond the submission's own limit, for a child that is itself at fault
MOST_IN_A_ROW = 32  # submissions that one child takes


@dataclass
class Child:
    """A running child.

    Attributes:
        pid: Its number.
        told: Where it says that a submission is done, a byte for each.
        jobs: What it has not said to be done; the first one is running.
        since: When that one began.
        processor: The number of the one that it is kept to; None for any.
    """

    pid: int
    told: int
    jobs: deque[Job]
    since: float
    processor: int | None


@dataclass
class Forks:
    """Runs the jobs of one assignment, a few at a time.

    Attributes:
        jail: Where student code runs.
        limits: What each submission may use.
        folder: An empty folder for what the children write.
        most: How many submissions at once.
        on_done: Called with each result, in the order in which they end.
    """

    jail: Jail
    limits: Limits
    folder: Path
    most: int
    on_done: Callable[[Done], None]
    _ended: deque[Ended] = field(default_factory=deque)
    _running: dict[int, Child] = field(default_factory=dict)
    _given_back: deque[Job] = field(default_factory=deque)
    _processors: list[int] = field(default_factory=list)
    _stalls: Stalls = field(default_factory=Stalls)

    def run(self, jobs: Iterator[Job], plugin: GradingPlugin, session: pytest.Session, expected: int = 1) -> None:
        """Grade every job; children that still run are killed when this is left by an exception.

        Args:
            jobs: The submissions.
            plugin: The collected suite.
            session: pytest's session.
            expected: How many there will be, about; many are worth a preparation that takes as long as some of them.
        """
        warm(plugin, session)
        collected = Collected(plugin, session, Unchanged(plugin.roots()))
        self._processors = processors() if expected >= self.most > 1 else []
        gc.collect()
        gc.freeze()  # what is shared with the children is looked at by no collector, so it stays shared
        if expected >= MANY * MOST_IN_A_ROW:
            with contextlib.suppress(OSError):
                hugepages.gather(Path("/proc/self/maps").read_text(encoding="utf-8", errors="replace"))
        try:
            waiting, left = True, expected
            while waiting or self._running or self._ended or self._given_back:
                raise_if_asked()
                try:
                    while (waiting or self._given_back) and len(self._running) < self.most:
                        row = self._row(jobs, left)
                        waiting = waiting and bool(row)
                        left -= len(row)
                        if row:
                            self._start_with_patience(row, collected)
                finally:  # after the next ones were started, since writing reports is mostly waiting for the disk
                    self._hand_on()
                if self._running:
                    self._follow()
        finally:
            for pidfd, child in self._running.items():
                signal.pidfd_send_signal(pidfd, signal.SIGKILL)
                self._let_go(pidfd, child)
            self._running.clear()

    def _row(self, jobs: Iterator[Job], left: int) -> deque[Job]:
        """Return the submissions that the next child takes: the fewer the nearer the end is, so that all end together.

        Args:
            jobs: Those that were not begun.
            left: How many these are, about.
        """
        if self._given_back:
            return deque([self._given_back.popleft()])
        size = max(1, min(MOST_IN_A_ROW, left // (2 * self.most)))
        return deque(itertools.islice(jobs, size))

    def _start_with_patience(self, row: deque[Job], collected: Collected) -> None:
        """Start a child, and where the system has no room for one now, wait for others to end and try again."""
        until = time.monotonic() + ROOM_S
        while True:
            try:
                return self._start(row, collected)
            except (OSError, LeaseFailed) as error:
                if isinstance(error, OSError) and error.errno not in NO_ROOM:
                    raise
                if self._running:
                    self._follow()
                elif time.monotonic() > until:
                    raise UsageError(
                        "A process for the next submission could not be started:",
                        f"{error}.",
                        "Free some memory or raise the limits on processes and descriptors, and grade again.",
                    ) from None
                else:
                    time.sleep(0.2)

    def _start(self, row: deque[Job], collected: Collected) -> None:
        processor = self._free_processor()
        for job in row:
            (self.folder / str(job.number)).mkdir(exist_ok=True)
        with contextlib.ExitStack() as here:
            kept = None if processor is None else Kept(processor, self._processors)
            branch = here.enter_context(contextlib.closing(self.jail.branch(kept)))
            told, tells = os.pipe()
            here.callback(os.close, tells)
            os.set_blocking(told, False)
            try:
                with held_back():
                    pid = os.fork()
            except OSError:
                os.close(told)
                raise
            if pid == 0:
                if processor is not None:
                    keep_to([processor])
                grade_in_turn(row, self.folder, branch, self.limits, collected, tells)
        self._running[os.pidfd_open(pid)] = Child(pid, told, row, time.monotonic(), processor)

    def _free_processor(self) -> int | None:
        """Return the processor that the next child and its workers have to themselves; None where they share all.

        The two take turns, and each turn is shorter where neither has to be woken on another processor. Where there
        are more of them than children, or fewer, the system knows better: other graders on this machine would choose
        the same one.
        """
        if len(self._processors) != self.most:
            return None
        taken = {child.processor for child in self._running.values()}
        return next((each for each in self._processors if each not in taken), None)

    def _hand_on(self) -> None:
        """Hand on what the children said that have ended."""
        while self._ended:
            done = read_done(self._ended.popleft())
            if done.farewell is not None and done.farewell.broken:
                raise CourseError(done.farewell.broken)
            self.on_done(done)

    def _follow(self) -> None:
        """Wait until a submission or a child ends; a child far beyond its time is killed."""
        poll = select.poll()
        for pidfd, child in self._running.items():
            poll.register(pidfd, select.POLLIN)
            poll.register(child.told, select.POLLIN)
        ready = {number for number, _ in poll.poll(1000)}
        stopped = self._stalls.since(waited_s=1.0)  # with this process the children may have been stopped
        for pidfd, child in list(self._running.items()):
            child.since = min(child.since + stopped, time.monotonic())
            if pidfd in ready or child.told in ready:
                self._hear(child)
            if pidfd in ready:
                del self._running[pidfd]
                self._bury(child, self._let_go(pidfd, child))
            elif time.monotonic() - child.since > self.limits.submission_wall_s + GRACE_S:
                signal.pidfd_send_signal(pidfd, signal.SIGKILL)

    def _hear(self, child: Child) -> None:
        """Take note of the submissions that a child says to be done."""
        with contextlib.suppress(BlockingIOError):
            for _ in os.read(child.told, MOST_IN_A_ROW):
                self._end(child)

    def _end(self, child: Child) -> None:
        job, since, child.since = child.jobs.popleft(), child.since, time.monotonic()
        self._ended.append(Ended(job, self.folder / str(job.number), child.since - since))

    def _bury(self, child: Child, status: int) -> None:
        """Take note of the end of a child: what it ran is lost, unless it left by itself between two submissions."""
        if child.jobs and status != LEFT:
            self._end(child)
        self._given_back.extend(child.jobs)

    @staticmethod
    def _let_go(pidfd: int, child: Child) -> int:
        _, status = os.waitpid(child.pid, 0)
        os.close(pidfd)
        os.close(child.told)
        return os.waitstatus_to_exitcode(status)
