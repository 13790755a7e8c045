"""Points for outcomes, for the sides whose tool says of each check what became of it and leaves adding up to others."""

from collections.abc import Mapping
from functools import cached_property

from benchmarks.classes import Answers
from benchmarks.inprocess.direct import DirectSuite
from benchmarks.inprocess.material import points_of
from grader.suite.core.manifest import Check


class Scorer:
    """Adds up an assignment's points by the kit's rule.

    Args:
        answers: Of which assignment.
    """

    def __init__(self, answers: Answers) -> None:
        self._assignment = answers.assignment

    @cached_property
    def checks(self) -> dict[str, list[Check]]:
        """The checks of each exercise."""
        return {name: [case.check for case in cases] for name, cases in DirectSuite(self._assignment.id).cases.items()}

    def scores(self, outcomes: Mapping[str, str]) -> dict[str, float]:
        """Return the points by exercise, given what became of each check by id."""
        return {
            name: points_of(self._assignment.exercise(name).points, checks, outcomes)
            for name, checks in self.checks.items()
        }
