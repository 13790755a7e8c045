"""Compares gradients: relative to the largest of the call, since entry by entry right answers fail in float32."""

from collections.abc import Collection, Sequence
from typing import Any

import torch

from grader.tolerances import tolerance
from grader.words import Words, joined

from . import compare
from .context import device
from .failures import CheckFailed


def is_float(value: Any) -> bool:
    """Tell whether a value is a floating tensor, which a gradient can be asked for."""
    return isinstance(value, torch.Tensor) and value.is_floating_point()


def uneven(shape: torch.Size | tuple[int, ...]) -> torch.Tensor:
    """Return float64 numbers of alternating sign and uneven size, the same for the same shape.

    An output weighted by them and summed is a scalar whose gradient does not vanish by symmetry.
    """
    count = torch.Size(shape).numel()
    index = torch.arange(1, count + 1, dtype=torch.float64)
    return (torch.cos(index * 1.7) + 0.3).reshape(shape)


def require_gradients(
    answers: list[Any],
    expected: list[torch.Tensor | None],
    dtype: str,
    labels: Sequence[str] = (),
    parameters: Collection[str] = (),
) -> None:
    """Ask that gradients equal the expected ones.

    Args:
        answers: The student's, one for each input or parameter; None where none arrived.
        expected: float64; None where the solution has none either, and then nothing is asked.
        labels: What the inputs and parameters are called, in the same order; not given where names are free.
        parameters: Those of the labels that are a module's parameters.

    Raises:
        CheckFailed: One is missing or differs; the sentence names all that do.
    """
    names = labels if len(labels) == len(answers) else [""] * len(answers)
    largest = max((float(g.abs().max()) for g in expected if g is not None and g.numel()), default=0.0)
    bound = tolerance("gradient", dtype, device())
    missing: list[str] = []
    wrong: list[str] = []
    first: CheckFailed | None = None
    for answer, want, name in zip(answers, expected, names, strict=True):
        if want is None:
            continue
        if answer is None:
            if largest == 0 or float(want.abs().max()) > bound.relative * largest:
                missing.append(name)
            continue
        room = torch.full(want.shape, bound.absolute + bound.relative * largest, dtype=torch.float64)
        try:
            compare.require_close(answer, want, room)
        except CheckFailed as failure:
            wrong.append(name)
            first = first or failure
    if first is not None:
        describe_wrong_gradients(first, wrong, missing)
        raise first
    if missing:
        raise CheckFailed.for_students(missing_gradients(missing, parameters))


def describe_wrong_gradients(failure: CheckFailed, wrong: Sequence[str], missing: Sequence[str]) -> None:
    """Put the names of all wrong gradients into the failure of the first; where names are free it stays as it is."""
    if not all(wrong):
        return
    names = {"wrong": ", ".join(wrong), "missing": ", ".join(missing)}
    if missing:
        single = Words("The gradient of {wrong} is wrong, and none reaches {missing}.", **names)
        several = Words("The gradients of {wrong} are wrong, and none reaches {missing}.", **names)
    else:
        single = Words("The gradient of {wrong} is wrong.", **names)
        several = Words("The gradients of {wrong} are wrong.", **names)
    failure.advice = several if len(wrong) > 1 else single
    failure.reword(joined(failure.advice, failure.found))


def missing_gradients(missing: Sequence[str], parameters: Collection[str]) -> Words:
    """Return what no gradient reaches, and why that may be."""
    names = ", ".join(missing) if all(missing) else Words("one of the inputs or parameters")
    if not all(missing) or not set(missing) <= set(parameters):
        return Words("No gradient reaches {names}: it is not used, or the result was cut off from it.", names=names)
    if len(missing) == 1:
        return Words(
            "No gradient reaches the parameter {names}: frozen, not used, or the result was cut off from it.",
            names=names,
        )
    return Words(
        "No gradient reaches the parameters {names}: frozen, not used, or the result was cut off from it.", names=names
    )
