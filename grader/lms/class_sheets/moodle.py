"""Moodle: a CSV for Grades > Import > CSV file, and the offline grading worksheet of an assignment, filled in.

In the CSV one bad row ends the whole import, and a row without an identity gets the student of the row before. So every
row has its identity and a number that Moodle takes, and grade and feedback always come together, since feedback that
is imported without its grade wipes the grade out. Moodle shows feedback as HTML, so what is not markup is escaped.

Moodle finds a worksheet's columns by headings in the language of the site, and passes over a row without a word when
the grade is above the maximum or cannot be changed. So the worksheet that it wrote is filled in, every other byte
stays, and what it would pass over is said. A grade always has a decimal point: Moodle reads it in every language, while
`8,5` is 8 where the language has a point.
"""

import html
import re
from collections.abc import Mapping
from decimal import Decimal

from grader.errors import UsageError
from grader.lms.formats import ExportedFile, ExportOptions
from grader.lms.platform_rosters import MOODLE
from grader.lms.reports import ClassReports
from grader.lms.roster import refuse_formula
from grader.lms.scores import Graded, Scores
from grader.lms.sheets import Sheet
from grader.lms.tables import number_text, safe_cell, table_bytes
from grader.lms.visibility import grade_comment
from grader.text import name_shown

from .matching import (
    People,
    changed_cells,
    decimal_of,
    find_rows,
    match_people,
    open_sheet,
    points_for_platform,
    who_has,
)

PLACES = 5
MOST = Decimal(100)  # a grade above this ends the import, unless the site allows unlimited grades
FIELDS = {"email": "email", "sis_id": "idnumber", "login": "username", "moodle_id": "id"}
NO_IDENTITY = ("", "0")  # Moodle takes both for none, and then the row for the student before
WORKSHEET = "An offline grading worksheet of Moodle"
HEADINGS: dict[str, tuple[str, ...]] = {
    "id": MOODLE["participant"],
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
    "email": MOODLE["email"],
    "idnumber": MOODLE["sis_id"],
}
IDENTITIES = {"participant": "id", "sis_id": "idnumber", "email": "email"}
NEEDED = ("id", "grade", "modified")
NO = ("No", "Nein", "Non")
PARTICIPANT = re.compile(r".*?(\d+)")
DOWNLOAD = "Download the worksheet from Moodle again, and name it with --into."


def moodle(reports: ClassReports, scores: Scores, options: ExportOptions) -> ExportedFile:
    """Return the CSV: the identity, the grade and the feedback of each student.

    Raises:
        UsageError: No identity is known of all students, or Moodle would refuse a grade.
    """
    people, left_out = match_people(scores, options)
    points = points_for_platform(scores, None, options, PLACES)
    highest = max(map(Decimal, points.values()), default=Decimal(0))
    if highest > MOST and options.out_of is None:
        raise UsageError(
            "Grades that Moodle imports were looked for.",
            f"{number_text(highest)} is above {MOST}, which ends the import of everybody.",
            "Add --out-of 100 --scale; or, on a site with unlimited grades, --out-of with the item's maximum.",
        )
    by = _identity(people, options.by)
    maximum = options.out_of or scores.max_score
    title = options.title or scores.assignment
    rows = [[FIELDS[by], safe_cell(title), safe_cell(f"{title} (feedback)")]]
    for student, person in who_has((by,), people, options, left_out, NO_IDENTITY).items():
        refuse_formula(person, by, student)
        feedback = _feedback(scores.graded[student], points[student], maximum)
        rows.append([getattr(person, by), points[student], safe_cell(feedback)])
    notes = [
        f"In Moodle, map {FIELDS[by]!r} to the user, {title!r} to the grade item and "
        f"'{title} (feedback)' to its feedback; the grade item's maximum must be {number_text(maximum)}."
    ]
    return ExportedFile(table_bytes(rows), len(rows) - 1, notes, left_out)


def _identity(people: People, by: str | None) -> str:
    from grader.faults import did_you_mean

    if by is not None:
        if by not in FIELDS:
            raise UsageError("What Moodle matches by was looked for.", f"--by is {by!r}.", did_you_mean(by, FIELDS))
        return by
    for name in FIELDS:
        if all(getattr(person, name) for person in people.values()):
            return name
    raise UsageError(
        "An identity of all students was looked for in the roster.",
        f"None of {', '.join(FIELDS)} is there for everybody.",
        "Fill one in, or name one with --by; who has none is then left out.",
    )


def _feedback(graded: Graded, points: str, maximum: Decimal) -> str:
    return html.escape(grade_comment(graded, points, maximum), quote=False)


def moodle_worksheet(reports: ClassReports, scores: Scores, options: ExportOptions) -> ExportedFile:
    """Return the worksheet with grades, and with comments where there were none.

    Raises:
        UsageError: The file is not a worksheet, its headings are not known, or a row is not clear.
    """
    sheet, people, left_out = open_sheet(scores, options, WORKSHEET, DOWNLOAD, separator=",")
    columns = _columns(sheet, options.columns)
    identities = {name: columns[key] for name, key in IDENTITIES.items() if key in columns}
    rows, not_there = find_rows(sheet, identities, people, sheet.student_rows, _identity_in)
    grades, comments, locked, kept = {}, {}, [], 0
    by_maximum: dict[str, dict[str, str]] = {}
    for student, number in rows.items():
        row = sheet.rows[number]
        if "changeable" in columns and row[columns["changeable"]].strip() in NO:
            locked.append(f"{name_shown(student)}: the grade is locked in Moodle, so the row was left as it is.")
            continue
        stated = row[columns["maximum"]] if "maximum" in columns else ""
        if stated not in by_maximum:
            by_maximum[stated] = _points(stated, scores, options)
        points = grades[number, columns["grade"]] = by_maximum[stated][student]
        if "comments" in columns:
            before = row[columns["comments"]]
            maximum = decimal_of(stated) or options.out_of or scores.max_score
            text = _feedback(scores.graded[student], points, maximum)
            if not before.strip() or options.overwrite_comments:
                comments[number, columns["comments"]] = text
            else:
                kept += before != text
    new, notes = changed_cells(sheet, grades, rows)
    if "changeable" not in columns:
        notes.append(
            "No column says whose grade can be changed (see --columns changeable=HEADING), so a score that is locked in"
            " Moodle is written and counted too, and Moodle passes over it without a word."
        )
    if "comments" not in columns:
        notes.append("No column of comments was found, so none were written (see --columns comments=HEADING).")
    if kept:
        notes.append(f"Comments that were there already were left as they are: {kept} (see --overwrite-comments).")
    return ExportedFile(sheet.filled({**new, **comments}), len(grades), notes, left_out + not_there + locked)


def _identity_in(identity: str, cell: str) -> str:
    found = PARTICIPANT.fullmatch(cell.strip()) if identity == "participant" else None
    return found[1] if found else cell.strip()


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
    """Return the column of each thing that the worksheet has."""
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
    return UsageError(f"{WORKSHEET} was looked for in {name_shown(sheet.name)}.", found, hint)
