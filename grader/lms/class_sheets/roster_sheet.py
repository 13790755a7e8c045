"""A roster to fill in: a line for each student of a reports folder, with empty identities.

Filling one in is an hour's work of a person. So a roster that is where the new one should go is kept byte for
byte, and who is not in it yet is added at its end.
"""

from collections.abc import Sequence
from pathlib import Path

from grader.errors import UsageError
from grader.lms.formats import ExportedFile, ExportOptions
from grader.lms.reports import ClassReports
from grader.lms.roster import COLUMNS, IDENTITIES, Identity, read_roster, refuse_formula
from grader.lms.tables import Table, decode_table, encode_table, read_bytes, read_table, table_bytes
from grader.results.spreadsheet import formula_safe
from grader.text import counted, name_shown


def export(reports: ClassReports, options: ExportOptions) -> ExportedFile:
    """Return the roster.

    Raises:
        UsageError: Something else than a roster is in its place.
    """
    if options.before is None or not _holds_something(options.before):
        people = [Identity(student=student) for student in reports.students]
        return ExportedFile(roster_csv(people), len(people), unit="student")
    return _continued(options.before, reports.students)


def roster_csv(people: Sequence[Identity], columns: Sequence[str] = COLUMNS) -> bytes:
    """Return a roster as CSV in UTF-8, every cell quoted and as it is.

    A name that a spreadsheet would run as a formula is guarded with an apostrophe, as in `scores.csv`; an identity is
    never changed, so one that begins like a formula is refused.

    Raises:
        UsageError: An identity begins like a formula.
    """
    rows: list[list[str]] = [list(columns)]
    for person in people:
        for column in IDENTITIES:
            if column in columns:
                refuse_formula(getattr(person, column), f"the {column} of {name_shown(person.student)}")
        rows.append(
            [
                value if column in IDENTITIES else formula_safe(value)
                for column, value in ((column, getattr(person, column)) for column in columns)
            ]
        )
    return table_bytes(rows, quote_all=True)


def _holds_something(place: Path) -> bool:
    return place.is_file() and bool(read_bytes(place, "A roster").strip())


def _continued(place: Path, students: Sequence[str]) -> ExportedFile:
    """Return a roster with the students behind its rows whom it does not name yet."""
    try:
        known = read_roster(place)
    except UsageError as problem:
        raise UsageError(
            f"A roster to add students to was looked for in {name_shown(str(place), 200)}.",
            f"The file there is not one: {problem.found}",
            "Name another --output, or put the roster right.",
        ) from None
    new = known.match(students).unknown
    text, encoding = decode_table(read_bytes(place, "A roster"), place.name)
    table = read_table(place, "A roster")
    gap = "" if text.endswith(("\r", "\n")) or not new else table.line_end
    added = table_bytes(_rows(table, new), separator=table.separator, line_end=table.line_end, quote_all=True).decode()
    note = f"Left as it was: {counted(len(known.people), 'row')} of the roster."
    return ExportedFile(encode_table(text + gap + added, encoding), len(new), [note], unit="student")


def _rows(table: Table, students: Sequence[str]) -> list[list[str]]:
    width = len(table.rows[0])
    column = [cell.strip().lower() for cell in table.rows[0]].index("student")
    return [[formula_safe(student) if at == column else "" for at in range(width)] for student in students]
