"""The fixtures that a suite asks for by name."""

from collections.abc import Callable

import pytest

from grader.errors import CourseError
from grader.faults import nearest
from grader.workers.calls.student import Student

from .context import AssignmentContext, current_check
from .draw import Draw
from .figures import Figure
from .reference import Reference


def course() -> AssignmentContext:
    """Return what the assignment that is being graded brings to its checks."""
    context = current_check.get().course
    assert context is not None
    return context


@pytest.fixture(scope="session")
def student() -> Student:
    """The student's side: calling its attributes runs the student's code in its own process."""
    session = current_check.get().session
    assert session is not None
    return Student(session)


@pytest.fixture(scope="session")
def reference() -> Reference:
    """The solution, run in float64 on this side."""
    solution = course().solution
    if solution is None:
        raise CourseError("A visible check asks for the solution, which students do not have.")
    return Reference(solution)


@pytest.fixture
def draw() -> Draw:
    """Random inputs of this check for this submission."""
    return Draw(current_check.get().seed)


@pytest.fixture(scope="session")
def golden() -> Callable[[str], Figure]:
    """The notes' figures by id: `golden("N0 In[8]")`."""

    def figure(name: str) -> Figure:
        figures = course().figures
        if name not in figures:
            near = nearest(name, figures)
            hint = f"Did you mean `{near}`?" if near else "Students have none: write the numbers into a visible check."
            raise CourseError(f"There is no figure {name!r}.", hint)
        entry: Figure = figures[name]
        return entry

    return figure


NAMES = ("student", "reference", "draw", "golden")
