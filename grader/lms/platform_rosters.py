"""Reads who is in the class: `roster.csv`, or a table of people as a platform gives it out, known by its headings.

A platform's table does not know the folders. A row is a folder's if an identity in it is the folder's name or the
number in it, exactly; else if the whole name is that of one row and one folder only. Nobody is matched by likeness: two
people of one name, or two rows for one folder, stop whoever asked.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from grader.errors import UsageError
from grader.text import composed, name_shown

from .roster import DOWNLOADED, IDENTITIES, SHORTENED, Identity, Roster, read_roster, refuse_duplicates
from .sheets import Row, Sheet, read_sheet

WHAT = "A roster"
NAMED = (re.compile(r"(.+)_\d+_assignsubmission_[a-z]+_?"), re.compile(r"\d+-\d+ - (.+)"))
"""How the folders of Moodle and Brightspace hold the whole name."""
HANGUL = re.compile("[\uac00-\ud7a3]")
Index = defaultdict[tuple[str, str], list[Identity]]
"""People by what a text is, such as canvas_id or nothing in particular, and the text."""
LABELS = ("login", "sis_id", "email", "canvas_id", "participant")
"""What somebody without a folder is called by: the first of these that the table has, else the whole name."""


@dataclass(frozen=True)
class Layout:
    """The headings of a platform's table.

    Attributes:
        name: What it is, for sentences.
        known_by: The headings that make it this platform's; all must be there.
        columns: What each heading holds, in the words of the roster.
    """

    name: str
    known_by: frozenset[str]
    columns: Mapping[str, str]


GRADESCOPE = "a roster of Gradescope"
MADE_UP = re.compile(r"(?:[0-9a-f]{40})?")
"""The login of the student that Canvas makes for trying out."""
NAMES = {"First Name": "first_name", "Last Name": "last_name"}
MOODLE = {
    "name": ("Full name", "Vollständiger Name", "Nombre completo", "Nom complet"),
    "first_name": ("First name", "Vorname", "Nombre", "Prénom", "이름"),
    "last_name": ("Last name", "Surname", "Nachname", "Apellido(s)", "Nom", "Nom de famille", "성"),
    "email": ("Email address", "E-Mail-Adresse", "Dirección de correo", "Adresse de courriel", "이메일 주소"),
    "sis_id": ("ID number", "ID-Nummer", "Número de ID", "Numéro d'identification"),
    "login": ("Username", "Anmeldename", "Nombre de usuario", "Nom d'utilisateur"),
    "participant": ("Identifier", "ID", "Identificador", "Identifiant"),
}
"""How Moodle heads each of these in the languages that are known."""
LAYOUTS = (
    Layout(
        "a gradebook of Canvas",
        frozenset({"ID", "Section"}),
        {
            "Student": "name",
            "LastName": "last_name",
            "FirstName": "first_name",
            "ID": "canvas_id",
            "SIS User ID": "sis_id",
            "SIS Login ID": "login",
        },
    ),
    Layout(
        "grades of Brightspace",
        frozenset({"End-of-Line Indicator"}),
        {"OrgDefinedId": "sis_id", "Username": "login", "Email": "email", **NAMES},
    ),
    Layout(
        "a grade book of Blackboard",
        frozenset({"Last Name", "First Name", "Username"}),
        {"Username": "login", "Student ID": "sis_id", **NAMES},
    ),
    Layout(
        GRADESCOPE,
        frozenset({"SID", "Email"}),
        {"SID": "sis_id", "Email": "email", "Name": "name", **NAMES},
    ),
    Layout(
        "a roster of GitHub Classroom",
        frozenset({"identifier", "github_username"}),
        {"github_username": "login", "identifier": "sis_id", "name": "name"},
    ),
    *(
        Layout("a table of Moodle", frozenset({mail}), {text: what for what, texts in MOODLE.items() for text in texts})
        for mail in MOODLE["email"]
    ),
)


def read_people(path: Path, students: Iterable[str], gone: Iterable[str] = ()) -> Roster:
    """Return who is in the class, from a roster of the kit or a platform's table.

    Args:
        students: The folders' names.
        gone: Those of folders that the class no longer has: of who has no other.

    Raises:
        UsageError: It is neither, or somebody in it is not clear.
    """
    sheet = read_sheet(path, WHAT, skip_blank=True)
    headings = {text.strip() for text in sheet.headings}
    layout = next((each for each in LAYOUTS if each.known_by <= headings), None)
    if layout is None or "student" in headings:
        return read_roster(path)
    people = [person for row in sheet.rows[1:] if (person := _person(sheet, row, layout)) is not None]
    if not people:
        raise UsageError(f"People were looked for in {name_shown(path.name)}, {layout.name}.", "There are none.")
    name = f"{name_shown(path.name)} ({layout.name})"
    return roster_of_platform(people, students, name, gone)


def roster_of_platform(people: list[Identity], students: Iterable[str], name: str, gone: Iterable[str] = ()) -> Roster:
    """Return the people of a platform's table by the names of their folders.

    Args:
        people: Who has none keeps what the table calls them.
        students: The folders' names.
        name: The table, for sentences.
        gone: See `read_people`.

    Raises:
        UsageError: Two rows are one person's, or a folder's.
    """
    people = [replace(each, student=_label(each)) for each in people]
    labelled = {each.student: each for each in people}
    if len(labelled) < len(people):
        twice = next(each.student for each in people if sum(one.student == each.student for one in people) > 1)
        raise UsageError(f"One row for each student was looked for in {name}.", f"{name_shown(twice)} has two.")
    roster = Roster(name, labelled)
    refuse_duplicates(roster)
    return Roster(name, _by_folder(people, sorted(students), sorted(gone), name), platform=name)


def _person(sheet: Sheet, row: Row, layout: Layout) -> Identity | None:
    """Return who a row is; None for a row that is not a student's."""
    found: dict[str, str] = {}
    role = ""
    for column, heading in enumerate(sheet.headings):
        role = row[column] if heading.strip() == "Role" and layout.name == GRADESCOPE else role
        what = layout.columns.get(heading.strip())
        if what is not None and row[column].strip():
            found[what] = row[column].strip()
    if _is_no_student(found, role, layout):
        return None
    for what, value in found.items():
        if what in IDENTITIES and SHORTENED.fullmatch(value):
            looked_for = f"People were looked for in {name_shown(sheet.name)}, line {row.line}."
            raise UsageError(
                looked_for, f"The {what} is {value}, a number shortened by a spreadsheet.", "Export it again."
            )
    if "sis_id" in found:
        found["sis_id"] = found["sis_id"].removeprefix("#")
    if "login" in found and layout.columns.get("OrgDefinedId"):
        found["login"] = found["login"].removeprefix("#")
    if number := re.fullmatch(r".*?(\d+)", found.get("participant", "")):
        found["participant"] = number[1]
    person = Identity(**{"student": "", **found})
    return person if _label(person) else None


def _is_no_student(found: Mapping[str, str], role: str, layout: Layout) -> bool:
    """Return whether a row is of the columns' points, of the student that Canvas makes for trying out, or of staff."""
    if "canvas_id" in layout.columns.values():
        name = found.get("name") or f"{found.get('last_name')}, {found.get('first_name')}"
        made_up = name == "Student, Test" and not found.get("sis_id")
        return not found.get("canvas_id") or (made_up and MADE_UP.fullmatch(found.get("login", "")) is not None)
    return role.strip().lower() not in ("", "student")


def _label(person: Identity) -> str:
    called = next((value for each in LABELS if (value := getattr(person, each))), "")
    return called or person.name or f"{person.first_name} {person.last_name}".strip()


def _by_folder(people: list[Identity], folders: list[str], gone: list[str], name: str) -> dict[str, Identity]:
    """Return the people by the names of their folders; who has none keeps what the table calls them.

    Raises:
        UsageError: A folder could be two people, or two folders one person.
    """
    by_identity: Index = defaultdict(list)
    by_name: Index = defaultdict(list)
    for person in people:
        for what in IDENTITIES:
            if value := getattr(person, what):
                by_identity["", _plain(value)].append(person)
                by_identity[what, value].append(person)
        for full in _full_names(person):
            by_name["", full].append(person)
    owner: dict[str, str] = {}
    for folder in folders:
        hits = _people_of(folder, by_identity, by_name)
        if len(hits) > 1:
            found = f"{name_shown(folder)} could be {' and '.join(name_shown(each.student) for each in hits[:5])}."
            raise _unclear(name, found)
        for person in hits:
            if person.student in owner:
                two = f"{name_shown(owner[person.student])} and {name_shown(folder)}"
                raise _unclear(name, f"{two} could both be {name_shown(person.student)}.")
            owner[person.student] = folder
    for folder in gone:
        left = [each for each in _people_of(folder, by_identity, by_name) if each.student not in owner]
        owner |= {each.student: folder for each in left if len(left) == 1}
    made = {name: replace(each, student=name) for each in people for name in [owner.get(each.student, each.student)]}
    if len(made) < len(people):
        raise _unclear(name, "The name of a folder is that of one person and an identity of another.")
    return made


def _people_of(folder: str, by_identity: Index, by_name: Index) -> list[Identity]:
    """Return who a folder could be: by an identity, by the number in its name, or by the whole name."""
    hits = by_identity["", _plain(folder)]
    for what, pattern in DOWNLOADED.items():
        if found := pattern.fullmatch(folder):
            said = folder[: found.start(1)].rstrip("_")
            hits = hits + [each for each in by_identity[what, found[1]] if _may_be(said, each)]
    if not hits:
        texts = [folder, *(found[1] for pattern in NAMED if (found := pattern.fullmatch(folder)))]
        hits = [person for text in texts for person in by_name["", _name(text)]]
    return list({each.student: each for each in hits}.values())


def _may_be(said: str, person: Identity) -> bool:
    """Return whether a folder's name before its number fits a person's.

    Names are compared where both are in ASCII or both in Hangul; any other may have been written or unpacked otherwise.
    """
    names = [_letters(each) for each in _full_names(person)]
    compared = [each for each in names if _writing(each) == _writing(said) is not None]
    return not compared or _letters(said) in compared


def _writing(text: str) -> str | None:
    return "ASCII" if text.isascii() else "Hangul" if HANGUL.search(composed(text)) else None


def _full_names(person: Identity) -> set[str]:
    """Return every way in which platforms write a person's whole name."""
    last, comma, first = person.name.partition(",")
    pairs = [(first, last)] if comma else []
    pairs += [(person.first_name, person.last_name)] if person.first_name and person.last_name else []
    orders = {
        f"{one.strip()}{gap}{two.strip()}" for a, b in pairs for one, two in ((a, b), (b, a)) for gap in ("", " ")
    }
    return {_name(each) for each in {person.name, *orders} if each.strip()}


def _name(text: str) -> str:
    return composed(" ".join(text.split()))


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, composed(text).casefold()))


def _plain(identity: str) -> str:
    return composed(identity.strip()).casefold()


def _unclear(name: str, found: str) -> UsageError:
    hint = "Make a roster.csv (`grader export roster`), which says who each folder is."
    return UsageError(f"Who each folder is was looked for in {name}.", found, hint)
