"""The fixtures that a suite asks for by name.

They hold for a whole pytest session where they can: a process grades one submission, and pytest's own work for a
fixture of a single test costs as much as a call of the student's code.
"""

from collections.abc import Callable

import pytest

from grader.errors import CourseError
from grader.suite.context import CourseSide, active
from grader.suite.draw import Draw, check_seed
from grader.suite.golden import Figure
from grader.suite.reference import Reference
from grader.workers.student import Student


def course() -> CourseSide:
    """Return what the assignment that is being graded brings to its checks."""
    if active.course is None:
        raise CourseError("A fixture of a suite was used, but nothing is being graded.")
    return active.course


@pytest.fixture(scope="session")
def student() -> Student:
    """The student's side: calling its attributes runs the student's code in its own process."""
    if active.session is None:
        raise CourseError("The fixture `student` was used, but no submission is being graded.")
    return Student(active.session)


@pytest.fixture(scope="session")
def reference() -> Reference:
    """The solution, run in float64 on this side."""
    solution = course().reference
    if solution is None:
        raise CourseError("A visible check asks for the solution, which students do not have.")
    return solution


@pytest.fixture
def draw() -> Draw:
    """Random inputs of this check for this submission."""
    if active.check is None:
        raise CourseError("The fixture `draw` was used outside of a check.")
    side = course()
    return Draw(check_seed(side.secret, side.assignment, active.submission, active.check.id))


@pytest.fixture(scope="session")
def golden() -> Callable[[str], Figure]:
    """The notes' figures by id: `golden("N0 In[8]")`."""

    def figure(name: str) -> Figure:
        figures = course().figures
        if name not in figures:
            raise CourseError(f"A suite asks for the figure {name!r}, which tests/golden/ does not hold.")
        found: Figure = figures[name]
        return found

    return figure
