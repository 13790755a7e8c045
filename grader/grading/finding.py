"""Which submissions the options mean, and whether these are a whole class."""

import os
from pathlib import Path

from grader.course.layout import Course
from grader.errors import UsageError
from grader.submissions.find import find_submissions
from grader.submissions.names import Course as KnownCourse
from grader.submissions.submission import FoundSubmissions
from grader.text import name_shown

from .options import GradeOptions


def find_all(course: Course, options: GradeOptions) -> FoundSubmissions:
    """Find the submissions that the options name.

    Raises:
        UsageError: There are none, or a path is not one.
    """
    known = KnownCourse(
        ids=frozenset([*course.assignments, *course.settings.other_assignments]),
        assignment=None if options.assignment is None else course.assignment(options.assignment).id,
        layouts=course.settings.layouts,
    )
    intake = find_submissions(options.paths, known, student=options.student, layout=options.layout)
    if not intake.submissions and not intake.warnings:
        where = ", ".join(name_shown(str(path)) for path in options.paths)
        what = f" for {known.assignment}" if known.assignment else ""
        raise UsageError(f"{where} holds no submission{what}. Name a class, a download, or one student's work.")
    return intake


def classes_of(options: GradeOptions) -> list[Path]:
    """Return the paths that are classes; what one student handed in may hold anything."""
    paths = [Path(os.path.realpath(path)) for path in options.paths]
    return [path for path in paths if options.student is None and (path.is_dir() or path.suffix.lower() == ".zip")]
