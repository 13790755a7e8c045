"""Points by hand: `overrides.csv` in the class's folder, a row for each student, assignment and, where asked, exercise.

The reports keep the graded points, so both are known. A person decides, so what does not fit is refused with the line.
"""

from collections.abc import Iterable, Mapping
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import TypeVar

import msgspec

from grader.course.layout import Assignment, Course
from grader.errors import UsageError
from grader.results.report import Report
from grader.results.report_json import require_points
from grader.results.scoring import plain, total_of
from grader.results.student_report import StudentReport
from grader.results.summary import Row
from grader.text import one_line

from .roster import Roster, key_of
from .tables import Table, read_table

NAME = "overrides.csv"
COLUMNS = ("student", "assignment", "exercise", "points", "reason")
SHAPE = f"Its columns are {', '.join(COLUMNS)}; exercise and reason may be empty."
LONGEST_REASON = 500
SENTENCE = {
    "en": "Points by hand: {points} of {most}{reason}. Graded: {graded}.",
    "ko": "교사가 정한 점수: {most}점 만점에 {points}점{reason}. 채점 결과: {graded}.",
}
NOT_GRADED = {"en": "no points", "ko": "점수 없음"}
Document = TypeVar("Document", Report, StudentReport)


class PointsByHand(msgspec.Struct, frozen=True, kw_only=True):
    """A row of the table.

    Attributes:
        student: Whom it names, as it is written there.
        assignment: The assignment's id.
        exercise: The exercise's id; empty for the whole assignment.
        max: What can be reached in the whole assignment.
    """

    student: str
    assignment: str
    exercise: str
    points: Decimal
    max: Decimal
    reason: str


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """What was decided of one submission: for the whole, or for exercises."""

    whole: Decimal | None
    exercises: dict[str, Decimal]
    max: Decimal
    reason: str

    def points(self, row: Row | None) -> Decimal | None:
        """Return the points of the whole, given what was graded; None where exercises alone do not make a sum."""
        if self.whole is not None:
            return self.whole
        if row is None or row.problem is not None:
            return None
        return total_of([self.exercises.get(each.id, each.score) for each in row.exercises])


def read_points_by_hand(path: Path, course: Course) -> list[PointsByHand]:
    """Read the table.

    Raises:
        UsageError: It is no such table, or a row names no assignment or exercise, or points that cannot be.
    """
    table = read_table(path)
    headings = [key_of(text) for text in table.headings]
    for needed in ("student", "assignment", "points"):
        if headings.count(needed) != 1:
            there = ", ".join(table.headings)
            raise UsageError(f"{table.name} needs one column {needed!r}; it has {there}.", hint=SHAPE)
    return [_row(table, row, headings, course) for row in range(1, len(table.rows))]


def _row(table: Table, row: int, headings: list[str], course: Course) -> PointsByHand:
    cells = {name: table.cell(row, headings.index(name)) if name in headings else "" for name in COLUMNS}
    where = f"{table.name}, line {table.line(row)}"
    try:
        assignment = course.assignment(cells["assignment"])
        most = _most(assignment, cells["exercise"])
    except UsageError as problem:
        raise UsageError(f"{where}: {problem}") from None
    try:
        points = Decimal(cells["points"].replace(",", "."))
        require_points(points)
    except (InvalidOperation, ValueError):
        raise UsageError(f"{where}: {cells['points']!r} is not a number of points such as 8 or 6.5.") from None
    if not 0 <= points <= most:
        raise UsageError(f"{where}: {points:f} points are not between 0 and {plain(most):f}.")
    if not cells["student"]:
        raise UsageError(f"{where}: the student is missing.", hint=SHAPE)
    return PointsByHand(
        student=cells["student"],
        assignment=assignment.id,
        exercise=cells["exercise"],
        points=plain(points),
        max=_most(assignment, ""),
        reason=one_line(cells["reason"], LONGEST_REASON),
    )


def _most(assignment: Assignment, exercise: str) -> Decimal:
    if exercise:
        return assignment.exercise(exercise).points
    return total_of([each.points for each in assignment.exercises])


def decisions_of(rows: Iterable[PointsByHand], roster: Roster) -> dict[tuple[str, str], Decision]:
    """Return what was decided, by student and assignment.

    Raises:
        UsageError: A row names nobody, or two rows decide one thing.
    """
    found: dict[tuple[str, str], Decision] = {}
    for row in rows:
        try:
            student = roster.resolve(row.student)
        except UsageError as problem:
            raise UsageError(f"{NAME}: {problem}") from None
        before = found.get((student, row.assignment))
        exercises = dict(before.exercises) if before else {}
        if before and (before.whole is not None or not row.exercise or row.exercise in exercises):
            hint = "Keep one row, either for the whole assignment or for each exercise."
            raise UsageError(f"{NAME} decides twice for {student} in {row.assignment}.", hint=hint)
        if row.exercise:
            exercises[row.exercise] = row.points
        found[student, row.assignment] = Decision(
            whole=None if row.exercise else row.points,
            exercises=exercises,
            max=row.max,
            reason="; ".join(filter(None, [before.reason if before else "", row.reason])),
        )
    return found


def with_points(copy: Document, points: Decimal | None, reason: str) -> Document:
    """Return a report, or the student's copy, with points by hand in place of the graded ones, and a note on both."""
    if points is None:
        return copy
    words: Mapping[str, str] = {
        "points": f"{plain(points):f}",
        "most": f"{plain(copy.max_score):f}",
        "graded": NOT_GRADED[copy.language] if copy.problem is not None else f"{plain(copy.score):f}",
        "reason": f" ({reason})" if reason else "",
    }
    note = SENTENCE[copy.language].format(**words)
    return msgspec.structs.replace(copy, score=points, notes=[note, *copy.notes])
