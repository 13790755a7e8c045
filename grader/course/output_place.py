"""Keeps what a command writes out of the course and the class: a report there would be part of the next run."""

import os
from collections.abc import Sequence
from pathlib import Path

from grader.errors import UsageError
from grader.text import name_shown

COURSE_FOLDERS = ("solutions", "tests", "assignments", "examples", "grader", ".grader", ".git")
COURSE_FILES = ("course.toml", "pyproject.toml", "Makefile")
KIT = Path(__file__).resolve().parent.parent


def is_course(folder: Path) -> bool:
    return (folder / "solutions").is_dir() and (folder / "tests" / "hidden").is_dir()


def refuse_place(output: Path, option: str = "--output", *, folder: bool = True, apart: Sequence[Path] = ()) -> None:
    """Refuse to write into a course's own folders, over its files, or a folder of reports over the whole course.

    Links are followed; the place need not exist.

    Args:
        folder: Whether it is a folder that gets files of many names.
        apart: Classes and submissions, of which none may be in it, nor it in them; it may lie beside a single file.
    """
    real = Path(os.path.realpath(output))  # like resolve(), but a circle of links is not an error
    for path in apart:
        place = Path(os.path.realpath(path))
        if real.is_relative_to(place) or (place if place.is_dir() else place.parent.parent).is_relative_to(real):
            ours, theirs = name_shown(str(output), 200), name_shown(str(path), 200)
            raise UsageError(f"{option} {ours} overlaps with {theirs}. Choose a place beside it.")
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
