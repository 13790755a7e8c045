"""Compares gradients: relative to the largest of the call, since entry by entry right answers fail in float32."""

from collections.abc import Collection, Sequence
from typing import Any

import torch

from grader.tolerances import tolerance

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
        raise CheckFailed.for_students(*missing_gradient_sentences(missing, parameters))


def describe_wrong_gradients(failure: CheckFailed, wrong: Sequence[str], missing: Sequence[str]) -> None:
    """Put the names of all wrong gradients into the failure of the first; where names are free it stays as it is."""
    if not all(wrong):
        return
    one = len(wrong) == 1
    english = f"The gradient of {wrong[0]} is wrong" if one else f"The gradients of {', '.join(wrong)} are wrong"
    korean = f"{', '.join(wrong)}의 그래디언트가 틀렸"
    none = f", and none reaches {', '.join(missing)}." if missing else "."
    none_ko = f"고, {', '.join(missing)}에는 그래디언트가 전달되지 않습니다." if missing else "습니다."
    failure.reword(f"{english}{none} {failure.english}", f"{korean}{none_ko} {failure.korean}")
    failure.advice = english + none, korean + none_ko


def missing_gradient_sentences(missing: Sequence[str], parameters: Collection[str]) -> tuple[str, str]:
    """Return in both languages what no gradient reaches, and why that may be."""
    if not all(missing):
        what, what_ko = "one of the inputs or parameters", "입력이나 매개변수 가운데 하나"
    else:
        what = what_ko = ", ".join(missing)
    if all(missing) and set(missing) <= set(parameters):
        kind, kind_ko = ("parameter", "매개변수") if len(missing) == 1 else ("parameters", "매개변수들")
        return (
            f"No gradient reaches the {kind} {what}: frozen, not used, or the result was cut off from it.",
            f"{kind_ko} {what_ko}에 그래디언트가 전달되지 않습니다. 고정됐거나 안 쓰였거나 계산 그래프가 끊겼습니다.",
        )
    return (
        f"No gradient reaches {what}: it is not used, or the result was cut off from it.",
        f"{what_ko}에 그래디언트가 전달되지 않습니다. 쓰이지 않았거나 계산 그래프가 끊겼습니다.",
    )
