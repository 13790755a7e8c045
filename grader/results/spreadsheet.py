"""Writes the scores as a table that a spreadsheet and a gradebook read.

Everything is quoted, and a text that a spreadsheet would take for a formula gets an apostrophe in front: a student who
is called `=HYPERLINK(...)` stays a name. A student who handed nothing in has an empty cell, which no importer takes
for the grade 0. What could not be graded is not a number either: added up as 0 it would silently be a wrong grade.
"""

import csv
import io
from collections.abc import Iterator, Sequence

from .scoring import points_shown, total_of
from .summary import Row

NOT_GRADED = "not graded"

# The full-width signs are formulas too where a spreadsheet runs in Japanese, Chinese or Korean.
FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def formula_safe(text: str) -> str:
    """Return a text that no spreadsheet runs as a formula."""
    return "'" + text if text.startswith(FORMULA_SIGNS) else text


def scores_csv(rows: Sequence[Row], students: Sequence[str], assignments: Sequence[str]) -> bytes:
    """Return the scores as CSV in UTF-8: a line of headings and one for each student.

    It has the name; for each assignment a score, `not graded`, or nothing where nothing was handed in; and the sum of
    the scores, which is empty where the student handed nothing in, or something that could not be graded.
    """
    text = io.StringIO()
    writer = csv.writer(text, quoting=csv.QUOTE_ALL)
    writer.writerow([formula_safe(word) for word in ("student", *assignments, "total")])
    for student, *cells in score_cells(rows, students, assignments, nothing="", unknown=""):
        writer.writerow([formula_safe(student), *cells])
    return text.getvalue().encode()


def score_cells(
    rows: Sequence[Row], students: Sequence[str], assignments: Sequence[str], *, nothing: str, unknown: str
) -> Iterator[list[str]]:
    """Give for each student the name, a cell for each assignment, and the sum.

    Args:
        nothing: What a cell says where nothing was handed in, and the sum where nothing was at all.
        unknown: What the sum says where a part of it could not be graded: added up as 0 it would be too low.
    """
    by_place = {(row.student, row.assignment): row for row in rows}
    for student in students:
        own = [by_place.get((student, assignment)) for assignment in assignments]
        there = [row for row in own if row is not None]
        total = f"{total_of([row.score for row in there]):f}" if there else nothing
        failed = any(row.problem is not None for row in there)
        yield [student, *(nothing if row is None else _cell(row) for row in own), unknown if failed else total]


def _cell(row: Row) -> str:
    return NOT_GRADED if row.problem is not None else points_shown(row.score)
