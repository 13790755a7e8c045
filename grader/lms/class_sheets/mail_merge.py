"""A table for a mail merge: a line for each student with the address, the points, what to do next, and the page."""

from grader.errors import UsageError
from grader.lms.feedback import copies_of, next_line, points_text
from grader.lms.formats import ExportedFile, ExportOptions
from grader.lms.reports import ClassReports
from grader.lms.roster import refuse_formula
from grader.lms.tables import safe_cell, table_bytes
from grader.lms.visibility import counts_text
from grader.pages.write import web_folder
from grader.results.counted import Entry
from grader.results.spreadsheet import NOT_GRADED, formula_safe
from grader.results.student_report import StudentReport
from grader.results.write import STUDENT_COPIES, folder_of
from grader.text import name_shown

from .matching import ROSTER, who_has

OF_AN_ASSIGNMENT = ("points", "next", "page")


def mail_merge(reports: ClassReports, options: ExportOptions) -> ExportedFile:
    """Return the table; who handed in nothing for an assignment has empty cells there, or what the
    course's rules make of it.

    The page is the file that `grader report` writes, from the reports folder, or with `url` its address on the web.

    Raises:
        UsageError: There is no roster, or nobody in it has an address.
    """
    if options.roster is None:
        raise UsageError("The students' e-mail addresses were looked for.", "There is no roster.", ROSTER)
    people, unknown = options.roster.match(reports.students)
    left_out = [f"{name_shown(name)} is not in {options.roster.name}." for name in unknown]
    entries = {} if reports.gradebook is None else reports.gradebook.by_place()
    cells = {
        (copy.student, copy.assignment): _cells(copy, options, entries.get((copy.student, copy.assignment)))
        for copy in copies_of(reports.graded)
    }
    for place, entry in entries.items():
        cells.setdefault(place, (counts_text(entry, reports.graded[0].language), "", ""))
    headings = [f"{assignment}_{what}" for assignment in reports.assignments for what in OF_AN_ASSIGNMENT]
    rows = [["student", "name", "email", *headings]]
    for student, person in who_has(("email",), people, options, left_out).items():
        refuse_formula(person, "email", student)
        name = person.name or f"{person.first_name} {person.last_name}".strip()
        own = [cell for assignment in reports.assignments for cell in cells.get((student, assignment), ("", "", ""))]
        rows.append([formula_safe(student), safe_cell(name), person.email, *map(formula_safe, own)])
    return ExportedFile(table_bytes(rows, quote_all=True), len(rows) - 1, [], left_out, unit="student")


def _cells(copy: StudentReport, options: ExportOptions, entry: Entry | None) -> tuple[str, str, str]:
    page = f"{copy.assignment}.html"
    if options.url is None:
        page = f"{STUDENT_COPIES}/{folder_of(copy.student)}/{page}"
    else:
        page = f"{options.url.rstrip('/')}/{web_folder(options.secret, copy.student)}/{page}"
    counts = copy.problem is None if entry is None else entry.counted is not None
    points = points_text(copy, entry if counts else None) if counts or options.failed_as_zero else NOT_GRADED
    return points, next_line(copy), page
