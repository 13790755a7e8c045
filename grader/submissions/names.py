"""Decides which names may become a folder of the output.

A student's name is data: it is used as it is wherever it is a plain folder name that everybody sees the same way. What
would hide, or fall together with another student's name is refused with a sentence.
"""

from collections import defaultdict
from collections.abc import Iterable

from grader.text import listed, name_shown, same_name_key, sanitise

LONGEST = 255  # bytes of a name, on every file system in use


def is_folder_name(name: str) -> bool:
    """Return whether a name is that of one folder, which nothing hides and which everybody sees the same way."""
    plain = name.strip() and not name.startswith(".") and not set("/\\\n\t").intersection(name)
    return bool(plain) and sanitise(name) == name and len(name.encode()) <= LONGEST


def left_out(names: Iterable[str], earlier: Iterable[str]) -> dict[str, str]:
    """Return the students who are left out because of their names, each with the sentence that says why.

    Args:
        earlier: The students of earlier runs, whose names nobody else's may fall together with.
    """
    students = {*names}
    reasons = {
        name: f"The student's name {name_shown(name)} cannot be a folder's, so this student was not graded. Rename it."
        for name in students
        if not is_folder_name(name)
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
