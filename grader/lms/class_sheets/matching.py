"""What all formats of a class share: which row is a student's, and what the platform's own maximum makes of a score.

A row is a student's when an identity of the roster is in it, exactly. Names are never compared. Where two
identities point at two rows, or a row would be two students', nothing is written at all.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction

from grader.errors import UsageError
from grader.lms.formats import ExportedFile, ExportOptions
from grader.lms.roster import Identity
from grader.lms.scores import Scores
from grader.lms.sheets import Sheet, read_sheet
from grader.lms.tables import number_text, rounded
from grader.results.scoring import plain
from grader.text import name_shown

DECIMAL = re.compile(r"(\d+)(?:([.,])(\d+))?")
SHOWN = 5
ROSTER = "Add --roster roster.csv; `grader export roster` makes one to fill in."

People = dict[str, Identity]
IdentityIn = Callable[[str, str], str]
"""Returns the identity in a cell, given its name and the cell, without what the platform adds."""


def match_people(scores: Scores, options: ExportOptions) -> tuple[People, list[str]]:
    """Return who the students with a score are, and a sentence for every one who is left out so far.

    Raises:
        UsageError: There is no roster, or it knows none of them.
    """
    if options.roster is None:
        raise UsageError("Who the students are on the platform was looked for.", "There is no roster.", ROSTER)
    people, unknown = options.roster.match(scores.scores)
    if scores.scores and not people:
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
    return people, failed + [f"{name_shown(name)} is not in {options.roster.name}." for name in unknown]


def open_sheet(
    scores: Scores, options: ExportOptions, what: str, hint: str, separator: str = ""
) -> tuple[Sheet, People, list[str]]:
    """Return the platform's file that is to be filled in, beside what `match_people` returns.

    Raises:
        UsageError: No file is named, or it is not a table; there is no roster, or it knows nobody.
    """
    if options.into is None:
        raise UsageError(f"{what} was looked for.", "None is named.", hint)
    people, left_out = match_people(scores, options)
    return read_sheet(options.into, what, separator=separator), people, left_out


def who_has(
    names: Sequence[str],
    people: People,
    options: ExportOptions,
    left_out: list[str],
    none: Collection[str] = ("",),
) -> People:
    """Return the people who have one of these identities; the others get a sentence in `left_out`.

    Args:
        names: The identities without which nobody can be written.
        none: What the platform takes for no identity.

    Raises:
        UsageError: There are students with a score, and none would be written.
    """
    found = {
        student: person
        for student, person in people.items()
        if any(getattr(person, name) not in none for name in names)
    }
    lacking = f"neither {' nor '.join(names)}" if len(names) > 1 else f"no {names[0]}"
    left_out += [f"{name_shown(each)}: the roster has {lacking}." for each in people if each not in found]
    if people and not found and options.roster is not None:
        raise UsageError(
            f"Students to write a score for were looked for by their {' or '.join(names)}.",
            f"In {options.roster.name} nobody who has a score has one.",
            "Fill in that column of the roster.",
        )
    return found


def decimal_of(text: str) -> Decimal | None:
    """Return a number as platforms write it, or None where it could be two: `1,000` may be one or a thousand."""
    found = DECIMAL.fullmatch(text.strip())
    if found is None or (found[2] == "," and len(found[3]) == 3):
        return None
    return Decimal(f"{found[1]}.{found[3] or 0}")


def points_for_platform(scores: Scores, maximum: Decimal | None, options: ExportOptions, places: int) -> dict[str, str]:
    """Return what is written for each student: with a decimal point, never above the maximum nor full by rounding.

    Args:
        maximum: The platform's maximum; None where its file does not say it, then `--out-of` does, then the report.
        places: Decimal places that the platform keeps.

    Raises:
        UsageError: The platform counts other points than the report, and scaling was not asked for.
    """
    if maximum is not None and options.out_of is not None and maximum != options.out_of:
        raise UsageError(
            "The platform's maximum was looked for.",
            f"--out-of is {number_text(options.out_of)}, and the file says {number_text(maximum)}.",
        )
    own = next((each for each in (maximum, options.out_of) if each is not None), scores.max_score)
    if own != scores.max_score and not (options.scale and scores.max_score and own):
        raise UsageError(
            f"The maximum of {scores.assignment} was looked for.",
            f"The report counts {number_text(scores.max_score)} points, the platform {number_text(own)}.",
            "Change the points on the platform, or add --scale.",
        )
    ratio = Fraction(own) / Fraction(scores.max_score) if own else Fraction(1)
    return {
        name: number_text(plain(rounded(Fraction(score) * ratio, own, places))) for name, score in scores.scores.items()
    }


def find_rows(
    sheet: Sheet,
    columns: Mapping[str, int],
    people: People,
    rows: Sequence[int],
    identity_in: IdentityIn = lambda _, cell: cell.strip(),
) -> tuple[dict[str, int], list[str]]:
    """Return the row of every student, counted from 0 with the headings, and a sentence for who is not there.

    Args:
        columns: The column of each identity that it has, in the order in which they count.
        rows: The rows that are students'.
        identity_in: For a platform that adds something to an identity.

    Raises:
        UsageError: A student matches two rows, a row matches two students, or no student is found.
    """
    index: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for row in rows:
        for name, column in columns.items():
            index[name, identity_in(name, sheet.rows[row][column])].append(row)
    found: dict[str, int] = {}
    owner: dict[int, str] = {}
    left_out = []
    for student, person in people.items():
        ours = {name: getattr(person, name) for name in columns if getattr(person, name)}
        hits = sorted({row for name, value in ours.items() for row in index.get((name, value), ())})
        if not hits:
            left_out.append(_not_found(student, ours, columns, sheet))
            continue
        if len(hits) > 1:
            lines = " and ".join(f"line {sheet.rows[row].line}" for row in hits[:SHOWN])
            raise _ambiguous(sheet, f"{name_shown(student)} could be {lines}.")
        row, line = hits[0], sheet.rows[hits[0]].line
        for name, value in ours.items():
            theirs = identity_in(name, sheet.rows[row][columns[name]])
            if theirs and value.casefold() != theirs.casefold():
                said = f"{name} is {value!r} in the roster, and {theirs!r} in line {line}"
                raise _ambiguous(sheet, f"{name_shown(student)}: {said}.")
        if row in owner:
            raise _ambiguous(sheet, f"Line {line} could be {name_shown(owner[row])} and {name_shown(student)}.")
        owner[row] = student
        found[student] = row
    if people and not found:
        raise UsageError(
            f"The students of the roster were looked for in {name_shown(sheet.name)}.",
            "None of them is there.",
            "Is it the file of another course?",
        )
    return found, left_out


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


def fill_column(
    sheet: Sheet, column: int, points: Mapping[str, str], rows: Mapping[str, int], left_out: list[str]
) -> ExportedFile:
    """Return the file with the points of students in one column, given the row of each and who is left out."""
    cells = {(row, column): points[name] for name, row in rows.items()}
    new, notes = changed_cells(sheet, cells, rows)
    return ExportedFile(sheet.filled(new), len(cells), notes, left_out)


def heading(sheet: Sheet, column: int) -> str:
    """Return a heading for a sentence."""
    return name_shown(sheet.headings[column])


def _not_found(student: str, ours: Mapping[str, str], columns: Mapping[str, int], sheet: Sheet) -> str:
    if not ours:
        return f"{name_shown(student)}: the roster has none of {', '.join(columns)}."
    known = ", ".join(f"{name} {value!r}" for name, value in ours.items())
    return f"{name_shown(student)} is not in {name_shown(sheet.name)}: {known} was looked for."


def _ambiguous(sheet: Sheet, found: str) -> UsageError:
    what = f"One row for each student was looked for in {name_shown(sheet.name)}."
    return UsageError(what, found, "Put the roster right; nothing was written.")
