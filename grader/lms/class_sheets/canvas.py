"""Canvas: the gradebook that a course exported as CSV, with one column filled in.

Canvas matches a row by its ID, then the SIS user id, then the SIS login id, and makes a new assignment of a column
whose heading it does not know. So the file of the course itself is filled in: the column must be there, with the number
of its assignment in brackets. Scores are written with two decimal places, which is what Canvas compares.
"""

import re

from grader.errors import UsageError
from grader.lms.formats import ExportedFile, ExportOptions
from grader.lms.reports import ClassReports
from grader.lms.scores import Scores
from grader.lms.sheets import Sheet
from grader.text import name_shown

from .matching import decimal_of, fill_column, find_rows, heading, open_sheet, points_for_platform

WHAT = "A gradebook of Canvas"
PLACES = 2
WITH_ID = re.compile(r"(.*\S)\s*\((\d+)\)")
INFO = {"SIS User ID": "sis_id", "SIS Login ID": "login"}
READ_ONLY = re.compile(r"read\s+only", re.IGNORECASE)
NO_STUDENT = re.compile(r"\s*(Muted|Manual Posting.*)?\s*", re.IGNORECASE)
EXPORT = "Export the gradebook of the course from Canvas again, and name it with --into."


def canvas(reports: ClassReports, scores: Scores, options: ExportOptions) -> ExportedFile:
    """Return the gradebook with the scores of one assignment in its column.

    Raises:
        UsageError: The file is not a gradebook as Canvas takes it back, the column is not clear, or a row is not.
    """
    sheet, people, left_out = open_sheet(scores, options, WHAT, EXPORT)
    identities, first = _info_columns(sheet)
    column = _column(sheet, first, options.column or scores.assignment)
    top = next((row for row in range(1, len(sheet.rows)) if "Points Possible" in sheet.rows[row][0]), None)
    stated = sheet.rows[top][column] if top is not None else ""
    if READ_ONLY.search(stated):
        raise UsageError(f"A column to fill in was looked for: {heading(sheet, column)}.", "Canvas only reads it out.")
    maximum = decimal_of(stated)
    if maximum is None and options.out_of is None:
        found = f"Points Possible of {heading(sheet, column)} is {name_shown(stated)}."
        raise UsageError("The points of the column were looked for.", found, "Say it with --out-of POINTS.")
    points = points_for_platform(scores, maximum, options, PLACES)
    students = [row for row in range(1, len(sheet.rows)) if row != top and _is_student(sheet, row)]
    rows, not_there = find_rows(sheet, identities, people, students)
    excused = [name for name, row in rows.items() if sheet.rows[row][column].strip().upper() == "EX"]
    left_out += not_there
    left_out += [f"{name_shown(name)} is excused in Canvas (EX), so the cell was left as it is." for name in excused]
    return fill_column(sheet, column, points, {name: rows[name] for name in rows if name not in excused}, left_out)


def _info_columns(sheet: Sheet) -> tuple[dict[str, int], int]:
    """Return the columns of the identities, and the first one behind the students' own, by Canvas's rules."""
    heads = sheet.headings
    split = heads[:2] == ["LastName", "FirstName"]
    start = 2 if split else 1
    if not (split or (heads and "Student" in heads[0])) or len(heads) < start + 3 or "ID" not in heads[start]:
        raise _no_gradebook(sheet, "It does not begin with Student and ID.")
    found = {"canvas_id": start}
    for column in range(start + 1, len(heads)):
        if heads[column] in INFO:
            found[INFO[heads[column]]] = column
        elif "Section" in heads[column]:
            return {name: found[name] for name in ("canvas_id", "sis_id", "login") if name in found}, column + 1
        elif heads[column] not in ("Integration ID", "Root Account"):
            break
    raise _no_gradebook(sheet, "The last of the columns about the student is not Section.")


def _column(sheet: Sheet, first: int, wanted: str) -> int:
    """Return the column of an assignment by its heading, its title or its number."""
    known = {column: found for column, found in sheet.headings_like(WITH_ID).items() if column >= first}
    fits = [column for column, found in known.items() if wanted in (found[0], found[1], found[2])]
    if len(fits) == 1:
        return fits[0]
    if fits:
        said = f"{len(fits)} columns are called {wanted!r}."
    elif any(text.strip() == wanted for text in sheet.headings[first:]):
        said = f"{wanted!r} has no number in brackets, so Canvas would make a new assignment of it."
    else:
        names = ", ".join(heading(sheet, column) for column in list(known)[:10]) or "none"
        said = f"There is none called {wanted!r}. There are: {names}."
    hint = "Name one with --column, by its whole heading or the number in its brackets."
    raise UsageError(f"The assignment's column was looked for in {name_shown(sheet.name)}.", said, hint)


def _is_student(sheet: Sheet, row: int) -> bool:
    return not all(NO_STUDENT.fullmatch(cell.value) for cell in sheet.rows[row].cells)


def _no_gradebook(sheet: Sheet, found: str) -> UsageError:
    return UsageError(f"{WHAT} was looked for in {name_shown(sheet.name)}.", found, EXPORT)
