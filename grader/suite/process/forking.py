"""Grades many submissions with one collected suite: a fork of the pytest session for each way through the checks.

Collecting costs a second, a fork some milliseconds, and nothing of one submission is there for the next. A fork that
dies keeps the verdicts that it had written.
"""

import contextlib
import errno
import gc
import multiprocessing
import shutil
import signal
import tempfile
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import wait
from multiprocessing.context import ForkProcess
from pathlib import Path

from grader.errors import UsageError
from grader.inside.zygote import hugepages
from grader.jail import Jail, LeaseFailed
from grader.limits import Limits
from grader.suite.runner.suite import Suite
from grader.system.machine import KilledByTheSystem
from grader.system.stopping import held_back, raise_if_asked

from .child_report import ForkResult, Job, read_result
from .grade_submission import grade_and_leave
from .tries import Ways

NO_ROOM = (errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE)
MANY = 64  # forks that cost together what gathering the memory does; each takes some milliseconds less then
GRACE_S = 30.0  # beyond what the submission may still wait, for a fork that is itself at fault
LONGEST_LOOK_S = 2.0
FORK = multiprocessing.get_context("fork")


@dataclass
class Fork:
    """A running fork.

    Attributes:
        ways: Is sent what comes of it.
        folder: Where it writes.
        seen: When it was looked at last, by the monotonic clock.
        system: Whether the system killed anything since it began.
        seconds: How long it takes so far; a stop of this process (Ctrl-Z) does not count.
    """

    ways: Ways
    job: Job
    folder: Path
    process: ForkProcess
    seen: float = field(default_factory=time.monotonic)
    system: KilledByTheSystem = field(default_factory=KilledByTheSystem)
    seconds: float = 0.0


@dataclass
class JobRunner:
    """Runs the jobs of submissions of one assignment, a few at a time.

    Attributes:
        folder: Where each fork has a folder.
        most: How many may run at once.
    """

    jail: Jail
    limits: Limits
    suite: Suite
    folder: Path
    most: int
    _running: list[Fork] = field(default_factory=list)

    def run(self, submissions: Iterator[Ways], expected: int = 1) -> None:
        """Run every job of these submissions; forks that still run are killed where this is left early.

        Args:
            expected: How many there are, about; many are worth a preparation that takes as long as some of them.

        Raises:
            UsageError: The system has no room for a single one.
        """
        gc.collect()
        gc.freeze()  # what is shared with the forks is looked at by no collector, so it stays shared
        if expected >= MANY:
            with contextlib.suppress(OSError):
                hugepages.gather(Path("/proc/self/maps").read_text(encoding="utf-8", errors="replace"))
        waiting: deque[tuple[Ways, Job]] = deque()
        try:
            while True:
                raise_if_asked()
                while len(self._running) < self.most:
                    if not waiting and (ways := next(submissions, None)) is not None:
                        with contextlib.suppress(StopIteration):
                            waiting.append((ways, next(ways)))
                    elif not waiting or not self._try_to_start(*waiting[0]):
                        break
                    else:
                        waiting.popleft()
                if not self._running:
                    return
                for ways, ended in self._ended():
                    with contextlib.suppress(StopIteration):
                        waiting.append((ways, ways.send(ended)))
        finally:
            for fork in self._running:
                fork.process.kill()
                fork.process.join()
            self._running.clear()

    def _try_to_start(self, ways: Ways, job: Job) -> bool:
        """Begin a job; returns False where the system has no room for it until another one ends."""
        try:
            self._start(ways, job)
        except (OSError, LeaseFailed) as error:
            if isinstance(error, OSError) and error.errno not in NO_ROOM:
                raise
            if not self._running:
                raise UsageError(
                    f"A process for the next submission could not be started: {str(error).rstrip('.')}.",
                    "Free some memory or raise the limits on processes and descriptors, and grade again.",
                ) from None
            return False
        return True

    def _start(self, ways: Ways, job: Job) -> None:
        folder = Path(tempfile.mkdtemp(dir=self.folder))
        with contextlib.closing(self.jail.branch()) as branch, held_back():
            process = FORK.Process(target=grade_and_leave, args=(job, folder, branch, self.limits, self.suite))
            process.start()
            self._running.append(Fork(ways, job, folder, process))

    def _ended(self) -> Iterator[tuple[Ways, ForkResult]]:
        """Wait a moment; yield what the forks left that have ended, and kill one that is far too late."""
        ready = wait([fork.process.sentinel for fork in self._running], timeout=1.0)
        for fork in list(self._running):
            now = time.monotonic()
            fork.seconds, fork.seen = fork.seconds + min(now - fork.seen, LONGEST_LOOK_S), now
            if fork.process.sentinel in ready:
                fork.process.join()
                self._running.remove(fork)
                killed = fork.process.exitcode == -signal.SIGKILL and fork.system.any_since()
                yield fork.ways, read_result(fork.folder, fork.seconds, killed=killed)
                shutil.rmtree(fork.folder, ignore_errors=True)
            elif fork.seconds > fork.job.left.wall_s + GRACE_S:
                fork.process.kill()
