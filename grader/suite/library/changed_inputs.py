"""Changes inputs of a call at some places, and tells how much of an answer changes with them."""

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import torch

from grader.suite.core import compare
from grader.suite.core.failures import CheckFailed
from grader.words import Words

CLEAR = 1e-3  # what counts as a change of the solution's answer, relative to its largest number
ROUNDING = 4  # how many times the precision of a dtype a change of an answer has to be to be more than rounding
LARGER = 2  # how far a row's new largest number is from the old one at least, in mean sizes


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


def outputs_of(answer: Any) -> list[torch.Tensor]:
    return list(answer) if isinstance(answer, tuple | list) else [answer]


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
    return [Extent.of(old, new, clear(old)) for old, new in zip(outputs_of(before), outputs_of(after), strict=True)]


def differing(x: torch.Tensor) -> Iterator[torch.Tensor]:
    """Yield copies of a tensor that differ clearly at one place: in the first row, the last and the one in the middle.

    Under a causal mask the last token reaches no other, so one place is in the middle, in a column that is not hidden.
    Where all are 0 or 1 it becomes the other one; a whole number stays among those that are there, and one of positive
    numbers is positive. Of other numbers the first changes its sign, and each further one becomes the largest of
    its row, or the smallest if it was that: an answer that sees nothing but signs or the order changes too, whatever
    was drawn; of several rows one that sees the order changes at more places than its input.
    """
    low, high = float(x.min()), float(x.max())
    marks = bool(((x == 0) | (x == 1)).all())
    size = float(x.double().nan_to_num(0, 0, 0).abs().mean())
    middle = x[..., :1].numel() // 2 if x.dim() else 0
    other_column = 0 if middle or not x.dim() else x.shape[-1] // 2  # of a single row it is another place
    for number, (row, column) in enumerate([(0, 0), (-1, -1), (middle, other_column)]):
        other = x.clone(memory_format=torch.contiguous_format)
        rows = other.view(-1, other.shape[-1]) if other.dim() else other.view(1, 1)
        entry = float(rows[row, column])
        if marks:
            entry = 1 - entry
        elif not x.is_floating_point():
            entry = entry + 1 if entry < high else low
        elif number:
            least, most = float(rows[row].min()), float(rows[row].max())
            beyond = (LARGER + number) * size
            entry = most + beyond if entry < most or least == 0 else least - beyond if low < 0 else least / 2
        elif low >= 0 or math.isinf(entry):
            entry += size
        else:
            entry = math.copysign(size, -entry) - entry
        rows[row, column] = entry
        yield other


def require_numbers(got: torch.Tensor, want: torch.Tensor) -> None:
    """Ask that an answer holds numbers, and different ones where the solution's does."""
    numbers = got[~torch.isnan(got)]
    if want.numel() and not numbers.numel():
        raise CheckFailed.for_students(compare.NAN)
    differ = Extent.of(want.flatten()[:1].expand(want.numel()), want.flatten(), clear(want)).entries
    if differ and bool((numbers == numbers[0]).all()):
        raise CheckFailed.for_students(Words("All numbers of your answer are the same."))


def is_equal(first: torch.Tensor, second: torch.Tensor) -> bool:
    """Tell whether two tensors hold the same numbers but for rounding, whatever their dtypes."""
    if first.shape != second.shape:
        return False
    return bool(((first == second) | ((first.double() - second.double()).abs() <= noise(second))).all())


def moved(before: torch.Tensor, after: torch.Tensor) -> Extent:
    """Return how much of an answer changed by more than rounding.

    What is the same in both, such as a fill of -1e9, tells nothing of the rounding of the others.
    """
    differing = before[before != after] if before.shape == after.shape else before
    return Extent.of(before, after, noise(differing))
