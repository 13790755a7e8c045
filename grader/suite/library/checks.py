"""The library that suites are built of: each function asks one thing of an answer.

A suite reads like a list of what is asked: `checks.rows_sum_to_one(answer)`, `checks.inputs_unchanged(asked, x)`.
Every function raises `CheckFailed` with the difference in a sentence and returns nothing or what it looked at.

What has one meaning everywhere is explained here alone. `student`, `reference` (the solution, in float64) and `draw`
are the fixtures. Functions and modules are asked by the same checks: `asked` is `student.NAME` or a module's handle
(float32), and `solution` is `reference.NAME` or the solution's module (float64) with the same parameters in the same
mode, as the fixture `twin` returns them. `*args` and `**kwargs` are passed to both sides by position and by keyword.
`kind` says which row of the tolerances applies.
"""

from typing import Any

import torch

from grader.suite.core import compare
from grader.suite.core.context import device
from grader.suite.core.failures import CheckFailed
from grader.suite.core.figures import Figure, printed
from grader.suite.library.modules.dropout import drawn_apart, weights_are_dropped
from grader.suite.library.modules.module_checks import remembered
from grader.tolerances import FIGURE_SLACK, Kind, tolerance
from grader.words import CourseWords, Words
from grader.workers.calls.callees import Callee
from grader.workers.calls.student import Given, Raised

from .gradient_checks import gradients_match
from .matches import matches
from .purity import inputs_unchanged
from .reference_checks import given

__all__ = [
    "close", "drawn_apart", "given", "gradients_match", "has_dtype", "has_shape", "inputs_unchanged", "is_true",
    "matches", "matches_figure", "raises", "remembered", "rows_sum_to_one", "weights_are_dropped",
]  # fmt: skip


def close(actual: Any, expected: Any, kind: Kind = "value", dtype: str | None = None) -> None:
    """Ask that an answer (a tensor or a tuple of tensors) equals the expected one within the table's bound.

    Args:
        actual: The student's answer.
        expected: Tensor or tuple of tensors; the shape must be met exactly.
        dtype: The lowest precision that took part; the answer's own if not given.
    """
    compare.require_all_close(actual, expected, kind, dtype or compare.lowest_precision(actual), device())


def matches_figure(actual: Any, *figures: Figure | str) -> None:
    """Ask that an answer equals what a note prints, to half a unit of the last printed digit.

    Args:
        actual: The student's answer.
        *figures: What the note prints; several of a tuple of so many tensors. Of a text one line is a 1-D tensor, and
            several lines are the rows of a 2-D one.
    """
    for answer, figure in zip(compare.as_tensors(actual, len(figures)), figures, strict=True):
        known = printed(figure) if isinstance(figure, str) else figure
        compare.require_close(answer, known.value, known.half_unit + FIGURE_SLACK)


def has_shape(value: Any, *shapes: tuple[int, ...]) -> Any:
    """Ask for a tensor of exactly this shape and return it; of several shapes for a tuple of so many tensors."""
    if len(shapes) == 1:
        return compare.require_shape(value, *shapes)
    return [compare.require_shape(*pair) for pair in zip(compare.as_tensors(value, len(shapes)), shapes, strict=True)]


def has_dtype(value: Any, dtype: torch.dtype) -> None:
    """Ask for a tensor of exactly this dtype."""
    tensor = compare.as_tensor(value)
    if tensor.dtype != dtype:
        got, want = compare.dtype_name(tensor.dtype), compare.dtype_name(dtype)
        raise CheckFailed(Words("The result is {got}, but {want} is asked for.", got=got, want=want))


def is_true(condition: bool, english: str, korean: str, for_students: bool = False) -> None:
    """Ask that a condition holds; otherwise fail with the given sentence.

    Args:
        condition: What must hold.
        english: What is wrong.
        korean: The same in Korean.
        for_students: Whether students may read the sentence of a hidden check too; it must say nothing of the drawn
            inputs.
    """
    if not condition:
        raise (CheckFailed.for_students if for_students else CheckFailed)(CourseWords(english, korean))


def rows_sum_to_one(value: Any) -> None:
    """Ask that a tensor has no negative entry and sums to 1 along its last dimension."""
    tensor = compare.as_tensor(value)
    bound = tolerance("sum", compare.lowest_precision(tensor), device())
    if not bool((tensor >= 0).all()):
        raise CheckFailed(Words("Some weights are negative or NaN."))
    sums = tensor.to(torch.float64).sum(dim=-1)
    if not bool(compare.within(sums, torch.ones_like(sums), bound).all()):
        worst = float(sums.flatten()[(sums.flatten() - 1).abs().argmax()])
        raise CheckFailed(Words("A row sums to {sum:.6g}, not to 1.", sum=worst))


def raises(called: Callee, error: str | tuple[str, ...], *args: Any, **kwargs: Any) -> Raised | list[Raised]:
    """Ask that a call raises one of the named exceptions (or a subclass of one), and return what it raises.

    Args:
        called: `student.NAME`, or a module's handle.
        *args: The inputs; or several calls, each by `given(...)`, of which a list is returned.
    """
    several = bool(args) and all(isinstance(arg, Given) for arg in args)
    wanted = (error,) if isinstance(error, str) else error
    names, raised = " or ".join(wanted), list[Raised]()
    for outcome in called.errors(args if several else [Given(args, kwargs)]):
        if outcome is None:
            raise CheckFailed(Words("{names} is asked for, but nothing was raised.", names=names))
        if not any(name in (outcome.type_name, *outcome.bases) for name in wanted):
            told = {"names": names, "type": outcome.type_name, "text": outcome.text}
            raise CheckFailed(Words("{names} is asked for, but {type} was raised: {text}", **told))
        raised.append(outcome)
    return raised if several else raised[0]
