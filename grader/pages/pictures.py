"""Draws a wrong answer beside the right one: tables with shaded cells.

A cell's class is a level from `u4` (far below 0) over `o0` to `o4` (far above); what is not a finite number has the
last level. Answers come as text, for which see `grader.results.verdict.Values`.
"""

import math
from dataclasses import dataclass

from grader.language import N_
from grader.results.verdict import Values

LEVELS = 4
BELOW, ABOVE, DARKEST = (11, 87, 194), (200, 90, 0), 0.48
"""The colours below and above 0, and the opacity of the last level; `pages.css` has them too."""
MOST_NAMED = 8


@dataclass(frozen=True)
class Picture:
    """A matrix: its name, which pages translate, and its cells as (text, class)."""

    name: str
    rows: list[list[tuple[str, str]]]


def pictures(values: Values) -> list[Picture]:
    """Return the answer, what was expected, and the difference; the first two are shaded on one scale."""
    yours, expected = _numbers(values.yours), _numbers(values.expected)
    gaps = [list(map(_gap, *rows)) for rows in zip(yours, expected, strict=True)]
    most = _most([*yours, *expected])
    return [
        Picture(N_("yours"), _shaded(yours, most)),
        Picture(N_("expected"), _shaded(expected, most)),
        Picture(N_("difference"), _shaded(gaps, _most(gaps))),
    ]


def tint(level: str) -> tuple[int, int, int, float]:
    """Return the colour of a level, from 0 to 255, and its opacity."""
    return *(BELOW if level[0] == "u" else ABOVE), DARKEST * int(level[1:]) / LEVELS


def differing(values: Values) -> list[tuple[str, str, str]]:
    """Return the entries that differ most as (index, answer, expected)."""
    rows_too = len(values.shape) > 1
    entries = [
        (_gap(got, want), str([*values.place, *[row] * rows_too, column]), f"{got:.6g}", f"{want:.6g}")
        for row, pair in enumerate(zip(_numbers(values.yours), _numbers(values.expected), strict=True))
        for column, (got, want) in enumerate(zip(*pair, strict=True))
    ]
    entries.sort(key=lambda entry: -abs(entry[0]) if math.isfinite(entry[0]) else -math.inf)
    return [entry[1:] for entry in entries if entry[0] != 0][:MOST_NAMED]


def _numbers(rows: list[str]) -> list[list[float]]:
    return [list(map(float, row.split())) for row in rows]


def _gap(got: float, want: float) -> float:
    return 0.0 if got == want else got - want


def _most(rows: list[list[float]]) -> float:
    return max((abs(number) for row in rows for number in row if math.isfinite(number)), default=0.0)


def _shaded(rows: list[list[float]], most: float) -> list[list[tuple[str, str]]]:
    return [[(f"{number:.4g}", _level(number, most)) for number in row] for row in rows]


def _level(number: float, most: float) -> str:
    if not math.isfinite(number):
        return f"o{LEVELS}"
    level = math.ceil(LEVELS * (abs(number) / most)) if most > 0 else 0
    return f"{'u' if number < 0 else 'o'}{level}"
