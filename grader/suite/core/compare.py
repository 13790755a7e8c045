"""Compares one answer with what was expected, and says the difference in a sentence.

An answer is first held to its type and shape, since a shape that broadcasts and a NaN pass the usual closeness tests,
and since a shape that broadcasts can fill the machine; only then are the numbers compared, in float64, every entry
within its bound.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from grader.results.verdict import MOST_SHOWN, Values
from grader.tolerances import Kind, Tolerance, tolerance
from grader.words import Words, joined

from .context import current_check
from .failures import NOTHING, CheckFailed

ADVICE = {
    "None": Words("Does the function end without `return`? `print` shows a value and does not return it."),
    "ndarray": Words("Stay with torch, or convert it with torch.from_numpy."),
    "list": Words("Put its items together with torch.stack or torch.tensor."),
    "tuple": Words("Return the one tensor alone."),
    "float": Words("Keep it a tensor; leave out .item()."),
}
TOO_LARGE = Words("The result is too large to be read; does it have the shape that the text asks for?")
SPARSE = Words("The result is a sparse tensor; return an ordinary one, with to_dense().")
NAN = Words(
    "The result holds NaN: that comes of infinity / infinity, 0 / 0 or infinity - infinity, for example where exp "
    "overflows, where a whole row is -inf, or where 0 is multiplied by infinity."
)
THE_RESULT = Words("the result")
FLOATS = ("float64", "float32", "float16", "bfloat16")


def dtype_name(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")


def lowest_precision(*values: Any) -> str:
    """Return the coarsest float dtype among tensors (also inside lists, tuples and dicts); float32 if there is none."""
    dtypes = set(dtypes_in(values))
    return next((name for name in reversed(FLOATS) if name in dtypes), "float32")


def dtypes_in(value: Any) -> Iterator[str]:
    if isinstance(value, torch.Tensor):
        yield dtype_name(value.dtype)
    elif isinstance(value, list | tuple | dict):
        for item in value.values() if isinstance(value, dict) else value:
            yield from dtypes_in(item)


def as_tensor(value: Any, what: str = THE_RESULT) -> torch.Tensor:
    """Return the value if it is a tensor of real numbers.

    Raises:
        CheckFailed: It is something else; the sentence names what.
    """
    if isinstance(value, torch.Tensor):
        if value.is_complex():
            raise CheckFailed(Words("The result is complex; real numbers are asked for."))
        return value
    kind = type_name(value).rpartition(".")[2]
    todo = ADVICE.get(kind, Words("Return a tensor."))
    known = Words("It is {kind}.", kind=kind) if kind in ADVICE else ""
    note = str(getattr(value, "note", ""))
    if "sparse" in note:
        raise CheckFailed.for_students(SPARSE)
    if "bytes that are read" in note:
        raise CheckFailed.for_students(TOO_LARGE)
    raise CheckFailed(
        joined(Words("A torch.Tensor is asked for, but {what} is {found}.", what=what, found=type_words(value)), todo),
        advice=joined(Words("The result is not a torch.Tensor."), known, todo),
    )


def type_name(value: Any) -> str:
    """Return the name of a value's type, also of one that stayed with the student."""
    return "None" if value is None else str(getattr(value, "type_name", type(value).__name__))


def type_words(value: Any) -> str:
    return "None" if value is None else Words("a value of type {type}", type=type_name(value))


def as_tensors(value: Any, count: int) -> list[torch.Tensor]:
    """Return the tensor where one is asked for; several from a tuple of so many, or from a list, which unpacks alike.

    Raises:
        CheckFailed: It is not a tensor, or not a tuple of so many.
    """
    if count == 1:
        return [as_tensor(value)]
    if not isinstance(value, tuple | list) or len(value) != count:
        what = type_words(value)
        if isinstance(value, tuple | list):
            what = Words("a {type} of {count}", type=type_name(value), count=len(value))
        todo = Words("Return the {count} tensors with commas between them.", count=count)
        sentence = Words("A tuple of {count} tensors is asked for, but the result is {what}.", count=count, what=what)
        advice = Words("The result is not a tuple of {count} tensors.", count=count)
        raise CheckFailed(joined(sentence, todo), advice=joined(advice, todo))
    return [as_tensor(item, Words("item {number} of the result", number=index)) for index, item in enumerate(value)]


def require_shape(value: Any, shape: tuple[int, ...]) -> torch.Tensor:
    tensor = as_tensor(value)
    if tuple(tensor.shape) != tuple(shape):
        raise CheckFailed(
            Words(
                "The result has the shape {got}, but {want} is asked for.", got=tuple(tensor.shape), want=tuple(shape)
            ),
        )
    return tensor


def within(actual: torch.Tensor, expected: torch.Tensor, bound: Tolerance | torch.Tensor) -> NDArray[np.bool_]:
    """Return for each entry whether it is right, by NumPy, which takes half of torch's time for small tensors.

    Args:
        actual: Any real dtype, the shape of `expected`.
        expected: May hold infinities and, where it is an answer too, NaN, which must be met exactly.
        bound: A tolerance, or a tensor of absolute bounds of the same shape.
    """
    got, want = (tensor.to(torch.float64).numpy(force=True) for tensor in (actual, expected))
    with np.errstate(all="ignore"):
        room = bound.numpy() if isinstance(bound, torch.Tensor) else bound.absolute + bound.relative * np.abs(want)
        right: NDArray[np.bool_] = np.abs(got - want) - room <= 0  # never where either is infinite or NaN
    if not right.all():
        right |= (got == want) | (np.isnan(want) & np.isnan(got))
    return right


def is_close(actual: Any, expected: torch.Tensor, bound: Tolerance | torch.Tensor) -> bool:
    if not isinstance(actual, torch.Tensor) or actual.shape != expected.shape or actual.is_complex():
        return False
    return bool(within(actual, expected, bound).all())


def require_close(actual: Any, expected: torch.Tensor, bound: Tolerance | torch.Tensor) -> None:
    """Raise CheckFailed unless the answer has the expected shape and every entry lies within its bound."""
    wanted = expected.detach().to(torch.float64)
    if (compared := current_check.get().compared) is not None:
        compared.append((actual, wanted))
    tensor = require_shape(actual, tuple(wanted.shape))
    right = within(tensor, wanted, bound)
    if right.all():
        return
    wrong = int((~right).sum())
    where = tuple(np.argwhere(~right)[0].tolist())
    got, want = float(tensor[where]), float(wanted[where])
    numbers = {"wrong": wrong, "all": right.size, "got": got, "want": want}
    differ = Words("{wrong} of {all} entries differ: the result is {got:.6g}, expected {want:.6g}.", **numbers)
    if where:
        differ = Words(
            "{wrong} of {all} entries differ: at {place} the result is {got:.6g}, expected {want:.6g}.",
            place=list(where),
            **numbers,
        )
    cause = NAN if bool(torch.isnan(tensor).any()) else NOTHING
    raise CheckFailed(
        joined(differ, cause),
        advice=cause,
        values=shown_values(tensor, wanted, where),
    )


def shown_values(actual: torch.Tensor, expected: torch.Tensor, where: tuple[int, ...]) -> Values | None:
    """Return the numbers of two tensors of one shape, for a picture; None where they are too many, or a single one.

    Args:
        where: The place of a wrong entry; of more than two dimensions the matrix is taken in which it lies.
    """
    if expected.dim() == 0 or max(expected.shape[-2:]) > MOST_SHOWN:
        return None
    place = where[:-2]

    def rows(tensor: torch.Tensor) -> list[str]:
        matrix = tensor[place].detach().to(torch.float64)
        return [" ".join(f"{number:.6g}" for number in row) for row in matrix.reshape(-1, matrix.shape[-1]).tolist()]

    return Values(shape=list(expected.shape), place=list(place), yours=rows(actual), expected=rows(expected))


def require_all_close(actual: Any, expected: Any, kind: Kind, dtype: str, device: str = "cpu") -> None:
    """Compare a tensor with a tensor or a tuple (or list) with a tuple, by the table of tolerances."""
    bound = tolerance(kind, dtype, device)
    wanted = expected if isinstance(expected, tuple) else (expected,)
    for got, want in zip(as_tensors(actual, len(wanted)), wanted, strict=True):
        require_close(got, want, scaled(bound, want) if kind == "module" else bound)


def scaled(bound: Tolerance, expected: torch.Tensor) -> Tolerance:
    """Return a bound whose absolute part grows with the largest expected entry, where that is above 1."""
    largest = float(expected.detach().double().abs().max()) if expected.numel() else 0.0
    return Tolerance(bound.absolute * max(1.0, largest), bound.relative)
