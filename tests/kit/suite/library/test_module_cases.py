"""Several calls of a module are judged one by one, in the order in which they were made."""

from types import SimpleNamespace
from typing import Any, cast

import pytest
import torch
from torch import nn

from grader.errors import CourseError
from grader.suite import checks
from grader.suite.core.context import CheckState, current_check
from grader.suite.core.failures import CheckFailed
from grader.workers.calls.student import ModuleHandle
from grader.workers.process.failures import StudentFailure

CASES = [checks.given(torch.full((1, 2), float(number))) for number in range(3)]
MODULE = nn.Identity()


@pytest.fixture(autouse=True)
def a_check_runs():
    current_check.set(CheckState(course=SimpleNamespace(mistakes={}, device="cpu")))


class Net(SimpleNamespace):
    """A module in no process, whose calls give what they are told."""

    def __call__(self, x: torch.Tensor) -> Any:
        return self.answers[int(x[0, 0])]


def handle(answers: list[Any]) -> ModuleHandle:
    made = Net(name="Net", built_with=((), {}), answers=answers, on_each=lambda cases: answers)
    return cast(ModuleHandle, made)


def right() -> list[Any]:
    return [case.args[0] for case in CASES]


def test_right_answers_are_returned():
    assert len(checks.module_matches_on_each(handle(right()), MODULE, CASES)) == 3


def test_one_wrong_answer_among_right_ones_fails():
    with pytest.raises(CheckFailed, match="expected 2"):
        checks.module_matches_on_each(handle([*right()[:2], torch.zeros(1, 2) + 7]), MODULE, CASES)


def test_a_call_that_gave_nothing_fails():
    broken = StudentFailure("error", "It broke.", name="Net")
    with pytest.raises(StudentFailure, match="broke"):
        checks.module_matches_on_each(handle([right()[0], broken, right()[2]]), MODULE, CASES)


def test_no_case_at_all_is_a_fault_of_the_suite():
    with pytest.raises(CourseError, match="list of cases is empty"):
        checks.module_matches_on_each(handle([]), MODULE, [])
