"""Unpacks what student code is given; modules are taken from where they stay, and layers of torch's are built."""

import contextlib

import torch
from torch import nn

from ..pretended.device import entered
from ..protocol import untampered
from ..protocol.rows import PRETENDED, HandleNode, LayerNode, Node, TensorNode
from ..protocol.values import DTYPES, MOST_SPREAD, Unpacker, reach
from ..protocol.wire import ProtocolViolation
from .module_values import load
from .pack_results import Handles, in_memory


def laid_out(tensor: torch.Tensor, strides: list[int]) -> torch.Tensor:
    """Return a tensor of the same numbers that lie in memory as the strides say, if these fit it and waste little."""
    shape = list(tensor.shape)
    if len(strides) != len(shape) or not 0 < reach(shape, strides) <= MOST_SPREAD * tensor.numel():
        raise ProtocolViolation(f"A tensor of shape {shape} cannot have the strides {strides}.")
    memory = torch.zeros(reach(shape, strides), dtype=tensor.dtype, device=tensor.device)
    places = torch.zeros((), dtype=torch.int64, device=tensor.device)
    for size, stride in zip(shape, strides, strict=True):
        places = places.unsqueeze(-1) + stride * torch.arange(size, device=tensor.device)
    memory[places.flatten()] = tensor.flatten()
    return memory.as_strided(shape, strides)


class ArgumentUnpacker(Unpacker):
    """Builds the arguments of a call, with modules taken from where they stay.

    Attributes:
        tensors: The tensors in the order of their rows.
    """

    def __init__(self, nodes: list[Node], payload: bytes, roots: list[int], handles: Handles) -> None:
        self.handles = handles
        self.tensors: list[torch.Tensor] = []
        super().__init__(nodes, payload, roots)

    def handle(self, node: HandleNode) -> nn.Module:
        return self.handles.find(node.id)

    def layer(self, node: LayerNode) -> nn.Module:
        module: nn.Module = getattr(nn, node.kind)(*node.sizes)
        values = {key: self.values[child] for key, child in zip(node.keys, node.children, strict=True)}
        devices = {untampered.device_of(value) for value in values.values()}
        with entered() if any(device.type == PRETENDED for device in devices) else contextlib.nullcontext():
            for device in devices:  # where the values are
                module.to(device)
            load(module, values)
            for parameter in untampered.named_parameters(module).values():
                untampered.set_gradient(parameter, untampered.clone(untampered.detach(parameter)))
            module.to(device=node.device or None, dtype=DTYPES[node.dtype])
        return module.train(node.training)

    def tensor(self, node: TensorNode) -> torch.Tensor:
        tensor = super().tensor(node)
        if node.device != "cpu":
            with entered() if node.device == PRETENDED else contextlib.nullcontext():
                tensor = tensor.to(node.device)
        if node.strides is not None:
            tensor = laid_out(tensor, node.strides)
        self.tensors.append(tensor)
        return tensor

    def owners(self) -> dict[int, int]:
        """Return for each input's storage the number of that input."""
        return {
            untampered.storage_address(in_memory(t)): number
            for number, t in enumerate(self.tensors)
            if untampered.elements(t)
        }
