"""Gathers what grading one assignment needs: a course of that assignment alone, the kit's wheel and the lock.

Files are named one by one and never collected from the course's folder, so that no other assignment, report or
submission can get in. The secret is the bundle's own, made from the course's: whoever reads a bundle learns nothing
about the inputs of other assignments, and the course's owner can make it again for an appeal.
"""

import hmac
import json
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from grader.course.content.settings import SECRET_FILE, SETTINGS_FILE
from grader.course.layout import Assignment, Course
from grader.errors import CourseError, UsageError
from grader.limits import DEFAULT_LIMITS
from grader.release.wheel import build_wheel, torch_that_grades

from .lock import runtime_lock


@dataclass(frozen=True)
class Content:
    """What every platform's bundle of an assignment holds.

    Attributes:
        course: The files of the small course, by their paths in it.
        kit: The kit's wheel and lock by name.
        torch: The version of torch that grades.
        extras: The command that installs further packages, with its line end; empty for none.
    """

    course: dict[str, bytes]
    kit: dict[str, bytes]
    torch: str
    extras: str


def gather(course: Course, assignment: Assignment, platform: str) -> Content:
    """Return what grading an assignment needs; each platform has a secret of its own.

    Raises:
        CourseError: A file of the course is missing.
        UsageError: The kit is not run from a checkout, or its wheel cannot be built.
    """
    wheel, package = build_wheel()
    files = dict(_course_files(course, assignment))
    files[SECRET_FILE.as_posix()] = bundle_secret(course, assignment, platform).encode()
    files["assignment"] = f"{assignment.id}\n".encode()
    kit = {wheel: package, "requirements.lock": runtime_lock().encode()}
    return Content(files, kit, torch_that_grades(), _extras(course))


def bundle_secret(course: Course, assignment: Assignment, platform: str) -> str:
    """Return the secret that a bundle draws its hidden inputs from, as text."""
    return hmac.digest(course.secret(), f"bundle\0{platform}\0{assignment.id}".encode(), "sha256").hex()


def _course_files(course: Course, assignment: Assignment) -> Iterator[tuple[str, bytes]]:
    """Yield the files of the small course, by their paths in it."""
    tests = course.root / "tests"
    wanted = [assignment.source, assignment.visible]
    stubs = [assignment.released / f"{assignment.name}{suffix}" for suffix in (".py", ".ipynb")]
    wanted += [path for path in (assignment.fingerprints, *stubs) if path.is_file()]
    wanted += [*_below(assignment.mistakes), *_below(assignment.hidden)]
    wanted += sorted(assignment.golden.glob("*.json"))
    beside = [path for folder in (tests, tests / "hidden", tests / "visible") for path in folder.glob("*.py")]
    wanted += [path for path in beside if not path.name.startswith("test_")]
    for path in wanted:
        try:
            yield path.relative_to(course.root).as_posix(), path.read_bytes()
        except OSError as problem:
            found = f"It cannot be read: {problem.strerror}."
            raise CourseError(f"{path} could not be put into the bundle.", found) from None
    yield SETTINGS_FILE, _settings(course).encode()


def _below(folder: Path) -> list[Path]:
    """Return the files of a folder, without what tools and editors leave."""
    found = []
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder).parts
        if path.is_file() and not any(part.startswith(".") or part == "__pycache__" for part in inside):
            found.append(path)
    return found


def _settings(course: Course) -> str:
    """Return the settings of the small course; the device is left out, since grades from the CPU are the reference."""
    lines = [f"language = {json.dumps(course.settings.language)}"]
    if course.settings.extra_packages:
        lines.append(f"extra_packages = {json.dumps(list(course.settings.extra_packages))}")
    changed = {name: value for name, value in course.settings.limits.items() if value != getattr(DEFAULT_LIMITS, name)}
    if changed:
        lines += ["", "[limits]", *(f"{name} = {value!r}" for name, value in sorted(changed.items()))]
    return "\n".join(lines) + "\n"


def _extras(course: Course) -> str:
    """Return the command for the further packages that student code may import, in the versions of this machine."""
    extras = []
    for package in course.settings.extra_packages:
        try:
            extras.append(f"{package}=={version(package)}")
        except PackageNotFoundError:
            raise UsageError(
                f"The version of {package}, which {SETTINGS_FILE} lets students import, was looked for.",
                "It is not installed here.",
                f"Install it beside the grader: `pip install {package}`.",
            ) from None
    return f"install {shlex.join(extras)}\n" if extras else ""
