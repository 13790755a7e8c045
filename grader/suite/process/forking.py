"""Grades many submissions with one collected suite: a fork of the pytest session for each way through the checks.

Collecting costs a second, a fork some milliseconds, and nothing of one submission is there for the next. A fork that
dies keeps the verdicts that it had written.
"""

import contextlib
import gc
import multiprocessing
import shutil
import signal
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from multiprocessing.connection import wait
from multiprocessing.context import ForkProcess
from pathlib import Path

from grader.errors import UsageError
from grader.inside.zygote import hugepages
from grader.jail import Jail, LeaseFailed
from grader.limits import Limits
from grader.suite.runner.collect import Suite
from grader.system.machine import KilledByTheSystem
from grader.system.stopping import held_back, raise_if_asked

from .grade_submission import grade_and_leave
from .tries import Tries
from .way import Job, read_ended

MANY = 64  # forks that cost together what gathering the memory does; each takes some milliseconds less then
GRACE_S = 30.0  # beyond what the submission may still wait, for a fork that is itself at fault
LONGEST_LOOK_S = 2.0
FORK = multiprocessing.get_context("fork")


@dataclass
class Fork:
    """A running fork.

    Attributes:
        tries: Is told what comes of it.
        folder: Where it writes.
        seen: When it was looked at last, by the monotonic clock.
        system: Whether the system killed anything since it began.
        seconds: How long it takes so far; a stop of this process (Ctrl-Z) does not count.
    """

    tries: Tries
    job: Job
    folder: Path
    process: ForkProcess
    seen: float = field(default_factory=time.monotonic)
    system: KilledByTheSystem = field(default_factory=KilledByTheSystem)
    seconds: float = 0.0


@dataclass
class ForkRunner:
    """Takes submissions of one assignment through their ways, a few at a time.

    Attributes:
        folder: Where each fork has a folder.
        most: How many may run at once; fewer from the moment on in which that was too much for the machine.
    """

    jail: Jail
    limits: Limits
    suite: Suite
    folder: Path
    most: int
    _running: list[Fork] = field(default_factory=list)

    def run(self, submissions: Iterator[Tries], done: Callable[[Tries], None], expected: int = 1) -> None:
        """Take all of these submissions through; forks that still run are killed where this is left early.

        Args:
            done: Called with each, in the order in which they end.
            expected: How many there are, about; many are worth a preparation that takes as long as some of them.

        Raises:
            UsageError: The system has no room for a single fork.
            IsolationError: The process that starts workers is gone.
        """
        gc.collect()
        gc.freeze()  # what is shared with the forks is looked at by no collector, so it stays shared
        if expected >= MANY:
            with contextlib.suppress(OSError):
                hugepages.gather(Path("/proc/self/maps").read_text(encoding="utf-8", errors="replace"))
        waiting: deque[Tries] = deque()
        try:
            while True:
                raise_if_asked()
                while len(self._running) < self.most and (
                    tries := waiting.popleft() if waiting else next(submissions, None)
                ):
                    if (job := tries.next_job()) is None:
                        done(tries)
                    elif not self._has_begun(tries, job):
                        waiting.appendleft(tries)
                if not self._running:
                    return
                waiting.extend(self._ended())
        finally:
            for fork in self._running:
                fork.process.kill()
                fork.process.join()
            self._running.clear()

    def _has_begun(self, tries: Tries, job: Job) -> bool:
        """Begin a way; returns False where the machine has no room for it until another one ends."""
        try:
            self._start(tries, job)
        except (OSError, LeaseFailed) as error:
            if not self._running:
                raise UsageError(
                    f"A process for the next submission could not be started: {str(error).rstrip('.')}.",
                    "Free some memory or raise the limits on processes and descriptors, and grade again.",
                ) from None
            self.most = len(self._running)
            return False
        return True

    def _start(self, tries: Tries, job: Job) -> None:
        folder = Path(tempfile.mkdtemp(dir=self.folder))
        with contextlib.closing(self.jail.branch()) as branch, held_back():
            process = FORK.Process(target=grade_and_leave, args=(job, folder, branch, self.limits, self.suite))
            process.start()
            self._running.append(Fork(tries, job, folder, process))

    def _ended(self) -> Iterator[Tries]:
        """Wait a moment; yield the submissions whose fork has ended, and kill one that is far too late."""
        ready = wait([fork.process.sentinel for fork in self._running], timeout=1.0)
        for fork in list(self._running):
            now = time.monotonic()
            fork.seconds, fork.seen = fork.seconds + min(now - fork.seen, LONGEST_LOOK_S), now
            if fork.process.sentinel in ready:
                fork.process.join()
                self._running.remove(fork)
                killed = fork.process.exitcode == -signal.SIGKILL and fork.system.any_since()
                fork.tries.ways.append((fork.job.exercise, read_ended(fork.folder, fork.seconds, killed=killed)))
                shutil.rmtree(fork.folder, ignore_errors=True)
                yield self._once_more(fork.tries) if fork.tries.refused else fork.tries
            elif fork.seconds > fork.job.left.wall_s + GRACE_S:
                fork.process.kill()

    def _once_more(self, tries: Tries) -> Tries:
        """Return a submission for which there was no worker, to be begun anew where it has fewer beside it then."""
        self.jail.status()  # without the process that starts workers, nobody's result is to be believed
        if self.most == 1:
            return tries
        self.most -= 1
        return replace(tries, ways=[])
