"""What suites ask of what a call was given: each tensor holds the same numbers after it and requires no gradient."""

from collections.abc import Mapping, Sequence
from typing import Any

import torch

from grader.suite.core.failures import CheckFailed
from grader.words import Words
from grader.workers.calls.callees import Callee
from grader.workers.calls.student import Observation


def inputs_unchanged(asked: Callee, *args: Any, **kwargs: Any) -> Observation:
    """Ask that a call leaves every tensor that it was given as it was, those given by keyword too."""
    return require_unchanged(args, kwargs, asked.observe(*args, echo=True, **kwargs))


def require_unchanged(args: Sequence[Any], kwargs: Mapping[str, Any], seen: Observation) -> Observation:
    """Ask the same of a call whose inputs were sent back."""
    places: list[tuple[int | str, Any, Any]] = [
        *zip(range(len(args)), args, seen.inputs_after, strict=True),
        *((name, before, seen.keywords_after[name]) for name, before in kwargs.items()),
    ]
    for place, before, after in places:
        what = _called(place, len(args))
        if not _is_unchanged(before, after):
            raise CheckFailed.for_students(Words("{what} was changed by the call; work on a copy.", what=what))
        if place in seen.followed_after:  # what a suite gives is never followed
            raise CheckFailed.for_students(
                Words("{what} requires a gradient after the call: leave `requires_grad_` to the caller.", what=what),
            )
    return seen


def _called(place: int | str, count: int) -> str:
    if isinstance(place, str):
        return f"`{place}`"
    return Words("The input") if count == 1 else Words("Argument {number}", number=place + 1)


def _is_unchanged(before: Any, after: Any) -> bool:
    if isinstance(before, list | dict):
        return bool(after == before)
    if not isinstance(before, torch.Tensor):
        return True
    alike = isinstance(after, torch.Tensor) and (after.shape, after.dtype) == (before.shape, before.dtype)
    return alike and torch.equal(before, after)
