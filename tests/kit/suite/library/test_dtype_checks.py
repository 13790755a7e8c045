"""A dtype is asked for by itself: whether the numbers are right makes no difference."""

from collections.abc import Callable
from typing import Any, cast

import pytest
import torch

from grader.errors import CourseError
from grader.suite import checks
from grader.suite.core.failures import CheckFailed
from grader.workers.calls.student import Given, Student
from grader.workers.process.failures import StudentFailure

CASES = [checks.given(torch.ones(2, dtype=dtype), 3) for dtype in (torch.float32, torch.bfloat16)]


class Answering:
    """A student's side whose one function answers as it is told."""

    def __init__(self, answer: Callable[..., Any]) -> None:
        self.answer = answer

    def on_each(self, cases: list[Given]) -> list[Any]:
        return [self.answer(*case.args) for case in cases]


def student(answer: Callable[..., Any]) -> Student:
    return cast(Student, type("Side", (), {"twice": Answering(answer)})())


def test_wrong_numbers_of_the_right_dtype_pass() -> None:
    checks.keeps_dtypes(student(lambda x, count: (x * count, x - 1)), "twice", CASES)


def test_every_result_of_every_call_is_held_to_it() -> None:
    for answer in (lambda x, count: x.float(), lambda x, count: (x, x.float())):
        with pytest.raises(CheckFailed, match="float32, but bfloat16"):
            checks.keeps_dtypes(student(answer), "twice", CASES)


def test_a_call_that_gave_nothing_fails() -> None:
    broken = StudentFailure("error", "It broke.", name="twice")
    with pytest.raises(StudentFailure, match="broke"):
        checks.keeps_dtypes(student(lambda x, count: broken), "twice", CASES)


def test_no_case_at_all_is_a_fault_of_the_suite() -> None:
    with pytest.raises(CourseError, match="list of cases is empty"):
        checks.keeps_dtypes(student(lambda x: x), "twice", [])


def test_what_went_through_float32_is_not_exact() -> None:
    x = torch.linspace(0.1, 1, 60, dtype=torch.float64).exp()
    checks.close(x + 1e-12, x, kind="exact")
    checks.close(x.float().double(), x)
    with pytest.raises(CheckFailed):
        checks.close(x.float().double(), x, kind="exact")
