"""Gradescope's export of submissions, after programs that read it and the exports in their tests.

A folder for each submission, `submission_123456789`, and `submission_metadata.yml`, which says whose each is:

    submission_123456789:
      :submitters:
      - :name: Ann Lee
        :sid: '20260001'
        :email: ann@example.edu
      :created_at: 2026-11-05 11:02:33.912304000 Z

It always has this shape, so no library for YAML is needed. The student is called by the e-mail address, else by the
number, else by the name and the submission. What a group handed in is each member's. A student may have put such a file
into a folder of theirs: a list that names anything but folders beside it is refused, and one of a single submission is
not believed unasked.
"""

import json
import re
from datetime import datetime

from grader.errors import UsageError
from grader.submissions.path_errors import quoted_path
from grader.text import name_shown

from .handed_in import HandedIn, Listing

METADATA = "submission_metadata.yml"
ENTRY = re.compile(r"([^\s:#-][^:]*):\s*")
SECTION = re.compile(r"  :(\w+):(?: (.*))?")
OF_PERSON = re.compile(r"(  - |    ):(\w+):(?: (.*))?")
SEPARATORS = re.compile(r"[/\\\0]|^$")
HINT = "Download the submissions again, or say --layout folders and grade each folder as a student's."
NOTHING = ("null", "Null", "NULL", "~")
TIME = re.compile(r"(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.\d+)? ?(Z|[+-]\d\d:?\d\d)?")


def is_sure(listing: Listing, handed: list[HandedIn]) -> bool:
    """Return whether the folders of two submissions are there."""
    return len({one.name for one in handed} & listing.folders.keys()) > 1


def read(listing: Listing) -> list[HandedIn]:
    """Return whose each folder is; one that is not there is named all the same.

    Raises:
        UsageError: The file that says whose they are says nothing, or names what can't be a folder of this download.
    """
    if METADATA not in listing.entries:
        return []
    found: list[HandedIn] = []
    people: list[dict[str, str]] = []
    folder, section, when = "", "", None

    def end() -> None:
        if people and (folder in (".", "..", METADATA) or SEPARATORS.search(folder)):
            told = f"{METADATA} in {quoted_path(listing.path)} names {name_shown(folder)}."
            raise UsageError("The folders of a download from Gradescope were looked for.", told, HINT)
        called: dict[str, int] = {}
        for each in people:
            name = _called(each, folder)
            called[name] = number = called.get(name, 0) + 1
            name += f" ({number})" if number > 1 else ""
            found.append(HandedIn(name, folder, listing.entries.get(folder, 0), when=when))

    for line in listing.text(METADATA).replace("\r\n", "\n").split("\n"):
        if entry := ENTRY.fullmatch(line):
            end()
            folder, section, when, people = _scalar(entry[1]), "", None, []
        elif part := SECTION.fullmatch(line):
            section = part[1]
            when = _time(part[2] or "") if section == "created_at" else when
        elif section == "submitters" and (fact := OF_PERSON.fullmatch(line)):
            if fact[1] == "  - ":
                people.append({})
            if people:
                people[-1][fact[2]] = _scalar(fact[3] or "")
    end()
    if not found:
        told = f"{METADATA} in {quoted_path(listing.path)} names no submission."
        raise UsageError("The students in a download from Gradescope were looked for.", told, HINT)
    return found


def _called(person: dict[str, str], folder: str) -> str:
    name = f"{person.get('name', '')}_{folder.removeprefix('submission_')}"
    return person.get("email") or person.get("sid") or name


def _scalar(text: str) -> str:
    text = text.strip()
    if text in NOTHING:
        return ""
    if text.startswith('"'):
        try:
            return str(json.loads(text))
        except ValueError:
            return text.strip('"')
    return text[1:-1].replace("''", "'") if text.startswith("'") else text


def _time(text: str) -> datetime | None:
    found = TIME.fullmatch(_scalar(text))
    return datetime.fromisoformat(f"{found[1]} {found[2]}{found[3] or ''}") if found else None
