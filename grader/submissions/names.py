"""Decides which names may become a folder of the output.

A student's name is data: it is used as it is wherever it is a plain folder name that everybody sees the same way. What
would hide, or fall together with another student's name is refused with a sentence.
"""

from collections import defaultdict
from collections.abc import Iterable

from grader.text import listed, name_shown, same_name_key, sanitise

LONGEST = 255  # bytes of a name, on every file system in use


def name_fault(name: str) -> str | None:
    """Return why a name can't be a student's, as the rest of a sentence, or None when it can."""
    if not name.strip():
        return "is empty"
    if name in (".", "..") or "/" in name or "\\" in name:
        return "is not the name of one folder"
    if "\n" in name or "\t" in name or sanitise(name) != name:  # as are bytes that are no UTF-8
        return "has control characters or invisible characters"
    if name.startswith("."):
        return "begins with a dot, which hides it"
    return f"is longer than {LONGEST} bytes" if len(name.encode()) > LONGEST else None


def left_out(names: Iterable[str], earlier: Iterable[str]) -> dict[str, str]:
    """Return the students who are left out because of their names, each with the sentence that says why.

    Args:
        earlier: The students of earlier runs, whose names nobody else's may fall together with.
    """
    students = {*names}
    reasons = {
        name: f"The student's name {name_shown(name)} {fault}, so this student was not graded. Rename the folder."
        for name in students
        if (fault := name_fault(name))
    }
    alike: defaultdict[str, set[str]] = defaultdict(set)
    for name in students.union(earlier) - {*reasons}:
        alike[same_name_key(name)].add(name)
    for group in alike.values():
        for name in group & students if len(group) > 1 else ():
            reasons[name] = (
                f"The students' names {listed([*map(name_shown, sorted(group))])} differ only by case, so their "
                "reports could fall together, and nothing of theirs was graded now. Rename the folders: one person "
                "has one name in all runs."
            )
    return reasons
