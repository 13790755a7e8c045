"""Writes the scores as a table that a spreadsheet and a gradebook read.

Everything is quoted, and a text that a spreadsheet would take for a formula gets an apostrophe in front: a student who
is called `=HYPERLINK(...)` stays a name. A student who handed nothing in has an empty cell, which no importer takes
for the grade 0.
"""

import csv
import io
from collections.abc import Sequence
from decimal import Decimal

from .scoring import total_of
from .summary import Row

# The full-width signs are formulas too where a spreadsheet runs in Japanese, Chinese or Korean.
FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def guarded(text: str) -> str:
    """Return a text that no spreadsheet runs as a formula."""
    return "'" + text if text.startswith(FORMULA_SIGNS) else text


def scores_csv(rows: Sequence[Row], students: Sequence[str], assignments: Sequence[str]) -> bytes:
    """Return the scores as CSV in UTF-8.

    Args:
        rows: One for each submission of this run.
        students: The students in the order of the lines.
        assignments: The assignments in the order of the columns.

    Returns:
        A line of headings and one for each student: the name, a score or nothing for each assignment, and the sum of
        the scores or nothing where the student handed nothing in.
    """
    scores = {(row.student, row.assignment): row.score for row in rows}
    text = io.StringIO()
    writer = csv.writer(text, quoting=csv.QUOTE_ALL)
    writer.writerow([guarded(word) for word in ("student", *assignments, "total")])
    for student in students:
        own = [scores.get((student, assignment)) for assignment in assignments]
        handed_in = [score for score in own if score is not None]
        total = total_of(handed_in) if handed_in else None
        writer.writerow([guarded(student), *map(_cell, own), _cell(total)])
    return text.getvalue().encode()


def _cell(score: Decimal | None) -> str:
    return "" if score is None else f"{score:f}"
