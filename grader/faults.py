"""Sentences about a broken course, each with the file and the line to look at."""

import difflib
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from .errors import CourseError

TOP_FOLDERS = ("solutions", "tests", "assignments")
MISSPELT = "Write it, or look for a misspelt name."


def course_path(path: Path) -> str:
    """Return a path as an author knows it: from the course's own folders on, or whole when it is elsewhere."""
    parts = path.parts
    for index in range(len(parts) - 2, -1, -1):
        if parts[index] in TOP_FOLDERS:
            return "/".join(parts[index:])
    return path.name if path.name == "course.toml" else str(path)


def fault(path: Path, line: int | None, problem: str, hint: str = "") -> CourseError:
    """Return the error for a broken file or folder of the course; no line where the fault is not in one."""
    where = course_path(path) if line is None else f"{course_path(path)}, line {line}"
    return CourseError(f"{where}: {problem}", hint)


def ended(words: str) -> str:
    """Return words with the full stop that they may lack."""
    return words if words.endswith((".", "?")) else f"{words.rstrip(': ')}."


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word that is closest to another one; None when none is close."""
    return next(iter(difflib.get_close_matches(word, sorted(known), n=1)), None)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return a sentence that names the known words, the closest first, or an empty text when nothing is known."""
    names = sorted(known)
    close = nearest(word, names)
    if close is not None:
        return f"Did you mean `{close}`?"
    return f"Known are: {', '.join(f'`{name}`' for name in names)}." if names else ""


def read_text(path: Path) -> str:
    """Return the text of a course file, with line ends as `\\n`.

    Raises:
        CourseError: The file is missing, cannot be read or is not UTF-8.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise CourseError(f"There is no {course_path(path)}.", MISSPELT) from None
    except OSError as problem:
        raise CourseError(f"{course_path(path)} cannot be read: {problem.strerror}.") from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = data.count(b"\n", 0, problem.start) + 1
        raise fault(path, line, "the file is not UTF-8 text.", "Save it as UTF-8.") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def parse_toml(text: str, path: Path) -> dict[str, Any]:
    """Return what a course file in TOML says.

    Raises:
        CourseError: It is not TOML, or larger than anything that is meant.
    """
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        reason = str(problem)
    except ValueError:  # Python turns no text of more than 4,300 digits into a number
        reason = "a number in it has thousands of digits"
    except RecursionError:
        reason = "its brackets are nested too deeply"
    raise CourseError(f"{course_path(path)} is not TOML: {reason}.")
