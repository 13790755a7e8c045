"""Says who a student's folder is on a learning platform: `roster.csv`, or the folder's own name.

A folder's name is whatever the course called it. A platform knows its people by numbers and logins. Only a row that a
person wrote joins the two: nothing is matched by likeness, since one Kim's score is not another's.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from grader.errors import UsageError
from grader.results.spreadsheet import FORMULA_SIGNS, formula_safe
from grader.text import composed, name_shown

from .sheets import Row, read_sheet

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
DOWNLOADED = {
    "canvas_id": re.compile(r".*\D.*_(\d+)"),
    "participant": re.compile(r".*_(\d+)(?:_assignsubmission_[a-z]+_?)?"),
}
"""How folders are called after a download of all submissions: `leeann_123`, `Ann Lee_9001`."""
ANONYMOUS = re.compile(r"anon_[A-Za-z0-9]+")
"""How Canvas calls a student in a download while grading is anonymous; its digits are not a user's number."""


@dataclass(frozen=True, kw_only=True)
class Identity:
    """Who a student is on the platforms. Everything but the folder may be empty.

    Attributes:
        student: The name of the student's folder, exactly.
        name: The full name, for people to read, as the given and the family name; nobody is matched by it.
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
class Roster:
    """A roster: where it came from, for sentences, and the identities by folder name.

    Attributes:
        platform: The platform's table that it is, which does not know the folders; empty for a roster.csv.
    """

    name: str
    people: dict[str, Identity]
    platform: str = ""

    def match(self, students: Iterable[str]) -> tuple[dict[str, Identity], list[str]]:
        """Return who each student is, and the students of whom the roster says nothing.

        A name counts as it is, however its accents are encoded. A name that `scores.csv` guards with an apostrophe
        may be guarded in the roster too, as it does when the roster was made from that file.

        Raises:
            UsageError: One row would belong to two students.
        """
        by_name = {composed(name): person for name, person in self.people.items()}
        people: dict[str, Identity] = {}
        unknown: list[str] = []
        taken: dict[str, str] = {}
        for student in sorted(students):
            person = by_name.get(composed(student)) or by_name.get(composed(formula_safe(student)))
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
        return people, unknown


def read_roster(path: Path) -> Roster:
    """Read a roster.

    Args:
        path: A table in UTF-8 (or UTF-16 with its mark) with comma, semicolon or tab between the cells.

    Raises:
        UsageError: It cannot be read, has no column `student`, an unknown or doubled heading, a row without a name, an
            identity that a spreadsheet shortened, two rows for one student, or one identity for two students.
    """
    first, *rows = read_sheet(path, "A roster", skip_blank=True).rows
    widest = max(len(row.cells) for row in (first, *rows))
    used = [column for column in range(widest) if any(row[column].strip() for row in (first, *rows))]
    headings = _headings(path.name, first, _cells(first, used))
    people: dict[str, Identity] = {}
    seen: dict[str, tuple[str, int]] = {}
    for row in rows:
        person = _person(path.name, row.line, headings, _cells(row, used))
        key = composed(person.student)
        if key in seen:
            other, before = seen[key]
            end = "." if other == person.student else f" as {name_shown(other)}."
            found = f"{name_shown(person.student)} has two rows, the other in line {before}{end}"
            raise _fault(path.name, row.line, found, "Keep the right one.")
        seen[key] = person.student, row.line
        people[person.student] = person
    roster = Roster(name_shown(path.name), people)
    refuse_duplicates(roster)
    return roster


def roster_of_folders(students: Sequence[str], column: str) -> Roster:
    """Return the roster of a course whose folders are called by an identity, such as the login.

    Args:
        students: The folders' names. Of those that a platform's download gave, the number in them counts.
        column: What the names are: one of `IDENTITIES`.

    Raises:
        UsageError: There is no such identity, two folders would be one student, or Canvas packed them anonymously.
    """
    if column not in IDENTITIES:
        from grader.faults import did_you_mean

        raise UsageError(
            "What the folders' names are was looked for.", f"It is {column!r}.", did_you_mean(column, IDENTITIES)
        )
    unknown = next(filter(ANONYMOUS.fullmatch, students), None) if column == "canvas_id" else None
    if unknown is not None:
        raise UsageError(
            "The number of each student in Canvas was looked for in the folders' names.",
            f"{name_shown(unknown)} is a name that Canvas made up during anonymous grading, not a student's number.",
            "Download the submissions again once students are no longer anonymous, or say in a roster who is who.",
        )

    def identity_of(student: str) -> str:
        found = DOWNLOADED[column].fullmatch(student) if column in DOWNLOADED else None
        return found[1] if found else student if column in EXACT else student.strip()

    people = {student: Identity(**{"student": student, column: identity_of(student)}) for student in students}
    roster = Roster("the folders' names", people)
    refuse_duplicates(roster)
    return roster


def refuse_formula(person: Identity, column: str, student: str) -> None:
    """Refuse an identity that a spreadsheet would run: guarded it would match nobody, unguarded it would run.

    Raises:
        UsageError: It begins like a formula.
    """
    identity = getattr(person, column)
    if identity.startswith(FORMULA_SIGNS):
        raise UsageError(
            f"An identity to write was looked for: the {column} of {name_shown(student)}.",
            f"{name_shown(identity)} begins like a formula of a spreadsheet.",
            "Use another column of the roster for this student.",
        )


def _cells(row: Row, used: Sequence[int]) -> list[str]:
    """Return a row's cells without the columns that are empty, as spreadsheets leave them at the end."""
    return [row[column] for column in used if column < len(row.cells)]


def _headings(name: str, row: Row, cells: list[str]) -> list[str]:
    from grader.faults import did_you_mean

    headings = [cell.strip().lower().replace(" ", "_") for cell in cells]
    for heading in headings:
        if heading not in COLUMNS:
            hint = f"{did_you_mean(heading, COLUMNS)} {SHAPE if heading else ''}".strip()
            raise _fault(name, row.line, f"The heading {name_shown(heading)} is not known.", hint)
        if headings.count(heading) > 1:
            raise _fault(name, row.line, f"The heading {heading!r} is there twice.", "Keep one of the columns.")
    if "student" not in headings:
        raise _fault(name, row.line, "There is no column student with the folders' names.", SHAPE)
    return headings


def _person(name: str, line: int, headings: list[str], cells: list[str]) -> Identity:
    if any(cell.strip() for cell in cells[len(headings) :]):
        found = f"The row has {len(cells)} cells for {len(headings)} headings."
        raise _fault(name, line, found, "Put a name with a comma in double quotes.")
    given = dict(zip(headings, cells, strict=False))
    values = {column: value if column == "student" else value.strip() for column, value in given.items()}
    if not values.get("student", "").strip():
        raise _fault(name, line, "The row has no student.", "Write the folder's name, or take the row away.")
    for column, value in values.items():
        if column in IDENTITIES and SHORTENED.fullmatch(value):
            found = f"The {column} of {name_shown(values['student'])} is {value}, a number shortened by a spreadsheet."
            raise _fault(name, line, found, "Set the column to the format Text before the numbers are pasted into it.")
        if column in TEXTS and value.startswith("'") and value[1:].startswith(FORMULA_SIGNS):
            values[column] = value[1:]
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


def _fault(name: str, line: int, found: str, hint: str) -> UsageError:
    return UsageError(f"A roster was looked for in {name_shown(name)}, line {line}.", found, hint)


assert {each.name for each in fields(Identity)} == set(COLUMNS)
