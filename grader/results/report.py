"""The report of a submission: the one result, from which every other format is made.

This is the instructor's copy, which holds everything; the student's is a type of its own in `student_report`. Points
are decimals and are written as such, and equal reports are equal bytes.
"""

from decimal import Decimal
from typing import Annotated, Any, Final, Literal

import msgspec

from grader.limits import Limits

from .report_json import decode_document, require_points
from .verdict import Category, Evidence, Language, Seconds, Status, Values, Visibility, Weight

SCHEMA_VERSION: Final = "1.6"
Version = Literal["1.6"]
ExerciseStatus = Literal[Status, "partial", "ungraded"]
Fact = bool | int | str | list[str]
Sha256 = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]


class Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What all parts of a report have in common: nothing in them is open."""


class PartWithPoints(Part, frozen=True, kw_only=True):
    """A part that is refused where its points cannot be those of any report."""

    def __post_init__(self) -> None:
        require_points(*(value for value in msgspec.structs.astuple(self) if isinstance(value, Decimal)))


class SubmittedFiles(Part, frozen=True, kw_only=True):
    """What was handed in.

    Attributes:
        files: The names of the files that were read.
        graded: The file that counts; null when none could be read.
        sha256: The SHA-256 of each file's bytes, by name.
        uploaded: Its name in the platform's download; null where there is none.
        submitted: When it was handed in by ISO 8601, where the download says so; else null.
        late: True where a name in the download says that it came late; else null.
    """

    files: list[str]
    graded: str | None
    sha256: dict[str, Sha256]
    uploaded: str | None = None
    submitted: str | None = None
    late: bool | None = None


class SourceLine(Part, frozen=True, kw_only=True):
    """A line of the submission, as it is in the file.

    Attributes:
        number: Its number in the file, or in the notebook's cell; null when only its text is known.
        cell: The code cell of a notebook, counted from 1; null for a `.py` file.
        text: The line.
        before: Up to two lines above it; none where its number is not known.
        after: Up to two lines below it, likewise.
    """

    number: int | None
    cell: int | None
    text: str
    before: list[str] = []
    after: list[str] = []


class Diagnosis(Part, frozen=True, kw_only=True):
    """The known mistake behind a wrong answer.

    Attributes:
        mistakes: Its name in the course; several where they can't be told apart.
        hint: What to think about.
        evidence: `answer` where it gives exactly the student's answer on the same inputs, `report` where the text of
            the exception shows the fault.
    """

    mistakes: list[str]
    hint: str
    evidence: Evidence


class Detail(Part, frozen=True, kw_only=True):
    """What may hold inputs or expected values of a hidden check, so it is for the instructor only.

    Attributes:
        found: What was expected and what was found.
        exception_type: The exception's type as the student's process gave it.
        exception_text: The exception's text: the student's words, not to be believed.
        output_dropped: Bytes of printed text beyond the limit that were not kept.
        input_seed: What the inputs were drawn from; the same seed draws them again.
        values: Of a visible check, the wrong answer beside the right one, where it is small.
        call: Of a visible check that did not pass, its last call as Python, where that is small; else empty.
    """

    found: str
    exception_type: str
    exception_text: str
    output_dropped: int
    input_seed: str
    values: Values | None = None
    call: str = ""


class Check(Part, frozen=True, kw_only=True):
    """What came of one check.

    Attributes:
        id: `<exercise>.<check>`.
        category: What kind of property it looks at.
        visibility: Who may see it.
        status: What came of it.
        weight: Its share of the exercise's points, against the weights of the other checks; 0 for a check for forbidden
            calls, which limits the points of the exercise instead.
        counts: Whether the weight counts; false only for a check that this machine can't run (no GPU).
        message: What the check asks, in the author's sentence.
        outcome: What the status means for the student, in a sentence; empty when the check passed.
        diagnosis: The known mistake behind a wrong answer, if one was recognised.
        exception: The exception's type, when it is a built-in one or named in the submission; null otherwise.
        line: The student's own last line before the exception; null when unknown.
        detail: Numbers, texts and seeds.
        output: What the student's code printed during the check.
        duration_s: Seconds that the check took.
    """

    id: str
    category: Category
    visibility: Visibility
    status: Status
    weight: Weight
    counts: bool
    message: str
    outcome: str
    diagnosis: Diagnosis | None
    exception: str | None
    line: SourceLine | None
    detail: Detail
    output: str
    duration_s: Seconds


class ExerciseBase(PartWithPoints, frozen=True, kw_only=True):
    """What both copies say of an exercise.

    Attributes:
        id: The exercise.
        title: Its title in the report's language.
        score: Points that were reached; null where the submission could not be graded.
        max_score: Points that can be reached.
        status: `passed` with all checks, `partial` with some; with none the status that they share, or `failed`.
    """

    id: str
    title: str
    score: Decimal | None
    max_score: Decimal
    status: ExerciseStatus


class ExerciseResult(ExerciseBase, frozen=True, kw_only=True):
    """The result of one exercise.

    Attributes:
        checks: Its checks in the order of the suite; none when the submission could not be graded.
    """

    checks: list[Check]


class ReportBase(PartWithPoints, frozen=True, kw_only=True):
    """What both copies of a report begin with.

    Attributes:
        schema_version: The version of this format; the number before the dot changes when a reader must change.
        kit_version: The version of the grader.
        student: The student's folder name.
        assignment: The assignment's id.
        language: The language of the sentences.
        submission: What was handed in.
        score: The sum of the exercises' scores; null where it could not be graded.
        max_score: The sum of the exercises' points.
        problem: Why the submission could not be graded, in a sentence; null when it was.
        notes: What else there is to know about the files and how they ran.
        device: Where the student's code computed.
    """

    schema_version: Version
    kit_version: str
    student: str
    assignment: str
    language: Language
    submission: SubmittedFiles
    score: Decimal | None
    max_score: Decimal
    problem: str | None
    notes: list[str]
    device: str


class Report(ReportBase, frozen=True, kw_only=True):
    """The instructor's copy.

    Attributes:
        isolation: How the student's code was shut in: `tier` and what belongs to it.
        seed: What the inputs of this submission were drawn from, without the course's secret.
        started: When grading this submission began, in UTC by ISO 8601.
        duration_s: Seconds that it took.
        limits: The limits that were in force.
        exercises: One entry for each exercise of the assignment, in its order.
    """

    isolation: dict[str, Fact]
    seed: str
    started: str
    duration_s: Seconds
    limits: Limits
    exercises: list[ExerciseResult]


def fields_of(part: msgspec.Struct, kind: type[msgspec.Struct]) -> dict[str, Any]:
    """Return those fields of a part of a report that parts of a kind have, and no others."""
    return {name: getattr(part, name) for name in kind.__struct_fields__}


_ENCODER = msgspec.json.Encoder(decimal_format="number")


def to_json(document: msgspec.Struct) -> bytes:
    """Return a document as indented JSON; equal ones give equal bytes, and decimals are written digit for digit."""
    return msgspec.json.format(_ENCODER.encode(document), indent=2) + b"\n"


def read_report(text: bytes) -> Report:
    """Return the report that `to_json` wrote, its decimals exact.

    Raises:
        msgspec.ValidationError: It is not a report of this version.
    """
    return decode_document(text, Report)
