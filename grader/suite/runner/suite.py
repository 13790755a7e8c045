"""The checks of an assignment as pytest collected them, ready for one submission after the other."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pytest

from grader.errors import CourseError
from grader.suite.core.context import AssignmentContext
from grader.suite.core.contract import Contract
from grader.suite.core.manifest import Check, in_order


@dataclass
class Suite:
    """The checks of an assignment.

    Attributes:
        checks: All of them in the order of a report.
        contracts: Those of the exercises that have one.
        first_loss: Whether the checks of an exercise end at the first one that costs points.
        order: Those that are run, in the order in which they are: the visible ones, then the hidden ones. What the
            student's code prints in a visible check is shown to the student, so no input of a hidden check may have
            reached its process before.
        needed: The checks that have to pass before a check, by its id.

    Raises:
        CourseError: A check needs one that is not there or comes later.
    """

    course: AssignmentContext
    exercises: Sequence[str]
    pytest_session: pytest.Session
    checks: list[Check]
    contracts: Mapping[str, Contract]
    first_loss: bool = False
    order: list[Check] = field(init=False)
    needed: dict[str, list[Check]] = field(init=False)

    def __post_init__(self) -> None:
        self.order, self.needed = in_order(self.checks), {}
        before: dict[str, list[Check]] = {}  # one for each parameter
        for check in self.order:
            for need, stem in zip(check.spec.needs, check.needed, strict=True):
                if stem not in before or stem == check.stem:
                    problem = f"tests/{check.node} needs {need!r}, but no such check of its exercise runs before it."
                    raise CourseError(problem, "Name a function above it in the same file.")
            self.needed[check.id] = [other for stem in check.needed for other in before[stem]]
            before.setdefault(check.stem, []).append(check)

    def warm(self) -> None:
        """Work out what pytest and the figures would otherwise work out anew for every submission."""
        for check in self.checks:
            _ = check.item.location
        for figure in self.course.figures.values():
            if figure.kind != "unseeded":
                _ = (figure.value, figure.half_unit)
