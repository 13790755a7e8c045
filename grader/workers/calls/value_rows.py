"""Turns a suite's arguments into rows and a worker's rows into values, on the trusted side."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch

from grader.errors import CourseError
from grader.inside.protocol.rows import ArrayNode, HandleNode, LayerNode, Node, OtherNode, TensorNode
from grader.inside.protocol.values import DTYPE_NAMES, MOST_SPREAD, Packer, TooMuch, Unpacker, reach
from grader.inside.protocol.wire import ProtocolViolation

from .given_layers import GivenLayer


@dataclass(frozen=True)
class Foreign:
    """A value that the student's code returned and that cannot be sent.

    Attributes:
        type_name: The name of its type, `numpy.ndarray`.
        note: Why it cannot be sent, as the rest of a sentence; empty when the type explains it.
    """

    type_name: str
    note: str = ""

    def __repr__(self) -> str:
        return f"<{self.type_name}{': ' if self.note else ''}{self.note}>"


class WorkerModule:
    """A module in the worker."""

    def module_number(self) -> tuple[int, str]:
        raise NotImplementedError


class ArgumentPacker(Packer):
    """Packs a suite's arguments; a tensor that is not contiguous keeps its strides.

    Args:
        limit: Bytes of tensors that may be sent.
        device: Where the tensors are to be put.
        plainly: Whether all tensors must be contiguous in the worker, since they are written to.
    """

    def __init__(self, limit: int, device: str, plainly: bool = False) -> None:
        super().__init__(limit)
        self._device = device
        self._plainly = plainly

    def special(self, value: Any) -> Node | None:
        if isinstance(value, GivenLayer):
            children = self._children(value, value.values.values())
            dtype = DTYPE_NAMES[value.dtype]
            return LayerNode(
                value.kind, list(value.sizes), list(value.values), children, dtype, value.device, value.training
            )
        return HandleNode(*value.module_number()) if isinstance(value, WorkerModule) else None

    def tensor(self, value: torch.Tensor, device: str = "cpu") -> Node:
        row = super().tensor(value, self._device)
        if isinstance(row, TensorNode) and not (row.contiguous or self._plainly):
            strides = list(value.stride())
            if reach(row.shape, strides) <= MOST_SPREAD * value.numel():  # a column of a large matrix comes alone
                row.strides = strides
        return row

    def argument(self, value: Any) -> int:
        """Append an argument; that it cannot be sent is the fault of the course."""
        try:
            return self.add(value)
        except (TypeError, TooMuch) as error:
            raise CourseError(
                f"A check passes something to student code that cannot be sent there: {error}.",
                "Tensors, numbers, texts, None, lists, tuples, dictionaries with text keys, layers and modules can.",
            ) from None


class ResultUnpacker(Unpacker):
    """Builds the values that a suite sees.

    Args:
        handle: Makes a module's handle from its number and class name.
    """

    def __init__(self, nodes: list[Node], payload: bytes, roots: list[int], handle: Callable[[int, str], Any]) -> None:
        self._make_handle = handle
        super().__init__(nodes, payload, roots)

    def tensor(self, node: TensorNode) -> torch.Tensor:
        if node.strides is not None:
            raise ProtocolViolation("A tensor came back with strides.")
        made: torch.Tensor = super().tensor(node)
        return made

    def handle(self, node: HandleNode) -> Any:
        return self._make_handle(node.id, node.class_name)

    def foreign(self, node: ArrayNode | OtherNode) -> Foreign:
        if isinstance(node, ArrayNode):
            return Foreign("numpy.ndarray", f"a NumPy array of shape {tuple(node.shape)} and dtype {node.dtype}")
        return Foreign(node.type_name, node.note)
