"""An exercise's contract: what its text says of the shapes of inputs and results, from which most checks follow.

    mixture.contract(scores="... T", tokens="... T d", result="... d")

Letters are sizes, as in einops, and `H*d` is a product of two; `...` stands for any number of leading dimensions, none
included. An argument `"=H"` is a size itself, and a number stands for itself.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from grader.errors import CourseError
from grader.faults import did_you_mean
from grader.workers.calls.requests import Given

from .draw import Draw

LEADING = "..."
DISTINCT = (5, 3, 7, 4, 2, 6)
"""Sizes that all differ, in the order of the letters."""
TOKENS, FEATURES = 6, 3
"""Sizes with which inputs that change places keep a shape that fits."""
MORE = 240
MODERATE = 16  # features of standard normal numbers whose dot products are moderate
Maker = Callable[..., torch.Tensor]
"""Draws one input: `maker(draw, *shape, dtype=dtype)`."""


@dataclass(frozen=True)
class Contract:
    """What an exercise that is a function is given, and what it returns.

    Attributes:
        inputs: What is passed by position, by name: the shape of a tensor in letters, `=` and a letter for a size, or a
            number.
        results: The shape of each result.
        draws: What draws an input that is not standard normal, by name.
        items: The leading dimensions of what is asked of them.
        scaling: The letter whose root the scores behind the result are divided by, so that another divisor is named.
        without: Why a rule is left out, by its name.
    """

    inputs: Mapping[str, tuple[str, ...] | float]
    results: Sequence[tuple[str, ...]]
    draws: Mapping[str, Maker]
    items: tuple[int, ...]
    scaling: str
    without: Mapping[str, str]

    @property
    def letters(self) -> list[str]:
        """The letters of the inputs in their order."""
        return list(dict.fromkeys(letter for text in self.texts for letter in letters_of(text)))

    @property
    def texts(self) -> list[tuple[str, ...]]:
        """What is written of the inputs, but for numbers."""
        return [text for text in self.inputs.values() if isinstance(text, tuple)]

    @property
    def takes_tensors(self) -> bool:
        """Whether any input is a tensor."""
        return any(not is_size(text) for text in self.texts)

    @property
    def leads(self) -> bool:
        """Whether there may be further dimensions in front."""
        return any(LEADING in text for text in self.texts)

    @property
    def distinct(self) -> dict[str, int]:
        """A size for each letter; no two are equal."""
        return dict(zip(self.letters, DISTINCT, strict=False))

    @property
    def alike(self) -> dict[str, int]:
        """A size for each letter: one for all numbers of tokens and one for all numbers of features."""
        return {letter: TOKENS if letter[0] in "TN" else FEATURES for letter in self.letters}

    @property
    def ones(self) -> dict[str, int]:
        """The smallest size of each letter: 1, but 2 for the samples N of a batch, which share their statistics."""
        return {letter: 2 if letter == "N" else 1 for letter in self.letters}

    def large(self, letter: str, draw: Draw) -> dict[str, int]:
        """Return the smallest sizes, but this one too large for an answer made for small inputs, not for plain loops.

        Tokens are fewer than features can be, since some answers pair them all.
        """
        few = letter[0] == "T" and self.takes_tensors
        return self.ones | {letter: draw.large() + (0 if few else MORE)}

    def call(
        self,
        draw: Draw,
        sizes: Mapping[str, int],
        lead: Sequence[int] = (),
        dtype: torch.dtype = torch.float32,
        scale: float = 1.0,
    ) -> Given:
        """Draw the inputs of one call.

        Args:
            sizes: A size for each letter.
            lead: The leading dimensions, where there are any.
            scale: What standard normal numbers are multiplied by.
        """
        args: list[Any] = []
        for name, text in self.inputs.items():
            if not isinstance(text, tuple):
                args.append(text)
                continue
            if is_size(text):
                args.append(sizes[text[0][1:]])
                continue
            shape = shape_of(text, sizes, lead)
            if name in self.draws:
                args.append(self.draws[name](draw, *shape, dtype=dtype))
            else:
                moderate = min(1.0, (MODERATE / shape[-1]) ** 0.25)
                args.append(draw.normal(*shape, dtype=dtype) * scale * moderate)
        return Given(tuple(args), {})


def is_size(text: Sequence[str]) -> bool:
    """Tell whether an input is a size itself, and no tensor."""
    return len(text) == 1 and text[0].startswith("=")


def letters_of(text: Sequence[str]) -> list[str]:
    """Return the letters of a shape in their order."""
    return [letter for part in text if part != LEADING for letter in part.removeprefix("=").split("*")]


def shape_of(text: Sequence[str], sizes: Mapping[str, int], lead: Sequence[int] = ()) -> tuple[int, ...]:
    """Return a shape that is written in letters, in numbers."""

    def numbers(part: str) -> Sequence[int]:
        return lead if part == LEADING else [math.prod(sizes[letter] for letter in part.split("*"))]

    return tuple(size for part in text for size in numbers(part))


def read_contract(
    exercise: str,
    inputs: Mapping[str, str | float],
    result: str | Sequence[str],
    draws: Mapping[str, Maker],
    items: tuple[int, ...],
    scaling: str,
    without: Mapping[str, str],
) -> Contract:
    """Return what an author wrote as a contract.

    Raises:
        CourseError: A letter or an input is not known, or nothing is given.
    """

    def refuse(problem: str, hint: str) -> CourseError:
        return CourseError(f"The contract of {exercise} {problem}.", hint)

    results = [result] if isinstance(result, str) else list(result)
    held = Contract(
        {name: tuple(text.split()) if isinstance(text, str) else text for name, text in inputs.items()},
        [tuple(text.split()) for text in results],
        draws,
        items,
        scaling,
        without,
    )
    if not held.letters:
        raise refuse("names no input with a shape", 'Write `contract(x="T d", result="T d")`.')
    if len(held.letters) > len(DISTINCT):
        raise refuse(f"has {len(held.letters)} letters", f"Use at most {len(DISTINCT)}.")
    for text in [*held.texts, *held.results]:
        if LEADING in text[1:]:
            raise refuse(f"has `...` inside of `{' '.join(text)}`", "It stands for leading dimensions: write it first.")
    for text in held.results:
        if LEADING in text and not held.leads:
            raise refuse("has `...` in its result, but in no input", "Write it first in the shapes of the inputs, too.")
        for letter in letters_of(text):
            if letter not in held.letters:
                raise refuse(f"has `{letter}` in its result, but in no input", did_you_mean(letter, held.letters))
    if scaling and scaling not in held.letters:
        raise refuse(f"scales by `{scaling}`, which no input has", did_you_mean(scaling, held.letters))
    for name in draws:
        if name not in inputs:
            raise refuse(f"draws `{name}`, which is no input", did_you_mean(name, list(inputs)))
    for name, reason in without.items():
        if not reason.strip():
            raise refuse(f"leaves out the rule `{name}` without a reason", f'Write `without={{"{name}": "..."}}`.')
    return held
