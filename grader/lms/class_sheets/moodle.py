"""Moodle: a CSV for Grades > Import > CSV file.

One bad row ends the whole import there, and a row without an identity gets the student of the row before. So every
row has its identity and a number that Moodle takes, and grade and feedback always come together, since feedback that
is imported without its grade wipes the grade out. Moodle shows feedback as HTML, so what is not markup is escaped.
"""

import html
from collections.abc import Mapping
from decimal import Decimal

from grader.errors import UsageError
from grader.lms.formats import ExportedFile, ExportOptions
from grader.lms.reports import ClassReports, Scores
from grader.lms.roster import Identity, refuse_formula
from grader.lms.tables import number_text, safe_cell, table_bytes
from grader.lms.visibility import platform_comment
from grader.text import name_shown

from .matching import match_people, points_for_platform, refuse_nobody

PLACES = 5
MOST = Decimal(100)  # a grade above this ends the import, unless the site allows unlimited grades
FIELDS = {"email": "email", "sis_id": "idnumber", "login": "username", "moodle_id": "id"}


def export(reports: ClassReports, scores: Scores, options: ExportOptions) -> ExportedFile:
    """Return the CSV: the identity, the grade and the feedback of each student.

    Raises:
        UsageError: No identity is known of all students, or Moodle would refuse a grade.
    """
    matched, left_out = match_people(scores, options)
    points = points_for_platform(scores, None, options, PLACES)
    highest = max(map(Decimal, points.values()), default=Decimal(0))
    if highest > MOST and options.out_of is None:
        raise UsageError(
            "Grades that Moodle imports were looked for.",
            f"{number_text(highest)} is above {MOST}, which ends the import of everybody.",
            "Add --out-of 100 --scale; or, on a site with unlimited grades, --out-of with the item's maximum.",
        )
    by = _identity(matched.people, options.by)
    maximum = options.out_of or scores.max_score
    title = options.title or scores.assignment
    rows = [[FIELDS[by], safe_cell(title), safe_cell(f"{title} (feedback)")]]
    graded = {each.row.student: each for each in reports.of(scores.assignment)}
    for student, person in matched.people.items():
        identity = getattr(person, by)
        if identity in ("", "0"):  # Moodle takes both for no identity, and then the row for the student before
            left_out.append(f"{name_shown(student)}: the roster has no {by}.")
            continue
        refuse_formula(identity, f"the {by} of {name_shown(student)}")
        feedback = platform_comment(graded[student], points[student], maximum)
        rows.append([identity, points[student], safe_cell(html.escape(feedback, quote=False))])
    refuse_nobody(len(rows) - 1, scores, options, by)
    notes = [
        f"In Moodle, map {FIELDS[by]!r} to the user, {title!r} to the grade item and "
        f"'{title} (feedback)' to its feedback; the grade item's maximum must be {number_text(maximum)}."
    ]
    return ExportedFile(table_bytes(rows), len(rows) - 1, notes, left_out)


def _identity(people: Mapping[str, Identity], by: str | None) -> str:
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
