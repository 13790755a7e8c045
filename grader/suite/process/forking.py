"""Grades many submissions with one collected suite: a child of the pytest session is forked for each of them.

Collecting costs a second, a fork some milliseconds, and nothing of one submission is there for the next. The child runs
the items, writes each verdict as a line the moment it is reached, lets pytest-json-report write its raw report, and
leaves by os._exit. A child that dies keeps what it had written; the manifest turns the rest into `crash`.
"""

import contextlib
import errno
import gc
import select
import shutil
import tempfile
import time
from collections import deque
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from grader.errors import CourseError, UsageError
from grader.inside.zygote import hugepages
from grader.jail import Jail, LeaseFailed, ProcessorPin
from grader.jail.leftovers import kept_folder
from grader.limits import Limits
from grader.suite.runner.suite import Suite
from grader.system.processors import processors
from grader.system.stalls import Stalls
from grader.system.stopping import raise_if_asked

from .child import Child, fork, grade_and_leave
from .child_report import Job, SubmissionResult, read_result

ROOM_S = 20.0  # how long to wait for room when nothing of ours takes it
NO_ROOM = (errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE)
MANY = 64  # forks that cost together what gathering the memory does; each is 6 ms cheaper then
GRACE_S = 30.0  # beyond the submission's own limit, for a child that is itself at fault


@dataclass
class JobRunner:
    """Runs the jobs of one assignment, a few at a time.

    Attributes:
        on_done: Called with each result, in the order in which they end.
        stragglers: The children of sessions before this one that still run, which count among those at once.
    """

    jail: Jail
    limits: Limits
    folder: Path
    most: int
    on_done: Callable[[SubmissionResult], None]
    stragglers: "Stragglers"
    has_frozen: ClassVar[bool] = False  # asking gc.get_freeze_count() takes 30 ms
    running: list[Child] = field(default_factory=list)
    _ended: deque[Child] = field(default_factory=deque)
    _queue: deque[Job] = field(default_factory=deque)
    _processors: list[int] = field(default_factory=list)
    _stalls: Stalls = field(default_factory=Stalls)

    def run(self, jobs: Iterator[Job], suite: Suite, expected: int = 1, *, may_leave: bool = False) -> None:
        """Grade every job; children that still run are killed when this is left by an exception.

        Args:
            expected: How many there will be, about; many are worth a preparation that takes as long as some of them.
            may_leave: Whether the last children become stragglers as soon as there is room for another session's.
        """
        self._processors = processors() if expected >= self.most > 1 else []
        if JobRunner.has_frozen:  # else most of it was imported just now, with little to free and much to look through
            gc.collect()
        gc.freeze()  # what is shared with the children is looked at by no collector, so it stays shared
        JobRunner.has_frozen = True
        if expected >= MANY:
            with contextlib.suppress(OSError):
                hugepages.gather(Path("/proc/self/maps").read_text(encoding="utf-8", errors="replace"))
        try:
            while self._fill(jobs) or self.running or self._ended:
                raise_if_asked()
                try:
                    self._start_all(suite)
                finally:  # after the next ones were started, since writing reports is mostly waiting for the disk
                    self.deliver_results()
                if may_leave and self.running and not self._queue and self._has_room() and not self._ended:
                    self.stragglers.add(self)
                    return
                if self.running:
                    self.stragglers.follow(self)
        except BaseException:
            self.kill()
            raise

    def kill(self) -> None:
        """End every child wherever it is."""
        for child in self.running:
            child.kill()
            child.wait()
        self.running.clear()

    def is_over(self) -> bool:
        """Tell whether every child has ended, and all that they said was handed on."""
        return not self.running and not self._ended

    def _has_room(self) -> bool:
        return len(self.running) + len(self.stragglers.running()) < self.most

    def _fill(self, jobs: Iterator[Job]) -> bool:
        """Read as many submissions as may be begun next; returns whether any is left."""
        while len(self._queue) < self.most and (job := next(jobs, None)) is not None:
            self._queue.append(job)
        return bool(self._queue)

    def _start_all(self, suite: Suite) -> None:
        """Begin submissions as long as there may be more at once."""
        while self._queue and self._has_room() and self._try_to_start(suite):
            self._queue.popleft()

    def _try_to_start(self, suite: Suite) -> bool:
        """Begin the next submission; returns False where the system has no room for one until another one ends.

        Raises:
            UsageError: There is no room for a single one.
        """
        until = time.monotonic() + ROOM_S
        while True:
            try:
                self._start(self._queue[0], suite)
            except (OSError, LeaseFailed) as error:
                if isinstance(error, OSError) and error.errno not in NO_ROOM:
                    raise
                if self.running or self.stragglers.running():
                    return False
                if time.monotonic() > until:
                    raise UsageError(
                        f"A process for the next submission could not be started: {str(error).rstrip('.')}.",
                        "Free some memory or raise the limits on processes and descriptors, and grade again.",
                    ) from None
                time.sleep(0.2)
            else:
                return True

    def _start(self, job: Job, suite: Suite) -> None:
        processor = self._free_processor()
        kept = None if processor is None else ProcessorPin(processor, self._processors)
        folder = self.folder / str(job.number)
        shutil.rmtree(folder, ignore_errors=True)  # what a first child left, where the job is repeated
        folder.mkdir()
        with contextlib.closing(self.jail.branch(kept)) as branch:
            child = fork(job, processor)
            if child is None:
                grade_and_leave(job, folder, branch, self.limits, suite, processor)
        self.running.append(child)

    def _free_processor(self) -> int | None:
        """Return the processor that the next child and its workers have to themselves; None where they share all.

        The two take turns, and each turn is shorter where neither has to be woken on another processor. Where there
        are more of them than children, or fewer, the system knows better: other graders on this machine would choose
        the same one.
        """
        if len(self._processors) != self.most:
            return None
        taken = {child.processor for child in [*self.running, *self.stragglers.running()]}
        return next((each for each in self._processors if each not in taken), None)

    def deliver_results(self) -> None:
        """Hand on what the children said that have ended."""
        while self._ended:
            child = self._ended.popleft()
            done = read_result(child.job, self.folder / str(child.job.number), child.seconds)
            if done.child_report is not None and done.child_report.broken:
                raise CourseError(done.child_report.broken)
            self.on_done(done)

    def note_ended(self, ready: Container[int]) -> None:
        """Take note of the children that ended; one far beyond its time is killed."""
        stopped = self._stalls.since(waited_s=1.0)  # with this process the children may have been stopped
        for child in list(self.running):
            child.since = min(child.since + stopped, time.monotonic())
            if child.pidfd in ready:
                child.wait()
                self.running.remove(child)
                child.seconds = time.monotonic() - child.since
                self._ended.append(child)
            elif time.monotonic() - child.since > self.limits.submission_wall_s + GRACE_S:
                child.kill()


class Stragglers:
    """The batches whose last submissions still run while another one has begun.

    A submission that hangs to its limit would hold up all other assignments otherwise. A context manager: what still
    runs at its end is killed.
    """

    def __init__(self) -> None:
        self._batches: list[JobRunner] = []
        self._open = contextlib.ExitStack()

    def __enter__(self) -> "Stragglers":
        self._folder = self._open.enter_context(kept_folder("grading"))
        return self

    def __exit__(self, *_: object) -> None:
        for batch in self._batches:
            batch.kill()
        self._open.close()

    def new_folder(self) -> Path:
        """Return an empty folder for what a batch's children write."""
        return Path(tempfile.mkdtemp(dir=self._folder))

    def add(self, batch: JobRunner) -> None:
        """Let the children of a batch end in their own time."""
        self._batches.append(batch)

    def running(self) -> list[Child]:
        """Return the children that still run."""
        return [child for batch in self._batches for child in batch.running]

    def follow(self, *batches: JobRunner) -> None:
        """Wait until something ends of the stragglers or of further batches, and hand on what the stragglers said."""
        poll = select.poll()
        followed = [*self._batches, *batches]
        for child in (child for batch in followed for child in batch.running):
            poll.register(child.pidfd, select.POLLIN)
        ready = {number for number, _ in poll.poll(1000)}
        for batch in followed:
            batch.note_ended(ready)
        for batch in list(self._batches):
            batch.deliver_results()
            if batch.is_over():
                self._batches.remove(batch)

    def finish(self) -> None:
        """Wait until all of them have ended."""
        while self._batches:
            raise_if_asked()
            self.follow()
