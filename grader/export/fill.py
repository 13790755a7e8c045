"""Fills one column of a platform's own table: Canvas, Moodle, Brightspace, Blackboard, or any other.

What these platforms do with a table is why it is filled as it is:

- Canvas makes a new assignment of a heading without its number, computes columns that it calls "(read only)" in the row
  "Points Possible", reads `EX` as excused, and drops points for whom it says `N/A`.
- Moodle passes over a row without a word when its grade is locked, or above the maximum.
- Brightspace cuts a grade at the maximum of the item. Blackboard knows a column by the number behind the bar.
- All of them read a decimal point, in every language.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from grader.errors import UsageError
from grader.results.grades import Grade
from grader.results.scoring import points_shown
from grader.text import listed, name_shown

from .grades import ClassGrades, people_of
from .roster import IDENTITIES, NAME, NAMES, NO_STUDENT, People, kinds_of, person_in
from .tables import Table, key_of, number_in, read_table

# What platforms write around a title: `Title (4711)`, `Assignment: Title (Real)`, `Title Points Grade <... MaxPoints:10
# ...>`, `Title [Total Pts: 10 Score] |12345`.
HEADING = r"(?:[^:]+:\s*)?{}\s*(?:\([^()]*\)|\[total pts.*|points grade.*)"
STATED = re.compile(r"(?:MaxPoints:|Total Pts: (?:up to )?)([\d.,]+)")
READ_ONLY = re.compile(r"read\s+only", re.IGNORECASE)
NO_POINTS = ("", "-", "needs grading", "in progress")
MAXIMUM = "maximum grade|bestwertung|calificación máxima|note maximale|최대 성적"
CHANGEABLE = (  # the Korean Moodle has the heading in English
    "grade can be changed|bewertung kann geändert werden|la calificación puede ser cambiada|"
    "la calificación puede cambiarse|la note peut être modifiée"
)
OUT = {"EX": "is excused", "N/A": "does not have the assignment"}  # of Canvas
NO = ("no", "nein", "non", "아니오", "아니요")


@dataclass
class Filled:
    """What filling came to.

    Attributes:
        data: The table.
        written: How many rows have the points now.
        notes: What a person should know, a sentence each.
        left_out: Who handed something in and is not in the table with points, a sentence each.
        missing: Who handed nothing in and has no points; their cells stay as they were.
    """

    data: bytes = b""
    written: int = 0
    notes: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)


def fill(path: Path, column: str, key: str | None, grades: ClassGrades, assignment: str) -> Filled:
    """Return a table with the points of an assignment in one column.

    Args:
        column: The heading, or the title in it without the number and the maximum that the platform adds.
        key: The heading of the column that says who is who; None for all columns whose headings are known.

    Raises:
        UsageError: The table or the column is not clear, or two rows are one student's.
    """
    table = read_table(path)
    at = _column_called(table, column, "--column")
    kinds = columns = kinds_of(table)
    if key is not None:
        place = _column_called(table, key, "--key")
        kind = next((kind for kind, other in kinds.items() if other == place), "folder")
        columns = {name: kinds[name] for name in NAMES if name in kinds} | {kind: place}
    if at in {*kinds.values(), *columns.values()}:
        raise UsageError(f"{table.name} says who is who in {column!r}.", hint="Name another column with --column.")
    possible = [table.cell(row, at) for row in table.below if key_of(table.cell(row, 0)) == "points possible"]
    if any(map(READ_ONLY.search, possible)):
        problem = f"{column!r} is a column that Canvas computes (read only)."
        raise UsageError(problem, hint="Name another with --column.")
    wanted = grades.of(assignment)
    rows = _rows_by_student(table, columns, wanted, people_of(wanted, grades.notes))
    if wanted and not rows:
        there = f"in the columns {listed(table.headings)}" if key is None else f"under {key!r}"
        hint = f"Take this course's table, name its column of people with --key, or grade with a {NAME}."
        raise UsageError(f"{table.name} has none of the students {there}.", hint=hint)
    others = [table.rows[row] for row in table.below if row not in rows.values()]
    kept = [next(filter(None, map(str.strip, cells))) for cells in others if "".join(cells).strip()]
    kept = [name_shown(cell) for cell in kept if not NO_STUDENT.fullmatch(cell)]
    done, replaced = Filled(), []
    for grade in wanted:
        row = rows.get(grade.student)
        why = _why_not(table, row, at, grade)
        if row is None or why:
            nothing = grade.status == "missing" and grade.points is None
            (done.missing if nothing else done.left_out).append(f"{name_shown(grade.shown)}: {why}")
            continue
        old, cells = table.cell(row, at), table.rows[row]
        cells += [""] * (at + 1 - len(cells))
        cells[at] = points_shown(grade.points)
        done.written += 1
        if key_of(old) not in NO_POINTS and number_in(old) != grade.points:
            replaced.append(f"{name_shown(grade.student)} {old} -> {cells[at]}")
    if (maximum := table.column_of(MAXIMUM)) is not None:
        possible += [table.cell(row, maximum) for row in rows.values()]
    stated = map(number_in, [*possible, *STATED.findall(table.headings[at])])
    theirs, ours = {points for points in stated if points is not None}, {grade.max for grade in wanted}
    there, here = (" and ".join(map(points_shown, sorted(maxima))) for maxima in (theirs, ours))
    notes = {
        f"Rows that match nobody in the reports were left as they are: {listed(kept)}.": kept,
        f"Other points were there before: {', '.join(replaced)}.": replaced,
        f"{table.name} counts {there} points and the reports {here}. The points were written as they are: check the "
        "maximum there.": theirs - ours,
    }
    done.notes = [*grades.notes, *(note for note, reason in notes.items() if reason)]
    done.data = table.to_bytes()
    return done


def _column_called(table: Table, called: str, option: str) -> int:
    """Return the column of a heading, or of the title in it."""
    wanted = key_of(called)
    exact = [at for at, text in enumerate(table.headings) if key_of(text) == wanted]
    heading = re.compile(HEADING.format(re.escape(wanted)))
    fits = exact or [at for at, text in enumerate(table.headings) if wanted and heading.fullmatch(key_of(text))]
    if len(fits) != 1:
        there = ", ".join(map(name_shown, table.headings))
        what = f"has {len(fits)} columns called {called!r}" if fits else f"has no column {called!r}"
        raise UsageError(f"{table.name} {what}; it has {there}.", hint=f"Name one with {option} by its whole heading.")
    return fits[0]


def _rows_by_student(
    table: Table, columns: Mapping[str, int], grades: Sequence[Grade], people: People
) -> dict[str, int]:
    """Return the row of each student; a name may be another person's, so it counts only where there is nothing else."""
    rows: dict[str, int] = {}
    for row in table.below:
        person = person_in(table, row, columns)
        typed = columns.keys() & {*IDENTITIES}
        fits = people.find_row(person) if typed else people.find(person.folder or person.name)
        if len(fits) > 1:
            both = listed([name_shown(grades[place].student) for place in sorted(fits)])
            raise UsageError(
                f"{table.name} has a row that could be {both}, in row {row + 1}.",
                hint=f"Name one column with --key, or add a column `folder` to {NAME} that says whose each folder is.",
            )
        for student in (grades[place].student for place in fits):
            if (other := rows.setdefault(student, row)) != row:
                both = f"{name_shown(student)} twice, in the rows {other + 1} and {row + 1}"
                raise UsageError(f"{table.name} has {both}.", hint="Keep the right row.")
    return rows


def _why_not(table: Table, row: int | None, at: int, grade: Grade) -> str:
    """Return why a student's cell stays as it is; empty where it is filled."""
    if grade.points is None:
        return grade.why_none
    if row is None:
        return f"is not in {table.name}"
    if (status := table.cell(row, at).upper()) in OUT:
        return f"{OUT[status]} there ({status}), so the cell was left as it was"
    changeable = table.column_of(CHANGEABLE)
    if changeable is not None and key_of(table.cell(row, changeable)) in NO:
        return "the grade is locked there, so the cell was left as it was"
    return ""
