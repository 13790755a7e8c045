"""Layers of torch's that a function is given: built with the same random parameters on both sides."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import nn

from grader.inside.protocol.messages import ModuleAction
from grader.suite.core.context import device
from grader.suite.core.contract import GivenLayer
from grader.suite.core.draw import Draw
from grader.suite.core.failures import require_value
from grader.suite.library.modules.module_checks import load, random_values
from grader.workers.calls.student import Given, ModuleHandle, Student
from grader.workers.process.check_attempt import Asked

Handles = Mapping[GivenLayer, ModuleHandle]
LOOKED_AT: Mapping[str, Sequence[ModuleAction]] = {
    "": (), "counts": ("kept", "training"), "whole": ("kept", "training", "gradients", "facts"),
}  # fmt: skip
"""What is asked of a layer after the calls, by how it is watched."""
COUNTER = "num_batches_tracked"
"""What torch's batch norm counts its calls in training by."""


@dataclass(frozen=True)
class LayerState:
    """How a layer of the student's process is after a call.

    Attributes:
        tensors: Its parameters and buffers by name.
        gradients: What `.grad` of its parameters holds, by name.
        followed: The parameters that require a gradient.
    """

    tensors: Mapping[str, torch.Tensor]
    gradients: Mapping[str, torch.Tensor]
    followed: frozenset[str]
    training: bool


class GivenLayers:
    """The layers of a contract.

    Args:
        draw: What their parameters are drawn with.
    """

    def __init__(self, student: Student, draw: Draw) -> None:
        self._student, self._draw = student, draw
        self._values: dict[tuple[str, tuple[int, ...], int], dict[str, torch.Tensor]] = {}
        self.states: dict[GivenLayer, LayerState] = {}

    def on_the_worker(self, calls: Iterable[Given]) -> Handles:
        """Build the layers of some calls in the student's process, which holds none of them yet."""
        layers = list(dict.fromkeys(arg for given in calls for arg in given.args if isinstance(arg, GivenLayer)))
        functions = [getattr(self._student, f"torch.nn.{layer.kind}") for layer in layers]
        builds = [build.to_call(Given(layer.sizes, {})) for build, layer in zip(functions, layers, strict=True)]
        made: list[ModuleHandle] = [seen.value for seen in self._made(builds)]
        for layer, handle in zip(layers, made, strict=True):
            if values := self.values_of(layer):
                handle.load(values)
            if layer.dtype != torch.float32 or layer.place not in ("", device()):
                handle.to(dtype=layer.dtype, device=layer.place or None)
            if layer.watched == "whole":
                handle.tell("gradients", values)
            if not layer.training:
                handle.eval()
        return dict(zip(layers, made, strict=True))

    def are_whole(self, handles: Handles) -> bool:
        """Look at the layers that are watched, after the calls; tell whether they have the parameters that they had."""
        self._look(handles)
        return all(
            name in state.tensors and torch.equal(state.tensors[name], value.to(state.tensors[name].dtype))
            for layer, state in self.states.items()
            if layer in handles
            for name, value in self.values_of(layer).items()
        )

    def _look(self, handles: Handles) -> None:
        asked = [(layer, action) for layer in handles for action in LOOKED_AT[layer.watched]]
        made = self._made([handles[layer].to_ask(action) for layer, action in asked])
        found = dict(zip(asked, made, strict=True))
        for layer in dict.fromkeys(layer for layer, _ in asked):
            gradients, facts = (found.get((layer, action)) for action in LOOKED_AT["whole"][2:])
            self.states[layer] = LayerState(
                tensors_in(found[layer, "kept"][0]),
                tensors_in(gradients[0]) if gradients else {},
                frozenset(name for name, words in facts[1].names.items() if words[3:4] == ["1"])
                if facts
                else frozenset(),
                found[layer, "training"][0] is True,
            )

    def _made(self, asked: Asked[Any]) -> list[Any]:
        """Make requests about layers in one exchange.

        Raises:
            StudentFailure: One of them was not answered.
        """
        outcomes, end = getattr(self._student, "torch.nn").ask_until_end(asked)
        if end is not None:
            raise end
        return [require_value(outcome) for outcome in outcomes]

    def twins(self, given: Given, dtype: torch.dtype = torch.float64) -> Given:
        """Return a call with new layers on the trusted side."""
        return Given(tuple(self._twin(arg).to(dtype) if isinstance(arg, GivenLayer) else arg for arg in given.args), {})

    def _twin(self, given: GivenLayer) -> nn.Module:
        module: nn.Module = getattr(nn, given.kind)(*given.sizes).double()
        load(module, self.values_of(given))
        return module.train(given.training)

    def values_of(self, given: GivenLayer) -> dict[str, torch.Tensor]:
        """Return the parameters of a layer by name."""
        key = given.kind, given.sizes, given.number
        if key not in self._values:
            self._values[key] = random_values(getattr(nn, given.kind)(*given.sizes), self._draw)
        return self._values[key]


def tensors_in(value: Any) -> dict[str, torch.Tensor]:
    """Return the tensors of a reply by name."""
    entries = value if type(value) is dict else {}
    return {name: entry for name, entry in entries.items() if isinstance(entry, torch.Tensor)}


def parameters_of(value: Any) -> dict[str, torch.Tensor]:
    """Return the parameters of a layer by name; none of anything else."""
    return dict(value.named_parameters()) if isinstance(value, nn.Module) else {}


def with_each_layer(given: Given, **changes: Any) -> Given:
    """Return a call whose layers have other attributes, such as another device."""
    return Given(
        tuple(replace(arg, **changes) if isinstance(arg, GivenLayer) else arg for arg in given.args), given.kwargs
    )


def with_handles(given: Given, handles: Handles) -> Given:
    """Return a call with the layers in the student's process."""
    return Given(tuple(handles[arg] if isinstance(arg, GivenLayer) else arg for arg in given.args), given.kwargs)


def with_layers(given: Given, layers: Iterable[GivenLayer]) -> Given:
    """Return a call with other layers in the places of its own."""
    others = iter(layers)
    return Given(tuple(next(others) if isinstance(arg, GivenLayer) else arg for arg in given.args), given.kwargs)
