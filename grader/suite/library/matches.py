"""Asks of a function or a module of the student's that it gives what the solution's gives."""

from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from torch import nn

from grader.errors import CourseError
from grader.suite.core import compare
from grader.suite.core.context import Mistake
from grader.suite.core.gradients import argument_names, gradients_seen, weights_of
from grader.suite.core.reference import answer_of
from grader.tolerances import Kind
from grader.workers.calls.callees import Callee
from grader.workers.calls.observation import Observation
from grader.workers.calls.student import Given, ModuleHandle

from .changed_inputs import outputs_of
from .gradient_checks import require_finite
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

    Of what is `extreme` the gradients of the first call, too, must be finite: what exp makes infinite and a mask hides
    has none.

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
    rights = [answer_of(solution, case) for case in cases]
    calls: list[tuple[Given, dict[str, Any]]] = [(case, {}) for case in cases]
    if kind == "extreme":
        precision = getattr(torch, compare.lowest_precision(cases[0].args))
        calls[0][1]["cotangent"] = weights_of(outputs_of(rights[0]), precision)
    outcomes = asked.observe_all(calls)
    answers = [seen.value if isinstance(seen, Observation) else seen for seen in outcomes]
    for case, answer, right in zip(cases, answers, rights, strict=True):
        is_module = isinstance(asked, ModuleHandle)
        run = partial(answer_of_mistake, asked, solution, case)
        judge(asked.name, case, answer, right, kind or ("module" if is_module else "value"), run, dtype)
    if kind == "extreme" and isinstance(outcomes[0], Observation):
        inputs = dict(zip(argument_names(solution), cases[0].args, strict=False))
        require_finite(gradients_seen(outcomes[0], inputs))
    return answers if several else answers[0]


def answer_of_mistake(asked: Callee, solution: Callable[..., Any], case: Given, mistake: Mistake) -> Any:
    """Return what a mistake gives in a call; of a class by a module that is built as the student's was."""
    if not isinstance(asked, ModuleHandle) or not isinstance(solution, nn.Module):
        return answer_of(mistake.make, case, None)
    init, values = Given(*asked.built_with), dict(solution.named_parameters())
    module = loaded_module(mistake.make, init, values, compare.lowest_precision(case.args, case.kwargs))
    return answer_of(module.train(solution.training), case, None)
