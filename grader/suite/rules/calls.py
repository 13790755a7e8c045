"""The calls that a contract makes of a student's function: few, each of them read by several rules."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch

from grader.suite.core import compare
from grader.suite.core.contract import Contract
from grader.suite.core.draw import Draw
from grader.suite.core.gradients import is_float, uneven
from grader.suite.core.reference import Reference
from grader.suite.library.changed_inputs import CHANGES, Extent, differing, named, outputs_of, with_argument
from grader.suite.library.layouts import LAYOUTS, laid_out
from grader.suite.library.other_device import SEED, place_to_try
from grader.workers.calls.student import Given

LEAD = (2,)
"""The leading dimension that is tried where the plain form is no form of an answer."""
LAID_OUT: tuple[tuple[int, ...], ...] = ((2, 3), (), LEAD)
"""The leading dimensions of the calls with views."""
CLOSE = 1e-9
"""How far apart two inputs in float64 are, relative to their numbers: next to nothing is left of it in float32."""
EQUAL = 4
DTYPES = {"alike": torch.float32, "float64": torch.float64, "bfloat16": torch.bfloat16}
"""The calls that show a dtype."""


@dataclass(frozen=True)
class Call:
    """One call of the student's function.

    Attributes:
        options: Those of `Callee.observe`.
        sizes: The size of each letter of the contract.
    """

    given: Given
    options: Mapping[str, Any] = field(default_factory=dict)
    sizes: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Change:
    """A call in which one input differs from that of the gate's call, at some places.

    Attributes:
        name: The input.
        places: How much of it differs.
        before: What the solution gives without the change.
        after: What it gives with it.
    """

    name: str
    places: Extent
    given: Given
    before: Any
    after: Any


@dataclass(frozen=True)
class Solution:
    """The solution's function, on the trusted side."""

    name: str
    reference: Reference

    def answer(self, given: Given) -> Any:
        """Return what it gives, computed in float64."""
        with torch.no_grad():
            return getattr(self.reference, self.name)(*given.args)

    def named(self, given: Given) -> dict[str, Any]:
        """Return the inputs of a call by the names of its arguments."""
        return named(getattr(self.reference.module, self.name), given)

    def cotangent(self, given: Given, output: int = 0) -> torch.Tensor:
        """Return the weights of a result's numbers in the scalar whose gradients are compared."""
        dtype = getattr(torch, compare.lowest_precision(given.args))
        return uneven(outputs_of(self.answer(given))[output].shape).to(dtype)


def gate_calls(
    contract: Contract, solution: Solution, draw: Draw, lead: Sequence[int] = ()
) -> tuple[list[Change], dict[str, Call]]:
    """Return the changes of one input after the other, and the calls of the gate.

    Args:
        lead: The leading dimensions of all these calls.
    """
    given = contract.call(draw, contract.alike, lead)
    changes = [
        Change(name, Extent.of(value, other), step, solution.answer(given), solution.answer(step))
        for number, (name, value) in enumerate(solution.named(given).items())
        if isinstance(value, torch.Tensor)
        for other in [at_some_places(value, draw)]
        for step in [with_argument(given, number, name, other)]
    ]
    return changes, {"alike": Call(given, {"echo": True})} | {
        f"other {each.name}": Call(each.given) for each in changes
    }


def at_some_places(value: torch.Tensor, draw: Draw) -> torch.Tensor:
    """Return a tensor with other numbers at some corners of its rows, of which one is the largest of its row then."""
    changed = value.clone()
    for other in differing(value, draw, CHANGES):
        changed = torch.where(other != value, other, changed)
    return changed


def rule_calls(
    contract: Contract, solution: Solution, draw: Draw, here: Given, forbids: Sequence[str]
) -> dict[str, Call]:
    """Return the calls of all other rules, by what they are made with.

    An answer that works in place has values of its own, but raises where gradients are asked for: so these calls are
    others.

    Args:
        here: The inputs of the gate's call, of which gradients are asked, and the same on another device.
        forbids: The groups of library calls that the exercise forbids.
    """

    def call(sizes: Mapping[str, int], lead: Sequence[int] = (), scale: float = 1.0, **options: Any) -> Call:
        return Call(contract.call(draw, sizes, lead, scale=scale), options, sizes)

    distinct, equal, place = contract.distinct, dict.fromkeys(contract.letters, EQUAL), place_to_try()
    calls = {
        "distinct": call(distinct, echo=True),
        "equal": call(equal, scale=2.0),
        "ones": call(contract.ones),
        **{f"large {letter}": call(contract.large(letter, draw)) for letter in contract.letters},
    }
    if forbids:
        calls["watched"] = call(draw.choice([distinct, equal, contract.alike]), forbids=list(forbids))
    if not contract.takes_tensors:
        return calls
    calls["here"] = Call(here, {"cotangent": solution.cotangent(here), "seed": SEED})
    if contract.leads:
        items = contract.call(draw, distinct, contract.items, dtype=torch.float64)
        calls["items"] = Call(items, {"echo": True}, distinct)
        if place is not None:
            calls["items elsewhere"] = Call(items, {"device": place})
    if contract.leads and forbids:
        calls["items watched"] = call(distinct, contract.items, forbids=list(forbids))
    exact = contract.call(draw, distinct, dtype=torch.float64)
    calls["float64"], calls["float64 beside"] = Call(exact, {"echo": True}), Call(beside(exact, draw))
    calls["bfloat16"] = Call(contract.call(draw, contract.alike, dtype=torch.bfloat16))
    for first, lead in enumerate(LAID_OUT):
        arguments = contract.call(draw, distinct, lead if contract.leads else ()).args
        layouts = [LAYOUTS[(first + number) % len(LAYOUTS)] for number in range(len(arguments))]
        mixed = [laid_out(x, each) if is_float(x) else x for x, each in zip(arguments, layouts, strict=True)]
        calls[f"layout {first}"] = Call(Given(tuple(mixed), {}))
    calls["anew"] = call(distinct, before=contract.call(draw, distinct).args)
    followed = contract.call(draw, distinct)
    for output in range(len(contract.results)):
        options = {"cotangent": solution.cotangent(followed, output), "output": output}
        calls[f"gradients {output}"] = Call(followed, options)
    if place is not None:
        calls["elsewhere"] = Call(here, dict(calls["here"].options) | {"device": place})
    return calls


def beside(given: Given, draw: Draw) -> Given:
    """Return the inputs of a call moved by next to nothing."""
    moved = [x * (1 + CLOSE * draw.normal(*x.shape, dtype=x.dtype)) if is_float(x) else x for x in given.args]
    return Given(tuple(moved), {})
