"""Puts the bundle of an assignment for a platform together."""

from collections.abc import Callable
from dataclasses import dataclass

from grader.course.layout import Course
from grader.errors import UsageError

from . import autolab, github, gitlab, gradescope, prairielearn
from .archive import zip_of
from .content import Content, gather

PLATFORMS: dict[str, Callable[[Content], dict[str, bytes]]] = {
    "gradescope": gradescope.files,
    "prairielearn": prairielearn.files,
    "autolab": autolab.files,
    "github": github.files,
    "gitlab": gitlab.files,
}


@dataclass(frozen=True)
class Bundle:
    """A bundle: how it is to be called, which assignment it grades, the files in it, and the zip file."""

    file_name: str
    assignment: str
    names: list[str]
    data: bytes


def make_bundle(course: Course, platform: str, named: str | None, torch_index: str = "") -> Bundle:
    """Return the bundle of an assignment; the same sources and secret give the same bytes.

    Args:
        named: The assignment; None for the only one.

    Raises:
        CourseError: A file of the course is broken or missing.
        UsageError: No assignment is named and there are several, or the kit is not run from a checkout.
    """
    if named is None and len(course.assignments) > 1:
        names = ", ".join(course.assignments)
        raise UsageError("A bundle grades one assignment.", f"This course has {names}.", "Add --assignment ID.")
    assignment = course.assignment(named if named is not None else next(iter(course.assignments)))
    files = PLATFORMS[platform](gather(course, assignment, platform, torch_index))
    return Bundle(f"{platform}-{assignment.id}.zip", assignment.id, sorted(files), zip_of(files))
