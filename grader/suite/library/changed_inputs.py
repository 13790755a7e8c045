"""Changes one input of a call after the other, mostly at places where the solution's answer changes with it."""

import inspect
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import torch

from grader.suite.core.draw import Draw
from grader.workers.calls.student import Given

CLEAR = 1e-3  # what counts as a change of the solution's answer, relative to its largest number
CHANGES, TRIES = 3, 12  # how many places of an input are changed, of how many that are tried
ROUNDING = 4  # how many times the precision of a dtype a change of an answer has to be to be more than rounding
LARGER = 4  # how far a row's new largest number is from the old one, in mean sizes
CORNERS = (0, 0), (-1, -1), (-1, 0), (0, -1)

Solve = Callable[[Given], Any]


class Step(NamedTuple):
    """A call in which something differs from the call that it is compared with.

    Attributes:
        what: The input or parameter that differs, in English and Korean.
        before: What the solution gives without the change.
        after: What it gives with it.
        owner: The name of the input, or of the layer whose parameter it is.
        everywhere: Whether all of the input differs, and not one place.
    """

    what: tuple[str, str]
    given: Given
    before: Any
    after: Any
    owner: str
    everywhere: bool = False


class Extent(NamedTuple):
    """How much of an answer changed: numbers, rows and columns of its last two dimensions."""

    entries: int
    rows: int
    columns: int

    @classmethod
    def of(cls, before: torch.Tensor, after: torch.Tensor, least: float = 0.0) -> "Extent":
        """Return how much differs by more than `least`; what is NaN on either side does not count."""
        if before.shape != after.shape:
            return cls(*(after.numel(),) * 3)
        differs = (after.double() - before.double()).abs() > least
        grid = differs.reshape(-1, max(before.shape[-1:] or (1,), default=1)) if differs.numel() else differs[None]
        return cls(int(grid.sum()), int(grid.any(-1).sum()), int(grid.any(0).sum()))

    def or_more(self, other: "Extent") -> "Extent":
        """Return the larger of each number."""
        return Extent(*map(max, self, other))


def outputs_of(expected: Any) -> list[torch.Tensor]:
    """Return the tensors of what the solution gives."""
    return list(expected) if isinstance(expected, tuple | list) else [expected]


def clear(value: torch.Tensor) -> float:
    """Return what counts as a clear change of one of these numbers."""
    return CLEAR * float(value.double().nan_to_num(0, 0, 0).abs().max()) if value.numel() else 0.0


def noise(value: torch.Tensor) -> float:
    """Return how far rounding may move these numbers, which are an answer of the student's."""
    if not value.numel() or not value.is_floating_point():
        return 0.0
    largest = float(value.double().nan_to_num(0, 0, 0).abs().max())
    return ROUNDING * torch.finfo(value.dtype).eps * largest


def changed(before: Any, after: Any) -> list[Extent]:
    """Return for each output of the solution how much of it changed clearly."""
    return [Extent.of(one, two, clear(one)) for one, two in zip(outputs_of(before), outputs_of(after), strict=True)]


def named(function: Callable[..., Any], given: Given) -> dict[str, Any]:
    """Return the inputs of a call by the names of a function's arguments."""
    names = [*inspect.signature(function).parameters][: len(given.args)]
    return {**dict(zip(names, given.args, strict=True)), **given.kwargs}


def input_steps(
    inputs: Mapping[str, Any], base: Given, solve: Solve, draw: Draw, other: Mapping[str, Any]
) -> Iterator[Step]:
    """Yield calls in each of which one input is another one, and in some of these the solution's answer too.

    The input differs at one place; in a last call all of its numbers are in the opposite order. An answer that looks at
    some tokens only, such as the heaviest one, uses its input, whichever token was changed before.

    Args:
        inputs: The inputs by name, those that are passed by position first.
        other: By name, what an argument that is not a tensor is in a call of its own.
    """
    before = solve(base)
    hides = any(bool(((each == 0) | ~torch.isfinite(each)).any()) for each in outputs_of(before))
    for number, (name, value) in enumerate(inputs.items()):
        kept = {True: 0, False: 0}  # where the solution's answer stays the same a slip's may change, such as a mask's
        for each in [other[name]] if name in other else differing(value, draw, TRIES if hides else CHANGES):
            given = with_argument(base, number, name, each)
            step = Step((f"`{name}`", f"`{name}`"), given, before, solve(given), name)
            useful = any(extent.entries for extent in changed(before, step.after))
            kept[useful] += 1
            if kept[useful] <= CHANGES:
                yield step
        if name not in other and isinstance(value, torch.Tensor) and value.is_floating_point() and value.numel() > 1:
            given = with_argument(base, number, name, value.flip([*range(value.dim())]))
            yield Step((f"`{name}`", f"`{name}`"), given, before, solve(given), name, everywhere=True)


def with_argument(base: Given, number: int, name: str, value: Any) -> Given:
    """Return a call with another value for one argument."""
    if name in base.kwargs:
        return replace(base, kwargs={**base.kwargs, name: value})
    return replace(base, args=(*base.args[:number], value, *base.args[number + 1 :]))


def differing(x: Any, draw: Draw, count: int) -> Iterator[torch.Tensor]:
    """Yield copies of a tensor that differ clearly at one place: at a corner of its rows first, then anywhere.

    Where all are 0 or 1 it becomes the other one; a whole number stays among those that are there, and one of positive
    numbers is positive. Of other numbers every second one changes its sign, and in every third copy it becomes the
    largest of its row, or the smallest if it was that: an answer that sees nothing but signs or the order changes too,
    whatever was drawn.
    """
    if not isinstance(x, torch.Tensor) or not x.numel():
        return
    low, high = float(x.min()), float(x.max())
    marks = bool(((x == 0) | (x == 1)).all())
    size = float(x.double().nan_to_num(0, 0, 0).abs().mean())
    for number in range(count):
        other = x.clone(memory_format=torch.contiguous_format)
        rows = other.view(-1, other.shape[-1]) if other.dim() else other.view(1, 1)
        drawn = (int(draw.integers(0, each, 1)) for each in rows.shape)
        row, column = CORNERS[number] if number < len(CORNERS) else drawn
        entry = float(rows[row, column])
        if marks:
            entry = 1 - entry
        elif not x.is_floating_point():
            entry = entry + 1 if entry < high else low
        elif number % CHANGES == CHANGES - 1:
            least, most = float(rows[row].min()), float(rows[row].max())
            beyond = LARGER * size
            entry = most + beyond if entry < most or least == 0 else least - beyond if low < 0 else least / 2
        elif low >= 0 or math.isinf(entry):
            entry += (1 + number % CHANGES) * size
        elif number % 2:
            entry = math.copysign(size, -entry) - entry
        else:
            entry -= size
        rows[row, column] = entry
        yield other
