"""Who is in the class: `roster.csv`, which may be any platform's export of people, as it comes.

A row is a folder's if an identity in it is the folder's name or the number at its end, or else if the whole name is
that of one row and one folder only. Nobody is matched by likeness: one Kim's score is not another's.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from grader.errors import UsageError
from grader.faults import nearest
from grader.records.journal_lines import Place
from grader.text import composed, listed, name_shown, one_line

from .tables import Table, read_table

NAME = "roster.csv"
IDENTITIES = ("login", "email", "sis_id", "number", "canvas_id", "participant")
NUMBERS = ("canvas_id", "participant")  # the platform's own, which may be the same as another person's number
HEADINGS = {
    "folder": "folder|student folder|폴더|폴더명",
    "name": "name|full name|student name|display name|이름|성명|학생 이름|학생이름|vollständiger name|nombre completo|"
    "nom complet",
    "first": "first name|firstname|given name|vorname|nombre|prénom",
    "last": "last name|lastname|surname|family name|nachname|apellido(s)|nom|nom de famille|성",
    "login": "login|login id|sis login id|username|user name|user|netid|github username|anmeldename|benutzername|"
    "nombre de usuario|nom d'utilisateur|아이디|로그인|사용자 이름|사용자이름",
    "email": "email|e mail|email address|e mail address|mail|e mail adresse|dirección de correo|adresse de courriel|"
    "이메일|이메일 주소|메일",
    "sis_id": "sis id|sis user id|orgdefinedid|sid|id number|id nummer|número de id|numéro d'identification",
    "number": "number|student id|student number|student no|matriculation number|matrikelnummer|학번|학생 번호",
    "canvas_id": "canvas id|canvas user id",
    "participant": "identifier|participant|식별자|identificador|identifiant",
}
KINDS = {heading: kind for kind, headings in HEADINGS.items() for heading in headings.split("|")}
SHORTENED = re.compile(r"\d(?:[.,]\d+)?E\+\d+", re.IGNORECASE)  # a long number as spreadsheets save it
# Folders of Canvas and Moodle: `leeann_123`. The digits of `anon_123` are made up while grading is anonymous.
NUMBERED = re.compile(r"(?!anon_)(.+)_(\d+)(?:_assignsubmission_[a-z]+_?)?")
WITH_NAME = (NUMBERED, re.compile(r"\d+-\d+ - (.+)"))  # and of Brightspace: `123-456 - Ann Lee`
PARTICIPANT = re.compile(r"participant.*|teilnehmer.*|참가자")  # what Moodle writes for a name in blind marking
NOT_IN_FOLDERS = re.compile(r"""[&<>"`|':\\/]""")  # `Siobhán O'Brien` hands in as `Siobhán OBrien_123`
NO_STUDENT = re.compile(r"points possible|muted|manual posting.*", re.IGNORECASE)
MADE_UP = re.compile("([0-9a-f]{40})?")  # the login of "Student, Test", whom Canvas makes for trying out


class Person(msgspec.Struct, frozen=True, kw_only=True):
    """A row of the roster.

    Attributes:
        folder: What the roster itself gives as the name of the folder; empty where it does not.
        name: The whole name, for people to read.
        names: Every way in which platforms write it.
        ids: The identities by their kind, one of `IDENTITIES`.
        says_canvas: Whether the heading of the Canvas number says that it is that, and not only `ID`.
    """

    folder: str = ""
    name: str = ""
    names: list[str] = []
    ids: dict[str, str] = {}
    says_canvas: bool = False

    @property
    def label(self) -> str:
        """What somebody without a folder is called."""
        return self.folder or next((self.ids[kind] for kind in IDENTITIES if kind in self.ids), self.name)


class Roster:
    """The class: the people of rosters joined with the folders of those who handed something in.

    Args:
        people: The rows of all rosters; of two about one person the first one counts, and the other may name them too.
        places: The students' folders, each with an assignment that is in it. Moodle numbers people anew for each
            assignment, so a person may have several folders, but one for an assignment.

    Attributes:
        people: The person of each student who is on a roster, by the student's name in reports.
        notes: What a reader should know of how rows and folders were joined, a sentence each.

    Raises:
        UsageError: A row could be two folders' of one assignment, or a folder two rows'.
    """

    def __init__(self, people: Sequence[Person], places: Iterable[Place]) -> None:
        self.notes: list[str] = []
        self._rows: list[Person] = []
        self._places = {*places}
        self._folders = {key_of(folder): folder for folder, _ in sorted(self._places)}
        self._by_identity, self._by_name, self._by_number = (defaultdict[str, set[int]](set) for _ in range(3))
        self._by_folder: dict[str, int] = {}
        owners: dict[tuple[str, str], int] = {}
        for person in people:
            rows = {owners[mark] for mark in _marks_of(person) if mark in owners}
            if len(rows) > 1:
                continue
            row = rows.pop() if rows else len(self._rows)
            self._enter(person, row)
            for mark in _marks_of(person):
                owners.setdefault(mark, row)
        owned = defaultdict[int, list[str]](list)
        for folder in self._folders.values():
            for row in self._rows_of_folder(folder):
                owned[row].append(folder)
        self._owned = {row: owned.get(row, [person.label]) for row, person in enumerate(self._rows)}
        self.people = {student: self._rows[row] for row, students in self._owned.items() for student in students}
        for (row, assignment), several in self._with_several().items():
            clash = f"{' and '.join(map(name_shown, several))} are both {name_shown(self._rows[row].label)} in {NAME}"
            hint = (
                f"If they are two people, add a column `folder` to {NAME} with the folder of each. If they are one, "
                "give the newer folder the older one's name, or grade it alone with --student and that name."
            )
            raise UsageError(f"{clash}, and both have {assignment}.", hint=hint)

    def _enter(self, person: Person, row: int) -> None:
        """Enter how a person may be named; of an older roster only what names nobody yet."""
        older = row < len(self._rows)
        if not older:
            self._rows.append(person)
        keys = [(self._by_name, name_key(name)) for name in person.names]
        for kind, identity in person.ids.items():
            keys.append((self._by_number if kind in NUMBERS else self._by_identity, key_of(identity)))
        if person.folder:
            keys.append((self._by_identity, key_of(person.folder)))
            self._by_folder.setdefault(key_of(person.folder), row)
        for index, key in keys:
            if not (older and index.get(key)):
                index[key].add(row)

    def _with_several(self) -> dict[tuple[int, str], list[str]]:
        """Return the folders of a row that have the same assignment."""
        folders = defaultdict[tuple[int, str], list[str]](list)
        rows = {student: row for row, students in self._owned.items() for student in students}
        for student, assignment in sorted(self._places):
            if student in rows:
                folders[rows[student], assignment].append(student)
        return {place: students for place, students in folders.items() if len(students) > 1}

    def students_for(self, assignment: str) -> set[str]:
        """Return everybody on a roster, as they are called in an assignment."""
        return self._called(self._owned, assignment)

    def _called(self, rows: Iterable[int], assignment: str) -> set[str]:
        every = (self._owned[row] for row in rows)
        return {next((name for name in names if (name, assignment) in self._places), names[0]) for names in every}

    def shown(self, student: str) -> str:
        """Return what tables and pages call a student."""
        name = self.people.get(student, Person()).name
        return f"{name} ({student})" if name and key_of(name) != key_of(student) else student

    def find(self, text: str, kind: str = "", assignment: str = "") -> set[str]:
        """Return the students whom a text may name in an assignment: by the folder, an identity, or the whole name.

        Args:
            kind: What the text is, one of `IDENTITIES`; empty where nobody says.
        """
        key = key_of(text)
        if key in self._folders:
            return {self._folders[key]}
        if not kind and PARTICIPANT.fullmatch(key) and digits_of(key):  # as Moodle's worksheet has it
            return self.find(digits_of(key), "participant", assignment)
        names = self._by_name.get(name_key(text)) if kind in ("", "name") else None
        any_number = kind in ("", "sis_id", "number", *NUMBERS)  # `id` in a roster may be anybody's number
        rows = self._by_number.get(key, set()) if any_number else set[int]()
        if kind not in NUMBERS:
            rows = self._by_identity.get(key) or self._without_zeros(key) or names or rows
        elif not rows:
            matches = ((folder, NUMBERED.fullmatch(folder)) for folder in self._folders.values())
            return {folder for folder, match in matches if match and match[2] == key}
        return self._called(rows, assignment)

    def resolve(self, text: str, assignment: str = "") -> str:
        """Return the student whom a text names, as they are called in an assignment.

        Raises:
            UsageError: It names nobody, or several.
        """
        students = sorted(self.find(text, "", assignment))
        if len(students) > 1:
            both = listed(list(map(name_shown, students)))
            raise UsageError(f"{name_shown(text)} could be {both}.", hint="Write the name of the folder or the login.")
        if not students:
            raise UsageError(f"{name_shown(text)} is nobody in the class.", hint=self._suggestion(key_of(text)))
        return students[0]

    def _suggestion(self, key: str) -> str:
        """Return whose name is close; one with other digits is somebody else's."""
        known = {other for other in [*self._folders, *self._by_identity] if digits_of(other) == digits_of(key)}
        close = nearest(key, known)
        hint = f"Write a folder's name, or an identity of {NAME}."
        return hint if close is None else f"Did you mean {name_shown(close)}? {hint}"

    def _rows_of_folder(self, folder: str) -> set[int]:
        rows = self._by_identity.get(key_of(folder), set()) | self._by_number.get(key_of(folder), set())
        if key_of(folder) in self._by_folder:
            return {self._by_folder[key_of(folder)]}
        if numbered := NUMBERED.fullmatch(folder):
            rows |= {
                row for row in self._by_number.get(numbered[2], ()) if self._may_be_called(row, *numbered.groups())
            }
        rows = rows or self._without_zeros(key_of(folder))
        if not rows:
            matches = (pattern.fullmatch(folder) for pattern in WITH_NAME)
            names = [folder, *(part for match in matches if match for part in match.groups() if part)]
            rows = {row for name in names for row in self._by_name.get(name_key(name), ())}
        if len(rows) > 1:
            both = listed([name_shown(self._rows[row].label) for row in sorted(rows)])
            hint = f"Add a column `folder` to {NAME} that says whose folder it is."
            raise UsageError(f"The folder {name_shown(folder)} could be of {both} in {NAME}.", hint=hint)
        return rows

    def _may_be_called(self, row: int, name: str, number: str) -> bool:
        """Tell whether a word of a row's name is in a name; `Team A_12` is not the person with the number 12.

        A column that says it is Canvas's number is believed, since names may be written in other letters.
        """
        written, person = _letters(name), self._rows[row]
        words = [word for word in map(_letters, person.name.replace(",", " ").split()) if word]
        known = person.says_canvas and key_of(person.ids.get("canvas_id", "")) == number
        unnamed = not words or PARTICIPANT.fullmatch(written) is not None
        return known or unnamed or any(word in written or written in word for word in words)

    def _without_zeros(self, key: str) -> set[int]:
        if not key.isdecimal():
            return set()
        number = key.lstrip("0")
        alike = [other for other in self._by_identity if other.isdecimal() and other.lstrip("0") == number]
        for other in alike:
            note = f"{key} and {other} differ in leading zeros, which spreadsheets drop; they count as one number."
            self.notes += [note] if note not in self.notes else []
        return set[int]().union(*(self._by_identity[other] for other in alike))


def key_of(text: str) -> str:
    """Return what all ways to write one identity share: capitals, accents, wide signs and a `#` in front aside."""
    return unicodedata.normalize("NFKC", " ".join(composed(text).split())).casefold().removeprefix("#")


def name_key(text: str) -> str:
    """Return what all ways to write one name share: further what Moodle leaves out of the names of folders."""
    return key_of(NOT_IN_FOLDERS.sub("", text.replace("_", " ")))


def digits_of(text: str) -> str:
    """Return the digits of a text."""
    return "".join(filter(str.isdecimal, text))


def _letters(name: str) -> str:
    return re.sub(r"\W", "", name_key(name))


def _marks_of(person: Person) -> set[tuple[str, str]]:
    """Return what tells a person from everybody else: the folder and the identities, or the name without any."""
    marks = {(kind, key_of(identity)) for kind, identity in person.ids.items()}
    marks |= {("folder", key_of(person.folder))} if person.folder else set()
    return marks or {("name", key_of(person.name))}


def read_roster(path: Path) -> tuple[list[Person], list[str]]:
    """Read the people of a table, whose columns are known by the platforms' own headings.

    Returns:
        The people, and what a reader should know, a sentence each.

    Raises:
        UsageError: It is no table, no column is known, or a spreadsheet shortened a number.
    """
    table = read_table(path)
    columns = kinds_of(table)
    if len(columns) < 2 and {*columns} <= {"first", "last"}:
        headings = ", ".join(map(name_shown, table.headings))
        hint = "Name the columns name, login, email, number and folder, or take a platform's own export of people."
        raise UsageError(f"{table.name} has no column that says who is who; it has {headings}.", hint=hint)
    people, owners = [], dict[tuple[str, str], Person]()
    role = next((column for column, text in enumerate(table.headings) if key_of(text) == "role"), -1)
    for row in table.below:
        if role >= 0 and key_of(table.cell(row, role)) not in ("", "student", "학생"):
            continue
        person = _person(table, row, columns)
        made_up = person.name == "Student, Test" and MADE_UP.fullmatch(person.ids.get("login", ""))
        if person.label and not NO_STUDENT.fullmatch(person.name) and not made_up:
            people.append(person)
            for mark in _marks_of(person):
                other = owners.setdefault(mark, person)
                if other is not person and other != person:
                    both = f"{name_shown(other.name or other.label)} and {name_shown(person.name or person.label)}"
                    raise UsageError(f"{table.name} gives {both} the same {mark[0]}.", hint="Keep the right one.")
    if not people:
        raise UsageError(f"{table.name} has no people in it.")
    notes = [f"{table.name} was read as CP949 (Korean)."] if table.encoding == "cp949" else []
    return people, notes


def kinds_of(table: Table) -> dict[str, int]:
    """Return the column of each kind of identity or name, the first where there are several.

    `Student` is the name in Canvas, which has a section or an SIS column too, and the folder elsewhere. `ID` is the
    participant of Moodle where a word is in front of the number.
    """
    headings = [key_of(re.sub(r"[_\-]", " ", text)) for text in table.headings]
    of_canvas = {"section", "sis user id", "sis login id"} & {*headings}
    columns: dict[str, int] = {}
    for column, heading in enumerate(headings):
        kind = KINDS.get(heading)
        if heading == "student":
            kind = "name" if of_canvas and "name" not in headings else "folder"
        if heading == "이름" and "성" in headings:
            kind = "first"
        if heading == "id" and "lms user id" in headings:
            kind = "login"  # a student's name in nbgrader
        elif heading == "id":
            example = next(filter(None, (table.cell(row, column) for row in table.below)), "")
            kind = "participant" if re.fullmatch(r"\D+\d+", example) else "canvas_id"
        if kind is not None:
            columns.setdefault(kind, column)
    return columns


def _person(table: Table, row: int, columns: dict[str, int]) -> Person:
    cells = {kind: one_line(table.cell(row, column)) for kind, column in columns.items()}
    ids = {}
    for kind in IDENTITIES:
        value = cells.get(kind, "").removeprefix("#")
        if SHORTENED.fullmatch(value):
            where = f"{table.name} has {value} in line {table.lines[row]}, a number that a spreadsheet shortened."
            raise UsageError(where, hint="Export it again, or set the column to the format Text before pasting.")
        if kind == "participant":
            value = digits_of(value)
        if value:
            ids[kind] = value
    first, last = cells.get("first", ""), cells.get("last", "")
    name = cells.get("name", "")
    if not first and not last and "," in name:
        last, first = (part.strip() for part in name.split(",", 1))
    elif not first and not last and name.count(" ") == 1:
        first, last = name.split(" ")
    korean = "가" <= (last or " ")[0] <= "힣"
    name = name or (last + first if korean else f"{first} {last}".strip())
    pairs = [f"{front} {back}" for front, back in ((first, last), (last, first)) if front and back]
    orders = [*(re.sub(r"\W", "", pair) for pair in pairs), *pairs]  # Canvas leaves out all but letters and digits
    return Person(
        folder=cells.get("folder", ""),
        name=name,
        names=list(dict.fromkeys([name, *orders])) if name else [],
        ids=ids,
        says_canvas="canvas_id" in columns and key_of(table.headings[columns["canvas_id"]]) != "id",
    )
