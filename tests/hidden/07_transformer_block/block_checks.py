"""Finds out what each parameter of a student's transformer block does, so that the block can be compared by value.

Names, order and layout are free there: one layer for queries, keys and values or three, with a bias or without. What
differs in shape is known by its shape. The vectors are told apart by experiment: all parameters are zero but a few, and
the answer shows what the one in question adds. The maps of the attention are all filled with one number, which makes
queries, keys and values the same in every layout; the norm before them then decides how the tokens differ.
"""

import copy
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import torch
from torch import nn

from grader.errors import CourseError
from grader.suite.core import compare
from grader.suite.core.context import current_check
from grader.suite.core.draw import Draw
from grader.suite.core.failures import CheckFailed
from grader.suite.core.reference import Reference
from grader.suite.library.modules.free_names import Renamed, Shapes, built, is_vector, shapes_of
from grader.suite.library.modules.module_checks import load, random_values
from grader.tolerances import tolerance
from grader.workers.calls.student import ModuleHandle, Student

from .block_naming import explanation

FLAT = 0.25  # every entry of the maps to queries, keys and values; exact in every float dtype
MAPS = ("W_q.weight", "W_k.weight", "W_v.weight")
PARTS = {
    "norm1.weight": ("scale of the norm before the attention", "어텐션 앞 정규화의 크기(scale)"),
    "norm1.bias": ("shift of the norm before the attention", "어텐션 앞 정규화의 이동(shift)"),
    "norm2.weight": ("scale of the norm before the feed-forward network", "피드포워드 앞 정규화의 크기(scale)"),
    "norm2.bias": ("shift of the norm before the feed-forward network", "피드포워드 앞 정규화의 이동(shift)"),
    "widen.weight": ("matrix of the first feed-forward layer", "피드포워드 첫 층의 행렬"),
    "widen.bias": ("bias of the first feed-forward layer", "피드포워드 첫 층의 편향"),
    "narrow.weight": ("matrix of the second feed-forward layer", "피드포워드 둘째 층의 행렬"),
    "narrow.bias": ("bias of the second feed-forward layer", "피드포워드 둘째 층의 편향"),
}


Values = Mapping[str, torch.Tensor]
Key = TypeVar("Key")
"""Stands for the parts of a block while another check makes the experiments."""


class BlockParts:
    """The parameters of a block by what they do.

    Args:
        handle: The student's block, in a mode in which nothing is dropped; its parameters are overwritten.
        shapes: The shape of each of its parameters.
        d_model: Features of a token. No other shape in the block may be mistaken for one with d_ff; and with 1 / FLAT
            features a bias of the values would act as the shift of the norm does.
        d_ff: Features inside the feed-forward network.
        draw: Where the experiments' numbers come from.

    Attributes:
        names: The student's name of each part that was found, by the solution's name.
        maps: The student's names of the attention's matrices.
        turned: Whether the output map is laid out as (in, out).
    """

    def __init__(self, handle: ModuleHandle, shapes: Shapes, d_model: int, d_ff: int, draw: Draw) -> None:
        if d_model * FLAT == 1:
            raise CourseError(f"A block with d_model {d_model} hides what its biases do.", hint="Ask another size.")
        self.handle = handle
        self.d_model = d_model
        self.shapes = shapes
        self.x = draw.normal(2, 3, d_model)
        self.names: dict[str, str] = {}
        self.turned = False
        self._find("widen.weight", [name for name, shape in self.shapes.items() if shape == (d_ff, d_model)])
        self._find("narrow.weight", [name for name, shape in self.shapes.items() if shape == (d_model, d_ff)])
        vectors = [name for name, shape in self.shapes.items() if is_vector(shape)]
        self._find("widen.bias", [name for name in vectors if max(self.shapes[name], default=1) == d_ff])
        # A bias of the attention may be laid out by head; a map, even that of one head, holds more numbers.
        small = [name for name, shape in self.shapes.items() if torch.Size(shape).numel() <= 3 * d_model]
        known = {*self.names.values(), *vectors, *small}
        self.maps = [name for name in self.shapes if name not in known]
        rest = [name for name in vectors if max(self.shapes[name], default=1) == d_model]
        rest = self._sort_feed_forward(rest, draw)
        self._sort_attention(rest, draw)
        self._find_output_map(draw)

    def of(self, handle: ModuleHandle, shapes: Shapes) -> "BlockParts":
        """Return the same for another block whose parameters have the same names and parts, whatever its sizes."""
        other = copy.copy(self)
        other.handle, other.shapes = handle, shapes
        return other

    def load(self, parts: Values, own: Values) -> None:
        """Load parts by the solution's names and others by the student's, and make every other parameter zero."""
        self.handle.load(self._setting(parts, own))

    def _setting(self, parts: Values, own: Values) -> dict[str, torch.Tensor]:
        """Return a value for every parameter: the given ones, and zero for any other."""
        zeros = {name: torch.zeros(shape) for name, shape in self.shapes.items()}
        return zeros | self._shaped({**own, **{self.names[role]: value for role, value in parts.items()}})

    def _shaped(self, own: Values) -> dict[str, torch.Tensor]:
        return {name: value.reshape(self.shapes[name]) for name, value in own.items()}

    def _find(self, role: str, found: Sequence[str]) -> None:
        if len(found) != 1:
            part, part_ko = PARTS[role]
            raise CheckFailed(
                f"{len(found) or 'No'} parameters act as the {part}; exactly one is asked for.",
                f"{part_ko} 역할을 하는 매개변수가 {len(found)}개입니다. 정확히 하나여야 합니다.",
            )
        self.names[role] = found[0]

    def _added(self, x: torch.Tensor, settings: Mapping[Key, Values], parts: Values | None = None) -> dict[Key, Any]:
        """Return for each setting what the block adds to x when all but its parameters and the parts are zero."""
        rest = self._setting(parts or {}, {})
        loaded, moved = [], rest
        for own in settings.values():
            loaded.append(moved | self._shaped(own))
            moved = {name: rest[name] for name in own}  # they go back with what comes next
        answers = self.handle.call_with_each(loaded, x)
        shaped = (compare.require_real(answer, tuple(x.shape)) for answer in answers)
        return {key: answer.double() - x.double() for key, answer in zip(settings, shaped, strict=True)}

    def _sort_feed_forward(self, vectors: Sequence[str], draw: Draw) -> list[str]:
        """Find the vectors of the feed-forward half; return those that do nothing while the attention's maps are 0."""
        parts = {role: draw.normal(*self.shapes[self.names[role]]) for role in ("widen.weight", "narrow.weight")}
        rows = parts["widen.weight"]
        rows[1::2] = -rows[:-1:2]  # of each pair one gets through the ReLU, whatever comes in
        value = draw.normal(self.d_model)
        added = self._added(self.x, {name: {name: value} for name in vectors}, parts)
        alike = value.double().expand(self.x.shape)
        idle = [name for name in vectors if is_near(added[name], torch.zeros_like(alike))]
        plain = [name for name in vectors if is_near(added[name], alike)]
        steady = [name for name in vectors if is_steady(added[name]) and name not in {*idle, *plain}]
        self._find("norm2.bias", steady)
        self._find("norm2.weight", [name for name in vectors if name not in {*idle, *plain, *steady}])
        # Of the vectors that are simply added, the attention's bias is seen by the feed-forward network.
        parts["norm2.weight"] = torch.ones(self.d_model)
        added = self._added(self.x, {"": {}, **{name: {name: value} for name in plain}}, parts)
        self._find("narrow.bias", [name for name in plain if is_near(added[name], added[""] + alike)])
        return idle

    def _sort_attention(self, vectors: Sequence[str], draw: Draw) -> None:
        """Find the scale and shift before the attention; its biases stay without a role."""
        value = draw.uniform(self.d_model) + 0.5
        added = self._added(self.x, {name: {**self.flat(), name: value} for name in vectors})
        shift = torch.full(self.x.shape, float(FLAT**2 * self.d_model * value.double().sum()), dtype=torch.float64)
        self._find("norm1.bias", [name for name in vectors if is_near(added[name], shift)])
        self._find("norm1.weight", [name for name in vectors if not is_steady(added[name])])

    def _find_output_map(self, draw: Draw) -> None:
        """Find the map whose rows, or columns, decide the features of what is added; it may have an unusual layout."""
        x, scale = self.x[:1, :1], draw.uniform(self.d_model) + 0.5
        uneven = draw.normal(self.d_model, 1).expand(self.d_model, self.d_model)
        square = [name for name in self.maps if self.shapes[name] == (self.d_model, self.d_model)]
        settings = {
            (name, turned): self.flat() | {name: uneven.T if turned else uneven}
            for name in square for turned in (False, True)
        }  # fmt: skip
        added = self._added(x, settings, {"norm1.weight": scale})
        found = [place for place, seen in added.items() if not is_near(seen, seen[..., :1].expand(x.shape))]
        if len(found) == 1:
            self.names["W_o.weight"], self.turned = found[0]

    def flat(self) -> dict[str, torch.Tensor]:
        """Return one number for every entry of the attention's maps."""
        return {name: torch.full(self.shapes[name], FLAT) for name in self.maps}


def require_calm(handle: ModuleHandle, x: torch.Tensor) -> None:
    """Ask that two calls of a block in eval give the same, without which nothing about its parts can be found out."""
    once, again = (compare.require_real(each, tuple(x.shape)) for each in handle.call_with_each([{}, {}], x))
    if not is_near(again, once.double()):
        raise CheckFailed(
            "Two calls in eval give different results: nothing may be dropped there.",
            "eval에서 두 번 불렀는데 결과가 다릅니다. eval에서는 아무것도 떨어뜨리지 않아야 합니다.",
        )


def is_near(actual: Any, expected: torch.Tensor) -> bool:
    """Tell whether two results are the same but for rounding."""
    return compare.is_close(actual, expected, compare.scaled(tolerance("module", "float32"), expected))


def is_steady(added: torch.Tensor) -> bool:
    """Tell whether the same was added to every token."""
    return is_near(added, added[:1, :1].expand(added.shape))


def found_parts(handle: ModuleHandle, d_model: int, d_ff: int, draw: Draw) -> BlockParts:
    """Return the parts of a block, as they were found out already for one that looks the same on this worker.

    Blocks look the same where all parameters have the same names, and the same shapes but for d_model and d_ff, and
    both have a mask or neither, and dropout or neither: where one of these is wrong, the experiments may fail.

    Args:
        handle: The student's block, in training mode, in which it comes back.
        d_model: As for `BlockParts`.
        d_ff: As there.
        draw: As there; it is not moved on, whether the parts are known or not.
    """
    experiments, shapes = Draw(draw.key()), shapes_of(handle)
    sizes = {d_model: "d_model", d_ff: "d_ff"}
    _, options = handle.built_with
    kind = options.get("causal", True), options.get("dropout", 0) > 0
    parameters = ((name, *(sizes.get(n, n) for n in shape)) for name, shape in shapes.items())
    looks = handle.worker, handle.name, *kind, *parameters
    findings = current_check.get().findings
    known = findings.get(looks)
    if known is None:
        try:
            handle.eval()
            require_calm(handle, experiments.normal(2, 3, d_model))
            known = BlockParts(handle, shapes, d_model, d_ff, experiments)
            handle.train()
        except CheckFailed as failure:
            known = failure
        findings[looks] = known
    if isinstance(known, CheckFailed):
        raise CheckFailed(known.english, known.korean)
    parts: BlockParts = known
    return parts.of(handle, shapes)


def block_twin(
    student: Student, reference: Reference, draw: Draw, name: str, *init: int, **options: Any
) -> tuple[Renamed, nn.Module]:
    """Build the student's block and the solution's with the same parameters, whatever the student's are named.

    Scale, shift, the feed-forward network and the output map are random. The maps to queries, keys and values hold one
    number everywhere, and the attention's biases are 0: that is the same in every layout, and still shows the root that
    is divided by, the number of heads, the mask, the axis of the softmax, and what each sublayer is given.

    Args:
        student: The student's side.
        reference: The solution.
        draw: Where the parameters come from.
        name: The exercise, which is the class's name.
        *init: d_model, num_heads, d_ff.
        **options: Passed by keyword to both constructors.

    Returns:
        The student's block (float32) under the solution's names, and the solution's (float64), in training mode.

    Raises:
        CheckFailed: A part is missing, or does not do what it is there for.
    """
    handle = built(student, name, *init, **options)
    module = getattr(reference.module, name)(*init, **options).double()
    try:
        parts = found_parts(handle, init[0], init[2], draw)
    except CheckFailed as failure:
        failure.diagnosis = explanation(handle, module, draw) if current_check.get().explains else None
        raise
    values = random_values(module, draw)
    values["norm1.weight"] = values["norm1.weight"] * 2  # so that the scores spread
    if "W_o.weight" not in parts.names:
        values["W_o.weight"] = torch.full((init[0], init[0]), FLAT)
    values |= {role: torch.full((init[0], init[0]), FLAT) for role in MAPS}
    load(module, values)
    given = {role: value for role, value in values.items() if role in parts.names}
    parts.load(given | ({"W_o.weight": values["W_o.weight"].T} if parts.turned else {}), parts.flat())
    return Renamed(handle, parts.names, parts.shapes), module
