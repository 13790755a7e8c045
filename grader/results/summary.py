"""What a run came to as a whole: the rows behind the table and `run.json`, which later runs read.

A row holds a submission's numbers and nothing else, so a class of thousands needs no report in memory.
"""

import functools
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from statistics import median
from typing import Any

import msgspec

from .report import ExerciseBase, ExerciseStatus, Fact, Part, PartWithPoints
from .scoring import HUNDREDTH, nearest, plain, total_of


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """What the class's tables need of one submission."""

    student: str
    assignment: str
    score: Decimal | None
    max_score: Decimal
    problem: str | None


class NotGraded(Part, frozen=True, kw_only=True):
    """A submission that could not be graded.

    Attributes:
        student: The student's folder name.
        assignment: The assignment's id.
        problem: Why, in a sentence.
    """

    student: str
    assignment: str
    problem: str


class Lowered(PartWithPoints, frozen=True, kw_only=True):
    """A submission whose score is lower than that of its report before, in points or as a share of the maximum.

    Attributes:
        student: The student's folder name.
        assignment: The assignment's id.
        before: The score before.
        after: The score now; null where nothing could be graded any more.
        max_before: Points that could be reached before; null from a kit that did not say it.
        max_after: Points that can be reached now; likewise.
        exercises: The exercises whose score went down.
        resubmitted: Whether the student handed in something else meanwhile; if not, the suite or the kit changed.
    """

    student: str
    assignment: str
    before: Decimal
    after: Decimal | None
    exercises: list[str]
    resubmitted: bool
    max_before: Decimal | None = None
    max_after: Decimal | None = None


class Summary(Part, frozen=True, kw_only=True):
    """What a run came to.

    Attributes:
        kit_version: The version of the grader.
        started: When the run began, in UTC by ISO 8601.
        duration_s: Seconds that it took.
        device: Where student code computed.
        isolation: How student code was shut in; tier `not needed` when nothing had to be graded.
        students: How many students there are, those without a submission included.
        submissions: How many submissions there are.
        graded: How many of these could be graded.
        kept: How many had been graded before, with everything that decides the result unchanged.
        not_graded: The submissions that could not be graded.
        lowered: The submissions whose score is lower than in their report before, also as a share of the maximum.
        warnings: What was left out, a sentence each.
        notes: What else there is to know of the run, a sentence each.
        run: When the run began, as its lines in the journal say it.
        journal_bytes: How long journal.jsonl was: what it said up to there is announced by now.
    """

    kit_version: str
    started: str
    duration_s: float
    device: str
    isolation: dict[str, Fact]
    students: int
    submissions: int
    graded: int
    kept: int
    not_graded: list[NotGraded]
    lowered: list[Lowered]
    warnings: list[str]
    notes: list[str]
    run: str | None = None
    journal_bytes: int | None = None


def row_exercise(exercise: ExerciseBase) -> ExerciseBase:
    """Return an exercise without its checks; a class, which may be large, shares those that say the same."""
    # As text, since 2 and 2.0 are equal but written apart.
    score = None if exercise.score is None else str(exercise.score)
    return _shared(exercise.id, exercise.title, score, str(exercise.max_score), exercise.status)


@functools.cache
def _shared(id: str, title: str, score: str | None, most: str, status: ExerciseStatus) -> ExerciseBase:
    points = None if score is None else Decimal(score)
    return ExerciseBase(id=id, title=title, score=points, max_score=Decimal(most), status=status)


def summarise(
    rows: Sequence[Row],
    students: Sequence[str],
    warnings: Sequence[str],
    *,
    duration_s: float,
    lowered: Sequence[Lowered] = (),
    **facts: Any,
) -> Summary:
    """Return the summary of a run.

    Args:
        students: Every student, those without a submission included.
        **facts: The other fields of the summary; `kept` and `notes` may be left out.
    """
    not_graded = [
        NotGraded(student=row.student, assignment=row.assignment, problem=row.problem)
        for row in sorted(rows, key=lambda row: (row.student, row.assignment))
        if row.problem is not None
    ]
    return Summary(
        duration_s=round(duration_s, 3),
        students=len(students),
        submissions=len(rows),
        graded=len(rows) - len(not_graded),
        not_graded=not_graded,
        lowered=sorted(lowered, key=lambda drop: (drop.assignment, drop.student)),
        warnings=list(warnings),
        **{"kept": 0, "notes": [], **facts},
    )


def mean_of(scores: Sequence[Decimal]) -> Decimal | None:
    """Return the mean rounded half up to a hundredth, or None of no scores."""
    return _rounded(Fraction(total_of(scores)) / len(scores)) if scores else None


def median_of(scores: Sequence[Decimal]) -> Decimal | None:
    """Return the median rounded half up to a hundredth, or None of no scores."""
    return _rounded(median(map(Fraction, scores))) if scores else None


def _rounded(number: Fraction) -> Decimal:
    return plain(HUNDREDTH * nearest(number * 100))
