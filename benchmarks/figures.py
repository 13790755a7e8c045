"""Medians, ranges and ratios: numbers in, numbers out."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.errors import BenchmarkError


@dataclass(frozen=True)
class Spread:
    """One figure of several rounds: what is typical, and how far to trust it.

    Attributes:
        median: The middle one.
        low: The smallest.
        high: The largest.
        rounds: How many there are.
    """

    median: float
    low: float
    high: float
    rounds: int


def spread(numbers: Sequence[float]) -> Spread:
    """Return the median and the range of some numbers.

    Raises:
        BenchmarkError: There are none.
    """
    if not numbers:
        raise BenchmarkError("A figure of no rounds was asked for.")
    return Spread(statistics.median(numbers), min(numbers), max(numbers), len(numbers))


def ratios(others: Sequence[float], ours: Sequence[float]) -> list[float]:
    """Return other / ours round by round, so that a machine that is busy for a while disturbs both alike.

    Raises:
        BenchmarkError: The rounds do not match, or one of ours is not above 0, so that no ratio means anything.
    """
    if len(others) != len(ours):
        raise BenchmarkError(f"{len(others)} rounds cannot be held against {len(ours)}.")
    if any(number <= 0 for number in ours):
        raise BenchmarkError("A round came to no time at all, so no ratio can be taken; use larger classes.")
    return [other / own for other, own in zip(others, ours, strict=True)]
