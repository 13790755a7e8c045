"""The checks of an assignment as pytest collected them, ready for one submission after the other."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from grader.suite.core.context import AssignmentContext
from grader.suite.core.manifest import Check, Manifest

from .plugin import GradingPlugin
from .submission_run import Run
from .suite_errors import unknown_need_error


@dataclass
class Suite:
    """The checks of an assignment.

    Attributes:
        items: pytest's items in the order in which they run: the visible checks, then the hidden ones. What the
            student's code prints in a visible check is shown to the student, so no input of a hidden check may have
            reached its process before.
        first_loss: Whether the checks of an exercise end at the first one that costs points.
        checks: The checks by the id of their item.
        needed: The checks that have to pass before a check, by its id.

    Raises:
        CourseError: A check needs one that is not there or comes later.
    """

    course: AssignmentContext
    exercises: Sequence[str]
    pytest_session: pytest.Session
    plugin: GradingPlugin
    manifest: Manifest
    items: list[pytest.Item]
    first_loss: bool = False
    checks: dict[str, Check] = field(init=False)
    needed: dict[str, list[Check]] = field(init=False)

    def __post_init__(self) -> None:
        self.checks = {check.node: check for check in self.manifest.checks}
        self.needed = {}
        before: dict[str, list[Check]] = {}  # one for each parameter
        for check in (self.checks[item.nodeid] for item in self.items):
            for need, stem in zip(check.spec.needs, check.needed, strict=True):
                if stem not in before or stem == check.stem:
                    raise unknown_need_error(check, need, before)
            self.needed[check.id] = [other for stem in check.needed for other in before[stem]]
            before.setdefault(check.stem, []).append(check)

    def warm(self) -> None:
        """Work out what pytest and the figures would otherwise work out anew for every submission."""
        for item in self.items:
            _ = item.location
        for figure in self.course.figures.values():
            if figure.kind != "unseeded":
                _ = (figure.value, figure.float32, figure.half_unit)

    def grade(self, run: Run, exercise: str | None = None) -> None:
        """Take a submission through the checks, or those of one exercise; `run.verdicts` has what came of them.

        A check that has a verdict is not run.

        Raises:
            GraderError: The suite or the machine is at fault.
        """
        checks = ((item, self.checks[item.nodeid]) for item in self.items)
        items = [item for item, check in checks if exercise in (None, check.spec.exercise)
                 and check.id not in run.verdicts]  # fmt: skip
        self.plugin.grades(run, self.checks, self.needed)
        for item, following in zip(items, [*items[1:], None], strict=False):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
