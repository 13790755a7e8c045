"""Asks of a function or a module of the student's that it gives what the solution's gives."""

from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from torch import nn

from grader.errors import CourseError
from grader.suite.core import compare
from grader.suite.core.context import Mistake
from grader.suite.core.reference import answer_of
from grader.suite.library.modules.module_checks import load
from grader.tolerances import Kind
from grader.workers.calls.callees import Callee
from grader.workers.calls.student import Given, ModuleHandle

from .reference_checks import given_to, judge


def matches(
    asked: Callee,
    solution: Callable[..., Any],
    *args: Any,
    kind: Kind | None = None,
    dtype: str = "",
    **kwargs: Any,
) -> Any:
    """Ask that the student's function or module gives what the solution's gives on the same inputs.

    Args:
        asked: `student.NAME`, or a module's handle.
        solution: `reference.NAME`, or the solution's module.
        *args: The inputs; or several calls, each by `given(...)`, which travel together.
        kind: Which row of the tolerances applies; `value` for a function and `module` for a module, if not given.
        dtype: The precision that the answer is held to, where it is not that of the inputs.

    Returns:
        The answer; of several calls a list of them.

    Raises:
        CheckFailed: An answer differs; the diagnosis names the known mistake that gives it.
        CourseError: Nothing is given, so nothing would be asked.
    """
    if not args and not kwargs:
        raise CourseError(f"A check of {asked.name} compares nothing.", "Give inputs, or calls by given(...).")
    several = bool(args) and all(isinstance(arg, Given) for arg in args)
    cases = list(args) if several else [Given(args, kwargs)]
    answers = asked.on_each(cases)
    for case, answer in zip(cases, answers, strict=True):
        right = answer_of(solution, case.args, case.kwargs)
        if isinstance(asked, ModuleHandle) and isinstance(solution, nn.Module):
            run = partial(mistaken_module, asked, solution, case)
            judge(asked.name, case, answer, right, kind or "module", run, dtype)
        else:
            run = partial(mistaken_function, case)
            judge(asked.name, case, answer, right, kind or "value", run, dtype)
    return answers if several else answers[0]


def mistaken_function(case: Given, mistake: Mistake) -> Any:
    """Return what a mistake gives in a call of a function."""
    with torch.no_grad():
        return given_to(mistake.make, case)


def mistaken_module(handle: ModuleHandle, module: nn.Module, case: Given, mistake: Mistake) -> Any:
    """Return what a mistake gives in a call of a module, for which it is built as the student's was."""
    init, options = handle.built_with
    wrong = mistake.make(*init, **options)
    load(wrong, dict(module.named_parameters()))
    wrong.train(module.training).to(getattr(torch, compare.lowest_precision(case.args, case.kwargs)))
    with torch.no_grad():
        return given_to(wrong, case)
