"""Reads the numbers that the study notes print, each with how exactly it is known.

A note prints four digits, so a figure is a number and half a unit of its last digit. Both come from the printed text
itself, which is why the golden files keep text: `0.10` and `0.1` are the same number and not the same claim.
"""

from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, TypeAlias

import msgspec
import torch

from grader.errors import CourseError
from grader.faults import course_path

Kind = Literal["exact", "platform", "unseeded", "input"]
Printed: TypeAlias = "str | list[Any]"
WORDS = {"True": "1", "False": "0"}


class Figure(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """What one place of a note prints.

    Attributes:
        id: The note and the cell, with a word more where a cell prints several things: `N0 In[7] sum`.
        kind: `input` is given to the reader, `exact` follows from inputs or from a seed that gives the same numbers
            everywhere, `platform` comes from a generator that differs between machines, and of `unseeded` an answer
            can only meet the shape.
        exercise: The exercise that returns it, or that it passes through on its way.
        text: The printed numbers as text, nested as the tensor is.
    """

    id: str
    note: str
    cell: str
    kind: Kind
    exercise: str
    what: str
    text: Printed = msgspec.field(name="value")

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the printed tensor; `()` for a single number."""
        return tuple(self.value.shape)

    @cached_property
    def value(self) -> torch.Tensor:
        """The printed numbers in float64."""
        return self._tensor(lambda text: float(number_of(text)))

    @property
    def float32(self) -> torch.Tensor:
        """The value in float32, the dtype that the notes work in."""
        return self.value.to(torch.float32)

    @cached_property
    def half_unit(self) -> torch.Tensor:
        """Half a unit of each number's last printed digit, float64, of the value's shape.

        A whole number without digits behind the point (`2`, `2.`), an infinity and a truth value are exact: 0.
        """
        return self._tensor(half_unit_of)

    def _tensor(self, number: Callable[[str], float]) -> torch.Tensor:
        def nested(text: Printed) -> Any:
            return number(text) if isinstance(text, str) else [nested(item) for item in text]

        try:
            return torch.tensor(nested(self.text), dtype=torch.float64)
        except (InvalidOperation, TypeError, ValueError) as error:
            raise CourseError(
                f"The figure {self.id!r} is not a tensor of numbers.",
                "Nest the numbers exactly as the note prints them, each as text.",
            ) from error


def printed(text: str) -> Figure:
    """Make a figure of numbers written as a note prints them, for suites that hold their figures themselves.

    Args:
        text: Numbers between blanks. One line is a 1-D tensor, several lines are the rows of a 2-D one.
    """
    rows: list[Any] = [line.split() for line in text.strip().splitlines() if line.strip()]
    return Figure("the printed numbers", "-", "-", "exact", "-", "-", rows if len(rows) != 1 else rows[0])


def load_figures(folder: Path) -> dict[str, Figure]:
    """Read every golden file of a folder, each figure to its last digit."""
    figures: dict[str, Figure] = {}
    for path in sorted(folder.glob("*.json")):
        try:
            read = msgspec.json.decode(path.read_bytes(), type=list[Figure])
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise CourseError(
                f"{course_path(path)} is not a file of figures: {error}.",
                "A figure has the fields id, note, cell, kind, exercise, what and value, all text, value nested.",
            ) from error
        for figure in read:
            _ = figure.value, figure.half_unit
            if figure.id in figures:
                hint = "Give one of the two another id, for example with a word behind the cell."
                raise CourseError(f"{course_path(path)} has the figure {figure.id!r} a second time.", hint)
            figures[figure.id] = figure
    return figures


def number_of(text: str) -> Decimal:
    """Return a printed number without losing its digits: `0.10`, `1.`, `-1.2000e-05`, `-inf`, `nan`, `True`."""
    return Decimal(WORDS.get(text, text))


def half_unit_of(text: str) -> float:
    """Return half a unit of the last digit of a printed number, 0 for a number that is printed whole."""
    exponent = number_of(text).as_tuple().exponent
    whole = exponent == 0 and "e" not in text.lower()
    if not isinstance(exponent, int) or whole or text in WORDS:
        return 0.0
    return float(Decimal(5).scaleb(exponent - 1))
