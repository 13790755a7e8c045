"""The student's copy of a report.

It is a type with fewer fields than the instructor's and not the same one with some left empty, so that what a student
must not see has no place where it could be forgotten.
"""

from grader.limits import Limits

from .report import ExerciseBase, Part, ReportBase, SourceLine
from .verdict import Category, Seconds, Status, Values, Visibility, Weight


class StudentDiagnosis(Part, frozen=True, kw_only=True):
    """What a student reads of a recognised mistake.

    Attributes:
        hint: What to think about.
    """

    hint: str


class StudentDetail(Part, frozen=True, kw_only=True):
    """What a student reads of a visible check.

    Attributes:
        found: What was expected and what was found.
        exception_text: The exception's text.
        output: What the code printed, cut.
        duration_s: Seconds that the check took.
        values: The wrong answer beside the right one, where it is small.
        call: The check's last call as Python, where that is small; else empty.
    """

    found: str
    exception_text: str
    output: str
    duration_s: Seconds
    values: Values | None = None
    call: str = ""


class StudentCheck(Part, frozen=True, kw_only=True):
    """A check in the student's copy.

    Attributes:
        id: `<exercise>.<check>`.
        visibility: Who may see it.
        status: What came of it.
        category: What kind of property it looks at.
        weight: Its share of the exercise's points, against the weights of the other checks; 0 for a check for forbidden
            calls, which limits the points of the exercise instead.
        message: What the check asks, in the author's sentence.
        outcome: What the status means, in a sentence; empty when the check passed.
        diagnosis: The hint of a recognised mistake.
        exception: The exception's type, when it is a built-in one or named in the submission.
        line: The student's own last line before the exception.
        detail: What a visible check found; null for a hidden one.
    """

    id: str
    visibility: Visibility
    status: Status
    category: Category | None = None
    weight: Weight | None = None
    message: str = ""
    outcome: str = ""
    diagnosis: StudentDiagnosis | None = None
    exception: str | None = None
    line: SourceLine | None = None
    detail: StudentDetail | None = None

    @property
    def happened(self) -> str:
        """What came of one that did not pass: what was found, or else its status in a sentence; and the exception."""
        text = ((self.detail.found if self.detail else "") or self.outcome).rstrip()
        return f"{text} ({self.exception})".strip() if self.exception and self.exception not in text else text


class StudentExercise(ExerciseBase, frozen=True, kw_only=True):
    """An exercise in the student's copy.

    Attributes:
        checks: Its checks in the order of the suite.
    """

    checks: list[StudentCheck]


class StudentReport(ReportBase, frozen=True, kw_only=True):
    """The student's copy. It has no seed and no duration, since both can carry what a hidden check's inputs were.

    Attributes:
        started: When grading this submission began, in UTC by ISO 8601.
        limits: The limits that were in force.
        exercises: One entry for each exercise of the assignment, in its order.
    """

    started: str
    limits: Limits
    exercises: list[StudentExercise]
