"""Asks of a function or a module of the student's that it gives what the solution's gives."""

from collections.abc import Callable
from functools import partial
from typing import Any

from torch import nn

from grader.errors import CourseError
from grader.suite.core import compare
from grader.suite.core.context import Mistake
from grader.suite.core.reference import answer_of
from grader.tolerances import Kind
from grader.workers.calls.callees import Callee
from grader.workers.calls.student import Given, ModuleHandle

from .reference_checks import judge, loaded_module


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
        right = answer_of(solution, case)
        is_module = isinstance(asked, ModuleHandle)
        run = partial(answer_of_mistake, asked, solution, case)
        judge(asked.name, case, answer, right, kind or ("module" if is_module else "value"), run, dtype)
    return answers if several else answers[0]


def answer_of_mistake(asked: Callee, solution: Callable[..., Any], case: Given, mistake: Mistake) -> Any:
    """Return what a mistake gives in a call; of a class by a module that is built as the student's was."""
    if not isinstance(asked, ModuleHandle) or not isinstance(solution, nn.Module):
        return answer_of(mistake.make, case, None)
    init, values = Given(*asked.built_with), dict(solution.named_parameters())
    module = loaded_module(mistake.make, init, values, compare.lowest_precision(case.args, case.kwargs))
    return answer_of(module.train(solution.training), case, None)
