"""The calls that a contract makes of a student's answer: few, each of them read by several rules.

Rules ask for them by name. `gate` and `other NAME` are the gate's, the latter with another input; `distinct` has sizes
that all differ, `equal` sizes that are all the same, `ones` the smallest and `large N` large ones; `items` has leading
dimensions, `one item` a single one of size 1; `layout N` is made of views; `anew` follows a call with other numbers in
the same tensors; `here` and `elsewhere` are one call on two devices, `restored` is the call `here` on a second module
that has loaded the first one's state.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import torch

from grader.suite.core.contract import Contract, drawn_layer, shape_of
from grader.suite.core.draw import Draw
from grader.suite.core.gradients import is_float, uneven
from grader.suite.library.changed_inputs import differing
from grader.workers.calls.given_layers import GivenLayer
from grader.workers.calls.student import Given

EQUAL = 4
VIEWED = (2, 3)
"""The leading dimensions of views, the first where one is allowed; `view` cannot merge those that are expanded."""
SMALL = 0.5
"""What the numbers of large inputs, and those in bfloat16, are multiplied by, so that rounding stays small."""
CLOSE = 1e-9
"""How far apart two inputs in float64 are, relative to their numbers: next to nothing is left of it in float32."""
DTYPES = {"gate": torch.float32, "float64": torch.float64, "bfloat16": torch.bfloat16}
"""The calls that show a dtype."""
DROPPED = "bfloat16 dropped"
"""The call that shows the dtype of a module that drops, in training."""
IN_ITEMS = "items followed"
"""The call with leading dimensions whose gradients are compared, on another device where there is any."""
SHOWS_ALL: Mapping[str, Any] = {"echo": True, "fills": True}
"""The options of calls after which the inputs are looked at, and in which fresh memory holds NaN."""
NOT_FOLLOWED: Mapping[str, Any] = {"no_grad": True, "echo": True}
"""Those of calls under torch.no_grad(), after which the inputs are looked at, too."""
Mode = Literal["", "train", "eval"]


@dataclass(frozen=True)
class Call:
    """One call of the student's function, or of a module of the student's.

    Attributes:
        options: Those of `Callee.observe`.
        module: Which of the modules is called (`Side.built`); empty for a function.
        mode: What it is switched to before.
        dtype: What it is turned to before.
        values: What is loaded into it before, by the names of parameters.
        state_of: The module whose state_dict it loads before; empty for none.
    """

    given: Given
    options: Mapping[str, Any] = field(default_factory=dict)
    module: str = ""
    mode: Mode = ""
    dtype: torch.dtype = torch.float32
    values: Mapping[str, torch.Tensor] = field(default_factory=dict)
    state_of: str = ""


def changes_of(inputs: Mapping[str, Any], draw: Draw, *, mixes: bool = True) -> dict[str, Given]:
    """Return for each tensor and layer among the inputs of a call, by its name, the call in which it is another one.

    A list comes in another order, and so do the numbers of a tensor where nobody asks how far a few of them are seen.
    """
    changes = {}
    for name, value in inputs.items():
        other = value
        if isinstance(value, torch.Tensor):
            other = at_some_places(value) if mixes else shuffled(value, draw)
        elif isinstance(value, GivenLayer):
            other = drawn_layer(draw, value.kind, value.sizes, dtype=value.dtype, device=value.device)
        elif isinstance(value, list):
            other = [*value[1:], value[0]]
        if other is not value:
            changes[name] = with_input(inputs, name, other)
    return changes


def with_zero_tokens(contract: Contract, given: Given) -> Given:
    """Return the inputs of a call, in which every second token is zeros, in each tensor of tokens that torch draws."""
    args = list(given.args)
    for place, name in enumerate(contract.inputs):
        if contract.has_tokens(name) and name not in contract.draws:
            args[place] = args[place].clone()
            args[place][..., 1::2, :] = 0
    return Given(tuple(args), given.kwargs)


def with_input(inputs: Mapping[str, Any], name: str, value: Any) -> Given:
    return Given(tuple({**inputs, name: value}.values()), {})


def shuffled(value: torch.Tensor, draw: Draw) -> torch.Tensor:
    return value.flatten()[draw.permutation(value.numel())].reshape(value.shape)


def at_some_places(value: torch.Tensor) -> torch.Tensor:
    """Return a tensor with other numbers at three places at most, the last two of which are largest then."""
    changed = value.clone()
    for other in differing(value):
        changed = torch.where(other != value, other, changed)
    return changed


def cotangent(contract: Contract, sizes: Mapping[str, int], lead: Sequence[int] = ()) -> list[torch.Tensor]:
    """Return the float32 weights of the numbers of all results in the scalar whose gradients are compared."""
    return [uneven(shape_of(result, sizes, lead)).float() for result in contract.results]


def in_views(contract: Contract, given: Given, first: int) -> Given:
    """Return a call whose tensors are views that are not contiguous: expanded and strided ones in turns.

    What works in place refuses the former, and `view` the latter. Samples `N` are never expanded: equal ones have no
    variance, and rounding is all that a norm makes of them.
    """
    mixed = []
    for number, (x, text) in enumerate(zip(given.args, contract.inputs.values(), strict=True)):
        if isinstance(x, torch.Tensor):
            repeats = (first + number) % 2 == 0 and isinstance(text, tuple) and text[0] != "N"
            x = expanded(x) if repeats else strided(x)
        mixed.append(x)
    return Given(tuple(mixed), {})


def expanded(x: torch.Tensor) -> torch.Tensor:
    """Return a tensor whose first of at least two dimensions repeats its first entry, so the numbers are others."""
    return x[:1].expand(x.shape) if x.dim() > 1 else x


def strided(x: torch.Tensor) -> torch.Tensor:
    """Return a tensor with gaps between its numbers, of which the last two dimensions change places in memory."""
    if x.dim() < 1:
        return x
    rows = x.mT if x.dim() > 1 else x
    spread = rows.new_zeros(*rows.shape[:-1], 2 * rows.shape[-1] + 1)[..., :-1:2].copy_(rows)
    return spread.mT if x.dim() > 1 else spread


def beside(given: Given, draw: Draw) -> Given:
    """Return the inputs of a call moved by next to nothing."""
    moved = [x * (1 + CLOSE * draw.normal(*x.shape, dtype=x.dtype)) if is_float(x) else x for x in given.args]
    return Given(tuple(moved), given.kwargs)
