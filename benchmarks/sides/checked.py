"""Points for outcomes, for the sides whose tool says of each check what became of it and leaves adding up to others."""

from collections.abc import Mapping
from functools import cached_property

from benchmarks.classes import Answers
from benchmarks.inprocess.direct import DirectSuite
from grader.results.scoring import points_for


class Scorer:
    """Adds up an assignment's points by the kit's rule.

    Args:
        answers: Of which assignment.
    """

    def __init__(self, answers: Answers) -> None:
        self._assignment = answers.assignment

    @cached_property
    def weights(self) -> dict[str, dict[str, int]]:
        """The weight of each check, by exercise and id."""
        cases = DirectSuite(self._assignment.id).cases
        return {
            exercise: {case.check.id: case.check.spec.weight for case in of_one} for exercise, of_one in cases.items()
        }

    def scores(self, outcomes: Mapping[str, str]) -> dict[str, float]:
        """Return the points by exercise; a check without an outcome did not pass, and an excused one does not count."""
        found = {}
        for exercise, weights in self.weights.items():
            counting = {check: weight for check, weight in weights.items() if outcomes.get(check) != "excused"}
            passed = sum(weight for check, weight in counting.items() if outcomes.get(check) == "passed")
            points = self._assignment.exercise(exercise).points
            found[exercise] = float(points_for(points, passed, sum(counting.values()))) if counting else 0.0
        return found
