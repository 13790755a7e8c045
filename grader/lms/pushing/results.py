"""Reads the numbers that an LTI platform shows of itself: what a line item is worth, and what a student has there."""

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

MOST: Final = 10**6  # no platform counts more points; what is larger is a fault of its


def number(value: Any) -> Decimal | None:
    """Return a number from 0 to `MOST`, or None for whatever else a platform says."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= MOST:
        return None
    return Decimal(str(value))


def maximum_of(lineitem: Mapping[str, Any]) -> Decimal | None:
    """Return what a line item is worth; None where it does not say so in a number, or in a text that is one."""
    said = lineitem.get("scoreMaximum")
    if isinstance(said, str):
        try:
            said = float(said)
        except ValueError:
            return None
    return number(said)


def has_unreadable_score(result: Mapping[str, Any] | None) -> bool:
    """Return whether a result has a score that is not a number of points."""
    return result is not None and result.get("resultScore") is not None and number(result["resultScore"]) is None


def score_of(result: Mapping[str, Any] | None, max_score: Decimal) -> Decimal | None:
    """Return a platform's score out of our points; None where there is none, or it is not a number of points.

    Args:
        result: An object of the Result Service; None for a student without one. By the specification its maximum is 1
            where it is not given.
    """
    score = None if result is None else number(result.get("resultScore"))
    if result is None or score is None:
        return None
    maximum = number(result.get("resultMaximum")) or Decimal(1)
    if maximum == max_score:
        return score
    exact = Fraction(score) * Fraction(max_score) / Fraction(maximum)
    return Decimal(exact.numerator) / Decimal(exact.denominator) if exact <= MOST else None
