"""Moodle: the offline grading worksheet of an assignment, filled in.

Moodle finds its columns by headings in the language of the site, and passes over a row without a word when the grade is
above the maximum or cannot be changed. So the worksheet that it wrote is filled in, every other byte stays, and what it
would pass over is said. A grade always has a decimal point: Moodle reads it in every language, while `8,5` is 8 where
the language has a point.
"""

import html
import re
from collections.abc import Mapping

from grader.errors import UsageError
from grader.lms.formats import ExportedFile, ExportOptions
from grader.lms.reports import ClassReports, Scores
from grader.lms.visibility import platform_comment
from grader.text import name_shown

from .matching import changed_cells, decimal_of, find_rows, match_people, points_for_platform
from .sheet_cells import Sheet, read_sheet

WHAT = "An offline grading worksheet of Moodle"
PLACES = 5
HEADINGS: dict[str, tuple[str, ...]] = {
    "id": ("Identifier", "ID", "Identificador", "Identifiant"),
    "grade": ("Grade", "Bewertung", "Calificación", "Note"),
    "maximum": ("Maximum Grade", "Maximum grade", "Bestwertung", "Calificación máxima", "Note maximale"),
    "modified": (
        "Last modified (grade)",
        "Zuletzt geändert (Bewertung)",
        "Última modificación (calificación)",
        "Dernière modification (note)",
    ),
    "changeable": (
        "Grade can be changed",
        "Bewertung kann geändert werden",
        "La calificación puede ser cambiada",
        "La note peut être modifiée",
    ),
    "comments": ("Feedback comments", "Feedback als Kommentar", "Comentarios de retroalimentación"),
    "email": ("Email address", "E-Mail-Adresse", "Dirección de correo", "Adresse de courriel"),
    "idnumber": ("ID number", "ID-Nummer", "Número de ID", "Numéro d'identification"),
}
NEEDED = ("id", "grade", "modified")
NO = ("No", "Nein", "Non")
PARTICIPANT = re.compile(r".*?(\d+)")
DOWNLOAD = "Download the worksheet from Moodle again, and name it with --into."


def _identity_in(identity: str, cell: str) -> str:
    found = PARTICIPANT.fullmatch(cell.strip()) if identity == "participant" else None
    return found[1] if found else cell.strip()


def export(reports: ClassReports, scores: Scores, options: ExportOptions) -> ExportedFile:
    """Return the worksheet with grades, and with comments where there were none.

    Raises:
        UsageError: The file is not a worksheet, its headings are not known, or a row is not clear.
    """
    if options.into is None:
        raise UsageError(f"{WHAT} was looked for.", "None is named.", DOWNLOAD)
    matched, left_out = match_people(scores, options)
    sheet = read_sheet(options.into, WHAT, separator=",")
    columns = _columns(sheet, options.columns)
    identities = {
        name: columns[key]
        for name, key in (("participant", "id"), ("sis_id", "idnumber"), ("email", "email"))
        if key in columns
    }
    located = find_rows(sheet, identities, matched.people, sheet.student_rows, _identity_in)
    cells, comments, locked, kept = {}, {}, [], 0
    by_maximum: dict[str, dict[str, str]] = {}
    graded = {each.row.student: each for each in reports.of(scores.assignment)}
    for student, number in located.rows.items():
        row = sheet.rows[number]
        if "changeable" in columns and row[columns["changeable"]].strip() in NO:
            locked.append(f"{name_shown(student)}: the grade is locked in Moodle, so the row was left as it is.")
            continue
        stated = row[columns["maximum"]] if "maximum" in columns else ""
        if stated not in by_maximum:
            by_maximum[stated] = _points(stated, scores, options)
        cells[number, columns["grade"]] = by_maximum[stated][student]
        if "comments" in columns:
            place = number, columns["comments"]
            maximum = decimal_of(stated) or options.out_of or scores.max_score
            text = html.escape(platform_comment(graded[student], cells[number, columns["grade"]], maximum), quote=False)
            if not row[columns["comments"]].strip() or options.overwrite_comments:
                comments[place] = text
            else:
                kept += row[columns["comments"]] != text
    new, notes = changed_cells(sheet, cells, located.rows)
    if "changeable" not in columns:
        notes.append(
            "No column says whose grade can be changed (see --columns changeable=HEADING), so a score that is locked in"
            " Moodle is written and counted too, and Moodle passes over it without a word."
        )
    if "comments" not in columns:
        notes.append("No column of comments was found, so none were written (see --columns comments=HEADING).")
    if kept:
        notes.append(f"Comments that were there already were left as they are: {kept} (see --overwrite-comments).")
    return ExportedFile(sheet.filled({**new, **comments}), len(cells), notes, left_out + located.left_out + locked)


def _points(stated: str, scores: Scores, options: ExportOptions) -> dict[str, str]:
    maximum = decimal_of(stated)
    if maximum is None and options.out_of is None:
        raise UsageError(
            "The maximum grade was looked for in the worksheet.",
            f"It is {name_shown(stated)}.",
            "Say it with --out-of POINTS; a scale of words cannot be filled in.",
        )
    return points_for_platform(scores, maximum, options, PLACES)


def _columns(sheet: Sheet, named: Mapping[str, str]) -> dict[str, int]:
    """Return the column of each thing that the worksheet has.

    Raises:
        UsageError: One that Moodle needs is not there, or there twice.
    """
    from grader.faults import did_you_mean

    for name in named:
        if name not in HEADINGS:
            raise UsageError("A column was looked for in --columns.", f"It is {name!r}.", did_you_mean(name, HEADINGS))
    found: dict[str, int] = {}
    for name, known in HEADINGS.items():
        words = (named[name],) if name in named else known
        places = [column for column, text in enumerate(sheet.headings) if text.strip() in words]
        if len(places) > 1:
            raise _unclear(sheet, f"{len(places)} columns are called {' or '.join(map(repr, words))}.", "")
        if places:
            found[name] = places[0]
        elif name in named or name in NEEDED:
            headings = ", ".join(name_shown(text) for text in sheet.headings[:20])
            known_as = " or ".join(map(repr, words))
            hint = f"Say which it is, as in --columns {name}=HEADING, or download the worksheet again."
            raise _unclear(sheet, f"There is no column {known_as}. There are: {headings}.", hint)
    return found


def _unclear(sheet: Sheet, found: str, hint: str) -> UsageError:
    return UsageError(f"{WHAT} was looked for in {name_shown(sheet.name)}.", found, hint)
