"""Takes one submission through the collected suite, in the process that was forked for it."""

import gc
import os
import signal
from pathlib import Path
from typing import NoReturn

import msgspec

from grader.errors import GraderError
from grader.jail import Branch
from grader.limits import JUDGING_BYTES, JUDGING_S, MIB, Limits
from grader.results.verdict import CheckVerdict, verdict_line
from grader.suite.runner.collect import Suite
from grader.suite.runner.submission_run import Run
from grader.suite.runner.undocumented import end_in_fork
from grader.system.devices import hide_gpus
from grader.system.memory import bound_memory, resident_bytes
from grader.system.whole_file import write_whole
from grader.workers.process.failures import NotGraded
from grader.workers.session import WorkerSession

from .way import LAST_WORDS, RAW_REPORT, VERDICTS, Ended, Job

MOST_GARBAGE = 64 * MIB  # an answer


def grade_and_leave(job: Job, folder: Path, branch: Branch, limits: Limits, suite: Suite) -> NoReturn:
    """Grade a submission and end this process at once; the interpreter's usual end takes 200 ms with torch loaded."""
    try:
        gc.disable()  # the fork is gone before it could collect anything worth the time
        hide_gpus()
        bound_memory(JUDGING_BYTES)
        write_whole(folder / LAST_WORDS, msgspec.json.encode(grade(job, folder, branch, limits, suite)))
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
            if resident_bytes() - resident > MOST_GARBAGE:  # large answers that tracebacks hold, with no collector
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
            explains = job.exercise is not None  # nobody reads what is said of an exercise that is run once more
            Run(
                suite, session, job.source.digest, ended.text, job.seeds, job.proven, explains, on_verdict=keep,
                shown=ended.shown,
            ).grade(job.exercise)  # fmt: skip
        except NotGraded as error:
            ended.early = error.why
        except GraderError as error:
            ended.refused = str(error)
        ended.notes, ended.stops = session.notes(job.language), session.stops
        ended.cpu_s = cpu_s - session.left.cpu_s
        session.close()
    end_in_fork(suite.pytest_session, folder / RAW_REPORT)
    return ended
