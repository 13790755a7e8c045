"""What the test files of otter-grader call: one check of the suite on what the student's cells left behind."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from benchmarks.inprocess.direct import DirectSuite

MARK = "# copy "  # how every submission of a benchmark begins


@cache
def suite(assignment: str) -> DirectSuite:
    """Return the suite of an assignment, read once in this process."""
    return DirectSuite(assignment)


def require(assignment: str, names: Mapping[str, Any], exercise: str, number: int) -> None:
    """Run one check; the first that is run takes the submission.

    Args:
        assignment: The assignment's id.
        names: The student's names, as otter hands them over.
        exercise: An exercise.
        number: The place of the check in it.

    Raises:
        AssertionError: It did not pass.
    """
    ready = suite(assignment)
    if not ready.has_submission:
        ready.begin(names, next(cell for cell in names["In"] if MARK in cell))
    outcome = ready.check(ready.cases[exercise][number])
    assert outcome == "passed", outcome
