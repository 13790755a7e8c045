"""Which submissions the options mean, whether these are a whole class, and what students were given."""

import hashlib
import os

from grader.course.layout import Course
from grader.errors import UsageError
from grader.submissions.find import Course as KnownCourse
from grader.submissions.find import find_submissions
from grader.submissions.submission import FoundSubmissions
from grader.text import name_shown

from .options import GradeOptions


def find_all(course: Course, options: GradeOptions) -> FoundSubmissions:
    """Find the submissions that the options name.

    Raises:
        UsageError: There are none, or a path is not one.
    """
    known = KnownCourse(
        stems={each.id: each.name for each in course.assignments.values()},
        assignment=None if options.assignment is None else course.assignment(options.assignment).id,
        given=frozenset(
            file.name
            for each in course.assignments.values()
            if each.released.is_dir()  # the build may never have been run
            for file in each.released.iterdir()
        ),
        layouts=course.settings.layouts,
    )
    found = find_submissions(options.paths, known, student=options.student, layout=options.layout)
    if not found.submissions and not found.warnings:
        where = ", ".join(name_shown(str(path)) for path in options.paths)
        raise UsageError(f"{where} holds no submission. Name a class, a download, or one student's work.")
    return found if options.shard is None else part_of(found, *options.shard)


def part_of(found: FoundSubmissions, number: int, parts: int) -> FoundSubmissions:
    """Return one part of a class; a student is in the same part on every machine, whoever else is in the class."""
    return FoundSubmissions(
        [each for each in found.submissions if _is_in_part(each.student, number, parts)],
        [student for student in found.students if _is_in_part(student, number, parts)],
        found.warnings if number == 1 else [],
        found.notes if number == 1 else [],
    )


def _is_in_part(student: str, number: int, parts: int) -> bool:
    digest = hashlib.sha256(student.encode("utf-8", "surrogateescape")).digest()
    return int.from_bytes(digest[:8], "big") % parts == number - 1


def is_asked_for(options: GradeOptions, student: str, assignment: str) -> bool:
    """Return whether the options ask for a student's submission of an assignment, if the class has it."""
    named = options.assignment is None or options.assignment in (assignment, assignment.partition("_")[2])
    return named and (options.shard is None or _is_in_part(student, *options.shard))


def class_of(options: GradeOptions) -> str:
    """Return a hash of where the class is that the options name; empty where they name one student's work.

    Only a run over a whole class can say that somebody left it.
    """
    if options.student is not None:
        return ""
    places = sorted(os.path.realpath(path) for path in options.paths)
    return hashlib.sha256("\0".join(places).encode("utf-8", "surrogateescape")).hexdigest()[:16]
