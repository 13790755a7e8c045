"""The fixtures that a suite asks for by name."""

from collections.abc import Callable, Mapping

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
    if context is None:
        raise CourseError("A fixture of a suite was used, but nothing is being graded.")
    return context


@pytest.fixture(scope="session")
def student() -> Student:
    """The student's side: calling its attributes runs the student's code in its own process."""
    session = current_check.get().session
    if session is None:
        raise CourseError("The fixture `student` was used, but no submission is being graded.")
    return Student(session)


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
    if current_check.get().check is None:
        raise CourseError("The fixture `draw` was used outside of a check.")
    return Draw(current_check.get().seed)


@pytest.fixture(scope="session")
def golden() -> Callable[[str], Figure]:
    """The notes' figures by id: `golden("N0 In[8]")`."""

    def figure(name: str) -> Figure:
        figures = course().figures
        if name not in figures:
            raise unknown_figure_error(name, figures)
        entry: Figure = figures[name]
        return entry

    return figure


def unknown_figure_error(name: str, figures: Mapping[str, Figure]) -> CourseError:
    """Return the error for a figure that the course does not hold."""
    if course().reference is None:
        hint = "Write the figure's numbers into the check, with `printed` or as a tensor."
        return CourseError(f"A visible check asks for the figure {name!r}, which students do not have.", hint)
    near = nearest(name, figures)
    hint = f"Did you mean `{near}`?" if near else "Its files list each figure with its `id`."
    return CourseError(f"tests/golden has no figure {name!r}.", hint)


NAMES = ("student", "reference", "draw", "golden")
