"""Gradescope's export of submissions, after programs that read it and the exports in their tests.

A folder for each submission, `submission_123456789`, and `submission_metadata.yml`, which says whose each is:

    submission_123456789:
      :submitters:
      - :name: Ann Lee
        :sid: '20260001'
        :email: ann@example.edu
      :created_at: 2026-11-05 11:02:33.912304000 Z

It always has this shape, so no library for YAML is needed. The student is called by the e-mail address, else by the
number, else by the name and the submission. What a group handed in is each member's.
"""

import json
import re
from datetime import datetime

from grader.errors import UsageError
from grader.submissions.path_errors import quoted_path

from .handed_in import FOLDER, HandedIn, Listing

METADATA = "submission_metadata.yml"
ENTRY = re.compile(r"([^\s:#-][^:]*):\s*")
SECTION = re.compile(r"  :(\w+):(?: (.*))?")
OF_PERSON = re.compile(r"(  - |    ):(\w+):(?: (.*))?")
TIME = re.compile(r"(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.\d+)? ?(Z|[+-]\d\d:?\d\d)?")


def read(listing: Listing) -> list[HandedIn]:
    """Return whose each folder is; one that is not there is named all the same.

    Raises:
        UsageError: The file that says whose they are says nothing.
    """
    if METADATA not in listing.entries:
        return []
    found: list[HandedIn] = []
    people: list[dict[str, str]] = []
    folder, section, when = "", "", None

    def end() -> None:
        mode = listing.entries.get(folder, FOLDER)
        found.extend(HandedIn(_called(each, folder), folder, mode, when=when) for each in people)

    for line in listing.text(METADATA).split("\n"):
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
        hint = "Download the submissions again, or say --layout folders and grade each folder as a student's."
        raise UsageError("The students in a download from Gradescope were looked for.", told, hint)
    return found


def _called(person: dict[str, str], folder: str) -> str:
    name = f"{person.get('name', '')}_{folder.removeprefix('submission_')}"
    return person.get("email") or person.get("sid") or name


def _scalar(text: str) -> str:
    text = text.strip()
    if text.startswith('"'):
        try:
            return str(json.loads(text))
        except ValueError:
            return text.strip('"')
    return text[1:-1].replace("''", "'") if text.startswith("'") else text


def _time(text: str) -> datetime | None:
    found = TIME.fullmatch(_scalar(text))
    return datetime.fromisoformat(f"{found[1]} {found[2]}{found[3] or ''}") if found else None
