"""Says who a student's folder is on a learning platform: `roster.csv`.

A folder's name is whatever the course called it. A platform knows its people by numbers and logins. Only a row that a
person wrote joins the two: nothing is matched by likeness, since one Kim's score is not another's.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, fields, replace
from pathlib import Path

from grader.errors import UsageError
from grader.results.spreadsheet import FORMULA_SIGNS, formula_safe
from grader.text import name_shown

from .tables import Table, read_table

IDENTITIES = (
    "canvas_id",
    "sis_id",
    "login",
    "email",
    "moodle_id",
    "participant",
    "lti_user_id",
    "github",
)
TEXTS = ("name", "first_name", "last_name")
EXACT = ("lti_user_id",)  # a platform's own token, in which capitals and blanks may count
COLUMNS = ("student", *TEXTS, *IDENTITIES)
SHORTENED = re.compile(r"\d(?:[.,]\d+)?E\+\d+")  # a long number as spreadsheets save it
SHAPE = f"Its headings are student and some of: {', '.join(COLUMNS[1:])}."


@dataclass(frozen=True, kw_only=True)
class Identity:
    """Who a student is on the platforms. Everything but the folder may be empty.

    Attributes:
        student: The name of the student's folder, exactly.
        name: The full name, for people to read; nobody is matched by it.
        first_name: The given name, likewise.
        last_name: The family name, likewise.
        canvas_id: Canvas's own number of the user, the column `ID` of its gradebook.
        sis_id: The institution's number: `SIS User ID` of Canvas, `ID number` of Moodle, `OrgDefinedId` of Brightspace.
        login: The user name that the person logs in with: `SIS Login ID` of Canvas, `Username` elsewhere.
        email: The address, exactly as the platform has it; Moodle minds capital letters.
        moodle_id: Moodle's own number of the user.
        participant: Moodle's number of the participant in one assignment, as in `Participant 123`.
        lti_user_id: The `sub` that the platform calls the person in LTI 1.3 launches and its membership service.
        github: The login on GitHub.
    """

    student: str
    name: str = ""
    first_name: str = ""
    last_name: str = ""
    canvas_id: str = ""
    sis_id: str = ""
    login: str = ""
    email: str = ""
    moodle_id: str = ""
    participant: str = ""
    lti_user_id: str = ""
    github: str = ""


@dataclass(frozen=True)
class Matched:
    """The students of a class with the people they are.

    Attributes:
        people: The identity of each student, by folder name.
        unknown: The students of whom the roster says nothing.
    """

    people: dict[str, Identity]
    unknown: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Roster:
    """A roster.

    Attributes:
        name: Where it came from, for sentences.
        people: The identities by folder name.
    """

    name: str
    people: dict[str, Identity]

    def match(self, students: Iterable[str]) -> Matched:
        """Return who each student is.

        A name counts as it is, however its accents are encoded. A name that `scores.csv` guards with an apostrophe
        may be guarded in the roster too, as it does when the roster was made from that file.

        Raises:
            UsageError: One row would belong to two students.
        """
        by_name = {_key(name): person for name, person in self.people.items()}
        people: dict[str, Identity] = {}
        unknown: list[str] = []
        taken: dict[str, str] = {}
        for student in sorted(students):
            person = by_name.get(_key(student)) or by_name.get(_key(formula_safe(student)))
            if person is None:
                unknown.append(student)
                continue
            if person.student in taken:
                raise UsageError(
                    f"A row of {self.name} for each student was looked for.",
                    f"{name_shown(taken[person.student])} and {name_shown(student)} both have the row of "
                    f"{name_shown(person.student)}.",
                    "Give each of them a row of its own.",
                )
            taken[person.student] = student
            people[student] = person
        return Matched(people, unknown)


def read_roster(path: Path) -> Roster:
    """Read a roster.

    Args:
        path: A table in UTF-8 (or UTF-16 with its mark) with comma, semicolon or tab between the cells.

    Raises:
        UsageError: It cannot be read, has no column `student`, an unknown or doubled heading, a row without a name, an
            identity that a spreadsheet shortened, two rows for one student, or one identity for two students.
    """
    table = _without_empty_columns(read_table(path, "A roster"))
    headings = _headings(table)
    people: dict[str, Identity] = {}
    seen: dict[str, tuple[str, int]] = {}
    for row, line in zip(table.rows[1:], table.lines[1:], strict=True):
        person = _person(table, headings, row, line)
        key = _key(person.student)
        if key in seen:
            other, before = seen[key]
            raise _fault(
                table,
                line,
                f"{name_shown(person.student)} has two rows, the other in line {before}"
                + ("." if other == person.student else f" as {name_shown(other)}."),
                "Keep the right one.",
            )
        seen[key] = person.student, line
        people[person.student] = person
    roster = Roster(name_shown(path.name), people)
    refuse_duplicates(roster)
    return roster


def refuse_formula(identity: str, what: str) -> None:
    """Refuse an identity that a spreadsheet would run: guarded it would match nobody, unguarded it would run.

    Raises:
        UsageError: It begins like a formula.
    """
    if identity.startswith(FORMULA_SIGNS):
        raise UsageError(
            f"An identity to write was looked for: {what}.",
            f"{name_shown(identity)} begins like a formula of a spreadsheet.",
            "Use another column of the roster for this student.",
        )


def _without_empty_columns(table: Table) -> Table:
    """Return a table without the columns that are empty, as spreadsheets leave them at the end."""
    width = max(map(len, table.rows))
    used = [column for column in range(width) if any("".join(row[column : column + 1]).strip() for row in table.rows)]
    return replace(table, rows=[[row[column] for column in used if column < len(row)] for row in table.rows])


def _headings(table: Table) -> list[str]:
    from grader.faults import did_you_mean

    headings = [cell.strip().lower().replace(" ", "_") for cell in table.rows[0]]
    for heading in headings:
        if heading not in COLUMNS:
            hint = f"{did_you_mean(heading, COLUMNS)} {SHAPE if heading else ''}".strip()
            raise _fault(table, table.lines[0], f"The heading {name_shown(heading)} is not known.", hint)
        if headings.count(heading) > 1:
            raise _fault(table, table.lines[0], f"The heading {heading!r} is there twice.", "Keep one of the columns.")
    if "student" not in headings:
        raise _fault(table, table.lines[0], "There is no column student with the folders' names.", SHAPE)
    return headings


def _person(table: Table, headings: list[str], row: list[str], line: int) -> Identity:
    if len(row) > len(headings) and any(cell.strip() for cell in row[len(headings) :]):
        raise _fault(
            table,
            line,
            f"The row has {len(row)} cells for {len(headings)} headings.",
            "Put a name with a comma in double quotes.",
        )
    given = dict(zip(headings, row, strict=False))
    values = {name: value if name == "student" else value.strip() for name, value in given.items()}
    if not values.get("student", "").strip():
        raise _fault(table, line, "The row has no student.", "Write the folder's name, or take the row away.")
    for name in IDENTITIES:
        if SHORTENED.fullmatch(values.get(name, "")):
            found = (
                f"The {name} of {name_shown(values['student'])} is {values[name]}, a number shortened by a spreadsheet."
            )
            raise _fault(table, line, found, "Set the column to the format Text before the numbers are pasted into it.")
    for name in TEXTS:
        text = values.get(name, "")
        values[name] = text[1:] if text.startswith("'") and text[1:].startswith(FORMULA_SIGNS) else text
    return Identity(**values)


def refuse_duplicates(roster: Roster) -> None:
    """Refuse one identity for two students: the score of one would fall on the other.

    Platforms take `Kim` and `kim` for one login, so what differs only so is the same.
    """
    for column in IDENTITIES:
        groups: defaultdict[str, list[Identity]] = defaultdict(list)
        for person in roster.people.values():
            if value := getattr(person, column):
                groups[value if column in EXACT else _normalised(value)].append(person)
        for people in groups.values():
            if len(people) > 1:
                names = " and ".join(name_shown(person.student) for person in people[:5])
                values = " and ".join(dict.fromkeys(name_shown(getattr(person, column)) for person in people[:5]))
                raise UsageError(
                    f"One student for each {column} was looked for in {roster.name}.",
                    f"{names} have the same: {values}.",
                    "Capitals, blanks at the ends and the form of an accent make no difference. Keep the right one.",
                )


def _normalised(identity: str) -> str:
    """Return what all ways to write an identity share that a platform may take for the same."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", identity).casefold()).strip()


def _fault(table: Table, line: int, found: str, hint: str) -> UsageError:
    return UsageError(f"A roster was looked for in {name_shown(table.name)}, line {line}.", found, hint)


def _key(name: str) -> str:
    return unicodedata.normalize("NFC", name)


assert {each.name for each in fields(Identity)} == set(COLUMNS)
