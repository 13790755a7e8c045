"""Points by hand: `overrides.csv`, a row for each student, assignment and, where asked, exercise.

The reports keep the graded points, so both are known. A person decides, so what does not fit is refused with the line.
"""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from pathlib import Path

import msgspec

from grader.course.layout import Course
from grader.errors import UsageError
from grader.language import translation
from grader.records.journal_lines import Line
from grader.results.grades import Grade
from grader.results.scoring import points_shown, total_of
from grader.text import name_shown, one_line

from .roster import Roster
from .tables import key_of, number_in, read_table

NAME = "overrides.csv"
COLUMNS = ("student", "assignment", "exercise", "points", "reason")
LONGEST_REASON = 500


class PointsByHand(msgspec.Struct, frozen=True, kw_only=True):
    """A row of the table.

    Attributes:
        student: Whom it names, as it is written there.
        exercise: The exercise's id; empty for the whole assignment.
        max: What can be reached in the whole assignment.
    """

    student: str
    assignment: str
    exercise: str
    points: Decimal
    max: Decimal
    reason: str


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
            hint = f"Its columns are {', '.join(COLUMNS)}; exercise and reason may be empty."
            raise UsageError(f"{table.name} needs one column {needed!r}; it has {there}.", hint=hint)
    decided = []
    for row in table.below:
        cells = {name: table.cell(row, headings.index(name)) if name in headings else "" for name in COLUMNS}
        try:
            decided += [_decided(cells, course)] if any(cells.values()) else []
        except UsageError as problem:
            raise UsageError(f"{table.name}, row {row + 1}: {problem}") from None
    return decided


def _decided(cells: Mapping[str, str], course: Course) -> PointsByHand:
    assignment, points = course.assignment(cells["assignment"]), number_in(cells["points"])
    exercises = [assignment.exercise(cells["exercise"])] if cells["exercise"] else assignment.exercises
    most = total_of([exercise.points for exercise in exercises])
    if not cells["student"] or points is None or points > most:
        wrong = f"{name_shown(cells['student'])} cannot have {name_shown(cells['points'])} points"
        raise UsageError(f"{wrong}; name a student, and 0 to {points_shown(most)} points such as 6.5.")
    return PointsByHand(
        student=cells["student"],
        assignment=assignment.id,
        exercise=cells["exercise"],
        points=points,
        max=total_of([exercise.points for exercise in assignment.exercises]),
        reason=one_line(cells["reason"], LONGEST_REASON),
    )


def decisions_of(rows: Iterable[PointsByHand], roster: Roster) -> dict[tuple[str, str], list[PointsByHand]]:
    """Return what was decided, by student and assignment.

    Raises:
        UsageError: A row names nobody, or two rows decide one thing.
    """
    decisions: dict[tuple[str, str], list[PointsByHand]] = {}
    for row in rows:
        try:
            members = roster.members(row.assignment)
            student = members.all[members.resolve(row.student)].folder
        except UsageError as problem:
            raise UsageError(f"{NAME}: {problem}") from None
        others = decisions.setdefault((student, row.assignment), [])
        if others and (not row.exercise or {row.exercise, ""} & {other.exercise for other in others}):
            hint = "Keep one row, either for the whole assignment or for each exercise."
            raise UsageError(f"{NAME} decides twice for {name_shown(student)} in {row.assignment}.", hint=hint)
        others.append(row)
    return decisions


def points_by_hand(decided: Sequence[PointsByHand], graded: Line | None) -> Decimal | None:
    """Return the points of the whole, given what was graded; None where exercises alone do not make a sum."""
    points = {row.exercise: row.points for row in decided}
    if "" in points or graded is None or graded.problem is not None:
        return points.get("")
    return total_of([points.get(exercise.id, exercise.score) for exercise in graded.exercises]) if points else None


def note_on(grade: Grade, language: str) -> str:
    """Return a note on points by hand and on the graded ones, of which there may be none."""
    _ = translation(language).gettext
    return _("Points by hand: {points} of {most}{reason}. Graded: {graded}.").format(
        points=points_shown(grade.by_hand),
        most=points_shown(grade.max),
        graded=_("no points") if grade.score is None else points_shown(grade.score),
        reason=f" ({grade.reason})" if grade.reason else "",
    )
