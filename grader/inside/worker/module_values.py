"""Copies numbers into modules of the student's and into layers of torch's, and tells what they hold."""

from typing import Any

import torch
from torch import nn
from torch.nn.parameter import UninitializedBuffer, UninitializedParameter

from ..protocol import untampered
from ..protocol.exceptions import clean, type_name
from ..protocol.rows import LONGEST_NAME
from .pack_results import Refused

MOST_LISTED = 20


def is_lazy(value: Any) -> bool:
    """Tell whether a parameter or buffer has no size yet, as those of nn.LazyLinear before the first call."""
    return issubclass(type(value), UninitializedParameter | UninitializedBuffer)


def load(module: nn.Module, values: dict[str, torch.Tensor]) -> dict[str, list[str]]:
    """Copy values into parameters and buffers of the same names; one of a lazy layer gets the value's size first.

    Returns:
        The parameters of other names, as `unset`, and the names that no parameter goes by, as `missing`: those of
        buffers, and all but one of a parameter that has several.

    Raises:
        Refused: A name is not there or has another shape; nothing was copied then.
    """
    tensors: dict[str, Any] = untampered.named_buffers(module, twice=True)
    tensors |= untampered.named_parameters(module, twice=True)
    for name, value in values.items():
        if name not in tensors:
            listed = ", ".join(list(tensors)[:MOST_LISTED])
            raise Refused("other_names" if tensors else "no_names", type_name(type(module)), name, listed)
        asked = tuple(untampered.shape_of(value))
        has = asked if is_lazy(tensors[name]) else tuple(untampered.shape_of(tensors[name]))
        if has != asked:
            raise Refused("other_parameter_shape", type_name(type(module)), name, has, asked)
    with untampered.no_grad():
        for name, value in values.items():
            if is_lazy(tensors[name]):
                tensors[name].materialize(tuple(untampered.shape_of(value)))
            untampered.copy_into(tensors[name], value)
    parameters = untampered.named_parameters(module).keys()
    names = {"unset": parameters - values.keys(), "missing": values.keys() - parameters}
    return {what: [clean(name, LONGEST_NAME) for name in sorted(some)[:MOST_LISTED]] for what, some in names.items()}


def kept(module: nn.Module) -> dict[str, torch.Tensor]:
    """Return all that a module keeps: its state dictionary, and the buffers that are not in it."""
    return {**untampered.state_dict(module), **untampered.named_buffers(module)}


def state_of(module: nn.Module) -> dict[str, Any]:
    """Return what a module keeps, what `.grad` of its parameters holds, which autograd follows, and its mode."""
    parameters = untampered.named_parameters(module)
    gradients = {name: untampered.gradient_of(parameter) for name, parameter in parameters.items()}
    return {
        "tensors": kept(module),
        "gradients": {name: gradient for name, gradient in gradients.items() if gradient is not None},
        "followed": [name for name, parameter in parameters.items() if untampered.requires_grad(parameter)],
        "training": untampered.is_training(module),
    }
