"""An exercise's contract: what its text says of the shapes of inputs and results, from which most checks follow.

    mixture.contract(scores="... T", tokens="... T d", result="... d")

Letters are sizes, as in einops, `H*d` is a product of two, and `2*d` an even size; `...` stands for any number of
leading dimensions, none included. An argument `"=H"` is a size itself, `layer("Linear", "d d")` one of torch's layers,
`drawn(sentence, "T")` what a function draws, such as a list of words, and a number stands for itself.

    Mixture.contract(init="d_in d_out T+ p", x="B T d_in", result="B T d_out")

With `init` it is a module: what its class is called with are sizes, `T+` a size that may be larger than those of the
inputs, and `p` or `dropout=p` the probability of dropout.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import torch
from torch import nn

from grader.errors import CourseError
from grader.faults import did_you_mean
from grader.workers.calls.given_layers import GivenLayer
from grader.workers.calls.requests import Given

from .draw import Draw

LEADING = "..."
DISTINCT = (5, 3, 7, 4, 6, 2)
"""Sizes that all differ, in the order of the letters."""
TOKENS, FEATURES = 6, 5
"""Sizes with which inputs that change places keep a shape that fits."""
FEW = 2
MORE = 240
TOKENS_OR_SAMPLES = "NT"
ROWS = "B" + TOKENS_OR_SAMPLES
"""What the letters of items, samples and tokens begin with; all others are of features or heads."""
MODERATE = 16  # features of standard normal numbers whose dot products are moderate
DROPOUT, ROOM = "p", "+"
GATE, MIXING = "uses_inputs", "mixing"
"""The rule that all others need, and the part of it that a contract may leave out."""
Maker = Callable[..., torch.Tensor]
"""Draws one input: `maker(draw, *shape, dtype=dtype)`."""


@dataclass(frozen=True)
class layer:
    """Says in a contract that an input is one of torch's layers: `sublayer=layer("Linear", "d d")`.

    Attributes:
        kind: Its name in torch.nn.
        sizes: What it is built with, in letters.
        device: Where it is (`cpu`), if not where everything is.
    """

    kind: str
    sizes: str = ""
    device: str = ""


@dataclass(frozen=True)
class drawn:
    """Says in a contract that an input is no tensor: `tokens=drawn(sentence, "T")`, drawn by `sentence(draw, T)`."""

    make: Callable[..., Any]
    sizes: str = ""


@dataclass(frozen=True)
class Contract:
    """What an exercise is given, and what it returns, as `exercise.contract` says it; shapes are split into letters.

    Attributes:
        init: What a module's class is called with, as keyword (empty for a place) and text; None for a function.
    """

    inputs: Mapping[str, tuple[str, ...] | layer | drawn | float]
    results: Sequence[tuple[str, ...]]
    draws: Mapping[str, Maker]
    items: tuple[int, ...]
    without: Mapping[str, str]
    init: Sequence[tuple[str, str]] | None = None
    further: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    causal: bool = False
    ignorable: Sequence[str] = ()

    @cached_property
    def letters(self) -> list[str]:
        texts = [
            tuple(text.sizes.split()) if isinstance(text, layer | drawn) else text for text in self.inputs.values()
        ]
        used = (letter for text in texts if isinstance(text, tuple) for letter in letters_of(text))
        return list(dict.fromkeys([*self.init_letters, *used]))

    @cached_property
    def init_letters(self) -> list[str]:
        sizes = [text.removesuffix(ROOM) for _, text in self.init or [] if text != DROPOUT]
        return list(dict.fromkeys(letters_of(sizes)))

    @cached_property
    def has_options(self) -> bool:
        """Whether a function is given anything by keyword in some calls."""
        return not self.is_module and bool(self.further or self.options)

    @cached_property
    def gate(self) -> tuple[str, ...]:
        """What all other checks need, but for the one of forbidden calls: who looks at nothing earns nothing."""
        return () if GATE in self.without else (f"test_{GATE}",)

    @cached_property
    def is_module(self) -> bool:
        return self.init is not None

    @cached_property
    def drops(self) -> bool:
        return any(text == DROPOUT for _, text in self.init or [])

    @cached_property
    def has_batch(self) -> bool:
        """Whether the first dimension of a module's inputs is that of the items of a batch."""
        return self.is_module and all(text[0] == "B" for text in self.texts)

    @cached_property
    def texts(self) -> list[tuple[str, ...]]:
        """What is written of the inputs that are tensors or sizes."""
        return [text for text in self.inputs.values() if isinstance(text, tuple)]

    @cached_property
    def takes_tensors(self) -> bool:
        return any(not is_size(text) for text in self.texts)

    @cached_property
    def takes_numbers(self) -> bool:
        """Whether any input holds floating numbers: a tensor or a layer."""
        return self.takes_tensors or self.takes_layers

    @cached_property
    def takes_layers(self) -> bool:
        return any(isinstance(text, layer) for text in self.inputs.values())

    @cached_property
    def takes_any_layers(self) -> bool:
        """Whether layers are given, and any others that keep the shape of their input would do."""
        return self.takes_layers and list(self.results) == self.texts[:1]

    def has_tokens(self, name: str) -> bool:
        """Tell whether the rows of an input are tokens."""
        text = self.inputs.get(name)
        return isinstance(text, tuple) and len(text) > 1 and text[-2].startswith("T")

    @cached_property
    def leads(self) -> bool:
        return any(LEADING in text for text in self.texts)

    @cached_property
    def mixes(self) -> bool:
        """Whether an answer that mixes nothing is refused, where the solution mixes."""
        return MIXING not in self.without

    @cached_property
    def distinct(self) -> dict[str, int]:
        """A size for each letter; no two are equal."""
        return dict(zip(self.letters, DISTINCT, strict=False))

    @cached_property
    def alike(self) -> dict[str, int]:
        """A size for each letter: one for all numbers of tokens, and one for all of features but FEW for the heads."""
        sizes = {letter: TOKENS if letter[0] in TOKENS_OR_SAMPLES else FEATURES for letter in self.letters}
        return sizes | dict.fromkeys(self.heads, FEW)

    @cached_property
    def heads(self) -> list[str]:
        """The first factor of each product, such as the heads."""
        parts = [letters_of([part]) for shape in [*self.texts, *self.results] for part in shape]
        return [letters[0] for letters in parts if len(letters) > 1]

    @cached_property
    def other_forms(self) -> int:
        """In how many other forms it may be called: with so many leading dimensions, or with fewer tokens."""
        return len(self.items) if self.leads else int(self.shorter(self.alike) != self.alike)

    @cached_property
    def ones(self) -> dict[str, int]:
        """The smallest size of each letter: 1, but 2 for the samples N of a batch, which share their statistics."""
        return {letter: 2 if letter == "N" else 1 for letter in self.letters}

    def large(self, draw: Draw) -> list[dict[str, int]]:
        """Return sizes of a call with too many tokens or samples, and of one with too many features.

        They are so for an answer made for small inputs, and not for one that loops over pairs of tokens: what is not
        large is 1; for a module, which says little then, FEW but for the first factor of a product, such as the heads.
        """
        few = {letter: FEW for letter in self.letters if letter[0] == "T" or letter in self.init_letters}
        few = self.ones | (few if self.is_module else {}) | dict.fromkeys(self.heads, 1)
        tokens = [letter for letter in self.letters if letter[0] in TOKENS_OR_SAMPLES]
        features = [letter for letter in self.letters if letter[0] not in ROWS and letter not in self.heads]
        more = 0 if self.takes_tensors else MORE  # without tensors the answer may be a table of some hundreds
        return [few | dict.fromkeys(group, draw.large() + more) for group in (tokens, features) if group]

    def shorter(self, sizes: Mapping[str, int]) -> dict[str, int]:
        """Return sizes in which those with a `+` are smaller than what the class was called with."""
        letters = letters_of([text.removesuffix(ROOM) for _, text in self.init or [] if text.endswith(ROOM)])
        return {letter: size - 2 if letter in letters else size for letter, size in sizes.items()}

    def made_with(self, sizes: Mapping[str, int], p: float = 0.0, further: Mapping[str, Any] | None = None) -> Given:
        """Return what a module's class is called with; `p` is the probability of dropout."""
        args: list[Any] = []
        options: dict[str, Any] = {}
        for keyword, text in self.init or []:
            value = p if text == DROPOUT else size_of(text.removesuffix(ROOM), sizes)
            if keyword:
                options[keyword] = value
            else:
                args.append(value)
        return Given(tuple(args), {**options, **(further or {})})

    def call(
        self,
        draw: Draw,
        sizes: Mapping[str, int],
        lead: Sequence[int] = (),
        dtype: torch.dtype = torch.float32,
        scale: float = 1.0,
        keywords: bool = False,
    ) -> Given:
        """Draw the inputs of one call.

        Args:
            sizes: A size for each letter.
            lead: The leading dimensions, where a shape has room for any.
            scale: What standard normal numbers are multiplied by.
            keywords: Whether what is given by keyword is given, too.
        """
        args: list[Any] = []
        for name, text in self.inputs.items():
            if isinstance(text, layer | drawn):
                numbers = shape_of(text.sizes.split(), sizes)
            if isinstance(text, layer):
                args.append(drawn_layer(draw, text.kind, numbers, dtype=dtype, device=text.device))
            elif isinstance(text, drawn):
                args.append(text.make(draw, *numbers))
            elif not isinstance(text, tuple):
                args.append(text)
            elif is_size(text):
                args.append(size_of(text[0][1:], sizes))
            elif name in self.draws:
                args.append(self.draws[name](draw, *shape_of(text, sizes, lead), dtype=dtype))
            else:
                shape = shape_of(text, sizes, lead)
                moderate = min(1.0, (MODERATE / shape[-1]) ** 0.25)
                args.append(draw.normal(*shape, dtype=dtype) * scale * moderate)
        if not keywords:
            return Given(tuple(args), {})
        given = {name: self.draws[name](draw, *shape_of(text, sizes, lead)) for name, text in self.options.items()}
        return Given(tuple(args), given | ({} if self.is_module else dict(self.further)))


def drawn_layer(draw: Draw, kind: str, sizes: tuple[int, ...], **attributes: Any) -> GivenLayer:
    return GivenLayer(kind, sizes, draw.parameters(getattr(nn, kind)(*sizes)), **attributes)


def is_size(text: Sequence[str]) -> bool:
    return len(text) == 1 and text[0].startswith("=")


def letters_of(text: Sequence[str]) -> list[str]:
    factors = [factor for part in text if part != LEADING for factor in part.removeprefix("=").split("*")]
    return [factor for factor in factors if not factor.isdigit()]


def size_of(text: str, sizes: Mapping[str, int]) -> int:
    return math.prod(int(factor) if factor.isdigit() else sizes[factor] for factor in text.split("*"))


def shape_of(text: Sequence[str], sizes: Mapping[str, int], lead: Sequence[int] = ()) -> tuple[int, ...]:
    def numbers(part: str) -> Sequence[int]:
        return lead if part == LEADING else [size_of(part, sizes)]

    return tuple(size for part in text for size in numbers(part))


def named_part(part: str) -> tuple[str, str]:
    """Return the keyword and the text of a part of `init`; the keyword of one without is empty."""
    keyword, equals, text = part.rpartition("=")
    return (keyword, text) if equals else ("", part)


def require_consistent(exercise: str, contract: Contract) -> None:
    """Refuse a contract that cannot be meant.

    Raises:
        CourseError: A letter or an input is not known, or nothing is given.
    """

    def refuse(problem: str, hint: str) -> CourseError:
        return CourseError(f"The contract of {exercise} {problem}.", hint)

    if not contract.letters:
        raise refuse("names no input with a shape", 'Write `contract(x="T d", result="T d")`.')
    if len(contract.letters) > len(DISTINCT):
        raise refuse(f"has {len(contract.letters)} letters", f"Use at most {len(DISTINCT)}.")
    for text in [*contract.texts, *contract.results]:
        if LEADING in text[1:]:
            raise refuse(f"has `...` inside of `{' '.join(text)}`", "It stands for leading dimensions: write it first.")
    for text in contract.results:
        if LEADING in text and not contract.leads:
            raise refuse("has `...` in its result, but in no input", "Write it first in the shapes of the inputs, too.")
        for letter in letters_of(text):
            if letter not in contract.letters:
                raise refuse(f"has `{letter}` in its result, but in no input", did_you_mean(letter, contract.letters))
    if contract.causal and not contract.is_module:
        raise refuse("is that of a function, but says what only a module has", "Give `init`, or leave it out.")
    if contract.causal and not all("T" in text for text in [*contract.texts, *contract.results]):
        raise refuse("is causal, but has a shape without tokens `T`", "Write `T` for the dimension of the tokens.")
    for name in contract.draws:
        if name not in (*contract.inputs, *contract.options):
            raise refuse(
                f"draws `{name}`, which is no input", did_you_mean(name, [*contract.inputs, *contract.options])
            )
    for name in contract.options:
        if name not in contract.draws:
            raise refuse(
                f"gives `{name}` by keyword, but does not say what draws it", f'Write `draws={{"{name}": ...}}`.'
            )
