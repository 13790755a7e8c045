"""Brightspace (D2L): a CSV for Grades > Enter Grades > Import.

The file that Brightspace exported is filled in where there is one (`--into`); a `#` precedes its identities and at
the end of its lines, and is not part of them. Without a file one is made with the columns that the import asks for.
Brightspace cuts a grade at the item's maximum without a word, so the maxima must be the same.
"""

import re
from decimal import Decimal

from grader.errors import UsageError
from grader.lms.formats import ExportedFile, ExportOptions
from grader.lms.reports import ClassReports, Scores
from grader.lms.roster import refuse_formula
from grader.lms.tables import number_text, safe_cell, table_bytes
from grader.text import name_shown

from .matching import (
    decimal_of,
    fill_column,
    heading,
    match_people,
    points_for_platform,
    refuse_nobody,
)
from .sheet_cells import Sheet, read_sheet

WHAT = "A file of grades exported from Brightspace"
PLACES = 2
IDENTITIES = {"OrgDefinedId": "sis_id", "Username": "login", "Email": "email"}
POINTS = re.compile(r"(.*\S)\s+Points Grade(?:\s*<(.*)>)?")
MAXIMUM = re.compile(r"MaxPoints:(\S+)")
END = "End-of-Line Indicator"
DETAILS = ("Last Name", "First Name", "Email", "Sections")


def _identity_in(identity: str, cell: str) -> str:
    return cell.strip().removeprefix("#")


def export(reports: ClassReports, scores: Scores, options: ExportOptions) -> ExportedFile:
    """Return the CSV.

    Raises:
        UsageError: The file or its column is not clear, or an identity cannot be written.
    """
    return _made(scores, options) if options.into is None else _filled(scores, options)


def _made(scores: Scores, options: ExportOptions) -> ExportedFile:
    if options.column is not None:
        raise UsageError("A column to fill in was looked for.", "No file is named.", "Add --into FILE, or use --title.")
    matched, left_out = match_people(scores, options)
    points = points_for_platform(scores, None, options, PLACES)
    title = options.title or scores.assignment
    rows = [["OrgDefinedId", "Username", safe_cell(f"{title} Points Grade"), END]]
    for student, person in matched.people.items():
        if not (person.sis_id or person.login):
            left_out.append(f"{name_shown(student)}: the roster has neither sis_id nor login.")
            continue
        for name in ("sis_id", "login"):
            refuse_formula(getattr(person, name), f"the {name} of {name_shown(student)}")
        rows.append([person.sis_id, person.login, points[student], "#"])
    refuse_nobody(len(rows) - 1, scores, options, "sis_id or login")
    maximum = options.out_of or scores.max_score
    notes = [f"The grade item {title!r} must have a maximum of {number_text(maximum)}; Brightspace cuts what is above."]
    return ExportedFile(table_bytes(rows), len(rows) - 1, notes, left_out)


def _filled(scores: Scores, options: ExportOptions) -> ExportedFile:
    assert options.into is not None
    matched, left_out = match_people(scores, options)
    sheet = read_sheet(options.into, WHAT)
    identities = sheet.columns_of(IDENTITIES)
    if not {"sis_id", "login"} & identities.keys():
        found = "It has neither a column OrgDefinedId nor Username."
        raise UsageError(f"{WHAT} was looked for in {name_shown(sheet.name)}.", found, "Export it with both.")
    column, maximum = _column(sheet, options.column or options.title or scores.assignment)
    if maximum is None and options.out_of is None:
        raise UsageError(
            "The maximum of the grade item was looked for.",
            f"{heading(sheet, column)} does not say it.",
            "Say it with --out-of POINTS.",
        )
    points = points_for_platform(scores, maximum, options, PLACES)
    exported = fill_column(sheet, column, points, matched.people, identities, left_out, _identity_in)
    if details := [name_shown(text.strip()) for text in sheet.headings if text.strip() in DETAILS]:
        note = f"Brightspace asks for files without {', '.join(details)}: export it without user details."
        exported.notes.append(note)
    return exported


def _column(sheet: Sheet, wanted: str) -> tuple[int, Decimal | None]:
    known = sheet.headings_like(POINTS)
    fits = [column for column, found in known.items() if wanted in (found[0], found[1])]
    if len(fits) != 1:
        names = ", ".join(name_shown(found[1]) for found in known.values()) or "none"
        raise UsageError(
            f"The grade item {wanted!r} was looked for in {name_shown(sheet.name)}.",
            f"Columns of points are: {names}.",
            "Name one with --column; export the grades as points from Brightspace.",
        )
    details = known[fits[0]][2] or ""
    stated = MAXIMUM.search(details)
    return fits[0], decimal_of(stated[1]) if stated else None
