"""Layers of torch's that a function is given: built with the same random parameters on both sides."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import torch
from torch import nn

from grader.inside.protocol.values import DTYPE_NAMES
from grader.suite.core.contract import GivenLayer
from grader.suite.core.draw import Draw
from grader.suite.core.failures import require_value
from grader.suite.library.modules.module_checks import load, random_values
from grader.workers.calls.student import Given, ModuleHandle, Student
from grader.workers.process.check_attempt import Asked

Handles = Mapping[GivenLayer, ModuleHandle]


class GivenLayers:
    """The layers of a contract.

    Args:
        draw: What their parameters are drawn with.
    """

    def __init__(self, student: Student, draw: Draw) -> None:
        self._student, self._draw = student, draw
        self._values: dict[tuple[str, tuple[int, ...]], dict[str, torch.Tensor]] = {}

    def on_the_worker(self, calls: Iterable[Given]) -> Handles:
        """Build the layers of some calls in the student's process, which holds none of them yet."""
        layers = list(dict.fromkeys(arg for given in calls for arg in given.args if isinstance(arg, GivenLayer)))
        functions = [getattr(self._student, f"torch.nn.{layer.kind}") for layer in layers]
        builds = [build.to_call(Given(layer.sizes, {})) for build, layer in zip(functions, layers, strict=True)]
        made: list[ModuleHandle] = [seen.value for seen in self._made(builds)]
        steps = []
        for layer, handle in zip(layers, made, strict=True):
            steps.append(handle.to_ask("load", self._values_of(layer)))
            if layer.dtype != torch.float32 or layer.place:
                steps.append(handle.to_ask("to", dtype=DTYPE_NAMES[layer.dtype], device=layer.place or None))
        self._made(steps)
        return dict(zip(layers, made, strict=True))

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
        load(module, self._values_of(given))
        return module

    def _values_of(self, given: GivenLayer) -> dict[str, torch.Tensor]:
        key = given.kind, given.sizes
        if key not in self._values:
            self._values[key] = random_values(getattr(nn, given.kind)(*given.sizes), self._draw)
        return self._values[key]


def moved_to(place: str, given: Given) -> Given:
    """Return a call whose layers are on another device."""
    return Given(tuple(replace(arg, place=place) if isinstance(arg, GivenLayer) else arg for arg in given.args), {})


def with_handles(given: Given, handles: Handles) -> Given:
    """Return a call with the layers in the student's process."""
    return Given(tuple(handles[arg] if isinstance(arg, GivenLayer) else arg for arg in given.args), given.kwargs)
