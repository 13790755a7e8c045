"""Takes one submission through the collected suite, in the process that was forked for it."""

import gc
from pathlib import Path

from grader.errors import GraderError, IsolationError
from grader.inside.worker.reset_state import reset
from grader.jail import Branch
from grader.limits import MIB, Limits
from grader.results.verdict import CheckVerdict, verdict_line
from grader.suite.runner.submission_run import Run
from grader.suite.runner.suite import Suite
from grader.system.memory import resident_bytes
from grader.workers.process.clock import Deadline
from grader.workers.session import WorkerSession

from .child_report import RAW_REPORT, SOLUTION, VERDICTS, ChildReport, Job, write_raw_report

MOST_GARBAGE = 64 * MIB  # an answer


def grade(job: Job, folder: Path, branch: Branch, limits: Limits, suite: Suite) -> ChildReport:
    """Run every check of the suite on one submission, and return what is known of it beside the verdicts.

    These are written into the folder line by line, and pytest-json-report's raw report in the end.
    """
    reset()
    resident = resident_bytes()
    with (folder / VERDICTS).open("wb", buffering=0) as lines:

        def keep(verdict: CheckVerdict) -> None:
            nonlocal resident
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
        )
        deadline, child_report = Deadline(limits.submission_wall_s), ChildReport()
        try:
            run = Run(
                suite.course, session, job.digest, limits, deadline, keep,
                text=session.analyse(suite.exercises), seeds=job.seeds, proven=job.number != SOLUTION,
            )  # fmt: skip
            child_report.calls = run.text.calls
            child_report.shown = run.shown
            with run.overseer.at_work():
                suite.grade(run)
        except GraderError as error:
            if job.number == SOLUTION and not isinstance(error, IsolationError):
                child_report.broken = str(error)
            else:
                child_report.refused = str(error)
        child_report.notes = session.notes(job.language)
        session.close()
    write_raw_report(suite.pytest_session, folder / RAW_REPORT)
    return child_report
