"""Puts the bundle of an assignment for a platform together."""

from collections.abc import Callable
from dataclasses import dataclass

from grader.course.layout import Assignment, Course
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
    """A bundle.

    Attributes:
        file_name: How it is to be called.
        assignment: Which assignment it grades.
        names: The files in it, in order.
        data: The zip file.
    """

    file_name: str
    assignment: str
    names: list[str]
    data: bytes


def make_bundle(course: Course, platform: str, named: str | None, torch_index: str = "") -> Bundle:
    """Return the bundle of an assignment; the same sources and secret give the same bytes.

    Args:
        course: The course.
        platform: One of `PLATFORMS`.
        named: The assignment; None for the only one.
        torch_index: Where containers get torch from; empty for pip's own index.

    Raises:
        CourseError: A file of the course is broken or missing.
        UsageError: No assignment is named and there are several, or the kit is not run from a checkout.
    """
    assignment = _assignment(course, named)
    files = PLATFORMS[platform](gather(course, assignment, platform, torch_index))
    return Bundle(f"{platform}-{assignment.id}.zip", assignment.id, sorted(files), zip_of(files))


def _assignment(course: Course, named: str | None) -> Assignment:
    if named is not None:
        return course.assignment(named)
    if len(course.assignments) > 1:
        names = ", ".join(course.assignments)
        raise UsageError("A bundle grades one assignment.", f"This course has {names}.", "Add --assignment ID.")
    return next(iter(course.assignments.values()))
