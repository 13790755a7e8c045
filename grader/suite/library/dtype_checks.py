"""What suites ask of dtypes: that a result has the one that is asked for, whatever its numbers are."""

from collections.abc import Sequence
from typing import Any

import torch

from grader.errors import CourseError
from grader.suite.core import compare
from grader.suite.core.failures import CheckFailed
from grader.workers.calls.student import Given, Student
from grader.workers.process.failures import StudentFailure


def has_dtype(value: Any, dtype: torch.dtype) -> None:
    """Ask for a tensor of exactly this dtype."""
    tensor = compare.as_tensor(value)
    if tensor.dtype != dtype:
        got, want = compare.dtype_name(tensor.dtype), compare.dtype_name(dtype)
        raise CheckFailed(
            f"The result is {got}, but {want} is asked for.", f"결과의 dtype이 {got}인데 {want}이어야 합니다."
        )


def have_dtypes(values: Sequence[Any], dtypes: Sequence[torch.dtype]) -> None:
    """Ask of each of several answers for a tensor of the dtype in its place."""
    for value, dtype in zip(values, dtypes, strict=True):
        has_dtype(value, dtype)


def keeps_dtypes(student: Student, name: str, cases: Sequence[Given]) -> None:
    """Ask that on each of several inputs every result has the dtype of the first tensor, whatever its numbers are.

    Args:
        student: The student's side.
        name: The exercise, which is the function's name.
        cases: The inputs of each call, by `given(...)`; all travel together.
    """
    if not cases:
        raise CourseError(f"A check of {name} compares nothing: its list of cases is empty. Put given(...) into it.")
    for case, answer in zip(cases, getattr(student, name).on_each(list(cases)), strict=True):
        if isinstance(answer, StudentFailure):
            raise answer
        dtype = next(each.dtype for each in case.args if isinstance(each, torch.Tensor))
        for result in answer if isinstance(answer, tuple | list) else [answer]:
            has_dtype(result, dtype)
