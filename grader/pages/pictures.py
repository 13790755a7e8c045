"""Draws a wrong answer beside the right one: tables with shaded cells, bars for a vector, boxes for a wrong shape.

A cell's class is a level from `u4` (far below 0) over `o0` to `o4` (far above); what is not a finite number has the
last level. Answers come as text, for which see `grader.results.verdict.Values`.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from grader.language import N_
from grader.results.verdict import Shapes, Values

LEVELS = 4
BELOW, ABOVE, DARKEST = (11, 87, 194), (200, 90, 0), 0.48
"""The colours below and above 0, and the opacity of the last level; `pages.css` has them too."""
MOST_NAMED = 8
PAIR, HIGHEST = 48, 60
"""How far the pairs of bars are apart, and the height of the bar of the largest number."""
ENTRY, MOST_ENTRIES = 11, 8
"""How much each entry adds to a side of a box, and how many of them do."""


@dataclass(frozen=True)
class Picture:
    """A matrix: its name, which pages translate, and its cells as (text, class).

    Attributes:
        exact: The number of each cell to six digits; empty where the cell shows all that is known of it.
        row_labels: What the rows are called: their numbers from 0 where the suite does not say it.
        column_labels: What the columns are called, likewise.
    """

    name: str
    rows: list[list[tuple[str, str]]]
    exact: list[list[str]]
    row_labels: list[str]
    column_labels: list[str]


@dataclass(frozen=True)
class Bar:
    """A number as text, and where its bar begins from the top and how high it is."""

    text: str
    top: float
    height: float


@dataclass(frozen=True)
class BarPair:
    """An entry of a vector: where its bars begin from the left, its name, and the two bars."""

    left: int
    label: str
    yours: Bar
    expected: Bar


@dataclass(frozen=True)
class BarChart:
    """A vector as pairs of bars, and how high all of it is."""

    height: int
    pairs: list[BarPair]


@dataclass(frozen=True)
class Box:
    """A shape: its name, which pages translate, and each axis as (size, whether the other shape lacks it)."""

    name: str
    axes: list[tuple[int, bool]]

    @property
    def width(self) -> int:
        """How wide the box of the last two axes is."""
        return _side(self.axes[-1:])

    @property
    def height(self) -> int:
        """How high it is."""
        return _side(self.axes[-2:-1])


def pictures(values: Values) -> list[Picture]:
    """Return the answer, what was expected, and the difference; the first two are shaded on one scale."""
    yours, expected = _numbers(values.yours), _numbers(values.expected)
    gaps = [list(map(_gap, *rows)) for rows in zip(yours, expected, strict=True)]
    most = _most([*yours, *expected])
    rows, columns = values.row_labels or _counted(yours), values.column_labels or _counted(yours[0])
    return [
        Picture(N_("yours"), *_shaded(yours, most, values.yours), rows, columns),
        Picture(N_("expected"), *_shaded(expected, most, values.expected), rows, columns),
        Picture(N_("difference"), *_shaded(gaps, _most(gaps)), rows, columns),
    ]


def bar_chart(values: Values) -> BarChart | None:
    """Return the bars of a vector; None for a matrix."""
    if len(values.yours) > 1:
        return None
    (yours,), (expected,) = _numbers(values.yours), _numbers(values.expected)
    most = _most([yours, expected])
    entries = zip(
        values.column_labels or _counted(yours),
        (_bar(*each, most) for each in zip(values.yours[0].split(), yours, strict=True)),
        (_bar(*each, most) for each in zip(values.expected[0].split(), expected, strict=True)),
        strict=True,
    )
    below = HIGHEST if any(number < 0 for number in (*yours, *expected)) else 0
    return BarChart(HIGHEST + below, [BarPair(PAIR * place, *entry) for place, entry in enumerate(entries)])


def shape_boxes(shapes: Shapes) -> list[Box]:
    """Return the shape of the answer and the one that it should have."""
    return [
        Box(N_("yours"), _marked(shapes.yours, shapes.expected)),
        Box(N_("expected"), _marked(shapes.expected, shapes.yours)),
    ]


def tint(level: str) -> tuple[int, int, int, float]:
    """Return the colour of a level, from 0 to 255, and its opacity."""
    return *(BELOW if level[0] == "u" else ABOVE), DARKEST * int(level[1:]) / LEVELS


def differing(values: Values) -> list[tuple[str, str, str]]:
    """Return the entries that differ most as (index, answer, expected)."""
    rows_too = len(values.shape) > 1
    found = [
        (_gap(got, want), str([*values.place, *[row] * rows_too, column]), f"{got:.6g}", f"{want:.6g}")
        for row, pair in enumerate(zip(_numbers(values.yours), _numbers(values.expected), strict=True))
        for column, (got, want) in enumerate(zip(*pair, strict=True))
    ]
    found.sort(key=lambda each: -abs(each[0]) if math.isfinite(each[0]) else -math.inf)
    return [each[1:] for each in found if each[0] != 0][:MOST_NAMED]


def _numbers(rows: list[str]) -> list[list[float]]:
    return [list(map(float, row.split())) for row in rows]


def _counted(items: Sequence[object]) -> list[str]:
    return [str(number) for number in range(len(items))]


def _gap(got: float, want: float) -> float:
    return 0.0 if got == want else got - want


def _most(rows: list[list[float]]) -> float:
    return max((abs(number) for row in rows for number in row if math.isfinite(number)), default=0.0)


def _shaded(
    rows: list[list[float]], most: float, texts: Sequence[str] = ()
) -> tuple[list[list[tuple[str, str]]], list[list[str]]]:
    """Return the cells of a matrix, and the numbers of which they show less than is known."""
    cells = [[(f"{number:.4g}", _level(number, most)) for number in row] for row in rows]
    known = [text.split() for text in texts] or [[text for text, _ in row] for row in cells]
    exact = [
        [text if text != shown else "" for text, (shown, _) in zip(*pair, strict=True)]
        for pair in zip(known, cells, strict=True)
    ]
    return cells, exact


def _level(number: float, most: float) -> str:
    if not math.isfinite(number):
        return f"o{LEVELS}"
    level = math.ceil(LEVELS * (abs(number) / most)) if most > 0 else 0
    return f"{'u' if number < 0 else 'o'}{level}"


def _bar(text: str, number: float, most: float) -> Bar:
    """Return a bar that is as high as its number is large; at least a line, and at most as high as an infinity."""
    share = abs(number) / most if math.isfinite(number) and most > 0 else float(math.isinf(number))
    height = max(1.0, round(HIGHEST * share, 1))
    return Bar(text, HIGHEST if number < 0 else HIGHEST - height, height)


def _marked(own: Sequence[int], other: Sequence[int]) -> list[tuple[int, bool]]:
    """Return the axes of a shape, each with whether it is not in its place in the other one."""
    if len(own) == len(other):
        return [(size, size != wanted) for size, wanted in zip(own, other, strict=True)]
    blocks = SequenceMatcher(None, own, other, autojunk=False).get_matching_blocks()
    shared = {block.a + step for block in blocks for step in range(block.size)}
    return [(size, place not in shared) for place, size in enumerate(own)]


def _side(axis: Sequence[tuple[int, bool]]) -> int:
    return ENTRY * (min(max(axis[0][0], 1), MOST_ENTRIES) if axis else 1)
