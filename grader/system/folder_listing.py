"""Lists a folder and reads a file without following links or waiting for a pipe."""

import errno
import io
import os
import stat
from pathlib import Path

from grader.language import N_

from .zip_files import READ_FLAGS

SUFFIXES = (".py", ".ipynb")
HIDDEN = ("__pycache__", "__MACOSX", "desktop.ini", "Thumbs.db")


def is_program(name: str) -> bool:
    """Return whether a name is that of a student's program, and not of a test."""
    tests = name.startswith("test_") or name in ("conftest.py", "__init__.py")
    return name.lower().endswith(SUFFIXES) and not tests


def kind_of(mode: int) -> str | None:
    """Return what is there instead of a regular file, or None for a regular file."""
    if stat.S_ISREG(mode):
        return None
    return N_("a symbolic link") if stat.S_ISLNK(mode) else N_("something that is not a file")


def is_hidden(name: str) -> bool:
    """Return whether a name belongs to a tool (`.git`, `.ipynb_checkpoints`, `__MACOSX`); `. Prince` is a person."""
    return (name.startswith(".") and not name.startswith(". ")) or name in HIDDEN


def open_plain(path: Path) -> io.BufferedReader:
    """Open a file for reading, if it is a plain one and no link; a pipe would be waited for for ever.

    Raises:
        OSError: It is not a plain file, or cannot be read.
    """
    if path.is_symlink():
        raise OSError(errno.ELOOP, "it is a symbolic link, which is not followed", str(path))
    descriptor = os.open(path, READ_FLAGS)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "it is not a file", str(path))
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def bytes_of(path: Path, limit: int) -> tuple[bytes, int]:
    """Return a file's bytes and its size.

    Args:
        limit: Where the size is over it, the bytes may be missing.

    Raises:
        OSError: It is not a plain file, or can't be read.
    """
    with open_plain(path) as file:
        size, raw = os.fstat(file.fileno()).st_size, file.read(limit + 1)
    return raw, max(size, len(raw))
