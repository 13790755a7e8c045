"""Who is in the class: `roster.csv`, which may be any platform's export of people, as it comes.

A row is a folder's if an identity in it is the folder's name or the number at its end, or else if the whole name is
that of one row and one folder only. Nobody is matched by likeness: one Kim's score is not another's.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

from grader.errors import UsageError
from grader.records.journal_lines import Place
from grader.text import composed, listed, name_shown, one_line

from .tables import Table, read_table

NAME = "roster.csv"
IDENTITIES = ("login", "email", "sis_id", "number", "canvas_id", "participant")
NUMBERS = ("canvas_id", "participant")  # the platform's own, which may be the same as another person's number
NAMES = ("name", "first", "last")
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
# Folders of Brightspace, `123-456 - Ann Lee`, and of Canvas and Moodle, `leeann_123`. The digits of `anon_123` are made
# up while grading is anonymous.
IN_FOLDER = re.compile(r"(?!anon_)(?:\d+-\d+ - )?(.+?)(?:_(\d+)(?:_assignsubmission_[a-z]+_?)?)?")
BLIND = ("participant", "teilnehmer", "참가자")  # what Moodle writes for a name in blind marking
NO_STUDENT = re.compile(r"points possible|muted|manual posting.*", re.IGNORECASE)
MADE_UP = re.compile("([0-9a-f]{40})?")  # the login of "Student, Test", whom Canvas makes for trying out


class Person(msgspec.Struct, frozen=True, kw_only=True):
    """A row of the roster.

    Attributes:
        folder: What the roster itself gives as the name of the folder; empty where it does not.
        names: The whole name, for people to read, and the other orders of its words, as platforms write it.
        ids: The identities by their kind, one of `IDENTITIES`.
        says_canvas: Whether the heading of the Canvas number says that it is that, and not only `ID`.
    """

    folder: str = ""
    names: list[str] = []
    ids: dict[str, str] = {}
    says_canvas: bool = False

    @property
    def name(self) -> str:
        """The whole name; empty where the roster has none."""
        return next(iter(self.names), "")

    @property
    def label(self) -> str:
        """What somebody without a folder is called."""
        return self.folder or next((self.ids[kind] for kind in IDENTITIES if kind in self.ids), self.name)

    @property
    def keys(self) -> set[tuple[str, str]]:
        """By what the person is known; a platform's number is apart, since it may be another's identity."""
        keys = [("folder", key_of(self.folder))]
        keys += [("number" if kind in NUMBERS else "identity", key_of(text)) for kind, text in self.ids.items()]
        keys += [("digits", key.lstrip("0")) for kind, key in keys if kind != "number" and key.isdecimal()]
        keys += [("name", name_key(name)) for name in self.names]
        return {(kind, key) for kind, key in keys if key}

    @property
    def marks(self) -> set[tuple[str, str]]:
        """What tells a person from everybody else: the folder and the identities, or the name without any."""
        return {key for key in self.keys if key[0] in ("folder", "identity", "number")} or self.keys

    def may_own(self, name: str, number: str) -> bool:
        """Tell whether a word of the name is in that of a folder; `Team A_12` is not the person with the number 12.

        A column that says it is Canvas's number is believed, since names may be written in other letters.
        """
        written, words = name_key(name), list(filter(None, map(name_key, self.name.replace(",", " ").split())))
        known = self.says_canvas and key_of(self.ids.get("canvas_id", "")) == number
        unnamed = not words or written.startswith(BLIND)
        return known or unnamed or any(word in written or written in word for word in words)


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

    def __init__(self, people: Iterable[Person], places: Iterable[Place]) -> None:
        self.notes: list[str] = []
        self._rows: list[Person] = []
        self._index = defaultdict[tuple[str, str], set[int]](set)
        for person in people:
            self._enter(person)
        ordered = sorted({*places})
        self._folders = {key_of(folder): folder for folder, _ in ordered}
        self._ends = defaultdict[str, list[tuple[str, str]]](list)  # folders by the number at their end
        for folder in self._folders.values():
            if match := IN_FOLDER.fullmatch(folder):
                self._ends[match[2]].append((match[1], folder))
        rows = {folder: row for folder in self._folders.values() for row in self._rows_of_folder(folder)}
        self._students: dict[tuple[int, str], str] = {}  # of an assignment
        self._called: dict[int, str] = {}  # in an assignment without a folder of theirs
        for student, assignment in ordered:
            if student in rows:
                row = rows[student]
                self._called.setdefault(row, student)
                if (other := self._students.setdefault((row, assignment), student)) != student:
                    both = f"{name_shown(other)} and {name_shown(student)} are both {name_shown(self._rows[row].label)}"
                    hint = (
                        f"If they are two people, add a column `folder` to {NAME} with the folder of each. If they are "
                        "one, give the newer folder the older one's name, or grade it alone with --student and that "
                        "name."
                    )
                    raise UsageError(f"{both} in {NAME}, and both have {assignment}.", hint=hint)
        for row, person in enumerate(self._rows):
            self._called.setdefault(row, person.label)
        self.people = {self._called[row]: person for row, person in enumerate(self._rows)}
        self.people |= {folder: self._rows[row] for folder, row in rows.items()}

    def _enter(self, person: Person) -> None:
        """Enter a row; of an older roster's about somebody who is known already, only what names nobody yet."""
        known = set[int]().union(*(self._index[mark] for mark in person.marks))
        if len(known) > 1:
            return
        if not known:
            self._rows.append(person)
        row = next(iter(known), len(self._rows) - 1)
        for key in person.keys:
            if not (known and self._index[key]):
                self._index[key].add(row)

    def _rows_of_folder(self, folder: str) -> set[int]:
        key, match = key_of(folder), IN_FOLDER.fullmatch(folder)
        rows = self._index["identity", key] | self._index["number", key]
        if match:
            rows |= {row for row in self._index["number", match[2] or ""] if self._rows[row].may_own(*match.groups())}
        rows = self._index["folder", key] or rows or self._without_zeros(key)
        if not rows:
            rows = self._index["name", name_key(folder)] | self._index["name", name_key(match[1] if match else "")]
        if len(rows) > 1:
            both = listed([name_shown(self._rows[row].label) for row in sorted(rows)])
            hint = f"Add a column `folder` to {NAME} that says whose folder it is."
            raise UsageError(f"The folder {name_shown(folder)} could be of {both} in {NAME}.", hint=hint)
        return rows

    def _without_zeros(self, key: str) -> set[int]:
        rows = self._index["digits", key.lstrip("0")] if key.isdecimal() else set[int]()
        for row in rows:
            who = name_shown(self._rows[row].label)
            note = f"{key} is the number of {who} but for leading zeros, which spreadsheets drop."
            self.notes += [note] if note not in self.notes else []
        return rows

    def students_for(self, assignment: str) -> set[str]:
        """Return everybody on a roster, as they are called in an assignment."""
        return self._as_called(self._called, assignment)

    def _as_called(self, rows: Iterable[int], assignment: str) -> set[str]:
        return {self._students.get((row, assignment), self._called[row]) for row in rows}

    def shown(self, student: str) -> str:
        """Return what tables and pages call a student."""
        name = self.people.get(student, Person()).name
        return f"{name} ({student})" if name and key_of(name) != key_of(student) else student

    def find(self, text: str, kind: str = "", assignment: str = "") -> set[str]:
        """Return the students whom a text may name in an assignment: by the folder, an identity, or the whole name.

        Args:
            kind: What the text is, `name` or one of `IDENTITIES`; empty where nobody says.
        """
        key = key_of(text)
        if key in self._folders:
            return {self._folders[key]}
        names, numbers = self._index["name", name_key(text)], self._index["number", key]
        if kind == "name" or kind in NUMBERS:
            return self._as_called(names if kind == "name" else numbers, assignment)
        rows = self._index["identity", key] | self._index["folder", key] or self._without_zeros(key)
        return self._as_called(rows if rows or kind else names or numbers, assignment)

    def find_row(self, person: Person, assignment: str) -> set[str]:
        """Return the students of an assignment whom a row of a platform's table may be of, by everything but names."""
        students = set[str]()
        for kind, text in {"folder": person.folder, **person.ids}.items():
            ends = self._ends[text] if kind in NUMBERS else []
            known = self.find(text, kind, assignment) if text else set[str]()
            students |= known or {folder for name, folder in ends if person.may_own(name, text)}
        return students

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
            hint = f"Write a folder's name, or an identity of {NAME}."
            raise UsageError(f"{name_shown(text)} is nobody in the class.", hint=hint)
        return students[0]


def key_of(text: str) -> str:
    """Return what all ways to write one identity share: capitals, accents, wide signs and a `#` in front aside."""
    return unicodedata.normalize("NFKC", " ".join(composed(text).split())).casefold().removeprefix("#")


def name_key(text: str) -> str:
    """Return the letters and digits of a name; platforms leave out other signs where they name folders."""
    return "".join(sign for sign in key_of(text) if unicodedata.category(sign)[0] in "LMN")


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
    if any(key_of(text) == "id" and column not in columns.values() for column, text in enumerate(table.headings)):
        hint = "Call it `number` if it is the institution's, or `Canvas ID`."
        raise UsageError(f"{table.name} has a column ID, which may be one number or another.", hint=hint)
    people, owners = [], dict[tuple[str, str], Person]()
    role = next((column for column, text in enumerate(table.headings) if key_of(text) == "role"), -1)
    for row in table.below:
        if role >= 0 and key_of(table.cell(row, role)) not in ("", "student", "학생"):
            continue
        person = person_in(table, row, columns)
        made_up = person.name == "Student, Test" and MADE_UP.fullmatch(person.ids.get("login", ""))
        if not person.label or made_up or NO_STUDENT.fullmatch(person.name):
            continue
        people.append(person)
        for mark in person.marks:
            other = owners.setdefault(mark, person)
            if other != person:
                both = f"{name_shown(other.name or other.label)} and {name_shown(person.name or person.label)}"
                raise UsageError(f"{table.name} has {name_shown(mark[1])} for {both}.", hint="Keep the right one.")
    if not people:
        raise UsageError(f"{table.name} has no people in it.")
    notes = [f"{table.name} was read as CP949 (Korean)."] if table.encoding == "cp949" else []
    return people, notes


def kinds_of(table: Table) -> dict[str, int]:
    """Return the column of each kind of identity or name, the first where there are several."""
    headings = [key_of(re.sub(r"[_\-]", " ", text)) for text in table.headings]
    of_canvas = {"section", "sis user id", "sis login id"} & {*headings} and "name" not in headings
    kinds = KINDS | ({"student": "name", "id": "canvas_id"} if of_canvas else {"student": "folder"})
    if "성" in headings:
        kinds["이름"] = "first"
    if "lms user id" in headings:  # in a table of nbgrader
        kinds["id"] = "login"
    columns: dict[str, int] = {}
    for column, heading in enumerate(headings):
        if heading == "id" and any(name_key(table.cell(row, column)).startswith(BLIND) for row in table.below):
            kinds["id"] = "participant"  # of Moodle in German: `Teilnehmer/in 12`
        if heading in kinds:
            columns.setdefault(kinds[heading], column)
    return columns


def person_in(table: Table, row: int, columns: Mapping[str, int]) -> Person:
    """Return the person of a row.

    Args:
        columns: The columns to go by, by their kinds; of no kind is one that names people in any way.

    Raises:
        UsageError: A spreadsheet shortened a number.
    """
    cells = {kind: one_line(table.cell(row, column)) for kind, column in columns.items()}
    ids = {kind: cells[kind].removeprefix("#") for kind in ("", *IDENTITIES) if kind in cells}
    if shortened := next(filter(SHORTENED.fullmatch, ids.values()), None):
        where = f"{table.name} has {shortened} in line {table.lines[row]}, a number that a spreadsheet shortened."
        raise UsageError(where, hint="Export it again, or set the column to the format Text before pasting.")
    if "participant" in ids:
        ids["participant"] = "".join(filter(str.isdecimal, ids["participant"]))
    whole, first, last = (cells.get(kind, "") for kind in NAMES)
    korean = "가" <= last[:1] <= "힣"
    words = [first, last] if first and last else whole.replace(",", " ").split()
    orders = [" ".join(words[start:] + words[:start]) for start in range(len(words))]
    name = whole or (last + first if korean else f"{first} {last}".strip())
    return Person(
        folder=cells.get("folder", ""),
        names=list(dict.fromkeys([name, *orders])) if name else [],
        ids={kind: value for kind, value in ids.items() if value},
        says_canvas="canvas_id" in columns and key_of(table.headings[columns["canvas_id"]]) != "id",
    )
