"""Does things with modules that stay in the worker: read and load their tensors, switch their mode, move them."""

import contextlib
import itertools
from typing import Any

import torch
from torch import nn
from torch.nn.parameter import UninitializedBuffer, UninitializedParameter

from ..pretended.device import entered
from ..protocol import untampered
from ..protocol.answers import Returned
from ..protocol.exceptions import clean, type_name
from ..protocol.messages import ModuleRequest
from ..protocol.rows import LONGEST_NAME, PRETENDED
from ..protocol.values import DTYPES
from .pack_results import ArgumentUnpacker, Handles, Refused, ResultPacker

MOST_LISTED = 20


def perform(request: ModuleRequest, payload: bytes, handles: Handles, limit: int) -> tuple[Returned, list[bytes]]:
    """Carry out one request about a module, or say in a Refused that it is gone or lacks a name or shape."""
    module = handles.find(request.handle)
    given = ArgumentUnpacker(request.nodes, payload, list(request.values.values()), handles)
    values = {name: given.values[row] for name, row in request.values.items()}
    packer = ResultPacker(limit, handles)
    reply = Returned(nonce=request.nonce, nodes=packer.nodes)
    result: Any = None
    if request.action not in {"load", "train", "eval", "training"}:
        require_sizes(module)
    match request.action:
        case "parameters":
            result = untampered.named_parameters(module)
        case "buffers":
            result = untampered.named_buffers(module)
        case "state_dict":
            result = dict(untampered.state_dict(module))
        case "kept":
            result = {**untampered.state_dict(module), **untampered.named_buffers(module)}
        case "facts":
            reply.names = placements(module)
        case "load":
            reply.names["unset"] = load(module, values)
        case "gradients":
            result = gradients(module, values)
        case "load_state_dict":
            untampered.load_state_dict(module, values)
        case "load_state_of":
            untampered.load_state_dict(module, untampered.state_dict(handles.find(request.other)))
        case "train":
            module.train()
        case "eval":
            module.eval()
        case "to":
            with entered() if request.device == PRETENDED else contextlib.nullcontext():
                module.to(device=request.device, dtype=DTYPES[request.dtype] if request.dtype else None)
    if request.action in {"train", "eval", "training"}:
        result = untampered.is_training(module)
    reply.value = packer.add_result(result)
    return reply, packer.pieces


def is_lazy(value: Any) -> bool:
    """Tell whether a parameter or buffer has no size yet, as those of nn.LazyLinear before the first call."""
    return issubclass(type(value), UninitializedParameter | UninitializedBuffer)


def require_sizes(module: nn.Module) -> None:
    """Ask that all parameters have their sizes."""
    for name, value in untampered.named_parameters(module).items():
        if is_lazy(value):
            raise Refused("no_size", type_name(type(module)), name)


def load(module: nn.Module, values: dict[str, torch.Tensor]) -> list[str]:
    """Copy values into parameters and buffers of the same names; one of a lazy layer gets the value's size first.

    Returns:
        The parameters that are none of them.

    Raises:
        Refused: A name is not there or has another shape; nothing was copied then.
    """
    own: dict[str, Any] = untampered.named_buffers(module, twice=True)
    own |= untampered.named_parameters(module, twice=True)
    for name, value in values.items():
        if name not in own:
            listed = ", ".join(list(own)[:MOST_LISTED])
            raise Refused("other_names" if own else "no_names", type_name(type(module)), name, listed)
        asked = tuple(untampered.shape_of(value))
        has = asked if is_lazy(own[name]) else tuple(untampered.shape_of(own[name]))
        if has != asked:
            raise Refused("other_parameter_shape", type_name(type(module)), name, has, asked)
    with untampered.no_grad():
        for name, value in values.items():
            if is_lazy(own[name]):
                own[name].materialize(tuple(untampered.shape_of(value)))
            untampered.copy_into(own[name], value)
    loaded = {id(own[name]) for name in values}
    unset = (name for name, value in untampered.named_parameters(module).items() if id(value) not in loaded)
    return [clean(name, LONGEST_NAME) for name in itertools.islice(unset, MOST_LISTED)]


def gradients(module: nn.Module, values: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Let `.grad` of parameters hold these values by name, and return what that of each holds."""
    parameters = untampered.named_parameters(module)
    for name in values.keys() & parameters.keys():
        untampered.set_gradient(parameters[name], values[name].to(untampered.device_of(parameters[name])))
    held = {name: untampered.gradient_of(parameter) for name, parameter in parameters.items()}
    return {name: gradient for name, gradient in held.items() if gradient is not None}


def placements(module: nn.Module) -> dict[str, list[str]]:
    """Return for each parameter and buffer its kind, dtype, device, whether autograd follows it, and sizes."""
    found: dict[str, list[str]] = {}
    named: dict[str, dict[str, Any]] = {
        "parameter": untampered.named_parameters(module),
        "buffer": untampered.named_buffers(module),
    }
    for kind, tensors in named.items():
        for name, tensor in tensors.items():
            dtype = str(untampered.dtype_of(tensor)).removeprefix("torch.")
            words = [kind, dtype, str(untampered.device_of(tensor)), str(int(untampered.requires_grad(tensor)))]
            sizes = [str(int(size)) for size in untampered.shape_of(tensor)]
            found[clean(name, LONGEST_NAME)] = [*words, *sizes][:64]
    return found
