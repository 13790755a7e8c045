"""Tables of a whole reports folder: plain CSV files, and a roster to fill in.

An empty cell means no submission. `not graded` means that it could not be graded, in words so that nobody adds it up as
0; the sum is then empty too, unless such a submission shall count 0. Names that a spreadsheet would run as a formula
begin with an apostrophe, as in `scores.csv`.
"""

from collections.abc import Sequence
from decimal import Decimal

from grader.errors import UsageError
from grader.gradebook.given import Person
from grader.gradebook.sheet import BESIDE, beside
from grader.lms.formats import ExportedFile, ExportOptions
from grader.lms.reports import ClassReports
from grader.lms.roster import COLUMNS, read_roster
from grader.lms.rules import people_of
from grader.lms.scores import Scores
from grader.lms.sheets import read_sheet
from grader.lms.tables import encode_table, line_end_of, number_text, read_bytes, safe_cell, table_bytes
from grader.results.scoring import total_of
from grader.results.spreadsheet import NOT_GRADED, formula_safe
from grader.text import counted, name_shown, one_line

NO_TOTAL = "The total of a student whose work could not be graded is empty: a 0 could be what the rules drop."
HEADINGS = ["student", "assignment", "exercise", "title", "score", "max_score", "status"]


def csv(reports: ClassReports, options: ExportOptions) -> ExportedFile:
    """Return a line for each student with a column for each assignment.

    Raises:
        UsageError: The reports of an assignment count different points.
    """
    every = [reports.scores(each, failed_as_zero=options.failed_as_zero) for each in reports.assignments]
    book, people = reports.gradebook, _people(reports, options)
    totals = {} if book is None else {each.student: each.counted for each in book.students}
    entries = {} if book is None else book.by_place()
    heads = [
        heading
        for each in every
        for heading in (
            f"{each.assignment} ({number_text(each.max_score)})",
            *(f"{each.assignment} {what}" for what in BESIDE if entries),
        )
    ]
    rows = [["student", *(["name", "email"] if people else []), *heads, "total"]]
    for student in sorted({*reports.students, *people}):
        reached = [each.scores[student] for each in every if student in each.scores]
        points = [_cell(each, student) for each in every]
        total = None if not reached or NOT_GRADED in points else totals.get(student) if entries else total_of(reached)
        person = people.get(student, Person(student=student))
        who = [safe_cell(person.name), safe_cell(person.email)] if people else []
        cells = points
        if entries:
            more = [beside(entries.get((student, each.assignment))) for each in every]
            cells = [cell for own, others in zip(points, more, strict=True) for cell in (own, *others)]
        rows.append([formula_safe(student), *who, *cells, _number(total)])
    written = sum(len(each.scores) for each in every)
    zeros = entries and options.failed_as_zero and any(each.failed for each in every)
    notes = [NO_TOTAL] if zeros else []
    return ExportedFile(table_bytes(rows, quote_all=True), written, notes, _failed_of(every))


def _people(reports: ClassReports, options: ExportOptions) -> dict[str, Person]:
    """Return who is on the roster, by folder: the named one, or the one that the gradebook was made with."""
    if options.roster is not None:
        return {each.student: each for each in people_of(options.roster, set(reports.students))}
    students = reports.gradebook.students if reports.gradebook is not None else []
    return {
        each.student: Person(student=each.student, name=each.name, email=each.email)
        for each in students
        if each.on_roster
    }


def _number(points: Decimal | None) -> str:
    return "" if points is None else number_text(points)


def csv_questions(reports: ClassReports, options: ExportOptions) -> ExportedFile:
    """Return a line for each student, assignment and exercise, which is what statistics programs read.

    Whoever handed nothing in has no line; a submission that could not be graded has lines with the status `ungraded`
    and no score.
    """
    every = [reports.scores(each, failed_as_zero=options.failed_as_zero) for each in reports.assignments]
    rows = [HEADINGS]
    for each in sorted(reports.graded, key=lambda one: (one.row.student, one.row.assignment)):
        for exercise in each.row.exercises:
            failed = exercise.status == "ungraded" and not options.failed_as_zero
            names = [each.row.assignment, exercise.id, formula_safe(one_line(exercise.title))]
            score = "" if failed else number_text(exercise.score or Decimal(0))
            points = [score, number_text(exercise.max_score)]
            rows.append([formula_safe(each.row.student), *names, *points, exercise.status])
    data = table_bytes(rows, quote_all=True)
    return ExportedFile(data, len(rows) - 1, left_out=_failed_of(every), unit="line")


def _failed_of(every: Sequence[Scores]) -> list[str]:
    """Return a sentence for every submission that could not be graded and has no 0."""
    return [
        f"{name_shown(student)}, {each.assignment} could not be graded: {problem}"
        for each in every
        for student, problem in each.failed.items()
        if student not in each.scores
    ]


def _cell(scores: Scores, student: str) -> str:
    if student in scores.scores:
        return number_text(scores.scores[student])
    return NOT_GRADED if student in scores.failed else ""


def roster(reports: ClassReports, options: ExportOptions) -> ExportedFile:
    """Return a roster to fill in: a line for each student, with empty identities.

    Filling one in is an hour's work of a person. So a roster that is where the new one should go is kept byte for
    byte, and who is not in it yet is added at its end.

    Raises:
        UsageError: Something else than a roster is in its place.
    """
    place = options.before
    if place is None or not place.is_file() or not read_bytes(place, "A roster").strip():
        rows = [list(COLUMNS), *_rows(COLUMNS, reports.students)]
        return ExportedFile(table_bytes(rows, quote_all=True), len(rows) - 1, unit="student")
    try:
        known = read_roster(place)
    except UsageError as problem:
        raise UsageError(
            f"A roster to add students to was looked for in {name_shown(str(place), 200)}.",
            f"The file there is not one: {problem.found}",
            "Name another --output, or put the roster right.",
        ) from None
    _, new = known.match(reports.students)
    sheet = read_sheet(place, "A roster", skip_blank=True)
    line_end = line_end_of(sheet.text)
    gap = "" if sheet.text.endswith(("\r", "\n")) or not new else line_end
    headings = [text.strip().lower() for text in sheet.headings]
    rows = _rows(headings, new)
    added = table_bytes(rows, separator=sheet.separator, line_end=line_end, quote_all=True).decode()
    note = f"Left as it was: {counted(len(known.people), 'row')} of the roster."
    return ExportedFile(encode_table(sheet.text + gap + added, sheet.encoding), len(new), [note], unit="student")


def _rows(headings: Sequence[str], students: Sequence[str]) -> list[list[str]]:
    return [[formula_safe(student) if text == "student" else "" for text in headings] for student in students]
