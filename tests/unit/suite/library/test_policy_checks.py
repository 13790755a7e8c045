"""Policy checks: the operation is not there for the watched call, which must give the right answer all the same."""

import pytest
import torch

from grader.errors import CourseError
from grader.suite import checks
from grader.suite.core.failures import CheckFailed
from grader.suite.library.forbidden_calls import WRONG
from grader.workers.process.failures import StudentFailure

from ....support.exercises.small_solutions import solution
from ....support.exercises.small_suites import in_a_check
from ....support.workers.open_workers import open_student

X = torch.tensor([0.5, -1.0, 2.0])
NOTICES = "'grader' in torch._C._dispatch_dump('aten::_softmax')"
DOUBLE = f"""
import torch
def double(x):
    if {NOTICES}:
        return {{watched}}
    return getattr(x, "soft" + "max")(-1) * 0 + 2 * x
"""


REFERENCE = solution("def double(x): return 2 * x\ndef pairs(x): return x @ x.T\n")


@pytest.fixture(autouse=True)
def graded():
    in_a_check(forbids={"double": ["softmax"]})


def test_right_answer_by_hand_passes():
    seen = checks.no_forbidden_call(open_student("def double(x): return x + x\n").double, REFERENCE.double, X)
    assert torch.equal(seen.value, 2 * X)


@pytest.mark.parametrize("watched", ["torch.ones(3)", "None", "x.sum()", "2 * x + 0.01"])
def test_answer_that_is_wrong_only_while_it_is_watched_does_not_pass(watched):
    student = open_student(DOUBLE.replace("{watched}", watched))
    assert torch.equal(student.double(X), 2 * X)
    with pytest.raises(CheckFailed, match=r"The answer of this call is wrong\.") as caught:
        checks.no_forbidden_call(student.double, REFERENCE.double, X)
    assert caught.value.advice == WRONG and caught.value.found.to("ko").startswith(WRONG.to("ko"))


def test_check_of_an_exercise_that_forbids_nothing_is_the_courses_fault():
    with pytest.raises(CourseError, match="pairs has a check for forbidden calls, but its cell forbids none"):
        checks.no_forbidden_call(open_student("def pairs(x): return x @ x.T\n").pairs, REFERENCE.pairs, X[None])


FAST = "def double(x, fast=False): return x.softmax(-1) * 0 + 2 * x if fast else 2 * x\n"


def test_forbidden_call_of_a_further_input_counts():
    with pytest.raises(StudentFailure, match="write that yourself"):
        checks.no_forbidden_call(open_student(FAST).double, REFERENCE.double, X, also=[checks.given(X, fast=True)])


@pytest.mark.parametrize("further", ["x * 3", "1 / 0"])
def test_answer_to_a_further_input_need_not_be_right(further):
    student = open_student(f"def double(x): return 2 * x if x.dim() == 1 else {further}\n")
    checks.no_forbidden_call(student.double, REFERENCE.double, X, also=[checks.given(X[None])])
