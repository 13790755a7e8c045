"""The fixtures that a suite asks for by name."""

from collections.abc import Callable
from functools import partial

import pytest
from torch import nn

from grader.errors import CourseError
from grader.faults import did_you_mean, fault, nearest
from grader.suite.core.context import current_check, reference_now, student_now
from grader.suite.core.draw import Draw
from grader.suite.core.figures import Figure
from grader.suite.core.reference import Reference
from grader.workers.calls.student import ModuleHandle, Student

from .modules.module_checks import twins


@pytest.fixture(scope="session")
def student() -> Student:
    """The student's side: calling its attributes runs the student's code in its own process."""
    return student_now()


@pytest.fixture(scope="session")
def reference() -> Reference:
    """The solution, run in float64 on this side."""
    return reference_now()


@pytest.fixture
def draw() -> Draw:
    """Random inputs of this check for this submission."""
    return Draw(current_check.get().seed)


@pytest.fixture
def twin(student: Student, reference: Reference, draw: Draw) -> Callable[..., tuple[ModuleHandle, nn.Module]]:
    """Build the student's module and the solution's with the same random parameters; see `twins`."""
    check = current_check.get().check
    assert check is not None
    return partial(twins, student, reference, draw, check.spec.exercise)


@pytest.fixture(scope="session")
def golden() -> Callable[[str], Figure]:
    """The notes' figures by id: `golden("N0 In[8]")`."""

    def figure(name: str) -> Figure:
        course = current_check.get().course
        figures = course.figures if course else {}
        if name not in figures:
            near = nearest(name, figures)
            hint = f"Did you mean `{near}`?" if near else "Students have none: write the numbers into a visible check."
            raise CourseError(f"There is no figure {name!r}.", hint)
        entry: Figure = figures[name]
        return entry

    return figure


NAMES = ("student", "reference", "twin", "draw", "golden")


def unknown_fixture(item: pytest.Item, error: pytest.FixtureLookupError) -> CourseError:
    """Return the error for a check that asks for a fixture that there is not."""
    _, line, name = item.location
    near = did_you_mean(str(error.argname), NAMES)
    return fault(item.path, (line or 0) + 1, f"`{name}` asks for {error.argname!r}, which is not a fixture.", near)
