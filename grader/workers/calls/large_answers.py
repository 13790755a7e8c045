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

from grader.inside.protocol.torch_internals import without_functions_of_subclasses
from grader.workers.process.failures import StudentFailure

ORDINARY = 1 << 12
"""Numbers of an answer that carries no guard."""
MOST = 1 << 22
"""Numbers that anything may have that is made of a guarded answer."""

FACTS = frozenset({
    "__get__", "__len__", "as_subclass", "data_ptr", "dim", "element_size", "is_complex", "is_contiguous",
    "is_floating_point", "nelement", "numel", "size", "storage_offset", "stride", "type",
})  # fmt: skip
"""What is asked of a tensor without its numbers; the first is every attribute, such as `shape`."""
JOINING = {torch.Tensor.__getitem__, torch.cat, torch.stack}
"""What takes several tensors without broadcasting them, and gives all their numbers at most."""
REPEATING = {torch.Tensor.repeat, torch.Tensor.tile, torch.tile}
EACH_WITH_EACH = {torch.outer, torch.Tensor.outer, torch.kron, torch.cdist, torch.einsum, torch.tensordot}
PRODUCTS = {torch.matmul, torch.Tensor.matmul, torch.Tensor.__matmul__, torch.Tensor.__rmatmul__, torch.bmm}


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
        with without_functions_of_subclasses():
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
    with without_functions_of_subclasses():
        return tensor.as_subclass(torch.Tensor)


def require_room(func: Callable[..., Any], args: Any, kwargs: Any) -> None:
    """Ask that the result of an operation is not too large, before it is computed.

    The result is estimated by the shapes alone. To run the operation on torch's device `meta` would be exact, and its
    first use imports 800 modules in every process that grades.

    Raises:
        StudentFailure: It would be.
    """
    if getattr(func, "__name__", "") in FACTS:
        return
    given = list(shapes([args, kwargs]))
    if func in JOINING:
        numbers = sum(shape.numel() for shape in given)
    elif func in REPEATING:
        numbers = given[0].numel() * math.prod(torch.Size(args[1] if isinstance(args[1], Sequence) else args[1:]))
    elif func in EACH_WITH_EACH:
        numbers = math.prod(shape.numel() for shape in given)
    elif func in PRODUCTS and len(given) == 2 and min(map(len, given)) > 1:
        left, right = given
        numbers = broadcast([left[:-2], right[:-2]]) * left[-2] * right[-1]
    else:
        numbers = broadcast(given)
    if numbers > MOST:
        raise StudentFailure(
            "failed",
            "The result has far more numbers than are asked for. Look at its shape.",
            sentence_ko="결과에 요구한 것보다 훨씬 많은 수가 있습니다. 결과의 모양(shape)을 확인하세요.",
        )


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
