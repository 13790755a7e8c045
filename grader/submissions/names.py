"""Decides which names may become a folder of the output.

A student's name is data: it is used as it is wherever it is a plain folder name that everybody sees the same way. What
would hide, or fall together with another student's name is refused with a sentence.
"""

import unicodedata
from collections import defaultdict
from collections.abc import Iterable

from grader.text import name_shown, same_name_key, sanitise

LONGEST = 255  # bytes of a name, on every file system in use


def name_fault(name: str) -> str | None:
    """Return why a name can't be a student's, as the rest of a sentence, or None when it can."""
    try:
        size = len(name.encode("utf-8"))
    except UnicodeEncodeError:
        return "is not written in UTF-8"
    faults = {
        "is empty": not name.strip(),
        "is not the name of one folder": name in (".", "..") or "/" in name or "\\" in name,
        "has control characters or invisible characters": "\n" in name or "\t" in name or sanitise(name) != name,
        "begins with a dot, which hides it": name.startswith("."),
        f"is longer than {LONGEST} bytes": size > LONGEST,
    }
    return next((fault for fault, applies in faults.items() if applies), None)


def name_refusal(name: str, fault: str) -> str:
    """Return the sentence about a student who is left out because of their name."""
    return f"The student's name {name_shown(name)} {fault}, so this student was not graded. Rename the folder."


def collisions(names: Iterable[str]) -> list[tuple[str, ...]]:
    """Return the groups of names that some file systems take for one name (macOS and Windows fold case)."""
    groups: defaultdict[str, set[str]] = defaultdict(set)
    for name in names:
        groups[same_name_key(name)].add(name)
    return sorted(tuple(sorted(group)) for group in groups.values() if len(group) > 1)


def collision_refusal(group: tuple[str, ...]) -> str:
    """Return the sentence about students whose names fall together."""
    shown = [name_shown(name) for name in group]
    if len({unicodedata.normalize("NFC", name) for name in group}) < len(group):  # then they look the same
        shown = [f"{name} ({ascii(name)[1:-1]})" for name in shown]
    names = " and ".join(shown)
    return (
        f"The students' names {names} differ only by case or by how an accent is encoded, so their reports could fall "
        "together, and nothing of theirs was graded now. Rename the folders: one person has one name in all runs."
    )
