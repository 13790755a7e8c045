"""Which submissions the options mean, and what students were given, which decides what of a folder counts."""

import hashlib

from grader.course.layout import Assignment, Course
from grader.errors import UsageError
from grader.source_cells import StubTexts
from grader.submissions.finding.find import find_submissions
from grader.submissions.submission import FoundSubmissions

from .options import GradeOptions


def find_all(course: Course, options: GradeOptions) -> FoundSubmissions:
    """Find the submissions that the options name.

    Raises:
        UsageError: There are none, or a path is not one.
    """
    found = find_submissions(
        options.paths,
        assignments={each.id: each.name for each in course.assignments.values()},
        assignment=None if options.assignment is None else course.assignment(options.assignment).id,
        student=options.student,
        given={each.id: _given_out(each) for each in course.assignments.values()},
    )
    if not found.submissions and not found.warnings:
        raise UsageError("Submissions were looked for, but there are none.", hint="Name a class, a folder or a file.")
    return found if options.shard is None else part_of(found, *options.shard)


def _given_out(assignment: Assignment) -> list[str]:
    """Return the names of the files that students were given; none where the build was never run."""
    return [each.name for each in assignment.released.iterdir()] if assignment.released.is_dir() else []


def part_of(found: FoundSubmissions, number: int, parts: int) -> FoundSubmissions:
    """Return one part of a class; a student is in the same part on every machine, whoever else is in the class."""

    def mine(student: str) -> bool:
        return _is_in_part(student, number, parts)

    return FoundSubmissions(
        [each for each in found.submissions if mine(each.student)],
        [student for student in found.students if mine(student)],
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


def stub_texts(assignment: Assignment) -> StubTexts:
    """Return the texts of the files that students were given; empty where the build was never run."""

    def text(suffix: str) -> str:
        path = assignment.released / f"{assignment.name}{suffix}"
        return path.read_text(encoding="utf-8") if path.is_file() else ""

    return StubTexts(text(".py"), text(".ipynb"), tuple(exercise.id for exercise in assignment.exercises))
