"""The lines of the journal: each is about a report that was written."""

from decimal import Decimal
from typing import Any

import msgspec

from grader.results.report import ExerciseBase, Report, fields_of
from grader.results.report_json import require_points
from grader.results.summary import Row
from grader.results.verdict import Status

Place = tuple[str, str]
"""A submission, by student and assignment."""


class ExerciseLine(ExerciseBase, frozen=True, kw_only=True, forbid_unknown_fields=False):
    """One exercise of a graded submission; `checks` has the status of each check by its id."""

    checks: dict[str, Status]


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One report that was written.

    Attributes:
        run: When the run began that wrote it, to the microsecond; the same for all lines of a run. It is a name, and
            says nothing of the order.
        at: When the submission was graded, in UTC by ISO 8601.
        written: When the report was written, likewise.
        kit, suite, submission: Hashes of the kit's sources, of the assignment's suite, and of what was handed in.
        result, key: Hashes of everything that decided the result, and of everything that decided the report.
        report, copy: SHA-256 of the instructor's copy and of the student's.
        problem: Why it could not be graded; None when it was.
        file: The file as it was uploaded.
        submitted: When it was handed in, by ISO 8601, where the platform says it.
        late: Whether the platform calls it late.
    """

    run: str
    student: str
    assignment: str
    at: str
    written: str
    kit_version: str
    kit: str
    suite: str
    submission: str
    result: str
    key: str
    report: str
    copy: str
    score: Decimal | None
    max_score: Decimal
    problem: str | None
    exercises: list[ExerciseLine]
    file: str = ""
    submitted: str | None = None
    late: bool = False

    def __post_init__(self) -> None:
        require_points(self.score, self.max_score)

    @property
    def place(self) -> Place:
        """Whose report it is, and for which assignment."""
        return self.student, self.assignment

    def row(self) -> Row:
        """Return what the class's tables need."""
        return Row(
            student=self.student,
            assignment=self.assignment,
            score=self.score,
            max_score=self.max_score,
            problem=self.problem,
        )


class OldOverride(msgspec.Struct, frozen=True, kw_only=True):
    """What tells a line of older versions, in which a person set points by hand."""

    student: str
    exercise: str
    reason: str
    by: str


def line_of(report: Report, /, **known: Any) -> Line:
    """Return a report in the journal's form; `known` is what only the run knows, and the rest of that is empty."""
    only_the_run_knows = ("run", "written", "kit", "suite", "submission", "result", "key", "report", "copy")
    return Line(
        student=report.student,
        assignment=report.assignment,
        at=report.started,
        kit_version=report.kit_version,
        score=report.score,
        max_score=report.max_score,
        problem=report.problem,
        exercises=[
            ExerciseLine(**fields_of(result, ExerciseBase), checks={check.id: check.status for check in result.checks})
            for result in report.exercises
        ],
        **{**dict.fromkeys(only_the_run_knows, ""), **known},
    )
