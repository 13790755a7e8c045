"""Takes one submission through the collected suite, in the process that was forked for it."""

import gc
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from grader.errors import GraderError, IsolationError
from grader.inside.worker.reset_state import reset
from grader.jail import Branch
from grader.limits import MIB, Limits
from grader.results.verdict import CheckVerdict, verdict_line
from grader.source_cells import Source
from grader.suite.runner.submission_run import Run
from grader.suite.runner.suite import Suite
from grader.system.memory import resident_bytes
from grader.workers.process.clock import Deadline
from grader.workers.session import WorkerSession

from . import raw_report

MOST_GARBAGE = 64 * MIB  # an answer
VERDICTS = "verdicts.jsonl"
"""The file of a submission's verdicts; it is there as soon as the submission has begun."""


SOLUTION = -1
"""The number of the course's own solution, which is graded first and shows what the suite does."""


class ChildReport(msgspec.Struct, kw_only=True):
    """The child's last words: what is known of the submission as a whole.

    Attributes:
        notes: What a person should know of how the file was read and run.
        calls: The other exercises that the answer to an exercise calls.
        broken: A sentence when the course itself is broken; nothing of the submission counts then.
        refused: A sentence when this submission could not be graded through no fault of anybody's code.
    """

    notes: list[str] = []
    calls: dict[str, list[str]] = {}
    broken: str = ""
    refused: str = ""


@dataclass(frozen=True)
class Job:
    """One submission that is to be graded.

    Attributes:
        number: Whose it is; `SOLUTION` for the course's own.
        source: Its code.
        digest: The hash that its inputs are drawn from.
        seeds: What the inputs of single checks are drawn from instead, by check.
    """

    number: int
    source: Source
    digest: str
    seeds: Mapping[str, int] = field(default_factory=dict)


def grade(job: Job, folder: Path, branch: Branch, limits: Limits, suite: Suite) -> ChildReport:
    """Run every check of the suite on one submission.

    Args:
        job: The submission.
        folder: Where the verdicts are written line by line, and pytest-json-report's raw report in the end.
        branch: Where workers come from.
        limits: What the submission may use.
        suite: The collected suite.

    Returns:
        What is known of the submission beside the verdicts.
    """
    reset()
    resident = resident_bytes()
    with (folder / VERDICTS).open("wb", buffering=0) as lines:

        def keep(verdict: CheckVerdict) -> None:
            lines.write(verdict_line(verdict))
            if resident_bytes() - resident > MOST_GARBAGE:  # large answers that tracebacks hold, with no collector
                gc.collect()

        session = WorkerSession(
            branch,
            job.source.cells,
            limits=limits,
            file_name=job.source.file_name,
            module_name=suite.course.module_name,
            device=suite.course.device,
            exercises=suite.exercises,
        )
        deadline, child_report = Deadline(limits.submission_wall_s), ChildReport()
        try:
            run = Run(
                suite.course, session, job.digest, limits, deadline, keep,
                text=session.analyse(suite.exercises), seeds=job.seeds, proven=job.number != SOLUTION,
            )  # fmt: skip
            child_report.calls = run.text.calls
            with run.overseer.at_work():
                suite.grade(run)
        except GraderError as error:
            if job.number == SOLUTION and not isinstance(error, IsolationError):
                child_report.broken = str(error)
            else:
                child_report.refused = str(error)
        child_report.notes = session.notes()
        session.close()
    raw_report.write(suite.pytest_session, folder / "raw.json")
    return child_report
