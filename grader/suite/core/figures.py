"""Reads the numbers that the study notes print, each with how exactly it is known.

A note prints four digits, so a figure is a number and half a unit of its last digit. Both come from the printed text
itself, which is why the golden files keep text: `0.10` and `0.1` are the same number and not the same claim.
"""

from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, TypeAlias

import msgspec
import torch

from grader.errors import CourseError
from grader.faults import course_path, fault

Kind = Literal["exact", "platform", "unseeded", "input"]
Printed: TypeAlias = "str | list[Any]"
WORDS = {"True": "1", "False": "0"}
NO_FIGURES = "Restore it from where the course is kept. A course without figures needs one file there that holds `[]`."


class Figure(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """What one place of a note prints.

    Attributes:
        id: The note and the cell, with a word more where a cell prints several things: `N0 In[7] sum`.
        kind: `input` is given to the reader, `exact` follows from inputs or from a seed that gives the same numbers
            everywhere, `platform` comes from a generator that differs between machines, and of `unseeded` only the
            shape can be asked for.
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

    @cached_property
    def shape(self) -> tuple[int, ...]:
        """The shape of the printed tensor; `()` for a single number."""
        return shape_of(self.text, self.id)

    @cached_property
    def printed(self) -> torch.Tensor:
        """The printed numbers in float64, whatever their kind: a record of the note, not a claim on an answer."""
        return self._tensor([float(number_of(text, self.id)) for text in leaves(self.text)])

    @property
    def value(self) -> torch.Tensor:
        """The printed numbers in float64, to be met by an answer.

        Raises:
            CourseError: They were drawn without a seed, so no answer can be held to them.
        """
        if self.kind == "unseeded":
            raise CourseError(
                f"The numbers of the figure {self.id!r} were drawn without a seed, so no answer can meet them.",
                "Check the figure's shape, or a property that holds whatever was drawn.",
            )
        return self.printed

    @property
    def float32(self) -> torch.Tensor:
        """The value in float32, the dtype that the notes work in."""
        return self.value.to(torch.float32)

    @cached_property
    def half_unit(self) -> torch.Tensor:
        """Half a unit of each number's last printed digit, float64, of the value's shape.

        A whole number without digits behind the point (`2`, `2.`), an infinity and a truth value are exact: 0.
        """
        return self._tensor([half_unit_of(text, self.id) for text in leaves(self.text)])

    def _tensor(self, numbers: list[float]) -> torch.Tensor:
        return torch.tensor(numbers, dtype=torch.float64).reshape(self.shape)


def printed(text: str) -> Figure:
    """Make a figure of numbers written as a note prints them, for suites that hold their figures themselves.

    Args:
        text: Numbers between blanks. One line is a 1-D tensor, several lines are the rows of a 2-D one.

    Returns:
        An exact figure of shape (numbers,) or (lines, numbers of a line).
    """
    rows: list[Any] = [line.split() for line in text.strip().splitlines() if line.strip()]
    if not rows:
        raise CourseError("The text of the printed numbers is empty.", "Write numbers between blanks.")
    figure = Figure("the printed numbers", "-", "-", "exact", "-", "-", rows if len(rows) > 1 else rows[0])
    check(figure)
    return figure


def load_figures(folder: Path) -> dict[str, Figure]:
    """Read every golden file of a folder."""
    try:
        paths = sorted(path for path in folder.iterdir() if path.suffix == ".json")
    except FileNotFoundError:
        raise CourseError(f"There is no folder {course_path(folder)}.", NO_FIGURES) from None
    except OSError as error:
        problem = f"{course_path(folder)} cannot be read: {error.strerror or error}."
        raise CourseError(problem, "Make it a folder that you may read.") from None
    if not paths:
        raise CourseError(f"{course_path(folder)} has no file that ends in .json.", NO_FIGURES)
    figures: dict[str, Figure] = {}
    for path in paths:
        for figure in read_file(path):
            if figure.id in figures:
                hint = "Give one of the two another id, for example with a word behind the cell."
                raise CourseError(f"{course_path(path)} has the figure {figure.id!r} a second time.", hint)
            figures[figure.id] = figure
    return figures


def read_file(path: Path) -> list[Figure]:
    """Return the figures of one golden file, each looked over to its last digit."""
    try:
        figures = msgspec.json.decode(path.read_bytes(), type=list[Figure])
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise CourseError(
            f"{course_path(path)} is not a file of figures: {error}.",
            "A figure has the fields id, note, cell, kind, exercise, what and value, all of them text, value nested.",
        ) from error
    for figure in figures:
        try:
            check(figure)
        except CourseError as error:
            raise fault(path, None, error.problem, error.hint) from error
    return figures


def check(figure: Figure) -> None:
    """Raise CourseError where a figure's text is ragged or holds a word that is not a number."""
    shape_of(figure.text, figure.id)
    for text in leaves(figure.text):
        number_of(text, figure.id)


def shape_of(text: Printed, name: str) -> tuple[int, ...]:
    """Return the shape of nested lists."""
    if isinstance(text, str):
        return ()
    shapes = {shape_of(item, name) if isinstance(item, str | list) else None for item in text}
    if len(shapes) != 1 or None in shapes:
        raise CourseError(
            f"The figure {name!r} is not a tensor: a list is empty, or its items are not all text or of one length.",
            "Nest the numbers exactly as the note prints them, each as text.",
        )
    inner = shapes.pop()
    assert inner is not None
    return (len(text), *inner)


def leaves(text: Printed) -> Iterator[str]:
    """Yield the printed numbers of nested lists in reading order."""
    if isinstance(text, str):
        yield text
    else:
        for item in text:
            yield from leaves(item)


def number_of(text: str, name: str) -> Decimal:
    """Return a printed number without losing its digits: `0.10`, `1.`, `-1.2000e-05`, `-inf`, `nan`, `True`."""
    try:
        return Decimal(WORDS.get(text, text))
    except InvalidOperation as error:
        raise CourseError(
            f"The figure {name!r} has {text!r} in the place of a number.", "Write the number as the note prints it."
        ) from error


def half_unit_of(text: str, name: str) -> float:
    """Return half a unit of the last digit of a printed number, 0 for a number that is printed whole."""
    exponent = number_of(text, name).as_tuple().exponent
    whole = exponent == 0 and "e" not in text.lower()
    if not isinstance(exponent, int) or whole or text in WORDS:
        return 0.0
    return float(Decimal(5).scaleb(exponent - 1))
