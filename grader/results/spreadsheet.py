"""Writes the scores as a table that a spreadsheet and a gradebook read.

Everything is quoted, and a text that a spreadsheet would take for a formula gets an apostrophe in front: a student who
is called `=HYPERLINK(...)` stays a name. A student who handed nothing in has an empty cell, which no importer takes
for the grade 0. What could not be graded is not a number either: added up as 0 it would silently be a wrong grade.
"""

import csv
import io
from collections.abc import Sequence

from .scoring import total_of
from .summary import Row

NOT_GRADED = "not graded"

# The full-width signs are formulas too where a spreadsheet runs in Japanese, Chinese or Korean.
FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def formula_safe(text: str) -> str:
    """Return a text that no spreadsheet runs as a formula."""
    return "'" + text if text.startswith(FORMULA_SIGNS) else text


def scores_csv(rows: Sequence[Row], students: Sequence[str], assignments: Sequence[str]) -> bytes:
    """Return the scores as CSV in UTF-8.

    Args:
        rows: One for each submission of this run.
        students: The students in the order of the lines.
        assignments: The assignments in the order of the columns.

    Returns:
        A line of headings and one for each student: the name; for each assignment a score, `not graded`, or nothing
        where nothing was handed in; and the sum of the scores. The sum is empty where the student handed nothing in,
        or something that could not be graded.
    """
    by_place = {(row.student, row.assignment): row for row in rows}
    text = io.StringIO()
    writer = csv.writer(text, quoting=csv.QUOTE_ALL)
    writer.writerow([formula_safe(word) for word in ("student", *assignments, "total")])
    for student in students:
        own = [by_place.get((student, assignment)) for assignment in assignments]
        writer.writerow([formula_safe(student), *map(_cell, own), _total([row for row in own if row is not None])])
    return text.getvalue().encode()


def _cell(row: Row | None) -> str:
    if row is None:
        return ""
    return NOT_GRADED if row.problem is not None else f"{row.score:f}"


def _total(rows: Sequence[Row]) -> str:
    """Return the sum of the scores, or nothing where it would be too low."""
    if not rows or any(row.problem is not None for row in rows):
        return ""
    return f"{total_of([row.score for row in rows]):f}"
