"""What suites ask of a module whose parameters may be named as the student likes.

Where names are free, or other names than those asked for may not cost everything, a parameter is known by its shape and
by what it does. Once each of the solution's parameters has found its counterpart, the student's module is wrapped: it
answers to the solution's names, and everything that compares modules works as it does elsewhere.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import permutations, product
from typing import Any

import msgspec
import torch
from torch import nn

from grader.suite.core import compare
from grader.suite.core.draw import Draw
from grader.suite.core.failures import CheckFailed
from grader.suite.core.reference import Reference
from grader.workers.calls.student import Given, ModuleHandle, Observation, Raised, Student
from grader.workers.process.failures import StudentFailure

from .module_checks import built, load, random_values

Shapes = Mapping[str, tuple[int, ...]]
Rule = Callable[[tuple[int, ...]], torch.Tensor]
UNSEEN = 1e-4  # what rounding may leave, as a share of the largest number


class Renamed:
    """A student's module that answers to the solution's names.

    Args:
        handle: The student's module.
        names: The student's name of each of the solution's parameters; one that is left out has no counterpart.
        shapes: The shape of each of the student's parameters, by the student's name.

    Attributes:
        handle: The student's module.
        names: The student's name of each of the solution's parameters that has a counterpart.
        shapes: As given.
        built_with: As of a handle.
        name: As of a handle.
    """

    def __init__(self, handle: ModuleHandle, names: Mapping[str, str], shapes: Shapes) -> None:
        self.handle = handle
        self.names = dict(names)
        self.shapes = shapes
        self.built_with = handle.built_with
        self.name = handle.name

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the module and return plain values."""
        return self.handle(*args, **kwargs)

    def train(self) -> bool:
        """Switch to training mode, as a handle does."""
        return self.handle.train()

    def eval(self) -> bool:
        """Switch to evaluation mode, as a handle does."""
        return self.handle.eval()

    def on_each(self, cases: Sequence[Given]) -> list[Any]:
        """Call the module on several inputs, as a handle does."""
        return self.handle.on_each(cases)

    def error(self, *args: Any, **kwargs: Any) -> Raised | None:
        """Call the module and return the exception that it raises, as a handle does."""
        return self.handle.error(*args, **kwargs)

    def observe(self, *args: Any, **kwargs: Any) -> Observation:
        """Call the module and return what can be seen, the gradients by the solution's names."""
        seen = self.handle.observe(*args, **kwargs)
        gradients = {role: seen.parameter_gradients.get(name) for role, name in self.names.items()}
        return msgspec.structs.replace(seen, parameter_gradients=gradients)

    def load(self, values: Mapping[str, torch.Tensor]) -> None:
        """Copy values into the parameters by the solution's names, in the student's shape where only that differs."""
        self.handle.load(self._own(values))

    def call_each(self, steps: Sequence[tuple[Mapping[str, torch.Tensor], Given]]) -> list[Any]:
        """Load values as `load` does and call the module, once for each step."""
        return self.handle.call_each([(self._own(values), given) for values, given in steps])

    def _own(self, values: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
        own = {self.names[role]: value for role, value in values.items()}
        return {name: value.reshape(self.shapes[name]) for name, value in own.items()}


def shapes_of(handle: ModuleHandle) -> dict[str, tuple[int, ...]]:
    """Return the shape of each parameter by name; a frozen one, such as a mask, is a constant like a buffer.

    Where all are frozen, they are parameters that somebody forgot to train, and all of them are returned.
    """
    found = {name: each for name, each in handle.facts().items() if each.kind == "parameter"}
    trained = {name: each.shape for name, each in found.items() if each.requires_grad}
    return trained or {name: each.shape for name, each in found.items()}


def filled(shapes: Shapes, rule: Rule) -> dict[str, torch.Tensor]:
    """Return a value for every parameter, made from its shape by a rule."""
    return {name: rule(shape) for name, shape in shapes.items()}


def is_vector(shape: tuple[int, ...]) -> bool:
    """Tell whether a shape has one axis that counts: (5,) and (1, 1, 5), but not (5, 3)."""
    return torch.Size(shape).numel() == max(shape, default=1)


def twins_by_shape(
    student: Student, reference: Reference, draw: Draw, name: str, *init: Any
) -> Iterator[tuple[Renamed, nn.Module]]:
    """Build the student's module and the solution's with the same random parameters, matched by shape.

    Where several parameters have one shape, each way to match them is tried in turn.

    Yields:
        The student's module (float32) under the solution's names, and the solution's (float64).

    Raises:
        CheckFailed: The student's parameters have other shapes.
    """
    handle = built(student, name, *init)
    module = getattr(reference.module, name)(*init).double()
    own, asked = shapes_of(handle), {key: tuple(value.shape) for key, value in module.named_parameters()}
    if sorted(own.values()) != sorted(asked.values()):
        found, wanted = sorted(own.values()), sorted(asked.values())
        raise CheckFailed(
            f"The parameters have the shapes {found}, but {wanted} are asked for.",
            f"매개변수의 모양이 {found}인데 {wanted}이어야 합니다.",
        )
    values = random_values(module, draw)
    load(module, values)
    kinds = sorted(set(asked.values()))
    roles = [key for kind in kinds for key in asked if asked[key] == kind]
    for orders in product(*(permutations([key for key in own if own[key] == kind]) for kind in kinds)):
        renamed = Renamed(handle, dict(zip(roles, [key for order in orders for key in order], strict=True)), own)
        renamed.load(values)
        yield renamed, module


def partial_twin(
    student: Student, reference: Reference, draw: Draw, name: str, *init: Any, **options: Any
) -> tuple[ModuleHandle | Renamed, nn.Module]:
    """Build the two as `twin` does, for a gate: what is there is loaded, also under another name.

    A bias that was forgotten and a layer with a name of the student's own are slips, after which the properties of the
    rest can be looked at. A parameter without a counterpart of its name gets the next one of its shape that has none.
    The two may not give the same then.

    Raises:
        StudentFailure: No parameter of the student's module has a counterpart.
    """
    handle = built(student, name, *init, **options)
    module = getattr(reference.module, name)(*init, **options).double()
    values = random_values(module, draw)
    load(module, values)
    try:
        handle.load(values)
    except StudentFailure:
        own = shapes_of(handle)
        names = counterparts(own, {role: tuple(value.shape) for role, value in values.items()})
        if not names:
            raise
        renamed = Renamed(handle, names, own)
        renamed.load({role: values[role] for role in names})
        return renamed, module
    return handle, module


def counterparts(own: Shapes, asked: Shapes) -> dict[str, str]:
    """Return the student's name of each parameter that is asked for: the same name, else the next of its shape."""
    names = {role: role for role, shape in asked.items() if own.get(role) == shape}
    left = [name for name in own if name not in names]
    for role, shape in asked.items():
        match = next((name for name in left if own[name] == shape), None)
        if role not in names and match is not None:
            names[role] = match
            left.remove(match)
    return names


def tokens_weigh_each_other(block: ModuleHandle, x: torch.Tensor, other: torch.Tensor, d_ff: int) -> None:
    """Ask that tokens see each other, and that they decide themselves how much.

    Where nothing leads from token to token, or a fixed share of each, what two groups of tokens give together is the
    sum of what each gives. With queries and keys it is not.

    Args:
        block: A block with parameters that are not 0. Its feed-forward network, whose ReLU alone would make more than a
            sum, is silenced, unless what the tokens give each other leaves the block by way of that network only.
        x: (B, T, d_model) with several tokens.
        other: Other tokens of the same shape.
        d_ff: Features inside the feed-forward network.
    """
    narrow, half = (x.shape[-1], d_ff), x.shape[1] // 2
    network = {name: value for name, value in block.parameters().items() if tuple(value.shape) == narrow}
    block.load({name: torch.zeros(narrow) for name in network})
    pairs = ((x, x), (x, other), (other, x), (other, other))
    given = torch.cat([torch.cat([first[:, :half], last[:, half:]], dim=1) for first, last in pairs])
    answer = compare.require_real(block(given), tuple(given.shape)).double()
    both, one, another, neither = answer.chunk(4)
    if torch.equal(both[:, half:], another[:, half:]):
        block.load(network)
        answer = compare.require_real(block(given), tuple(given.shape)).double()
        both, one, another, neither = answer.chunk(4)
    seen = float((both - one - another + neither).abs().max())
    if not seen > UNSEEN * float(answer.abs().max()):  # nor where it is NaN
        raise CheckFailed.for_students(
            "The tokens do not weigh each other: no token sees another one, or takes a share of it that is fixed.",
            "토큰들이 서로 가중치를 매기지 않습니다. 다른 토큰을 보지 않거나, 토큰과 관계없이 비율이 정해져 있습니다.",
        )
