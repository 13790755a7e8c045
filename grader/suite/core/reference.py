"""The course's own solution, run in float64 on the trusted side.

A suite asks for `reference.softmax_naive(x)` with the very tensors that it sent to the student; they are widened here,
so that the expected value carries no rounding of its own.
"""

import functools
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any

import torch

from grader.workers.calls.given_layers import GivenLayer


def widened(value: Any) -> Any:
    """Return the value with every floating tensor in it detached and turned to float64, and every layer built so."""
    if isinstance(value, torch.Tensor):
        return value.detach().to(torch.float64) if value.is_floating_point() else value.detach().clone()
    if isinstance(value, list | tuple):
        return type(value)(widened(item) for item in value)
    if isinstance(value, dict):
        return {key: widened(item) for key, item in value.items()}
    return value.built(torch.float64) if isinstance(value, GivenLayer) else value


def answer_of(answers: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any] | None = None) -> Any:
    """Return what a function or a module of the solution's gives for the very inputs of the student's."""
    with torch.no_grad():
        return answers(*widened(tuple(args)), **widened(dict(kwargs or {})))


class Reference:
    """Gives the functions of a solution file, each taking its inputs in float64.

    Args:
        solution: The imported solution; `reference.module.NAME` is the object itself, for building modules.
    """

    def __init__(self, solution: ModuleType) -> None:
        self.module = solution

    def __getattr__(self, name: str) -> Callable[..., Any]:
        function = getattr(self.module, name)

        @functools.wraps(function)
        def run(*args: Any, **kwargs: Any) -> Any:
            return answer_of(function, args, kwargs)

        return run
