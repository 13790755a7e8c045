"""Decides whether a whole class was graded, since only such a run can say that somebody left it."""

import hashlib
import os
from collections.abc import Collection, Sequence
from pathlib import Path

from .options import GradeOptions


def class_of(options: GradeOptions, students: Collection[str], assignments: Collection[str]) -> str:
    """Return a hash of where the class is that the options name; empty where they name parts of one.

    Args:
        options: What is asked for.
        students: Everybody who was found there.
        assignments: The ids of the course's assignments.
    """
    paths = [Path(os.path.realpath(path)) for path in options.paths]
    if options.student is not None:
        return ""
    folders = sorted({_folder_of(path, paths, students, assignments) for path in paths})
    if "" in folders:
        return ""
    return hashlib.sha256("\0".join(folders).encode("utf-8", "surrogateescape")).hexdigest()[:16]


def _folder_of(path: Path, paths: Sequence[Path], students: Collection[str], assignments: Collection[str]) -> str:
    """Return the class that a path is, or that it makes together with all others beside it, as `class/*` does."""
    beside = [each.name for each in paths if each.parent == path.parent]
    if len(beside) > 1 and _folders_in(path.parent) <= {*beside}:
        return str(path.parent)
    of_student = path.parent.name if path.name in assignments else path.name
    return str(path) if path.is_dir() and of_student not in students else ""


def _folders_in(folder: Path) -> set[str]:
    try:
        return {entry.name for entry in os.scandir(folder) if entry.is_dir() and not entry.name.startswith(".")}
    except OSError:
        return set()
