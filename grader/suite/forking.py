"""Grades many submissions with one collected suite: a forked child of the pytest session for each.

Collecting costs a second, a fork some milliseconds. The child runs the items, writes each verdict as a line the moment
it is reached, lets pytest-json-report write its raw report and leaves by os._exit. A child that dies keeps what it had
said; what it had not said, the manifest turns into `crash`.
"""

import contextlib
import errno
import gc
import os
import select
import signal
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
import pytest

from grader.errors import CourseError, UsageError
from grader.inside import hugepages
from grader.jail import Branch, Jail, LeaseFailed
from grader.limits import Limits
from grader.results.verdict import CheckVerdict, read_verdict
from grader.stopping import held_back, raise_if_asked
from grader.suite.plugin import GradingPlugin
from grader.suite.raw_report import confirmed
from grader.suite.submission import Farewell, Job, grade, warm

ROOM_S = 20.0  # how long to wait for room when nothing of ours takes it
NO_ROOM = (errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE)
MANY = 64  # forks and ends of children that cost together what gathering the memory does; each is 8 ms cheaper then
GRACE_S = 30.0  # beyond the submission's own limit, for a child that is itself at fault


@dataclass(frozen=True)
class Done:
    """A submission whose child has ended; `farewell` is None when it died before its last words."""

    job: Job
    verdicts: list[CheckVerdict]
    farewell: Farewell | None
    raw: Path
    seconds: float


@dataclass(frozen=True)
class Child:
    """A running child."""

    job: Job
    pid: int
    folder: Path
    started: float


@dataclass(frozen=True)
class Ended:
    """A child that has ended, and how long it took."""

    child: Child
    seconds: float


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

    def run(self, jobs: Iterator[Job], plugin: GradingPlugin, session: pytest.Session, expected: int = 1) -> None:
        """Grade every job; children that still run are killed when this is left by an exception.

        Args:
            jobs: The submissions.
            plugin: The collected suite.
            session: pytest's session.
            expected: How many there will be, about; many are worth a preparation that takes as long as some of them.
        """
        running: dict[int, Child] = {}
        warm(plugin, session)
        gc.collect()
        gc.freeze()  # what is shared with the children is looked at by no collector, so it stays shared
        if expected >= MANY:
            with contextlib.suppress(OSError):
                hugepages.gather(Path("/proc/self/maps").read_text(encoding="utf-8", errors="replace"))
        try:
            waiting = True
            while waiting or running or self._ended:
                raise_if_asked()
                try:
                    while waiting and len(running) < self.most:
                        job = next(jobs, None)
                        waiting = job is not None
                        if job is not None:
                            self._start_with_patience(job, running, plugin, session)
                finally:  # after the next ones were started, since writing reports is mostly waiting for the disk
                    self._hand_on()
                if running:
                    self._collect(running)
        finally:
            for pidfd, child in running.items():
                signal.pidfd_send_signal(pidfd, signal.SIGKILL)
                os.waitpid(child.pid, 0)
                os.close(pidfd)

    def _start_with_patience(
        self, job: Job, running: dict[int, Child], plugin: GradingPlugin, session: pytest.Session
    ) -> None:
        """Start a child, and where the system has no room for one now, wait for others to end and try again."""
        until = time.monotonic() + ROOM_S
        while True:
            try:
                return self._start(job, running, plugin, session)
            except (OSError, LeaseFailed) as error:
                if isinstance(error, OSError) and error.errno not in NO_ROOM:
                    raise
                if running:
                    self._collect(running)
                elif time.monotonic() > until:
                    raise UsageError(
                        "A process for the next submission could not be started:",
                        f"{error}.",
                        "Free some memory or raise the limits on processes and descriptors, and grade again.",
                    ) from None
                else:
                    time.sleep(0.2)

    def _start(self, job: Job, running: dict[int, Child], plugin: GradingPlugin, session: pytest.Session) -> None:
        folder = self.folder / str(job.number)
        folder.mkdir(exist_ok=True)
        branch = self.jail.branch()
        try:
            with held_back():
                pid = os.fork()
        except OSError:
            branch.close()
            folder.rmdir()
            raise
        if pid == 0:
            gc.disable()  # the child is gone before it could collect anything worth the time
            grade_and_leave(job, folder, branch, self.limits, plugin, session)
        branch.close()
        running[os.pidfd_open(pid)] = Child(job, pid, folder, time.monotonic())

    def _hand_on(self) -> None:
        """Hand on what the children said that have ended."""
        while self._ended:
            done = read_done(self._ended.popleft())
            if done.farewell is not None and done.farewell.broken:
                raise CourseError(done.farewell.broken)
            self.on_done(done)

    def _collect(self, running: dict[int, Child]) -> None:
        """Wait until a child ends; one far beyond its time is killed."""
        poll = select.poll()
        for pidfd in running:
            poll.register(pidfd, select.POLLIN)
        ended = [fd for fd, _ in poll.poll(1000)]
        for fd, child in running.items():
            if time.monotonic() - child.started > self.limits.submission_wall_s + GRACE_S:
                signal.pidfd_send_signal(fd, signal.SIGKILL)
        for fd in ended:
            child = running.pop(fd)
            os.waitpid(child.pid, 0)
            os.close(fd)
            self._ended.append(Ended(child, time.monotonic() - child.started))


def read_done(ended: Ended) -> Done:
    """Read what a child wrote.

    A last line that was cut off by its death is no verdict. Where the child did end well, a check counts as passed
    only if pytest's own report says so too.
    """
    child = ended.child
    lines = child.folder / "verdicts.jsonl"
    whole = (
        [line for line in lines.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")]
        if lines.exists()
        else []
    )
    verdicts = [read_verdict(line) for line in whole]
    last = child.folder / "farewell.json"
    farewell = msgspec.json.decode(last.read_bytes(), type=Farewell) if last.exists() else None
    raw = child.folder / "raw.json"
    if farewell is not None and not farewell.broken:
        verdicts = confirmed(verdicts, raw.read_bytes())
    return Done(child.job, verdicts, farewell, raw, ended.seconds)


def grade_and_leave(
    job: Job, folder: Path, branch: Branch, limits: Limits, plugin: GradingPlugin, session: pytest.Session
) -> None:
    """In the child: grade one submission, and end without the interpreter's long farewell."""
    try:
        farewell = grade(job, folder, branch, limits, plugin, session)
        (folder / "farewell.tmp").write_bytes(msgspec.json.encode(farewell))
        (folder / "farewell.tmp").rename(folder / "farewell.json")
    except BaseException:  # this process must not return into the parent's code, whatever it is
        (folder / "error.txt").write_text(traceback.format_exc(), encoding="utf-8")
    finally:
        os._exit(0)
