"""Who is in the class: `roster.csv`, which may be any platform's export of people, as it comes.

A row is a folder's if an identity in it is the folder's name, if the whole name and the number at the folder's end are,
or else if the whole name is that of one row and one folder only. Nobody is matched by likeness: one Kim's score is not
another's. What matches nobody a person says in a column `folder`.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

from grader.errors import UsageError
from grader.records.journal_lines import Place
from grader.text import listed, name_shown, one_line

from .tables import Table, key_of, read_table

NAME = "roster.csv"
IDENTITIES = ("login", "email", "sis_id", "number", "canvas_id", "participant")
NUMBERS = ("canvas_id", "participant")  # the platform's own, which may be the same as another person's number
NAMES = ("name", "first", "last")
HEADINGS = {
    "folder": "folder|student|student folder|폴더|폴더명",
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
    "role": "role",
    "participant": "identifier|participant|식별자|identificador|identifiant",
}
KINDS = {heading: kind for kind, headings in HEADINGS.items() for heading in headings.split("|")}
# What headings mean in a table that has one of others as well; of several that fit the last one counts.
BESIDE: tuple[tuple[set[str], dict[str, str]], ...] = (
    ({"section", "sis user id", "sis login id"}, {"student": "name", "id": "canvas_id"}),  # a gradebook of Canvas
    ({"성"}, {"이름": "first"}),
    ({"lms user id"}, {"id": "login"}),  # a table of nbgrader
    ({"bewertung kann geändert werden"}, {"id": "participant"}),  # a worksheet of Moodle in German
)
WORD = re.compile(r"[가-힣]|[^가-힣,\s]+")  # of a name, which is known whichever of its words comes first
# Folders of Brightspace, `123-456 - Ann Lee`, and of Canvas and Moodle, `leeann_123`. The digits of `anon_123` are made
# up while grading is anonymous.
IN_FOLDER = re.compile(r"(?!anon_)(?:\d+-\d+ - )?(.+?)(?:_(\d+)(?:_assignsubmission_[a-z]+_?)?)?")
NO_STUDENT = re.compile(r"points possible|muted|manual posting.*|student, test", re.IGNORECASE)  # of Canvas


class Person(msgspec.Struct, frozen=True, kw_only=True):
    """A row of the roster or of a platform's table, or who handed something in.

    Attributes:
        folder: The student's folder, or what a table says of it; empty where it says nothing.
        name: The whole name; empty where there is none.
        ids: The identities by their kind, one of `IDENTITIES`.
        says_canvas: Whether the heading of the Canvas number says that it is that, and not only `ID`.
        before_number: What the table writes before the participant's number, such as `Participant`.
    """

    folder: str = ""
    name: str = ""
    ids: dict[str, str] = {}
    says_canvas: bool = False
    before_number: str = ""

    @property
    def label(self) -> str:
        """What somebody without a folder is called."""
        return self.folder or next((self.ids[kind] for kind in IDENTITIES if kind in self.ids), self.name)

    @property
    def keys(self) -> set[tuple[str, str]]:
        """By what the person is known; a platform's number is apart, since it may be another's identity."""
        keys = {("folder", key_of(self.folder)), ("end", parts_of(self.folder)[1])}
        keys |= {(kind if kind in NUMBERS else "identity", key_of(text)) for kind, text in self.ids.items()}
        keys |= {("digits", key.lstrip("0")) for kind, key in keys if kind == "identity" and key.isdecimal()}
        words = WORD.findall(self.name)
        keys |= {("name", name_key("".join(words[start:] + words[:start]))) for start in range(len(words))}
        return {(kind, key) for kind, key in keys if key}

    @property
    def marks(self) -> set[tuple[str, str]]:
        """What tells a person from everybody else: the folder and the identities, or the name without any."""
        return {key for key in self.keys if key[0] in ("folder", "identity", *NUMBERS)} or self.keys

    def is_called(self, name: str, number: str) -> bool:
        """Tell whether a name is the whole one, with a group's in front; `Team A_12` is not who has the number 12.

        A column that says it is Canvas's number is believed, since names may be written in other letters. Whoever has
        no name is called by what stands before the number.
        """
        names = [key for kind, key in self.keys if kind == "name"] or [name_key(self.before_number) or "-"]
        known = self.says_canvas and self.ids.get("canvas_id") == number
        return known or any(map(name_key(name).endswith, names))


class People:
    """People who are found by what is known of one.

    Attributes:
        all: Who they are. Whoever is found is given by the place in this list.
        notes: Is given what a reader should know of how somebody was found, a sentence each.
    """

    def __init__(self, people: Iterable[Person], notes: list[str]) -> None:
        self.all: list[Person] = []
        self.notes = notes
        self._index = defaultdict[tuple[str, str], set[int]](set)
        for person in people:
            for key in person.keys:
                self._index[key].add(len(self.all))
            self.all.append(person)

    def join(self, person: Person) -> Person | None:
        """Add a row of an older roster, and return who has one of its marks already: that one gets its other names."""
        known = sorted(set[int]().union(*(self._index[mark] for mark in person.marks)))
        if not known:
            self.all.append(person)
        for key in person.keys if len(known) < 2 else ():
            if not (known and self._index[key]):
                self._index[key].add(known[0] if known else len(self.all) - 1)
        return self.all[known[0]] if known else None

    def find(self, text: str) -> set[int]:
        """Return whom a text may name: by the folder, an identity or the number at its end, else by the whole name.

        Who has another number in Canvas than a folder is another person of that name.
        """
        key, (name, number) = key_of(text), parts_of(text)
        rows = self._at(key, "folder")
        if not rows:
            rows = self._at(key, "identity", *NUMBERS)
            rows |= {row for row in self._at(number, *NUMBERS) if self.all[row].is_called(name, number)}
        rows = {row for row in rows if self.all[row].folder == text} or rows
        named = self._at(name_key(text), "name") or self._at(name_key(name), "name")
        named = {row for row in named if self.all[row].ids.get("canvas_id", number) == number or not number}
        return rows or self._without_zeros(key) or named

    def find_row(self, person: Person) -> set[int]:
        """Return whom a row of a table may be, by each of its identities; a name may be another person's."""
        rows = set[int]()
        for kind, text in {"folder": person.folder, **person.ids}.items():
            key = key_of(text)
            if kind in NUMBERS:
                ends = {row for row in self._at(key, "end") if person.is_called(parts_of(self.all[row].folder)[0], key)}
                rows |= self._at(key, kind) or ends or self._at(key, "folder")
            else:
                rows |= self._at(key, "identity") or self._at(key, "folder") or self._without_zeros(key)
        return rows

    def resolve(self, text: str) -> int:
        """Return the one whom a text names.

        Raises:
            UsageError: It names nobody, or several.
        """
        fits = sorted(self.find(text))
        if len(fits) > 1:
            both = listed([name_shown(self.all[row].label) for row in fits])
            raise UsageError(f"{name_shown(text)} could be {both}.", hint="Write the name of the folder or the login.")
        if not fits:
            hint = f"Write the folder's name of somebody who handed in, or an identity of {NAME}."
            raise UsageError(f"{name_shown(text)} is nobody in the class.", hint=hint)
        return fits[0]

    def _at(self, key: str, *kinds: str) -> set[int]:
        return set[int]().union(*(self._index.get((kind, key), ()) for kind in kinds))

    def _without_zeros(self, key: str) -> set[int]:
        rows = self._at(key.lstrip("0"), "digits") if key.isdecimal() else set[int]()
        for row in rows:
            who = name_shown(self.all[row].label)
            note = f"{key} is the number of {who} but for leading zeros, which spreadsheets drop."
            self.notes += [note] if note not in self.notes else []
        return rows


class Roster:
    """The class: the people of rosters joined with the folders of those who handed something in.

    Args:
        people: The rows of all rosters; of two about one person the first one counts, and the other may name them too.
        places: The students' folders, each with an assignment that is in it. Moodle numbers people anew for each
            assignment, so a person may have several folders, but one for an assignment.

    Attributes:
        people: The people of the rosters.
        strangers: The folders of those who are on none.
        notes: What a reader should know of how rows and folders were joined, a sentence each.

    Raises:
        UsageError: A row could be two folders' of one assignment, or a folder two rows'.
    """

    def __init__(self, people: Iterable[Person], places: Iterable[Place]) -> None:
        rows = People((), [])
        for person in people:
            rows.join(person)
        self.people, self.notes = rows.all, rows.notes
        self._folders = [dict[str, str]() for _ in self.people]  # by assignment
        self._members: dict[str, People] = {}
        ordered = sorted({*places})
        whose = {folder: sorted(rows.find(folder)) for folder in dict(ordered)}
        self.strangers = {folder for folder, fits in whose.items() if not fits}
        labels = {
            folder: listed([name_shown(self.people[row].label) for row in fits]) for folder, fits in whose.items()
        }
        if unclear := [
            f"{name_shown(folder)} (could be {labels[folder]})" for folder, fits in whose.items() if len(fits) > 1
        ]:
            hint = f"Add a column `folder` to {NAME} that says whose a folder is, with a row for each of a person's."
            raise UsageError(f"{NAME} does not say whose these folders are: {', '.join(unclear)}.", hint=hint)
        for folder, assignment in ordered:
            fits = whose[folder]
            other = self._folders[fits[0]].setdefault(assignment, folder) if fits else folder
            if other != folder:
                hint = (
                    f"If they are two people, add a column `folder` to {NAME} with the folder of each. If they are "
                    "one, give the newer folder the older one's name, or grade it alone with --student and that name."
                )
                both = f"{name_shown(other)} and {name_shown(folder)} are both {labels[folder]} in {NAME}"
                raise UsageError(f"{both}, and both have {assignment}.", hint=hint)

    def members(self, assignment: str) -> People:
        """Return everybody, each with the folder that counts in an assignment, or else what they are called."""
        if assignment not in self._members:
            # Nobody without a folder is called as somebody's folder is.
            pairs = sorted(zip(self.people, self._folders, strict=True), key=lambda pair: bool(pair[1]))
            called = {
                folders.get(assignment) or next(iter(folders.values()), person.label): person
                for person, folders in pairs
            }
            called |= {folder: Person() for folder in self.strangers}
            people = [msgspec.structs.replace(person, folder=folder) for folder, person in sorted(called.items())]
            self._members[assignment] = People(people, self.notes)
        return self._members[assignment]


def name_key(text: str) -> str:
    """Return the letters and digits of a name; platforms leave out other signs where they name folders."""
    return "".join(sign for sign in key_of(text) if unicodedata.category(sign)[0] in "LMN")


def parts_of(folder: str) -> tuple[str, str]:
    """Return the name in a folder's and the platform's number at its end, each empty where there is none."""
    match = IN_FOLDER.fullmatch(folder)
    return (match[1], match[2] or "") if match else ("", "")


def read_roster(path: Path) -> list[Person]:
    """Return the rows of people in a table, whose columns are known by the platforms' own headings.

    A person may have several, each with another folder.

    Raises:
        UsageError: It is no table, no column is known, or two people in it have one identity.
    """
    table = read_table(path)
    columns = kinds_of(table)
    if len(columns) < 2 and {*columns} <= {"first", "last"}:
        headings = ", ".join(map(name_shown, table.headings))
        hint = "Name the columns name, login, email, number and folder, or take a platform's own export of people."
        raise UsageError(f"{table.name} has no column that says who is who; it has {headings}.", hint=hint)
    people, rows = People((), []), list[Person]()
    for row in table.below:
        person = person_in(table, row, columns)
        staff = "role" in columns and key_of(table.cell(row, columns["role"])) not in ("", "student", "학생")
        if staff or not person.label or NO_STUDENT.fullmatch(person.name):
            continue
        other = people.join(person)
        if other is not None and msgspec.structs.replace(other, folder=person.folder) != person:
            (_, mark), *_ = sorted(person.marks & other.marks)
            both = f"{name_shown(other.name or other.label)} and {name_shown(person.name or person.label)}"
            raise UsageError(f"{table.name} has {name_shown(mark)} for {both}.", hint="Keep the right one.")
        rows.append(person)
    if not rows:
        raise UsageError(f"{table.name} has no people in it.")
    return rows


def kinds_of(table: Table) -> dict[str, int]:
    """Return the column of each kind of identity or name, the first where there are several."""
    headings = [key_of(re.sub(r"[_\-]", " ", text)) for text in table.headings]
    kinds = KINDS.copy()
    for others, meanings in BESIDE:
        kinds |= meanings if others & {*headings} else {}
    columns: dict[str, int] = {}
    for column, heading in enumerate(headings):
        if kinds.get(heading):
            columns.setdefault(kinds[heading], column)
    return columns


def person_in(table: Table, row: int, columns: Mapping[str, int]) -> Person:
    """Return the person of a row.

    Args:
        columns: The columns to go by, by their kinds.
    """
    cells = {kind: one_line(table.cell(row, column)) for kind, column in columns.items()}
    ids = {kind: cells[kind].removeprefix("#") for kind in IDENTITIES if cells.get(kind)}
    before_number = re.sub(r"\d", "", ids.get("participant", ""))
    if "participant" in ids:
        ids["participant"] = "".join(filter(str.isdecimal, ids["participant"]))
    whole, first, last = (cells.get(kind, "") for kind in NAMES)
    name = whole or (last + first if "가" <= last[:1] <= "힣" else f"{first} {last}".strip())
    says_canvas = "canvas_id" in columns and key_of(table.headings[columns["canvas_id"]]) != "id"
    folder = cells.get("folder", "")
    return Person(folder=folder, name=name, ids=ids, says_canvas=says_canvas, before_number=before_number)
