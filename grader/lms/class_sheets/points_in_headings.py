"""Brightspace and Blackboard: a heading says what a column is, and what it is worth.

Brightspace (D2L) takes a CSV by Grades > Enter Grades > Import. The file that it exported is filled in where there is
one; a `#` precedes its identities and is at the end of its lines, and is not part of them. Without a file one is made
with the columns that the import asks for. Brightspace cuts a grade at the item's maximum without a word, so the maxima
must be the same.

Blackboard knows a column by the number behind the bar in its heading (`HW1 [Total Pts: 10 Score] |12345`); any other
heading becomes a new column of text that counts nothing. So the file of Work Offline > Download is filled in, in its
own encoding, which may be UTF-16 with tabs.
"""

import re

from grader.errors import UsageError
from grader.lms.formats import ExportedFile, ExportOptions
from grader.lms.reports import ClassReports
from grader.lms.roster import refuse_formula
from grader.lms.scores import Scores
from grader.lms.tables import number_text, safe_cell, table_bytes
from grader.text import name_shown

from .matching import (
    decimal_of,
    fill_column,
    find_rows,
    heading,
    match_people,
    open_sheet,
    points_for_platform,
    who_has,
)

PLACES = 2
BRIGHTSPACE = "A file of grades exported from Brightspace"
BRIGHTSPACE_IDENTITIES = {"OrgDefinedId": "sis_id", "Username": "login", "Email": "email"}
ITEM = re.compile(r"(.*\S)\s+Points Grade(?:\s*<(.*)>)?")
MAXIMUM = re.compile(r"MaxPoints:(\S+)")
END = "End-of-Line Indicator"
DETAILS = ("Last Name", "First Name", "Email", "Sections")
BLACKBOARD = "A file of Blackboard's Work Offline"
BLACKBOARD_IDENTITIES = {"Username": "login", "Student ID": "sis_id"}
COLUMN = re.compile(r"(.*\S)\s*\[Total Pts: (up to [^\]\s]+|[^\]\s]+)(?: ([^\]]+))?\]\s*\|\s*(\d+)")
DOWNLOAD = "Download it with Work Offline > Download, and name it with --into."


def brightspace(reports: ClassReports, scores: Scores, options: ExportOptions) -> ExportedFile:
    """Return Brightspace's CSV.

    Raises:
        UsageError: The file or its column is not clear, or an identity cannot be written.
    """
    if options.into is None:
        return _brightspace_made(scores, options)
    sheet, people, left_out = open_sheet(scores, options, BRIGHTSPACE, "")
    identities = sheet.columns_of(BRIGHTSPACE_IDENTITIES)
    if not {"sis_id", "login"} & identities.keys():
        looked_for = f"{BRIGHTSPACE} was looked for in {name_shown(sheet.name)}."
        raise UsageError(looked_for, "It has neither a column OrgDefinedId nor Username.", "Export it with both.")
    wanted = options.column or options.title or scores.assignment
    known = sheet.headings_like(ITEM)
    fits = [column for column, found in known.items() if wanted in (found[0], found[1])]
    if len(fits) != 1:
        names = ", ".join(name_shown(found[1]) for found in known.values()) or "none"
        raise UsageError(
            f"The grade item {wanted!r} was looked for in {name_shown(sheet.name)}.",
            f"Columns of points are: {names}.",
            "Name one with --column; export the grades as points from Brightspace.",
        )
    stated = MAXIMUM.search(known[fits[0]][2] or "")
    maximum = decimal_of(stated[1]) if stated else None
    if maximum is None and options.out_of is None:
        raise UsageError(
            "The maximum of the grade item was looked for.",
            f"{heading(sheet, fits[0])} does not say it.",
            "Say it with --out-of POINTS.",
        )
    points = points_for_platform(scores, maximum, options, PLACES)
    rows, not_there = find_rows(
        sheet, identities, people, sheet.student_rows, lambda _, cell: cell.strip().removeprefix("#")
    )
    exported = fill_column(sheet, fits[0], points, rows, left_out + not_there)
    if details := [name_shown(text.strip()) for text in sheet.headings if text.strip() in DETAILS]:
        note = f"Brightspace asks for files without {', '.join(details)}: export it without user details."
        exported.notes.append(note)
    return exported


def _brightspace_made(scores: Scores, options: ExportOptions) -> ExportedFile:
    if options.column is not None:
        raise UsageError("A column to fill in was looked for.", "No file is named.", "Add --into FILE, or use --title.")
    people, left_out = match_people(scores, options)
    points = points_for_platform(scores, None, options, PLACES)
    title = options.title or scores.assignment
    rows = [["OrgDefinedId", "Username", safe_cell(f"{title} Points Grade"), END]]
    for student, person in who_has(("sis_id", "login"), people, options, left_out).items():
        refuse_formula(person, "sis_id", student)
        refuse_formula(person, "login", student)
        rows.append([person.sis_id, person.login, points[student], "#"])
    maximum = number_text(options.out_of or scores.max_score)
    notes = [f"The grade item {title!r} must have a maximum of {maximum}; Brightspace cuts what is above."]
    return ExportedFile(table_bytes(rows), len(rows) - 1, notes, left_out)


def blackboard(reports: ClassReports, scores: Scores, options: ExportOptions) -> ExportedFile:
    """Return Blackboard's file with the scores of one assignment in its column.

    Raises:
        UsageError: The file or its column is not clear.
    """
    sheet, people, left_out = open_sheet(scores, options, BLACKBOARD, DOWNLOAD)
    identities = sheet.columns_of(BLACKBOARD_IDENTITIES)
    if "login" not in identities:
        looked_for = f"{BLACKBOARD} was looked for in {name_shown(sheet.name)}."
        raise UsageError(looked_for, "It has no column Username.", DOWNLOAD)
    wanted = options.column or scores.assignment
    known = sheet.headings_like(COLUMN)
    fits = [column for column, found in known.items() if wanted in (found[0], found[1], found[4])]
    if len(fits) != 1:
        names = ", ".join(name_shown(found[1]) for found in known.values()) or "none"
        said = f"Columns with a number behind a bar are: {names}."
        if wanted in map(str.strip, sheet.headings):
            said = f"{wanted!r} has no number behind a bar, so Blackboard would make a column of text of it."
        looked_for = f"The column {wanted!r} was looked for in {name_shown(sheet.name)}."
        raise UsageError(looked_for, said, "Name one with --column.")
    _, stated, shown, _ = known[fits[0]].groups()
    maximum = decimal_of(stated)
    if maximum is None or (shown or "Score") != "Score":
        raise UsageError(
            f"A column of scores was looked for: {heading(sheet, fits[0])}.",
            "It is computed by Blackboard, or does not show a score.",
            "Name another, or set its primary display to Score and download it again.",
        )
    points = points_for_platform(scores, maximum, options, PLACES)
    rows, not_there = find_rows(sheet, identities, people, sheet.student_rows)
    return fill_column(sheet, fits[0], points, rows, left_out + not_there)
