"""The course's own solution, run in float64 on the trusted side.

A suite asks for `reference.softmax_naive(x)` with the very tensors that it sent to the student; they are widened here,
so that the expected value carries no rounding of its own.
"""

import functools
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

import torch

from grader.workers.calls.given_layers import GivenLayer
from grader.workers.calls.requests import Given


def copied(value: Any, dtype: torch.dtype | None = None) -> Any:
    """Return the value with its tensors cloned and its layers built, floating numbers in a dtype if one is given."""
    if isinstance(value, torch.Tensor):
        return value.detach().to(dtype if value.is_floating_point() else None, copy=True)
    if isinstance(value, list | tuple):
        return type(value)(copied(item, dtype) for item in value)
    if isinstance(value, Mapping):
        return {key: copied(item, dtype) for key, item in value.items()}
    return value.built(dtype or value.dtype) if isinstance(value, GivenLayer) else value


def widened(value: Any) -> Any:
    return copied(value, torch.float64)


def answer_of(callee: Callable[..., Any], given: Given, dtype: torch.dtype | None = torch.float64) -> Any:
    """Return what the solution or a mistake gives for copies of a call's inputs, in the dtype, or each in its own."""
    with torch.no_grad():
        return callee(*copied(given.args, dtype), **copied(given.kwargs, dtype))


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
            return answer_of(function, Given(args, kwargs))

        return run
