"""Names the mistake in a transformer block whose parameters are named and laid out as the student likes.

Nothing here decides whether a block is right. Each parameter's part is guessed by its shape and by what stands beside
it in the same layer; the student's block and every known mistake get the same numbers for the same parts, and the
mistake that answers as the student's block does is named. A wrong guess gives an answer that no mistake gives, and no
name.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import product
from typing import Any

import torch
from torch import nn

from grader.results.verdict import Diagnosis
from grader.suite.core import compare
from grader.suite.core.context import Mistake, current_check, device
from grader.suite.core.draw import Draw
from grader.suite.core.failures import CheckFailed
from grader.suite.core.reference import Reference
from grader.suite.diagnosis.by_answer import alike, copies, diagnosis_of, fitting_mistakes, outcome_of
from grader.suite.diagnosis.by_measurement import Scaling, describe_divisor, search
from grader.suite.library.modules.free_names import is_vector, shapes_of
from grader.suite.library.modules.module_checks import load
from grader.tolerances import tolerance
from grader.workers.calls.student import ModuleHandle, Student
from grader.workers.process.failures import StudentFailure

from .block_places import place_of

Shapes = Mapping[str, tuple[int, ...]]
Values = dict[str, torch.Tensor]

NORMS = ("norm1", "norm2")
SHIFT = re.compile(r"(bias|beta|shift|offset|b)\d*$", re.IGNORECASE)
NORM_NAME = re.compile(r"norm|ln|gamma|beta|scale|shift", re.IGNORECASE)


@contextmanager
def named_by_parts(
    student: Student, reference: Reference, draw: Draw, name: str, *init: int, **options: Any
) -> Iterator[None]:
    """Let a failure that nothing explains so far be explained by what a block of this kind answers.

    Args:
        student: The student's side.
        reference: The solution.
        draw: Where the numbers come from.
        name: The exercise, which is the class's name.
        *init: d_model, num_heads, d_ff.
        **options: Passed by keyword to the constructors; nothing may be dropped.
    """
    try:
        yield
    except CheckFailed as failure:
        if failure.diagnosis is None and current_check.get().explains:
            try:
                handle = getattr(student, name)(*init, **options)
                module = getattr(reference.module, name)(*init, **options).double()
                failure.diagnosis = explanation(handle, module, draw)
            except StudentFailure:  # the check has its own verdict; a block that cannot be called has no answer
                pass
        raise


def explanation(handle: ModuleHandle, module: nn.Module, draw: Draw) -> Diagnosis | None:
    """Return the mistake behind a block, else the half that it lies in; None if the block answers as it should.

    It is looked for once, and holds for all checks of the exercise.

    Args:
        handle: The student's block; its parameters are overwritten.
        module: The solution's, of the same sizes.
        draw: Where the numbers come from.
    """
    if not isinstance(handle, ModuleHandle):
        return None
    looks = "explanation", handle.name
    if looks not in current_check.get().findings:
        x, numbers = draw.normal(2, 6, handle.built_with[0][0]), Numbers(draw)
        modes = (explanation_in(training, handle, module, x, numbers) for training in (False, True))
        named = next((found for found in modes if found), None)
        current_check.get().findings[looks] = named or place_of(handle, module, x, numbers, guesses)
    found: Diagnosis | None = current_check.get().findings[looks]
    return found


def explanation_in(
    training: bool, handle: ModuleHandle, module: nn.Module, x: torch.Tensor, numbers: "Numbers"
) -> Diagnosis | None:
    """Return the mistake that answers in one of the modes as a block does, for some guess of the parts."""
    init, options = handle.built_with
    d_model, heads, _ = init
    answers: dict[str, Any] = {}

    def run_mistake(mistake: Mistake) -> Any:
        wrong = mistake.make(*init, **options).train(training)
        shapes = {key: tuple(value.shape) for key, value in wrong.named_parameters()}
        if not shapes.keys() & set(numbers.PARTS):
            return None  # under names of its own it would be all zeros
        load(wrong, {key: numbers.of(key, shape) for key, shape in shapes.items()})
        with torch.no_grad():
            return wrong(copies(x))

    def fits(mistake: Mistake) -> bool | None:
        if mistake.name not in answers:
            answers[mistake.name] = outcome_of(mistake, run_mistake)
        theirs = answers[mistake.name]
        return (alike(answer, theirs, "float32") and not alike(theirs, expected, "float32")) or None

    _ = handle.train() if training else handle.eval()
    module.train(training)
    load(module, {key: numbers.of(key, tuple(value.shape)) for key, value in module.named_parameters()})
    with torch.no_grad():
        expected = module(x.double())
    for values in guesses(shapes_of(handle), d_model, heads, numbers):
        handle.load(values)
        answer = handle(x)
        bound = tolerance("module", "float32", device())
        if compare.is_close(answer, expected, compare.scaled(bound, expected)):
            break
        found = diagnosis_of(fitting_mistakes(handle.name, fits, "parts"))
        if found is not None:
            return found
        if not training and (found := divisor_of(answer, module, x, numbers)):
            return found
    return None


def divisor_of(answer: Any, module: nn.Module, x: torch.Tensor, numbers: "Numbers") -> Diagnosis | None:
    """Return by what the scores of a block were divided, if that alone makes its answer."""
    heads, d_model = module.num_heads, x.shape[-1]
    sizes = {"d_model": d_model, "num_heads": int(heads), "the number of tokens": x.shape[1]}
    scaling, queries = Scaling(d_model // int(heads), "head_dim", sizes=sizes), module.get_parameter("W_q.weight")
    right = numbers.of("W_q.weight", (d_model, d_model)).double()

    def rerun(divisor: float) -> Any:
        with torch.no_grad():
            queries.copy_(right * scaling.right / divisor)
            return module(x.double())

    divisor, failure = search(answer, rerun, scaling.right, "float32"), CheckFailed("", "")
    if divisor is not None:
        describe_divisor(failure, scaling, divisor)
    return failure.diagnosis


class Numbers:
    """One random tensor for each part and shape; the attention's biases, and parts that are not known, are zero.

    Args:
        draw: Where the numbers come from.
    """

    PARTS = ("norm1.weight", "norm1.bias", "norm2.weight", "norm2.bias", "widen.weight", "widen.bias",
             "narrow.weight", "narrow.bias", "W_q.weight", "W_k.weight", "W_v.weight", "W_o.weight")  # fmt: skip

    def __init__(self, draw: Draw) -> None:
        self._draw = draw
        self._made: dict[tuple[str, tuple[int, ...]], torch.Tensor] = {}

    def of(self, part: str, shape: tuple[int, ...]) -> torch.Tensor:
        """Return the numbers of a part."""
        if part not in self.PARTS:
            return torch.zeros(shape)
        if (part, shape) not in self._made:
            self._made[part, shape] = self._draw.normal(*shape) * 0.5
        return self._made[part, shape]


def guesses(shapes: Shapes, d_model: int, heads: int, numbers: Numbers) -> Iterator[Values]:
    """Guess which parameter plays which part.

    Args:
        shapes: The shape of each of the student's parameters, by name.
        d_model: Features of a token.
        heads: Number of heads.
        numbers: The numbers of each part.

    Yields:
        A value for every parameter; the likeliest guess first.
    """
    sure = {name: torch.zeros(shape) for name, shape in shapes.items()}
    layers: dict[str, list[str]] = {}
    for name in shapes:
        layers.setdefault(name.rpartition(".")[0], []).append(name)
    wide, narrow = feed_forward(shapes, d_model)
    for part, name in (("widen", wide), ("narrow", narrow)):
        if name:
            sure[name] = numbers.of(f"{part}.weight", shapes[name])
            for bias in beside(name, layers, shapes):
                sure[bias] = numbers.of(f"{part}.bias", (max(shapes[bias]),)).reshape(shapes[bias])
    norms = [names for prefix, names in layers.items() if is_norm(prefix, names, shapes, d_model)]
    maps = [name for name, shape in shapes.items() if name not in (wide, narrow) and not is_vector(shape)]
    maps = [name for name in maps if torch.Size(shapes[name]).numel() > 3 * d_model]
    orders = [norms, norms[::-1]] if len(norms) > 1 else [norms]
    for order, laid_out in product(orders, layouts(maps, shapes, d_model, heads, numbers)):
        values = dict(sure)
        for part, names in zip(NORMS, order, strict=False):
            for name in names:
                kind = "bias" if SHIFT.search(name.rpartition(".")[2]) else "weight"
                values[name] = numbers.of(f"{part}.{kind}", (d_model,)).reshape(shapes[name])
        yield values | laid_out


def feed_forward(shapes: Shapes, d_model: int) -> tuple[str, str]:
    """Return the names of two matrices that lead from d_model features to another number of them and back, or ''."""
    for wide, shape in shapes.items():
        if len(shape) == 2 and shape[1] == d_model != shape[0]:
            back = [name for name, other in shapes.items() if other == shape[::-1]]
            if len(back) == 1:
                return wide, back[0]
    return "", ""


def beside(name: str, layers: Mapping[str, list[str]], shapes: Shapes) -> list[str]:
    """Return the vectors of the layer of a matrix, as long as the matrix has rows."""
    found = layers[name.rpartition(".")[0]]
    return [other for other in found if is_vector(shapes[other]) and max(shapes[other]) == shapes[name][0]]


def is_norm(prefix: str, names: Sequence[str], shapes: Shapes, d_model: int) -> bool:
    """Tell whether a layer has nothing but a scale, a shift or both."""
    vectors = all(is_vector(shapes[name]) and torch.Size(shapes[name]).numel() == d_model for name in names)
    plain = bool(prefix) or all(NORM_NAME.search(name) for name in names)
    return vectors and plain and len(names) <= 2


def layouts(maps: Sequence[str], shapes: Shapes, d_model: int, heads: int, numbers: Numbers) -> Iterator[Values]:
    """Guess how the attention's maps are laid out: one matrix each, one for all three, one for each head.

    Yields:
        A value for each of the maps.
    """
    full = (d_model, d_model)
    q, k, v, o = (numbers.of(f"W_{part}.weight", full) for part in "qkvo")
    whole = [name for name in maps if shapes[name] == full]
    fused = [name for name in maps if shapes[name] == (3 * d_model, d_model)]
    small = [name for name in maps if shapes[name] == (d_model // heads, d_model)]
    if len(maps) == len(whole):
        yield from (dict(zip(whole, order, strict=True)) for order in separate(whole, q, k, v, o))
    elif len(fused) == 1 and len(maps) == 1 + len(whole) and len(whole) <= 1:
        by_head = torch.cat([part.reshape(heads, -1, d_model) for part in (q, k, v)], dim=1).flatten(0, 1)
        for together in (torch.cat([q, k, v]), by_head, torch.cat([k, q, v])):
            yield {fused[0]: together} | dict.fromkeys(whole, o)
    elif len(small) == 3 * heads and len(maps) == len(small) + len(whole) and len(whole) <= 1:
        rows = {part: value.chunk(heads) for part, value in (("W_q", q), ("W_k", k), ("W_v", v))}
        yield {**by_letter(small, rows, heads), **dict.fromkeys(whole, o)}


def separate(names: Sequence[str], q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, o: torch.Tensor) -> Any:
    """Return the values of square maps in the orders that they may have."""
    last = [name.lower() for name in names]
    if len(names) == 4:
        order = {"q": q, "k": k, "v": v}
        lettered = [next((order[letter] for letter in order if is_letter(name, letter)), o) for name in last]
        told = len({id(value) for value in lettered}) == 4
        first = lettered if told else [q, k, v, o]
        swapped = {id(q): k, id(k): q}  # which of the two is which is a matter of names
        return [first, [swapped.get(id(value), value) for value in first]]
    if len(names) == 3:
        return [[q, v, o], [k, v, o], [q, k, o], [q, k, v]]
    return [[q, o]] if len(names) == 2 else []


def is_letter(name: str, letter: str) -> bool:
    """Tell whether the name of a map says that it makes queries (q), keys (k) or values (v)."""
    words = re.split(r"[._\d]+", name.removesuffix(".weight"))
    long = {"q": "query", "k": "key", "v": "value"}[letter]
    return any(word in (letter, f"w{letter}", f"to{letter}") or word.startswith(long[:4]) for word in words)


def by_letter(names: Sequence[str], rows: Mapping[str, Sequence[torch.Tensor]], heads: int) -> Values:
    """Return the values of one matrix for each head and role, by the letters in their names or by their order."""
    parts: dict[str, list[str]] = {"W_q": [], "W_k": [], "W_v": []}
    for name in names:
        for part in parts:
            if is_letter(name.lower(), part[-1]):
                parts[part].append(name)
                break
    if any(len(found) != heads for found in parts.values()):
        parts = {part: list(names[place::3]) for place, part in enumerate(parts)}
    return {name: rows[part][head] for part, found in parts.items() for head, name in enumerate(found)}
