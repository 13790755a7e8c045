"""Several calls travel together and are judged one by one, in the order in which they were made."""

from types import SimpleNamespace

import pytest
import torch
from torch import nn

from grader.errors import CourseError
from grader.suite import checks
from grader.suite.core.failures import CheckFailed
from grader.workers.process.failures import StudentFailure

CASES = [checks.given(torch.full((1, 2), float(number))) for number in range(3)]
RIGHT = [case.args[0] for case in CASES]
BROKEN = StudentFailure("error", "It broke.", name="same")


class Same(SimpleNamespace):
    """A function or a module in no process, whose calls give what they are told."""

    def __call__(self, x):
        return self.answers[int(x[0, 0])]


def told(answers):
    return Same(name="same", built_with=((), {}), answers=answers, on_each=lambda cases: answers)


def of_function(answers, cases):
    return checks.matches(told(answers), torch.Tensor.double, *cases)


def of_module(answers, cases):
    return checks.matches(told(answers), nn.Identity(), *cases)


every_check = pytest.mark.parametrize("ask", [of_function, of_module])


@every_check
def test_right_answers_pass(ask):
    assert ask(RIGHT, CASES) in (None, RIGHT)


@every_check
def test_one_wrong_answer_among_right_ones_fails(ask):
    with pytest.raises(CheckFailed, match="expected 2"):
        ask([*RIGHT[:2], torch.zeros(1, 2) + 7], CASES)


@every_check
def test_a_call_that_gave_nothing_fails(ask):
    with pytest.raises(StudentFailure, match="broke"):
        ask([RIGHT[0], BROKEN, RIGHT[2]], CASES)


@every_check
def test_no_case_at_all_is_a_fault_of_the_suite(ask):
    with pytest.raises(CourseError, match="compares nothing"):
        ask([], [])
