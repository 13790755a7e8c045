"""What the checks of an exercise are worth: one table, whose rows are shared among the checks in them.

A row that an exercise has no check in is spread over the others in proportion.
"""

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Literal, get_args

from grader.results.verdict import Category

Row = Literal["values", "properties", "unchanged", "gradients", "point", "device"]
MARKS: dict[Row, int] = {
    "values": 30, "properties": 20, "unchanged": 15, "gradients": 15, "point": 15, "device": 5,
}  # fmt: skip
"""Of a hundred; `point` is what the text names as the exercise's own, such as large numbers."""
ROW_OF: dict[Category, Row] = {
    "document": "values", "value": "values", "property": "properties", "shape": "properties", "dtype": "properties",
    "parameters": "properties", "errors": "properties", "purity": "unchanged", "gradient": "gradients",
    "stability": "point", "device": "device",
}  # fmt: skip
"""The row of a check that names no other."""
ROWS = get_args(Row)


def weights(rows: Sequence[tuple[Row | None, int]]) -> list[int]:
    """Return whole numbers in the proportion of what the checks of an exercise are worth.

    Args:
        rows: For each check its row, None for one without weight, and its share of the row against the others in it.
    """
    totals = Counter[Row]()
    for row, share in rows:
        if row is not None:
            totals[row] += share
    shares = [Fraction(MARKS[row] * share, totals[row]) if row is not None else Fraction(0) for row, share in rows]
    common = math.lcm(*(share.denominator for share in shares))
    return [int(share * common) for share in shares]
