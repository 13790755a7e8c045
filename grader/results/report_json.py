"""Reads JSON documents that the kit wrote and anybody may have changed since, and never crashes on what they hold."""

from decimal import Decimal
from typing import TypeVar

import msgspec

T = TypeVar("T")
MOST_DIGITS = 30  # before the point and behind it; far more than any score has


def decode_document(text: bytes, kind: type[T]) -> T:
    """Return the document of a kind that a text holds.

    Raises:
        msgspec.ValidationError: It is not one.
    """
    try:
        return msgspec.json.decode(text, type=kind)
    except RecursionError:
        raise msgspec.ValidationError("It is nested too deeply") from None


def require_points(*numbers: Decimal | None) -> None:
    """Refuse points that no report has: not a number, infinite, or of a size that fills the memory when it is printed.

    Raises:
        ValueError: One of them is such a number; msgspec names its place.
    """
    for number in numbers:
        if number is not None and (
            not number.is_finite() or number.adjusted() > MOST_DIGITS or number.as_tuple().exponent < -MOST_DIGITS  # type: ignore[operator]  # a finite one's is a number
        ):
            raise ValueError("Expected a number of points")
