"""Compares gradients: relative to the largest of the call, since entry by entry right answers fail in float32."""

from collections.abc import Sequence
from typing import Any

import torch

from grader.suite import compare
from grader.suite.context import device
from grader.suite.failures import CheckFailed
from grader.tolerances import tolerance


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
    answers: list[Any], expected: list[torch.Tensor | None], dtype: str, labels: Sequence[str] = ()
) -> None:
    """Ask that gradients equal the expected ones.

    Args:
        answers: The student's, one for each input or parameter; None where none arrived.
        expected: float64; None where the solution has none either, and then nothing is asked.
        dtype: The lowest precision that took part.
        labels: What the inputs and parameters are called, in the same order; not given where names are free.

    Raises:
        CheckFailed: One is missing or differs; the sentence names it.
    """
    names = labels if len(labels) == len(answers) else [""] * len(answers)
    largest = max((float(g.abs().max()) for g in expected if g is not None and g.numel()), default=0.0)
    bound = tolerance("gradient", dtype, device())
    for answer, want, name in zip(answers, expected, names, strict=True):
        if want is None:
            continue
        if answer is None and largest > 0 and float(want.abs().max()) <= bound.relative * largest:
            continue
        if answer is None:
            what, what_ko = name or "one of the inputs or parameters", name or "입력이나 매개변수 가운데 하나"
            told = (
                f"No gradient reaches {what}: the result was cut off from it.",
                f"{what_ko}에 그래디언트가 전달되지 않습니다. 계산 그래프가 끊겼습니다.",
            )
            raise CheckFailed.for_students(*told)
        room = torch.full(want.shape, bound.absolute + bound.relative * largest, dtype=torch.float64)
        try:
            compare.require_close(answer, want, room)
        except CheckFailed as failure:
            if name:
                failure.say(
                    f"The gradient of {name} is wrong. {failure.english}",
                    f"{name}의 그래디언트가 틀렸습니다. {failure.korean}",
                )
                failure.advice = f"The gradient of {name} is wrong.", f"{name}의 그래디언트가 틀렸습니다."
            raise
