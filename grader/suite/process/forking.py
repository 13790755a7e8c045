"""Grades many submissions with one collected suite: a fork of the pytest session for each try.

Collecting costs a second, a fork some milliseconds, and nothing of one submission is there for the next. A fork that
dies keeps the verdicts that it had written.
"""

import contextlib
import gc
import multiprocessing
import os
import shutil
import signal
import tempfile
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from multiprocessing.connection import wait
from multiprocessing.context import ForkProcess
from pathlib import Path
from typing import NoReturn

import msgspec

from grader.errors import GraderError
from grader.inside.zygote import hugepages
from grader.jail import Branch, Jail, LeaseFailed
from grader.limits import JUDGING_BYTES, JUDGING_S, MIB, Limits
from grader.results.verdict import CheckVerdict, verdict_line
from grader.suite.runner.collect import Suite
from grader.suite.runner.submission_run import Run
from grader.suite.runner.undocumented import end_in_fork
from grader.system.devices import hide_gpus
from grader.system.machine import KilledByTheSystem
from grader.system.memory import bound_memory, resident_bytes
from grader.system.stopping import held_back, raise_if_asked
from grader.system.whole_file import write_whole
from grader.workers.process.failures import NotGraded
from grader.workers.session import WorkerSession

from .tries import LAST_WORDS, RAW_REPORT, VERDICTS, Ended, Job, Tries

MANY = 64  # submissions from which on it pays to gather the memory first, which saves some milliseconds a fork
GRACE_S = 30.0  # beyond what the submission may still wait, for a fork that is itself at fault
MOST_GARBAGE = 64 * MIB  # an answer
FORK = multiprocessing.get_context("fork")


@dataclass
class Fork:
    """A running fork.

    Attributes:
        tries: Those of the submission, one of which it is.
        folder: Where it writes.
        began: When it began, by the monotonic clock.
        system: Whether the system killed anything since then.
    """

    tries: Tries
    job: Job
    folder: Path
    process: ForkProcess
    began: float = field(default_factory=time.monotonic)
    system: KilledByTheSystem = field(default_factory=KilledByTheSystem)

    def ended(self) -> Ended:
        """Return what it left; it has ended."""
        self.process.join()
        killed = self.process.exitcode == -signal.SIGKILL and self.system.any_since()
        late = self.process.exitcode == -signal.SIGALRM
        ended = Ended.read(self.folder, time.monotonic() - self.began, killed=killed or late)
        shutil.rmtree(self.folder, ignore_errors=True)
        return ended


@dataclass
class ForkRunner:
    """Takes submissions of one assignment through their tries, a few at a time.

    Attributes:
        folder: Where each fork has a folder.
        most: How many may run at once; no more than there was room for on the machine.
    """

    jail: Jail
    limits: Limits
    suite: Suite
    folder: Path
    most: int
    _running: list[Fork] = field(default_factory=list)
    _waiting: deque[Tries] = field(default_factory=deque)
    _refused: list[Tries] = field(default_factory=list)
    _alone: bool = False

    def run(self, submissions: Iterator[Tries], done: Callable[[Tries], None], expected: int = 1) -> None:
        """Take all of these submissions through; where this is left early, forks that still run are killed.

        What the machine was short of something for is begun anew in the end, one submission at a time.

        Args:
            done: Called with each, in the order in which they end.
            expected: How many there are, about; many are worth a preparation that takes as long as some of them.

        Raises:
            IsolationError: The process that starts workers is gone.
        """
        gc.collect()
        gc.freeze()  # what is shared with the forks is looked at by no collector, so it stays shared
        if expected >= MANY:
            with contextlib.suppress(OSError):
                hugepages.gather(Path("/proc/self/maps").read_text(encoding="utf-8", errors="replace"))
        try:
            while True:
                raise_if_asked()
                while len(self._running) < self.most:
                    tries = self._waiting.popleft() if self._waiting else next(submissions, None)
                    if tries is None:
                        break
                    if (job := tries.next_job()) is not None:
                        self._start(tries, job)
                    elif tries.refused and not self._alone:
                        self._refused.append(replace(tries, ended=[]))
                    else:
                        done(tries)
                if not self._running:
                    if not self._refused:
                        return
                    self._waiting, self._refused = deque(self._refused), []
                    self.most, self._alone = 1, True
                    continue
                ready = wait([fork.process.sentinel for fork in self._running], timeout=1.0)
                for fork in [fork for fork in self._running if fork.process.sentinel in ready]:
                    self._running.remove(fork)
                    fork.tries.ended.append((fork.job.exercise, fork.ended()))
                    if fork.tries.refused:
                        self.jail.status()  # without the process that starts workers, nobody's result is to be believed
                    self._waiting.append(fork.tries)
        finally:
            for fork in self._running:
                fork.process.kill()
                fork.process.join()
            self._running.clear()

    def _start(self, tries: Tries, job: Job) -> None:
        """Begin a try; where the machine has no room for it, that is how it ended."""
        try:
            folder = Path(tempfile.mkdtemp(dir=self.folder))
            with contextlib.closing(self.jail.branch()) as branch, held_back():
                process = FORK.Process(target=grade_and_leave, args=(job, folder, branch, self.limits, self.suite))
                process.start()
                self._running.append(Fork(tries, job, folder, process))
        except (OSError, LeaseFailed) as error:
            problem = f"A process for this submission could not be started: {str(error).rstrip('.')}."
            hint = "Free some memory or raise the limits on processes and descriptors, and grade again."
            self.most = max(1, len(self._running))
            tries.ended.append((job.exercise, Ended(refused=f"{problem} {hint}")))
            self._waiting.append(tries)


def grade_and_leave(job: Job, folder: Path, branch: Branch, limits: Limits, suite: Suite) -> NoReturn:
    """Grade a submission and end this process at once; the interpreter's usual end takes 200 ms with torch loaded."""
    try:
        gc.disable()  # the fork is gone before it could collect anything worth the time
        signal.alarm(int(job.left.wall_s + GRACE_S))
        hide_gpus()
        bound_memory(JUDGING_BYTES)
        write_whole(folder / LAST_WORDS, msgspec.json.encode(grade(job, folder, branch, limits, suite)))
    except MemoryError:  # of an answer that is too large to be judged
        pass
    except Exception as error:  # a bug of the kit costs nobody points
        traceback.print_exception(error)
        problem = f"The kit itself failed on this submission ({type(error).__name__})."
        refused = f"{problem} Tell whoever maintains the kit, and grade again when it is mended."
        write_whole(folder / LAST_WORDS, msgspec.json.encode(Ended(refused=refused)))
    finally:  # this process must not return into the parent's code, whatever was raised
        os._exit(0)


def grade(job: Job, folder: Path, branch: Branch, limits: Limits, suite: Suite) -> Ended:
    """Run the checks of a job on its submission, and return what is known of it beside the verdicts.

    These are written into the folder line by line, and pytest-json-report's report in the end.
    """
    resident = resident_bytes()
    with (folder / VERDICTS).open("wb", buffering=0) as lines:

        def keep(verdict: CheckVerdict) -> None:
            nonlocal resident
            signal.setitimer(signal.ITIMER_PROF, JUDGING_S)  # the next check; the signal ends this process
            lines.write(verdict_line(verdict))
            # Tracebacks hold large answers, and no collector runs.
            if verdict.status != "passed" and resident_bytes() - resident > MOST_GARBAGE:
                gc.collect()
                resident = resident_bytes()  # what is left is not garbage, and looking for it again takes 10 ms

        session = WorkerSession(
            branch,
            job.source.cells,
            limits=limits,
            file_name=job.source.file_name,
            module_name=suite.course.module_name,
            device=suite.course.device,
            exercises=suite.exercises,
            keeps_calls=job.keeps_calls,
            left=job.left,
            stops=job.first.stops,
        )
        ended, cpu_s = Ended(), job.left.cpu_s
        signal.setitimer(signal.ITIMER_PROF, JUDGING_S)
        try:
            ended.text = job.first.text or session.analyse(suite.exercises)
            # Nobody reads what is said of an exercise that is run once more, or only to see whether it loses anything.
            explains = job.exercise is not None and not job.once
            run = Run(
                suite, session, job.source.digest, ended.text, job.seeds, explains, job.first_loss,
                on_verdict=keep, shown=ended.shown,
            )  # fmt: skip
            run.grade(job.exercise)
        except NotGraded as error:
            ended.early = error.why
        except GraderError as error:
            ended.refused = str(error)
        ended.notes, ended.stops = session.notes(job.language), session.stops
        ended.cpu_s = cpu_s - session.left.cpu_s
        session.close()
    end_in_fork(suite.pytest_session, folder / RAW_REPORT)
    return ended
