"""What a run came to as a whole: the rows behind the table and `run.json`, which later runs read.

A row holds a submission's numbers and nothing else, so a class of thousands needs no report in memory.
"""

import functools
from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import groupby
from statistics import median
from typing import Any

import msgspec

from .report import SCHEMA_VERSION, ExerciseBase, ExerciseStatus, Fact, Part, PartWithPoints, Version
from .scoring import HUNDREDTH, nearest, plain, total_of
from .verdict import Status


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """What the class's tables need of one submission."""

    student: str
    assignment: str
    score: Decimal | None
    max_score: Decimal
    problem: str | None
    exercises: list[ExerciseBase]
    checks: dict[Status, int]


class ExerciseSummary(PartWithPoints, frozen=True, kw_only=True):
    """How a class did in one exercise; the submissions that could not be graded are left out.

    Attributes:
        id: The exercise.
        title: Its title.
        max_score: Points that can be reached.
        mean: The mean score, rounded to a hundredth; null when nothing was graded.
        median: The median score, likewise.
        statuses: How many submissions have each status.
    """

    id: str
    title: str
    max_score: Decimal
    mean: Decimal | None
    median: Decimal | None
    statuses: dict[ExerciseStatus, int]


class AssignmentSummary(PartWithPoints, frozen=True, kw_only=True):
    """How a class did in one assignment.

    Attributes:
        id: The assignment.
        submissions: How many students handed something in.
        graded: How many of these could be graded.
        max_score: Points that can be reached.
        mean: The mean score of the graded ones, rounded to a hundredth; null when nothing was graded.
        median: The median score, likewise.
        checks: How many checks have each status, over all graded submissions.
        exercises: The exercises in order.
    """

    id: str
    submissions: int
    graded: int
    max_score: Decimal
    mean: Decimal | None
    median: Decimal | None
    checks: dict[Status, int]
    exercises: list[ExerciseSummary]


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
        after: The score now.
        max_before: Points that could be reached before; null from a kit that did not say it.
        max_after: Points that can be reached now; likewise.
        exercises: The exercises whose score went down.
        resubmitted: Whether the student handed in something else meanwhile; if not, the suite or the kit changed.
    """

    student: str
    assignment: str
    before: Decimal
    after: Decimal
    exercises: list[str]
    resubmitted: bool
    max_before: Decimal | None = None
    max_after: Decimal | None = None


class Summary(Part, frozen=True, kw_only=True):
    """What a run came to.

    Attributes:
        schema_version: The version of this format; it goes with that of the reports.
        kit_version: The version of the grader.
        started: When the run began, in UTC by ISO 8601.
        duration_s: Seconds that it took.
        device: Where student code computed.
        isolation: How student code was shut in; tier `not needed` when nothing had to be graded.
        students: How many students there are, those without a submission included.
        absent: The students who handed nothing in.
        submissions: How many submissions there are.
        graded: How many of these could be graded.
        kept: How many had been graded before, with everything that decides the result unchanged.
        assignments: One entry for each assignment that somebody handed in.
        not_graded: The submissions that could not be graded.
        lowered: The submissions whose score is lower than in their report before, also as a share of the maximum.
        warnings: What was left out, a sentence each.
        notes: What else there is to know of the run, a sentence each.
        run: When the run began, as its lines in the journal say it; null from a kit that did not say it.
        handed_in: The students who handed something in, by assignment; null from a kit that did not say it.
        gone: The students with a report of an earlier run whose submission the class no longer has, by assignment;
            null from a kit that did not say it.
        journal_bytes: How long journal.jsonl was: what it said up to there is announced by now; null
            from a kit that did not say it.
        whole: Whether the run was over a whole class, so that it knows everybody who handed nothing in; null from a kit
            that did not say it.
    """

    schema_version: Version
    kit_version: str
    started: str
    duration_s: float
    device: str
    isolation: dict[str, Fact]
    students: int
    absent: list[str]
    submissions: int
    graded: int
    kept: int
    assignments: list[AssignmentSummary]
    not_graded: list[NotGraded]
    lowered: list[Lowered]
    warnings: list[str]
    notes: list[str]
    run: str | None = None
    handed_in: dict[str, list[str]] | None = None
    gone: dict[str, list[str]] | None = None
    journal_bytes: int | None = None
    whole: bool | None = None


def row_exercise(exercise: ExerciseBase) -> ExerciseBase:
    """Return an exercise without its checks; all rows of a class, which may be large, share those that say the same."""
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
    ordered = sorted(rows, key=lambda row: (row.assignment, row.student))
    by_assignment = {id: list(group) for id, group in groupby(ordered, lambda row: row.assignment)}
    return Summary(
        schema_version=SCHEMA_VERSION,
        duration_s=round(duration_s, 3),
        students=len(students),
        absent=sorted(set(students) - {row.student for row in ordered}),
        submissions=len(ordered),
        graded=sum(row.problem is None for row in ordered),
        assignments=[_assignment(id, mine) for id, mine in by_assignment.items()],
        not_graded=[
            NotGraded(student=row.student, assignment=row.assignment, problem=row.problem)
            for row in sorted(ordered, key=lambda row: (row.student, row.assignment))
            if row.problem is not None
        ],
        lowered=sorted(lowered, key=lambda each: (each.assignment, each.student)),
        warnings=list(warnings),
        handed_in={id: [row.student for row in mine] for id, mine in by_assignment.items()},
        **{"kept": 0, "notes": [], **facts},
    )


def _assignment(id: str, rows: Sequence[Row]) -> AssignmentSummary:
    graded = [row for row in rows if row.problem is None]
    checks: Counter[Status] = Counter()
    for row in graded:
        checks.update(row.checks)
    scores = [row.score for row in graded if row.score is not None]
    return AssignmentSummary(
        id=id,
        submissions=len(rows),
        graded=len(graded),
        max_score=rows[0].max_score,
        mean=mean_of(scores),
        median=median_of(scores),
        checks=dict(sorted(checks.items())),
        exercises=[
            _exercise(each, [row.exercises[place] for row in graded]) for place, each in enumerate(rows[0].exercises)
        ],
    )


def _exercise(exercise: ExerciseBase, results: Sequence[ExerciseBase]) -> ExerciseSummary:
    scores = [result.score for result in results if result.score is not None]
    return ExerciseSummary(
        id=exercise.id,
        title=exercise.title,
        max_score=exercise.max_score,
        mean=mean_of(scores),
        median=median_of(scores),
        statuses=dict(sorted(Counter(result.status for result in results).items())),
    )


def mean_of(scores: Sequence[Decimal]) -> Decimal | None:
    """Return the mean rounded half up to a hundredth, or None of no scores."""
    return _rounded(Fraction(total_of(scores)) / len(scores)) if scores else None


def median_of(scores: Sequence[Decimal]) -> Decimal | None:
    """Return the median rounded half up to a hundredth, or None of no scores."""
    return _rounded(median(map(Fraction, scores))) if scores else None


def _rounded(number: Fraction) -> Decimal:
    return plain(HUNDREDTH * nearest(number * 100))
