"""Guards large answers: a check may read them like any other, but may not compute something that fills the memory.

torch broadcasts shapes, so subtracting a row of a few hundred numbers from a column of a million takes gigabytes. The
kit's own checks compare the shape first. An author's own code may not, so an answer with more numbers than checks
usually need is of a guarded class. Ordinary answers are plain tensors.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from typing import Any, TypeGuard

import torch

from grader.inside.protocol.torch_internals import without_functions_of_subclasses
from grader.workers.process.failures import StudentFailure

ORDINARY = 1 << 12
"""The most numbers of an unguarded answer."""
MOST = 1 << 22
"""The most numbers of a result computed from a guarded answer."""

READS_NO_NUMBERS = frozenset({
    "__get__", "__len__", "as_subclass", "data_ptr", "dim", "element_size", "is_complex", "is_contiguous",
    "is_floating_point", "nelement", "numel", "size", "storage_offset", "stride", "type",
})  # fmt: skip
"""Operations that read no numbers; the first is every attribute, such as `shape`."""
JOINING = {torch.Tensor.__getitem__, torch.cat, torch.stack}
"""Operations that combine tensors without broadcasting; the result has at most all their numbers."""
REPEATING = {torch.Tensor.repeat, torch.Tensor.tile, torch.tile}
EACH_WITH_EACH = {torch.outer, torch.Tensor.outer, torch.kron, torch.cdist, torch.einsum, torch.tensordot}
PRODUCTS = {torch.matmul, torch.Tensor.matmul, torch.Tensor.__matmul__, torch.Tensor.__rmatmul__, torch.bmm}


class GuardedTensor(torch.Tensor):
    """A tensor that refuses operations with a much larger result."""

    @classmethod
    def __torch_function__(
        cls, func: Callable[..., Any], types: Sequence[type], args: Any = (), kwargs: Any = None
    ) -> Any:
        """Run an operation of torch unless its result would be too large."""
        kwargs = kwargs or {}
        with without_functions_of_subclasses():
            require_room(func, args, kwargs)
            return guarded(func(*args, **kwargs))


def guarded(value: Any) -> Any:
    """Return a value with each large tensor, also in tuples and lists, guarded."""
    if isinstance(value, torch.Tensor):
        return value.as_subclass(GuardedTensor) if value.numel() > ORDINARY else value
    if isinstance(value, tuple | list):
        return type(value)(map(guarded, value))
    return value


def is_tensor(value: Any) -> TypeGuard[torch.Tensor]:
    """Return whether a value is a tensor as workers' answers hold them: not of any other subclass."""
    return type(value) in (torch.Tensor, GuardedTensor)


def unguarded(tensor: torch.Tensor) -> torch.Tensor:
    """Return a tensor without the guard, once its shape was found right."""
    if type(tensor) is not GuardedTensor:
        return tensor
    with without_functions_of_subclasses():
        return tensor.as_subclass(torch.Tensor)


def require_room(func: Callable[..., Any], args: Any, kwargs: Any) -> None:
    """Require that the result of an operation is not too large, before it is computed.

    The result is estimated by the shapes alone. To run the operation on torch's device `meta` would be exact, and its
    first use imports 800 modules in every process that grades.

    Raises:
        StudentFailure: It would be.
    """
    if getattr(func, "__name__", "") in READS_NO_NUMBERS:
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
