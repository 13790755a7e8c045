"""What names say: which assignment a file is for, whether it may be work, and who may have a folder of the output.

A student's name is data: it is used as it is wherever it is a plain folder name that everybody sees the same way.
"""

import re
from collections.abc import Mapping

import msgspec

from grader.system.folder_listing import is_program
from grader.text import same_name_key, sanitise

LONGEST = 255  # bytes of a name, on every file system in use
NO_WORK = r"(?<!\.py)(?<!\.ipynb)\.(?:txt|md|rst|log|csv|tsv|json|toml|ya?ml|npy|npz|pth?|pyc?|ipynb)$"


class Course(msgspec.Struct, frozen=True):
    """What is known of a course where submissions are found.

    Attributes:
        ids: Of its assignments, such as `01_simple_attention`; what follows the number is the name of the file.
        assignment: The one assignment that is graded; None for all.
        layouts: The course's own layouts of downloads: a regular expression by name.
    """

    ids: frozenset[str]
    assignment: str | None = None
    layouts: Mapping[str, str] = {}

    def named(self, name: str) -> tuple[str | None, bool]:
        """Return the assignment whose id or file name a name begins with, and whether that is all of it."""
        key = same_name_key(name)
        names = {same_name_key(text): id for id in self.ids for text in (id, id.partition("_")[2]) if text}
        begun = max(filter(key.startswith, names), key=len, default="")
        return names.get(begun), bool(begun) and begun == key

    def id_of(self, name: str) -> str | None:
        """Return the assignment that a name is the id or the file name of; for no name the one that is graded."""
        id, whole = self.named(name)
        return (id if whole else None) if name else self.assignment


def may_be_work(name: str) -> bool:
    """Return whether a file may be a student's work by its name: not plain text or data, nor a test."""
    return is_program(name) or bool(name and not re.search(NO_WORK, name, re.IGNORECASE))


def is_work(name: str) -> bool:
    """Return whether a file is a program or a zip file by its name."""
    return is_program(name) or name.lower().endswith(".zip")


def is_folder_name(name: str) -> bool:
    """Return whether a name is that of one folder, which nothing hides and which everybody sees the same way."""
    plain = name.strip() and not name.startswith(".") and not set("/\\\n\t").intersection(name)
    return bool(plain) and sanitise(name) == name and len(name.encode()) <= LONGEST
