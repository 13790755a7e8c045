"""Which check is running, and what it is given: its course, the student's side, what its inputs are drawn from.

The fixtures and the library of checks read it, so that a suite's lines stay as short as what they ask.
"""

from collections.abc import Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

from grader.course.variants.read_variants import Variant
from grader.errors import CourseError
from grader.limits import DEFAULT_LIMITS, Limits
from grader.workers.calls.student import Student
from grader.workers.session import WorkerSession

from .manifest import Check
from .reference import Reference

Mistake = Variant
"""A named wrong variant of an exercise, as a course's mistakes file declares it."""


@dataclass
class AssignmentContext:
    """What one assignment brings to its checks; the same for every submission.

    Attributes:
        module_name: The name that student code runs under.
        exercises: Their ids, in order.
        solution: The course's module, or None where it must not exist (a student's own run).
        pretends: Whether this machine may be told of a GPU that is not there; not in a student's kernel.
        limits: What a check and a reply may use.
        language: Of the notes on how a file was run.
    """

    assignment: str
    module_name: str
    exercises: Sequence[str]
    solution: ModuleType | None
    mistakes: dict[str, list[Mistake]]
    forbids: dict[str, list[str]]
    figures: dict[str, Any]
    secret: bytes
    device: str = "cpu"
    pretends: bool = True
    limits: Limits = DEFAULT_LIMITS
    language: str = "en"


@dataclass
class Findings:
    """What the checks of one submission leave for those after them.

    Attributes:
        seen: What the calls of a contract gave (`Seen`), by exercise.
        fitting: The known mistakes that fit all that failed so far, by exercise.
    """

    seen: dict[str, Any] = field(default_factory=dict)
    fitting: dict[str, list[Mistake]] = field(default_factory=dict)


@dataclass
class CheckState:
    """One try of a check, from its first line to its last.

    Attributes:
        compared: What was held against what, as (answer, expected), where that is kept to be shown; else None.
        explains: Whether the known mistake behind a failure is looked for: not in a first try, since an exercise that
            fails in it is run again, and only that second try is read.
        stages: What pytest made of its call, and of its setup and teardown where it has these.
    """

    check: Check | None = None
    seed: int = 0
    course: AssignmentContext | None = None
    session: WorkerSession | None = None
    findings: Findings = field(default_factory=Findings)
    compared: list[tuple[Any, Any]] | None = None
    explains: bool = True
    stages: list[Any] = field(default_factory=list)

    def mistakes_of(self, exercise: str) -> list[Mistake]:
        """Return the known mistakes that may explain a failure; none where nobody will read the explanation."""
        if self.course is None or not self.explains:
            return []
        return self.course.mistakes.get(exercise, [])


OUTSIDE = CheckState()
current_check: ContextVar[CheckState] = ContextVar("current_check", default=OUTSIDE)
"""The check that is running."""


def student_now() -> Student:
    session = current_check.get().session
    assert session is not None
    return Student(session)


def reference_now() -> Reference:
    """Return the solution of the assignment whose check is running.

    Raises:
        CourseError: There is none, as in a student's own run.
    """
    course, check = current_check.get().course, current_check.get().check
    if course is None or course.solution is None or (check is not None and check.visibility == "visible"):
        raise CourseError("A visible check asks for the solution, which students do not have.")
    return Reference(course.solution)


def device() -> str:
    course = current_check.get().course
    return course.device if course else "cpu"
