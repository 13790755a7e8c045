"""Lists a folder without following links or opening anything: a folder entry's kind says enough."""

import os
import stat
from pathlib import Path

SUFFIXES = (".py", ".ipynb")
HIDDEN = ("__pycache__", "__MACOSX", "desktop.ini", "Thumbs.db")

KINDS = (
    (stat.S_ISLNK, "a symbolic link"),
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def kind_of(mode: int) -> str | None:
    """Return what is there instead of a regular file, or None for a regular file."""
    if stat.S_ISREG(mode):
        return None
    return next((kind for test, kind in KINDS if test(mode)), "something that is not a file")


def is_hidden(name: str) -> bool:
    """Return whether a name belongs to a tool rather than to a student (`.git`, `.ipynb_checkpoints`, `__MACOSX`)."""
    return name.startswith(".") or name in HIDDEN


def entries_of(folder: Path, hidden: bool = False) -> dict[str, int]:
    """Return the file mode of every entry of a folder, by name, in the order of names; no link is followed.

    Entries that belong to a tool or begin with a dot are only there if `hidden` ones are wanted too.
    """
    found = {}
    with os.scandir(folder) as entries:
        for entry in entries:
            if not hidden and is_hidden(entry.name):
                continue
            try:
                found[entry.name] = entry.stat(follow_symlinks=False).st_mode
            except FileNotFoundError:  # gone between the listing and the look at it
                continue
    return dict(sorted(found.items()))
