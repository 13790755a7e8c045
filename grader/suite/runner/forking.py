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
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import wait
from multiprocessing.context import ForkProcess
from pathlib import Path
from typing import NoReturn

import msgspec

from grader.errors import GraderError
from grader.jail import Branch, Jail, LeaseFailed
from grader.jail.leftovers import kept_folder
from grader.limits import JUDGING_BYTES, JUDGING_S
from grader.results.verdict import read_verdict, verdict_line
from grader.suite.core.context import AssignmentContext
from grader.suite.core.manifest import Check
from grader.system.devices import hide_gpus
from grader.system.machine import KilledByTheSystem
from grader.system.memory import bound_memory
from grader.system.stopping import held_back, raise_if_asked
from grader.system.whole_file import write_whole
from grader.workers.process.failures import NotGraded
from grader.workers.session import WorkerSession

from .submission_run import Run
from .tries import Ended, Job, Tries
from .undocumented import end_in_fork

VERDICTS, LAST_WORDS, RAW_REPORT = "verdicts.jsonl", "last_words.json", "raw.json"
"""The files of a fork: a line for each verdict as soon as it is reached, and the others in the end."""
GRACE_S = 30.0  # beyond what the submission may still wait, for a fork that is itself at fault
FORK = multiprocessing.get_context("fork")


@dataclass
class Fork:
    """A running fork.

    Attributes:
        tries: Those of the submission; this fork is one of them.
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
        """Return what it left; it has ended. A last line that its death cut off is no verdict."""
        self.process.join()
        lines, last, raw = (
            file.read_bytes() if (file := self.folder / name).exists() else b""
            for name in (VERDICTS, LAST_WORDS, RAW_REPORT)
        )
        ended = msgspec.json.decode(last or b"{}", type=Ended)
        ended.verdicts = [read_verdict(line) for line in lines.splitlines(keepends=True) if line.endswith(b"\n")]
        ended.exercise, ended.raw, ended.seconds = self.job.exercise, raw or None, time.monotonic() - self.began
        late, killed = (self.process.exitcode == -number for number in (signal.SIGALRM, signal.SIGKILL))
        if late or (killed and self.system.any_since()):
            ended.early = "killed"
        shutil.rmtree(self.folder, ignore_errors=True)
        return ended


def take_through(
    submissions: Iterator[Tries],
    done: Callable[[Tries], None],
    most: int,
    jail: Jail,
    course: AssignmentContext,
    order: list[Check],
) -> None:
    """Take submissions of one assignment through their tries; where this is left early, running forks are killed.

    Args:
        done: Called with each, in the order in which they end.
        most: How many may run at once; fewer where the machine has no room for so many.
        order: The checks that are run, in their order.

    Raises:
        IsolationError: The process that starts workers is gone.
    """
    running: list[Fork] = []

    def go_on(tries: Tries) -> None:
        """Begin the next try of a submission; where the machine has no room for it, that is how it ended."""
        nonlocal most
        if (job := tries.next_job()) is None:
            return done(tries)
        try:
            folder = Path(tempfile.mkdtemp(dir=place))
            with contextlib.closing(jail.branch()) as branch, held_back():
                process = FORK.Process(target=grade_and_leave, args=(job, folder, branch, course, order))
                process.start()
                running.append(Fork(tries, job, folder, process))
        except (OSError, LeaseFailed) as error:
            problem = f"A process for this submission could not be started: {str(error).rstrip('.')}."
            hint = "Free some memory or raise the limits on processes and descriptors, and grade again."
            most = max(1, len(running))
            tries.ended.append(Ended(refused=f"{problem} {hint}"))
            done(tries)

    gc.collect()
    gc.freeze()  # what is shared with the forks is looked at by no collector, so it stays shared
    with kept_folder("grading") as place:
        try:
            while True:
                raise_if_asked()
                while len(running) < most and (tries := next(submissions, None)) is not None:
                    go_on(tries)
                if not running:
                    return
                ready = wait([fork.process.sentinel for fork in running], timeout=1.0)
                for fork in [fork for fork in running if fork.process.sentinel in ready]:
                    running.remove(fork)
                    fork.tries.ended.append(fork.ended())
                    if fork.tries.refused:
                        jail.status()  # without the process that starts workers, nobody's result is to be believed
                    go_on(fork.tries)
        finally:
            for fork in running:
                fork.process.kill()
                fork.process.join()


def grade_and_leave(job: Job, folder: Path, branch: Branch, course: AssignmentContext, order: list[Check]) -> NoReturn:
    """Grade a submission and end this process at once; the interpreter's usual end takes 200 ms with torch loaded."""
    try:
        gc.disable()  # the fork is gone before it could collect anything worth the time
        signal.alarm(int(job.left.wall_s + GRACE_S))
        hide_gpus()
        bound_memory(JUDGING_BYTES)
        write_whole(folder / LAST_WORDS, msgspec.json.encode(grade(job, folder, branch, course, order)))
    except MemoryError:  # of an answer that is too large to be judged
        pass
    except GraderError as error:
        write_whole(folder / LAST_WORDS, msgspec.json.encode(Ended(refused=str(error))))
    except Exception as error:  # a bug of the kit costs nobody points
        traceback.print_exception(error)
        problem = f"The kit itself failed on this submission ({type(error).__name__})."
        refused = f"{problem} Tell whoever maintains the kit, and grade again when it is mended."
        write_whole(folder / LAST_WORDS, msgspec.json.encode(Ended(refused=refused)))
    finally:  # this process must not return into the parent's code, whatever was raised
        os._exit(0)


def grade(job: Job, folder: Path, branch: Branch, course: AssignmentContext, order: list[Check]) -> Ended:
    """Run the checks of a job on its submission, and return what is known of it beside the verdicts.

    These are written into the folder line by line, and pytest-json-report's report in the end.
    """
    session = WorkerSession(
        branch,
        job.source.cells,
        limits=course.limits,
        file_name=job.source.file_name,
        module_name=course.module_name,
        device=course.device,
        exercises=course.exercises,
        left=job.left,
        stops=job.first.stops if job.first else {},
    )
    ended, cpu_s = Ended(), job.left.cpu_s
    with contextlib.closing(session), (folder / VERDICTS).open("wb", buffering=0) as lines:
        try:
            ended.text = (job.first and job.first.text) or session.analyse(course.exercises)
            run = Run(course, order, session, job, ended.text)
            for check in [check for check in order if job.exercise in (None, check.spec.exercise)]:
                signal.setitimer(signal.ITIMER_PROF, JUDGING_S)  # the signal ends this process
                verdict = run.take(check)
                lines.write(verdict_line(verdict))
                if verdict.status != "passed":  # tracebacks hold large answers, and no collector runs
                    gc.collect(0)
        except NotGraded as error:
            ended.early = error.why
        ended.notes, ended.stops = session.notes(course.language), session.stops
    ended.cpu_s = cpu_s - session.left.cpu_s
    with contextlib.suppress(OSError):  # where there is no room for it, the report that follows says so
        (folder / RAW_REPORT).write_bytes(end_in_fork(order[0].item.session))
    return ended
