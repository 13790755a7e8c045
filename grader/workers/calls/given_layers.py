"""Layers of torch's that student code is given: they travel as what they are built of, and each call gets new ones."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import nn


@dataclass(frozen=True, eq=False)
class GivenLayer:
    """One of torch's layers, as an input of a call; `.grad` of its parameters holds their numbers.

    Attributes:
        kind: Its name in torch.nn.
        sizes: What it is built with.
        values: Its parameters by name.
        device: Where it always is; empty for the device of the call.
        training: Whether it comes in training.
    """

    kind: str
    sizes: tuple[int, ...]
    values: Mapping[str, torch.Tensor]
    dtype: torch.dtype = torch.float32
    device: str = ""
    training: bool = True

    def __repr__(self) -> str:
        return f"nn.{self.kind}({', '.join(map(str, self.sizes))})"

    def to(self, dtype: torch.dtype) -> "GivenLayer":
        """Return the same layer with another dtype."""
        return replace(self, dtype=dtype)

    def built(self, dtype: torch.dtype) -> nn.Module:
        """Return a new layer on the trusted side, with these parameters in a dtype."""
        module: nn.Module = getattr(nn, self.kind)(*self.sizes).to(dtype)
        with torch.no_grad():
            for name, parameter in module.named_parameters():
                parameter.copy_(self.values[name])
        return module.train(self.training)


@dataclass(frozen=True)
class LayerState:
    """How a layer is after a call.

    Attributes:
        tensors: Its parameters and buffers by name.
        gradients: What `.grad` of its parameters holds, by name.
        followed: The parameters that require a gradient.
    """

    tensors: Mapping[str, torch.Tensor]
    gradients: Mapping[str, torch.Tensor]
    followed: frozenset[str]
    training: bool


def state_in(value: Any) -> LayerState:
    """Return what a worker says of a layer; what it leaves out is not there."""
    told = value if type(value) is dict else {}
    followed = told.get("followed")
    return LayerState(
        tensors_in(told.get("tensors")),
        tensors_in(told.get("gradients")),
        frozenset(name for name in followed if isinstance(name, str)) if type(followed) is list else frozenset(),
        told.get("training") is True,
    )


def tensors_in(value: Any) -> dict[str, torch.Tensor]:
    """Return the tensors of a reply by name."""
    entries = value if type(value) is dict else {}
    return {name: entry for name, entry in entries.items() if isinstance(entry, torch.Tensor)}
