"""Judges an answer by what the solution gives, and names the known mistake behind one that differs."""

from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import nn

from grader.suite.core import compare
from grader.suite.core.context import Mistake, device
from grader.suite.core.failures import CheckFailed
from grader.suite.diagnosis.by_answer import diagnose, diagnose_exception
from grader.suite.library.modules.module_checks import load
from grader.tolerances import Kind
from grader.workers.calls.student import Given
from grader.workers.process.failures import StudentFailure


def given(*args: Any, **kwargs: Any) -> Given:
    """Return the inputs of one call, for `matches`."""
    return Given(args, kwargs)


def judge(
    exercise: str,
    case: Given,
    answer: Any,
    expected: Any,
    kind: Kind,
    run_mistake: Callable[[Mistake], Any],
    dtype: str = "",
) -> None:
    """Ask that the answer to one call of the student's function or module is the solution's.

    Args:
        exercise: Whose known mistakes may explain a wrong answer.
        case: The inputs.
        answer: What the call gave, or its failure.
        kind: Which row of the tolerances applies.
        run_mistake: Runs a known mistake on the same inputs.
        dtype: The precision that the answer is held to; empty for that of the inputs.

    Raises:
        CheckFailed: It is not; the diagnosis names the mistake that gives the same.
        StudentFailure: The call gave none; the diagnosis names the mistake that raises the same.
    """
    if isinstance(answer, StudentFailure):
        answer.diagnosis = diagnose_exception(answer, run_mistake, exercise)
        raise answer
    dtype = dtype or compare.lowest_precision(case.args, case.kwargs)
    try:
        compare.require_all_close(answer, expected, kind, dtype, device())
    except CheckFailed as failure:
        failure.diagnosis = diagnose(answer, expected, dtype, run_mistake, exercise)
        raise


def loaded_module(
    make: Callable[..., nn.Module], init: Given, values: Mapping[str, torch.Tensor], dtype: str
) -> nn.Module:
    module = make(*init.args, **init.kwargs)
    load(module, values)
    return module.to(getattr(torch, dtype))
