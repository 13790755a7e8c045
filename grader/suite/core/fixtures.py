"""The fixtures that a suite asks for by name.

Each is an ordinary function in MAKERS as well, so that a grading run can hand it to a check without asking pytest:
pytest's own work for a fixture costs as much as a call of the student's code.
"""

from collections.abc import Callable, Mapping
from typing import Any

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
    found = current_check.get().course
    if found is None:
        raise CourseError("A fixture of a suite was used, but nothing is being graded.")
    return found


def make_student() -> Student:
    """The student's side: calling its attributes runs the student's code in its own process."""
    session = current_check.get().session
    if session is None:
        raise CourseError("The fixture `student` was used, but no submission is being graded.")
    return Student(session)


def make_reference() -> Reference:
    """The solution, run in float64 on this side."""
    solution = course().reference
    if solution is None:
        raise CourseError("A visible check asks for the solution, which students do not have.")
    return solution


def make_draw() -> Draw:
    """Random inputs of this check for this submission."""
    if current_check.get().check is None:
        raise CourseError("The fixture `draw` was used outside of a check.")
    return Draw(current_check.get().seed)


def make_golden() -> Callable[[str], Figure]:
    """The notes' figures by id: `golden("N0 In[8]")`."""

    def figure(name: str) -> Figure:
        figures = course().figures
        if name not in figures:
            raise unknown_figure_error(name, figures)
        found: Figure = figures[name]
        return found

    return figure


def unknown_figure_error(name: str, figures: Mapping[str, Figure]) -> CourseError:
    """Return the error for a figure that the course does not hold."""
    if course().reference is None:
        hint = "Write the figure's numbers into the check, with `printed` or as a tensor."
        return CourseError(f"A visible check asks for the figure {name!r}, which students do not have.", hint)
    near = nearest(name, figures)
    hint = f"Did you mean `{near}`?" if near else "Its files list each figure with its `id`."
    return CourseError(f"tests/golden has no figure {name!r}.", hint)


MAKERS: dict[str, Callable[[], Any]] = {
    "student": make_student,
    "reference": make_reference,
    "draw": make_draw,
    "golden": make_golden,
}
student = pytest.fixture(make_student, scope="session", name="student")
reference = pytest.fixture(make_reference, scope="session", name="reference")
draw = pytest.fixture(make_draw, name="draw")
golden = pytest.fixture(make_golden, scope="session", name="golden")
