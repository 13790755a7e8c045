"""Does things with modules that stay in the worker: read and load their tensors, switch their mode, move them."""

from typing import Any

import torch
from torch import nn

from .messages import ModuleRequest, Returned
from .raising import clean, type_name
from .results import ArgumentUnpacker, Handles, Refused, ResultPacker
from .rows import LONGEST_NAME
from .values import DTYPES

MOST_LISTED = 20
MOST_BASES = 30


def perform(request: ModuleRequest, payload: bytes, handles: Handles, limit: int) -> tuple[Returned, list[bytes]]:
    """Carry out one request about a module.

    Raises:
        Refused: The module is gone, or lacks a name or shape that the request takes for granted.
    """
    module = handles.find(request.handle)
    given = ArgumentUnpacker(request.nodes, payload, list(request.values.values()), handles)
    values = {name: given.values[row] for name, row in request.values.items()}
    packer = ResultPacker(limit, handles)
    reply = Returned(nonce=request.nonce, nodes=packer.nodes)
    result: Any = None
    match request.action:
        case "parameters":
            result = dict(module.named_parameters())
        case "buffers":
            result = dict(module.named_buffers())
        case "state_dict":
            result = dict(module.state_dict())
        case "facts":
            reply.names = facts(module)
        case "submodules":
            reply.names = submodules(module)
        case "load":
            load(module, values)
        case "load_state_dict":
            module.load_state_dict(values)
        case "train":
            module.train()
        case "eval":
            module.eval()
        case "to":
            module.to(device=request.device, dtype=DTYPES[request.dtype] if request.dtype else None)
    if request.action in {"train", "eval", "training"}:
        result = bool(module.training)
    reply.value = packer.add_result(result)
    return reply, packer.pieces


def load(module: nn.Module, values: dict[str, torch.Tensor]) -> None:
    """Copy values into parameters and buffers of the same names.

    Raises:
        Refused: A name is not there or has another shape; nothing was copied then.
    """
    own: dict[str, torch.Tensor] = dict(module.named_buffers(remove_duplicate=False))
    own.update(module.named_parameters(remove_duplicate=False))
    for name, value in values.items():
        if name not in own:
            listed = ", ".join(list(own)[:MOST_LISTED]) or "none at all"
            raise Refused(
                f"The module {type_name(type(module))} has no parameter or buffer named {name}; it has: {listed}."
            )
        if own[name].shape != value.shape:
            raise Refused(
                f"The parameter {name} of {type_name(type(module))} has the shape {tuple(own[name].shape)}, "
                f"but {tuple(value.shape)} is asked for."
            )
    with torch.no_grad():
        for name, value in values.items():
            own[name].copy_(value)


def facts(module: nn.Module) -> dict[str, list[str]]:
    """Return for each parameter and buffer its kind, dtype, device, whether autograd follows it, and sizes."""
    found: dict[str, list[str]] = {}
    for kind, tensors in (("parameter", module.named_parameters()), ("buffer", module.named_buffers())):
        for name, tensor in tensors:
            dtype = str(tensor.dtype).removeprefix("torch.")
            sizes = [str(int(size)) for size in tensor.shape]
            found[clean(name, LONGEST_NAME)] = [
                kind,
                dtype,
                str(tensor.device),
                str(int(tensor.requires_grad)),
                *sizes,
            ][:64]
    return found


def submodules(module: nn.Module) -> dict[str, list[str]]:
    """Return for each submodule the name of its class and of that class's bases; the module itself is ''."""
    return {
        clean(name, LONGEST_NAME): [type_name(kind) for kind in type.mro(type(part))][:MOST_BASES]
        for name, part in module.named_modules()
    }
