"""Packs what student code returns.

A result is whatever a stranger made, so it is looked at through its real type only: an object's `__class__`, a tensor
subclass's overrides and a number's `__eq__` are not asked. What cannot travel is named, not refused, so that a check
can say what came instead of a tensor.
"""

from typing import Any, cast

import numpy as np
import torch
from torch import nn

from ..protocol import untampered
from ..protocol.exceptions import clean, type_name
from ..protocol.rows import (
    LONGEST_MESSAGE,
    LONGEST_NAME,
    MOST_DIMENSIONS,
    PRETENDED,
    ArrayNode,
    HandleNode,
    Node,
    OtherNode,
    TensorNode,
)
from ..protocol.values import DTYPE_NAMES, Packer, TooMuch

KNOWN_LIBRARIES = frozenset({"numpy", "torch", "scipy", "pandas"})
_module_of = vars(type)["__module__"].__get__


class Refused(Exception):
    """A request cannot be met, because of the student's module or result.

    Args:
        why: Which of the sentences in `grader/workers/calls/refusals.py` says it.
        *values: What goes into the sentence.
    """

    def __init__(self, why: str, *values: object) -> None:
        super().__init__(why)
        self.why = why
        self.values = [clean(str(value), LONGEST_MESSAGE) for value in values]


class Handles:
    """The modules that stay in the worker, by number.

    Args:
        device: Where calls compute. A module is moved there when it is first asked for: its numbers are drawn on the
            CPU, so that a seed gives the same ones on every machine.
    """

    def __init__(self, device: str = "cpu") -> None:
        self._device = device
        self.modules: dict[int, nn.Module] = {}
        self._numbers: dict[int, int] = {}
        self._moved: set[int] = set()
        self._next = 1

    def number(self, module: nn.Module) -> int:
        """Return the number of a module, the same one each time."""
        known = self._numbers.get(id(module))
        if known is None:
            known = self._numbers[id(module)] = self._next
            self.modules[known] = module
            self._next += 1
        return known

    def enter(self, number: int, value: Any) -> None:
        """Keep what a call returned under a number that the other side chose, if it is a module."""
        if issubclass(type(value), nn.Module):
            self.modules[number] = value

    def lose(self, number: int) -> None:
        """Keep a module no longer."""
        self.modules.pop(number, None)

    def find(self, number: int) -> nn.Module:
        module = self.modules.get(number)
        if module is None:
            raise Refused("lost", number)
        if self._device != "cpu" and number not in self._moved:
            module.to(self._device)
            self._moved.add(number)
        return module


def full_name(kind: type) -> str:
    """Return a type's name, with its library where that helps a reader."""
    module = str(_module_of(kind)).split(".")[0]
    name = type_name(kind)
    return clean(f"{module}.{name}" if module in KNOWN_LIBRARIES else name, LONGEST_NAME)


def plain_tensor(value: torch.Tensor) -> torch.Tensor:
    """Return a tensor as exactly torch.Tensor; one of a kind that holds no plain numbers is TooMuch."""
    value = in_memory(value)
    if type(value) is not torch.Tensor:
        value = untampered.as_subclass(value, torch.Tensor)
    if untampered.layout_of(value) is not torch.strided:
        raise TooMuch(f"it is a sparse tensor ({untampered.layout_of(value)})")
    if untampered.is_quantized(value):
        raise TooMuch("it is a quantised tensor")
    if untampered.is_nested(value):
        raise TooMuch("it is a nested tensor")
    if untampered.device_of(value).type == "meta":
        raise TooMuch("it is on the device 'meta', which holds no numbers")
    return value


def in_memory(tensor: Any) -> torch.Tensor:
    """Return the tensor whose memory holds the numbers: on the pretended device it is another one, on the CPU."""
    pretended = untampered.device_of(tensor).type == PRETENDED
    return cast(torch.Tensor, tensor.numbers if pretended else tensor)


class ResultPacker(Packer):
    """Packs results; what does not travel becomes a row that names it.

    Args:
        limit: Bytes of tensors that the reply may carry.
        inputs: By address of a storage, the number of the input tensor that it belongs to.
    """

    def __init__(self, limit: int, handles: Handles, inputs: dict[int, int] | None = None) -> None:
        super().__init__(limit)
        self.handles = handles
        self.inputs = inputs or {}

    def add_result(self, value: Any) -> int:
        """Append a value; when it does not fit, append a row that says why."""
        rows, pieces, size, text = len(self.nodes), len(self.pieces), self.size, self.text
        try:
            with untampered.without_modes_and_overrides():
                return self.add(value)
        except BaseException as error:  # looking at a student's value runs the student's code
            del self.nodes[rows:], self.pieces[pieces:]
            self.size, self.text = size, text
            self._path.clear()
            self.nodes.append(OtherNode(full_name(type(value)), reason(error)))
            return rows

    def special(self, value: Any) -> Node | None:
        kind = type(value)
        if issubclass(kind, nn.Module):
            return HandleNode(self.handles.number(value), type_name(kind))
        if issubclass(kind, np.ndarray):
            dtype, shape = np.ndarray.dtype.__get__(value), np.ndarray.shape.__get__(value)
            return ArrayNode(clean(str(dtype), LONGEST_NAME), list(shape))
        return None

    def other(self, value: Any) -> Node:
        return OtherNode(full_name(type(value)))

    def tensor(self, value: torch.Tensor, device: str = "cpu") -> Node:
        try:
            plain = plain_tensor(value)
            dtype, dimensions = untampered.dtype_of(plain), untampered.dimensions(plain)
            if dtype not in DTYPE_NAMES or dimensions > MOST_DIMENSIONS:
                raise TooMuch(f"its dtype is {dtype} and it has {dimensions} dimensions")
            row = super().tensor(plain, str(untampered.device_of(value)))
        except Exception as error:  # torch refuses many kinds of tensors in many ways
            return OtherNode(full_name(type(value)), reason(error))
        owner = self.inputs.get(untampered.storage_address(plain)) if self.inputs else None
        follows = untampered.requires_grad(value)  # the CPU's side of a pretended tensor never does
        if isinstance(row, TensorNode) and (owner is not None or follows != row.requires_grad):
            return TensorNode(row.dtype, row.shape, row.start, row.length, follows, row.contiguous, row.device, owner)
        return row


def reason(error: BaseException) -> str:
    """Return why a value does not travel, as the rest of a sentence."""
    if isinstance(error, TooMuch):
        return clean(str(error), LONGEST_NAME)
    return clean(f"it could not be read ({type_name(type(error))})", LONGEST_NAME)
