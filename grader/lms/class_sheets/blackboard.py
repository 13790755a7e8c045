"""Blackboard: the file of Work Offline > Download, with one column filled in.

Blackboard knows a column by the number behind the bar in its heading (`HW1 [Total Pts: 10 Score] |12345`); any other
heading becomes a new column of text that counts nothing. So the downloaded file is filled in, in its own encoding,
which may be UTF-16 with tabs.
"""

import re
from decimal import Decimal

from grader.errors import UsageError
from grader.lms.formats import ExportedFile, ExportOptions
from grader.lms.reports import ClassReports, Scores
from grader.text import name_shown

from .matching import decimal_of, fill_column, heading, match_people, points_for_platform
from .sheet_cells import Sheet, read_sheet

WHAT = "A file of Blackboard's Work Offline"
PLACES = 2
IDENTITIES = {"Username": "login", "Student ID": "sis_id"}
HEADING = re.compile(r"(.*\S)\s*\[Total Pts: (up to [^\]\s]+|[^\]\s]+)(?: ([^\]]+))?\]\s*\|\s*(\d+)")
DOWNLOAD = "Download it with Work Offline > Download, and name it with --into."


def export(reports: ClassReports, scores: Scores, options: ExportOptions) -> ExportedFile:
    """Return the file with the scores of one assignment in its column.

    Raises:
        UsageError: The file or its column is not clear.
    """
    if options.into is None:
        raise UsageError(f"{WHAT} was looked for.", "None is named.", DOWNLOAD)
    matched, left_out = match_people(scores, options)
    sheet = read_sheet(options.into, WHAT)
    identities = sheet.columns_of(IDENTITIES)
    if "login" not in identities:
        raise UsageError(f"{WHAT} was looked for in {name_shown(sheet.name)}.", "It has no column Username.", DOWNLOAD)
    column, maximum = _column(sheet, options.column or scores.assignment)
    points = points_for_platform(scores, maximum, options, PLACES)
    return fill_column(sheet, column, points, matched.people, identities, left_out)


def _column(sheet: Sheet, wanted: str) -> tuple[int, Decimal]:
    known = sheet.headings_like(HEADING)
    fits = [column for column, found in known.items() if wanted in (found[0], found[1], found[4])]
    if len(fits) != 1:
        bare = any(text.strip() == wanted for text in sheet.headings)
        names = ", ".join(name_shown(found[1]) for found in known.values()) or "none"
        found_ = f"Columns with a number behind a bar are: {names}."
        if bare:
            found_ = f"{wanted!r} has no number behind a bar, so Blackboard would make a column of text of it."
        raise UsageError(
            f"The column {wanted!r} was looked for in {name_shown(sheet.name)}.", found_, "Name one with --column."
        )
    _, _, stated, shown, _ = (known[fits[0]][part] for part in range(5))
    maximum = decimal_of(stated)
    if maximum is None or (shown or "Score") != "Score":
        raise UsageError(
            f"A column of scores was looked for: {heading(sheet, fits[0])}.",
            "It is computed by Blackboard, or does not show a score.",
            "Name another, or set its primary display to Score and download it again.",
        )
    return fits[0], maximum
