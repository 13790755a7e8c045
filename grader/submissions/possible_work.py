"""Decides by its name what may be a student's work, and what is only beside it.

May be work: a program, an archive, a document, a program under a further suffix, whatever else begins with the
assignment's name, a link (nobody knows to what), and a folder with any of these in it. Not work: what begins with a dot
or belongs to a tool, tests, data and pictures, plain text such as a README, and what the course gave out.
"""

import re
from collections.abc import Collection, Mapping
from pathlib import Path

from grader.system.folder_listing import SUFFIXES, entries_of, is_program, kind_of

PACKED = (
    ".zip", ".tar", ".gz", ".tgz", ".bz2", ".tbz2", ".xz", ".txz", ".zst", ".7z", ".rar", ".alz", ".egg",
)  # fmt: skip
DOCUMENTS = (".doc", ".docx", ".odt", ".rtf", ".pdf", ".htm", ".html", ".hwp", ".hwpx", ".pages")
DATA = (".csv", ".tsv", ".json", ".npy", ".npz", ".pt", ".pth", ".png", ".jpg", ".jpeg", ".gif", ".svg")
WRAPPED = re.compile(r".+\.(?:pyc?|ipynb)(?:\W.*|_)?", re.IGNORECASE)  # `name.py.txt`, `name.py~`, `name.py (1)`
DEEPEST = 6
MOST_ENTRIES = 2000


def programs(entries: Mapping[str, int]) -> dict[str, int]:
    """Return the entries that may be a student's program, by their names."""
    return {name: mode for name, mode in entries.items() if is_program(name)}


def is_zip(name: str) -> bool:
    """Return whether a name is that of a zip file, the one kind of archive that is looked into."""
    return name.lower().endswith(".zip")


def is_wrapped(name: str) -> bool:
    """Return whether a file's name is that of an archive, or of a program with another suffix behind its own."""
    if name.lower().endswith(SUFFIXES):
        return False
    return name.lower().endswith(PACKED) or WRAPPED.fullmatch(name) is not None


def may_be_work(folder: Path, name: str, mode: int, known: Collection[str] = ()) -> bool:
    """Return whether an entry of a folder may be a student's work.

    Args:
        known: Names of assignments and their files; what begins with one is work unless it is data or a picture.
    """
    kind = kind_of(mode)
    if kind == "a folder":
        return _holds_work(folder / name, DEEPEST, [MOST_ENTRIES])
    if kind is not None or is_program(name) or is_wrapped(name) or name.lower().endswith(DOCUMENTS):
        return True
    named = any(name.lower().startswith(each.lower()) for each in known)
    return named and not name.lower().endswith(DATA)


def _holds_work(folder: Path, depth: int, left: list[int]) -> bool:
    """Return whether a folder holds work at any depth; one that is too deep, too large or closed to us may."""
    try:
        entries = entries_of(folder)
    except OSError:
        return True
    left[0] -= len(entries)
    if left[0] < 0 or (depth == 0 and entries):
        return True
    folders = [name for name, mode in entries.items() if kind_of(mode) == "a folder"]
    if any(may_be_work(folder, name, mode) for name, mode in entries.items() if name not in folders):
        return True
    return any(_holds_work(folder / name, depth - 1, left) for name in folders)
