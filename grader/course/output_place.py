"""Keeps what a command writes out of the course that it is made from: a report there would be part of the next run."""

import os
from pathlib import Path

from grader.errors import UsageError
from grader.text import name_shown

COURSE_FOLDERS = ("solutions", "tests", "assignments", "examples", "grader", ".grader", ".git")
COURSE_FILES = ("course.toml", "pyproject.toml", "Makefile")
KIT = Path(__file__).resolve().parent.parent


def is_course(folder: Path) -> bool:
    """Tell whether a folder is a course."""
    return (folder / "solutions").is_dir() and (folder / "tests" / "hidden").is_dir()


def refuse_in_course(output: Path, option: str = "--output", *, folder: bool = True) -> None:
    """Refuse to write into a course's own folders, over its files, or a folder of reports over the whole course.

    Links are followed; the place need not exist.

    Args:
        folder: Whether it is a folder that gets files of many names.
    """
    real = Path(os.path.realpath(output))
    for root in (real, *real.parents):
        if not is_course(root):
            continue
        parts = real.relative_to(root).parts
        is_reserved = parts[0] in (*COURSE_FOLDERS, *COURSE_FILES) if parts else folder
        if is_reserved:
            raise _refused(output, option, root / parts[0] if parts else root)
    if real.is_relative_to(KIT):
        raise _refused(output, option, KIT)


def _refused(output: Path, option: str, place: Path) -> UsageError:
    problem = f"{name_shown(str(output), 200)} is in {name_shown(str(place), 200)}, which belongs to the course."
    if os.path.realpath(output) == str(place):
        problem = f"{name_shown(str(output), 200)} belongs to the course."
    return UsageError(problem, f"Choose a place outside it with {option}.")
