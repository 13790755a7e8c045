"""Asks of a function or a module of the student's that it gives what the solution's gives."""

from collections.abc import Callable
from typing import Any

from torch import nn

from grader.errors import CourseError
from grader.suite.library.modules.module_checks import module_probe
from grader.tolerances import Kind
from grader.workers.calls.callees import Callee
from grader.workers.calls.student import Given, ModuleHandle

from .reference_checks import Probe, function_probe


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
    probes = [probe_of(asked, solution, case, kind, dtype) for case in cases]
    answers = asked.on_each(cases)
    for probe, answer in zip(probes, answers, strict=True):
        probe.judge(answer)
    return answers if several else answers[0]


def probe_of(asked: Callee, solution: Callable[..., Any], case: Given, kind: Kind | None, dtype: str) -> Probe:
    """Return what judges the answer to one call."""
    if isinstance(asked, ModuleHandle) and isinstance(solution, nn.Module):
        return module_probe(asked, solution, case, kind or "module", dtype)
    return function_probe(asked, solution, case, kind or "value", dtype=dtype)
