"""Answers that are large: a check may look at them as at any other, but combine them into nothing that fills a machine.

torch lets shapes broadcast, so a column of a million numbers and a row of a few hundred make gigabytes where one is
taken from the other. The checks of the kit ask for the shape first. What an author's own judgement does cannot be
known, so an answer of more numbers than checks usually have carries a guard with it. Ordinary answers stay plain.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from typing import Any, TypeGuard

import torch

from grader.workers.failures import StudentFailure

ORDINARY = 1 << 12
"""Numbers of an answer that carries no guard."""
MOST = 1 << 22
"""Numbers that anything may have that is made of a guarded answer."""


class Large(torch.Tensor):
    """A tensor that refuses to become part of something much larger."""

    @classmethod
    def __torch_function__(
        cls, func: Callable[..., Any], types: Sequence[type], args: Any = (), kwargs: Any = None
    ) -> Any:
        """Run an operation of torch unless its result would be too large.

        Raises:
            StudentFailure: It would be.
        """
        kwargs = kwargs or {}
        with torch._C.DisableTorchFunctionSubclass():
            require_room(func, args, kwargs)
            return guarded(func(*args, **kwargs))


def guarded(value: Any) -> Any:
    """Return a value in which each large tensor, also one in a tuple or list, carries the guard."""
    if isinstance(value, torch.Tensor):
        return value.as_subclass(Large) if value.numel() > ORDINARY else value
    if isinstance(value, tuple | list):
        return type(value)(map(guarded, value))
    return value


def is_tensor(value: Any) -> TypeGuard[torch.Tensor]:
    """Tell whether a value is a tensor as one comes from a worker, and of no other class that is derived from it."""
    return type(value) in (torch.Tensor, Large)


def plain(tensor: torch.Tensor) -> torch.Tensor:
    """Return a tensor without the guard, for one whose shape is known to be right."""
    if type(tensor) is not Large:
        return tensor
    with torch._C.DisableTorchFunctionSubclass():
        return tensor.as_subclass(torch.Tensor)


def require_room(func: Callable[..., Any], args: Any, kwargs: Any) -> None:
    """Ask that the result of an operation is not too large, before it is computed.

    Raises:
        StudentFailure: It would be.
    """
    try:
        with torch.no_grad():
            found = [shape.numel() for shape in shapes(func(*sized(args), **sized(kwargs)))]
    except Exception:  # it needs the numbers themselves; then it gives at most what its tensors broadcast to
        given = list(shapes([args, kwargs]))
        chosen = func is torch.Tensor.__getitem__  # by a mask, which need not broadcast
        found = [shape.numel() for shape in given] if chosen else [broadcast(given)]
    if max(found, default=0) > MOST:
        raise StudentFailure(
            "failed",
            "The result has far more numbers than are asked for. Look at its shape.",
            sentence_ko="결과에 요구한 것보다 훨씬 많은 수가 있습니다. 결과의 모양(shape)을 확인하세요.",
        )


def sized(value: Any) -> Any:
    """Return the same arguments with tensors that have a shape and no numbers."""
    if isinstance(value, torch.Tensor):
        return value.to("meta")
    if isinstance(value, tuple | list):
        return type(value)(map(sized, value))
    if isinstance(value, dict):
        return {key: sized(item) for key, item in value.items()}
    return value


def shapes(value: Any) -> Iterator[torch.Size]:
    """Yield the shape of each tensor in a value."""
    if isinstance(value, torch.Tensor):
        yield value.shape
    elif isinstance(value, tuple | list | dict):
        for item in value.values() if isinstance(value, dict) else value:
            yield from shapes(item)


def broadcast(given: Sequence[torch.Size]) -> int:
    """Return how many numbers come of shapes that broadcast."""
    backwards = zip_longest(*(reversed(shape) for shape in given), fillvalue=1)
    return math.prod(max(sizes) for sizes in backwards)
