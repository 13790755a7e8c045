"""The gradebook as a table: `gradebook.csv` for a spreadsheet, and what a terminal shows.

An empty cell means that nothing counts, and is not 0 points. `not graded` was handed in and could not be graded.
"""

import csv
import io
from decimal import Decimal

from grader.results.counted import Entry, Gradebook
from grader.results.scoring import plain
from grader.results.spreadsheet import NOT_GRADED, formula_safe
from grader.results.table import name_cell
from grader.text import one_line

BESIDE = ("raw", "submitted", "days late")
"""The columns beside what counts of an assignment."""


def beside(entry: Entry | None) -> list[str]:
    """Return the cells of these columns; empty where there is nothing to say."""
    if entry is None:
        return ["" for _ in BESIDE]
    known = entry.due is not None and (entry.submitted is not None or entry.late_days > 0)
    days = str(entry.late_days) if known else ""
    return [_number(entry.raw), entry.submitted or "", days]


def sheet_rows(book: Gradebook) -> list[list[str]]:
    """Return headings and a line for each student: who it is, what counts of each assignment and beside it, the sum."""
    places, named = book.by_place(), any(each.on_roster is not None for each in book.students)
    columns = [heading for each in book.assignments for heading in (each, *(f"{each} {what}" for what in BESIDE))]
    rows = [["student", *(["name", "email"] if named else []), *map(formula_safe, columns), "total", "dropped"]]
    for one in book.students:
        entries = [places[one.student, assignment] for assignment in book.assignments]
        cells = [cell for each in entries for cell in (_counted(each), *beside(each))]
        who = [one.student, *([one.name, one.email] if named else [])]
        safe = [formula_safe(one_line(text, 2000)) for text in who]
        safe[0] = formula_safe(one.student)
        rows.append([*safe, *cells, _number(one.counted), " ".join(one.dropped)])
    return rows


def sheet_bytes(book: Gradebook) -> bytes:
    """Return `gradebook.csv`."""
    text = io.StringIO()
    csv.writer(text, quoting=csv.QUOTE_ALL).writerows(sheet_rows(book))
    return text.getvalue().encode()


def table_cells(book: Gradebook) -> list[list[str]]:
    """Return a table for the terminal; where the raw points are others, they come in brackets."""
    places = book.by_place()
    most = {each.assignment: each.max_score for each in book.entries}
    rows = [["student", *(f"{one_line(each, 40)} ({plain(most[each]):f})" for each in book.assignments), "total"]]
    for one in book.students:
        entries = [places[one.student, assignment] for assignment in book.assignments]
        total = "?" if any(each.not_graded for each in entries) else _number(one.counted) or "-"
        rows.append([name_cell(one.student), *(_with_raw(each) for each in entries), total])
    return rows


def _with_raw(entry: Entry) -> str:
    counted = _counted(entry) or "-"
    return counted if entry.raw in (None, entry.counted) else f"{counted} ({_number(entry.raw)})"


def _counted(entry: Entry) -> str:
    return NOT_GRADED if entry.not_graded else _number(entry.counted)


def _number(points: Decimal | None) -> str:
    return "" if points is None else f"{plain(points):f}"
