"""Does things with modules that stay in the worker: read and load their tensors, switch their mode, move them."""

import contextlib
from typing import Any

from torch import nn

from ..pretended.device import entered
from ..protocol import untampered
from ..protocol.answers import Returned
from ..protocol.exceptions import clean, type_name
from ..protocol.messages import ModuleRequest
from ..protocol.rows import LONGEST_NAME, PRETENDED, DtypeName
from ..protocol.values import DTYPES
from .module_values import is_lazy, kept, load
from .pack_results import Handles, Refused, ResultPacker
from .unpack_arguments import ArgumentUnpacker


def perform(request: ModuleRequest, payload: bytes, handles: Handles, limit: int) -> tuple[Returned, list[bytes]]:
    """Carry out one request about a module, or say in a Refused that it is gone or lacks a name or shape."""
    module = handles.find(request.handle)
    given = ArgumentUnpacker(request.nodes, payload, list(request.values.values()), handles)
    values = {name: given.values[row] for name, row in request.values.items()}
    packer = ResultPacker(limit, handles)
    reply = Returned(nonce=request.nonce, nodes=packer.nodes)
    result: Any = None
    if request.action not in {"load", "train", "eval"}:
        require_sizes(module)
    match request.action:
        case "parameters":
            result = untampered.named_parameters(module)
        case "buffers":
            result = untampered.named_buffers(module)
        case "state_dict":
            result = dict(untampered.state_dict(module))
        case "kept":
            result = kept(module)
        case "facts":
            reply.names = placements(module)
        case "load":
            reply.names |= load(module, values)
        case "load_state_dict":
            untampered.load_state_dict(module, values)
        case "train":
            module.train()
        case "eval":
            module.eval()
        case "to":
            move(module, request.dtype, request.device)
    reply.value = packer.add_result(result)
    return reply, packer.pieces


def move(module: nn.Module, dtype: DtypeName | None, device: str | None) -> None:
    """Bring a module to a dtype, a device or both."""
    with entered() if device == PRETENDED else contextlib.nullcontext():
        module.to(device=device, dtype=DTYPES[dtype] if dtype else None)


def require_sizes(module: nn.Module) -> None:
    for name, value in untampered.named_parameters(module).items():
        if is_lazy(value):
            raise Refused("no_size", type_name(type(module)), name)


def placements(module: nn.Module) -> dict[str, list[str]]:
    """Return for each parameter and buffer its kind, dtype, device, whether autograd follows it, and sizes."""
    facts: dict[str, list[str]] = {}
    named: dict[str, dict[str, Any]] = {
        "parameter": untampered.named_parameters(module),
        "buffer": untampered.named_buffers(module),
    }
    for kind, tensors in named.items():
        for name, tensor in tensors.items():
            dtype = str(untampered.dtype_of(tensor)).removeprefix("torch.")
            words = [kind, dtype, str(untampered.device_of(tensor)), str(int(untampered.requires_grad(tensor)))]
            sizes = [str(int(size)) for size in untampered.shape_of(tensor)]
            facts[clean(name, LONGEST_NAME)] = [*words, *sizes][:64]
    return facts
