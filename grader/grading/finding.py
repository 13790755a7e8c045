"""Which submissions an order means, and what students were given, which decides what of a folder counts."""

import hashlib

from grader.course.layout import Assignment, Course
from grader.errors import UsageError
from grader.grading.order import Order
from grader.submissions.find import find_submissions
from grader.submissions.source import StubTexts
from grader.submissions.submission import Found


def find_all(course: Course, order: Order) -> Found:
    """Find the submissions that an order names.

    Raises:
        UsageError: There are none, or a path is none.
    """
    found = find_submissions(
        order.paths,
        assignments={each.id: each.name for each in course.assignments.values()},
        assignment=None if order.assignment is None else course.assignment(order.assignment).id,
        student=order.student,
        given={each.id: _given_out(each) for each in course.assignments.values()},
    )
    if not found.submissions and not found.warnings:
        raise UsageError("Submissions were looked for, but there are none.", hint="Name a class, a folder or a file.")
    return found if order.shard is None else part_of(found, *order.shard)


def _given_out(assignment: Assignment) -> list[str]:
    """Return the names of the files that students were given; none where the build was never run."""
    return [each.name for each in assignment.released.iterdir()] if assignment.released.is_dir() else []


def part_of(found: Found, number: int, parts: int) -> Found:
    """Return one part of a class; a student is in the same part on every machine, whoever else is in the class."""

    def mine(student: str) -> bool:
        return _is_in_part(student, number, parts)

    return Found(
        [each for each in found.submissions if mine(each.student)],
        [student for student in found.students if mine(student)],
        found.warnings if number == 1 else [],
        found.notes if number == 1 else [],
    )


def _is_in_part(student: str, number: int, parts: int) -> bool:
    digest = hashlib.sha256(student.encode("utf-8", "surrogateescape")).digest()
    return int.from_bytes(digest[:8], "big") % parts == number - 1


def is_asked_for(order: Order, student: str, assignment: str) -> bool:
    """Tell whether an order asks for a student's submission of an assignment, if the class has it."""
    named = order.assignment is None or order.assignment in (assignment, assignment.partition("_")[2])
    return named and (order.shard is None or _is_in_part(student, *order.shard))


def stub_texts(assignment: Assignment) -> StubTexts:
    """Return the texts of the files that students were given; empty where the build was never run."""

    def text(suffix: str) -> str:
        path = assignment.released / f"{assignment.name}{suffix}"
        return path.read_text(encoding="utf-8") if path.is_file() else ""

    return StubTexts(text(".py"), text(".ipynb"), tuple(exercise.id for exercise in assignment.exercises))
