"""What all formats of a class share: which row is a student's, and what the platform's own maximum makes of a score.

A row is a student's when an identity of the roster is in it, exactly. Names are never compared. Where two
identities point at two rows, or a row would be two students', nothing is written at all.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from grader.errors import UsageError
from grader.lms.formats import ExportedFile, ExportOptions
from grader.lms.reports import Scores
from grader.lms.roster import Identity, Matched
from grader.lms.tables import number_text, rounded
from grader.results.scoring import plain
from grader.text import name_shown

from .sheet_cells import Sheet

DECIMAL = re.compile(r"(\d+)(?:([.,])(\d+))?")
SHOWN = 5
ROSTER = "Add --roster roster.csv; `grader export roster` makes one to fill in."


IdentityIn = Callable[[str, str], str]


def cell_text(identity: str, cell: str) -> str:
    """Return the identity in a cell, where the platform adds nothing to it."""
    return cell.strip()


@dataclass(frozen=True)
class FoundRows:
    """Where students are in a platform's file.

    Attributes:
        rows: The row of each student, counted from 0 with the headings.
        left_out: A sentence for every student who is not there.
    """

    rows: dict[str, int]
    left_out: list[str]


def match_people(scores: Scores, options: ExportOptions) -> tuple[Matched, list[str]]:
    """Return who the students with a score are, and a sentence for every one who is left out so far.

    Raises:
        UsageError: There is no roster, or it knows none of them.
    """
    if options.roster is None:
        raise UsageError("Who the students are on the platform was looked for.", "There is no roster.", ROSTER)
    matched = options.roster.match(scores.scores)
    if scores.scores and not matched.people:
        raise UsageError(
            f"The students with a score were looked for in {options.roster.name}.",
            "None of them is there.",
            "Is it the roster of another course? The column student has the folders' names.",
        )
    failed = [
        f"{name_shown(student)} could not be graded: {problem}"
        for student, problem in scores.failed.items()
        if student not in scores.scores
    ]
    return matched, failed + [f"{name_shown(name)} is not in {options.roster.name}." for name in matched.unknown]


def refuse_nobody(written: int, scores: Scores, options: ExportOptions, what: str) -> None:
    """Refuse to write a file that would hold nobody although there are scores.

    Args:
        written: How many scores would be in it.
        scores: The exact scores.
        options: What was asked for.
        what: The identity without which nobody can be written.

    Raises:
        UsageError: There are scores, and none would be written.
    """
    if scores.scores and not written and options.roster is not None:
        raise UsageError(
            f"Students to write a score for were looked for by their {what}.",
            f"In {options.roster.name} nobody who has a score has one.",
            "Fill in that column of the roster.",
        )


def decimal_of(text: str) -> Decimal | None:
    """Return a number as platforms write it, or None where it could be two: `1,000` may be one or a thousand."""
    found = DECIMAL.fullmatch(text.strip())
    if found is None or (found[2] == "," and len(found[3]) == 3):
        return None
    return Decimal(f"{found[1]}.{found[3] or 0}")


def points_for_platform(scores: Scores, maximum: Decimal | None, options: ExportOptions, places: int) -> dict[str, str]:
    """Return what is written for each student.

    Args:
        scores: The exact scores.
        maximum: The platform's maximum; None where its file does not say it, then `--out-of` does, then the report.
        options: What was asked for.
        places: Decimal places that the platform keeps.

    Returns:
        The numbers with a decimal point, never above the maximum and never full by rounding.

    Raises:
        UsageError: The platform counts other points than the report, and scaling was not asked for.
    """
    if maximum is not None and options.out_of is not None and maximum != options.out_of:
        raise UsageError(
            "The platform's maximum was looked for.",
            f"--out-of is {number_text(options.out_of)}, and the file says {number_text(maximum)}.",
        )
    own = maximum if maximum is not None else options.out_of
    if own is None or own == scores.max_score:
        return {name: _number(score, scores.max_score, places) for name, score in scores.scores.items()}
    if not options.scale or not scores.max_score or not own:
        raise UsageError(
            f"The maximum of {scores.assignment} was looked for.",
            f"The report counts {number_text(scores.max_score)} points, the platform {number_text(own)}.",
            "Change the points on the platform, or add --scale.",
        )
    ratio = Fraction(own) / Fraction(scores.max_score)
    return {name: _number(Fraction(score) * ratio, own, places) for name, score in scores.scores.items()}


def find_rows(
    sheet: Sheet,
    columns: Mapping[str, int],
    people: Mapping[str, Identity],
    rows: Sequence[int],
    identity_in: IdentityIn = cell_text,
) -> FoundRows:
    """Return the row of every student.

    Args:
        sheet: The platform's file.
        columns: The column of each identity that it has, in the order in which they count.
        people: The students to find.
        rows: The rows that are students'.
        identity_in: Returns the identity in a cell, given its name and the cell, without what the platform adds.

    Raises:
        UsageError: A student matches two rows, a row matches two students, or no student is found.
    """
    index: dict[str, defaultdict[str, list[int]]] = {name: defaultdict(list) for name in columns}
    for row in rows:
        for name, column in columns.items():
            if value := identity_in(name, sheet.rows[row][column]):
                index[name][value].append(row)
    found: dict[str, int] = {}
    owner: dict[int, str] = {}
    left_out = []
    for student, person in people.items():
        hits = {row: name for name in reversed(list(columns)) for row in index[name].get(getattr(person, name), ())}
        if not hits:
            left_out.append(_not_found(student, person, columns, sheet))
            continue
        if len(hits) > 1:
            lines = " and ".join(f"line {sheet.rows[row].line}" for row in sorted(hits)[:SHOWN])
            raise _ambiguous(sheet, f"{name_shown(student)} could be {lines}.")
        (row,) = hits
        _refuse_contradiction(sheet, row, student, person, columns, identity_in)
        if row in owner:
            line = sheet.rows[row].line
            raise _ambiguous(sheet, f"Line {line} could be {name_shown(owner[row])} and {name_shown(student)}.")
        owner[row] = student
        found[student] = row
    if people and not found:
        raise UsageError(
            f"The students of the roster were looked for in {name_shown(sheet.name)}.",
            "None of them is there.",
            "Is it the file of another course?",
        )
    return FoundRows(found, left_out)


def fill_column(
    sheet: Sheet,
    column: int,
    points: Mapping[str, str],
    people: Mapping[str, Identity],
    identities: Mapping[str, int],
    left_out: list[str],
    identity_in: IdentityIn = cell_text,
) -> ExportedFile:
    """Return the file with the students' points in one column.

    Args:
        sheet: The platform's file.
        column: The column to fill in.
        points: What is written for each student.
        people: The students to find.
        identities: The column of each identity that the file has, in the order in which they count.
        left_out: A sentence for everybody who is left out already.
        identity_in: As for `find_rows`.

    Raises:
        UsageError: As for `find_rows`.
    """
    located = find_rows(sheet, identities, people, sheet.student_rows, identity_in)
    cells = {(row, column): points[name] for name, row in located.rows.items()}
    new, notes = changed_cells(sheet, cells, located.rows)
    return ExportedFile(sheet.filled(new), len(cells), notes, left_out + located.left_out)


def changed_cells(
    sheet: Sheet, cells: Mapping[tuple[int, int], str], rows: Mapping[str, int]
) -> tuple[dict[tuple[int, int], str], list[str]]:
    """Return the cells whose number differs from what is there, and a note of those that had another one."""
    names = {row: name for name, row in rows.items()}
    new, replaced = {}, []
    for (row, column), text in cells.items():
        old = sheet.rows[row][column].strip()
        if decimal_of(old) == decimal_of(text):
            continue
        new[row, column] = text
        if old and old != "-":
            replaced.append(f"{name_shown(names[row])} {old} -> {text}")
    more = f", and {len(replaced) - SHOWN} more" if len(replaced) > SHOWN else ""
    return new, [f"Other scores were there before: {', '.join(replaced[:SHOWN])}{more}."] if replaced else []


def heading(sheet: Sheet, column: int) -> str:
    """Return a heading for a sentence."""
    return name_shown(sheet.headings[column])


def _number(score: Decimal | Fraction, maximum: Decimal, places: int) -> str:
    return number_text(plain(rounded(score, maximum, places)))


def _not_found(student: str, person: Identity, columns: Mapping[str, int], sheet: Sheet) -> str:
    known = [f"{name} {getattr(person, name)!r}" for name in columns if getattr(person, name)]
    if not known:
        return f"{name_shown(student)}: the roster has none of {', '.join(columns)}."
    return f"{name_shown(student)} is not in {name_shown(sheet.name)}: {', '.join(known)} was looked for."


def _refuse_contradiction(
    sheet: Sheet, row: int, student: str, person: Identity, columns: Mapping[str, int], identity_in: IdentityIn
) -> None:
    for name, column in columns.items():
        ours, theirs = getattr(person, name), identity_in(name, sheet.rows[row][column])
        if ours and theirs and ours.casefold() != theirs.casefold():
            found = f"{name_shown(student)}: {name} is {ours!r} in the roster, and {theirs!r} in line"
            raise _ambiguous(sheet, f"{found} {sheet.rows[row].line}.")


def _ambiguous(sheet: Sheet, found: str) -> UsageError:
    what = f"One row for each student was looked for in {name_shown(sheet.name)}."
    return UsageError(what, found, "Put the roster right; nothing was written.")
