"""Turns Python values into rows and bytes and back, for both sides of the wire.

Unpacking is strict, because the trusted side does it with rows that it does not trust: every row is used once, children
come after their parent, tensors fill the payload without gap or overlap, and a tensor is built only after its dtype,
sizes and length agree. The result holds plain contiguous CPU tensors and built-in Python values, nothing else.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Any, cast

import torch

from . import untampered
from .rows import (
    DEEPEST,
    ITEM_SIZE,
    LONGEST_TEXT,
    MOST_DIMENSIONS,
    MOST_NODES,
    ArrayNode,
    BigNode,
    BoolNode,
    DictNode,
    DtypeName,
    FloatNode,
    HandleNode,
    IntNode,
    LayerNode,
    ListNode,
    Node,
    NoneNode,
    OtherNode,
    StrNode,
    TensorNode,
    TupleNode,
)
from .wire import ProtocolViolation

DTYPES: dict[str, torch.dtype] = {name: getattr(torch, name) for name in ITEM_SIZE}
DTYPE_NAMES: dict[torch.dtype, DtypeName] = {dtype: cast(DtypeName, name) for name, dtype in DTYPES.items()}
MOST_SPREAD = 16  # a tensor may span this many times the memory of its numbers
MOST_ELEMENTS = 1 << 40  # also for tensors with a size of 0, whose strides torch computes all the same


def spread(shape: Sequence[int]) -> int:
    """Return how many numbers a shape would hold if each 0 were 1; torch's strides grow with that."""
    return math.prod(max(size, 1) for size in shape)


def reach(shape: Sequence[int], strides: Sequence[int]) -> int:
    """Return the distance in memory from the first to the last number of a non-empty tensor, both included."""
    return 1 + sum((size - 1) * stride for size, stride in zip(shape, strides, strict=True))


class TooMuch(Exception):
    """A value does not fit on the wire; the message is the rest of a sentence about it."""


def plain_bytes(tensor: torch.Tensor) -> bytes:
    """Return the elements of a detached CPU tensor in C order, whatever its strides; NumPy has no bfloat16."""
    known = untampered.view(tensor, torch.int16) if untampered.dtype_of(tensor) is torch.bfloat16 else tensor
    data: bytes = untampered.to_numpy(known).tobytes()
    return data


class Packer:
    """Collects the rows and bytes of one message.

    Args:
        limit: Bytes of tensors that one message may carry.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.nodes: list[Any] = []
        self.pieces: list[bytes] = []
        self.size = 0
        self.text = 0
        self._path: set[int] = set()

    def add(self, value: Any) -> int:
        """Append a value with all that it holds and return its row.

        Raises:
            TooMuch: It is too large, too deep or contains itself.
            TypeError: It holds something that cannot be sent.
        """
        index = len(self.nodes)
        if index >= MOST_NODES:
            raise TooMuch(f"there are more than {MOST_NODES:,} values in it")
        self.nodes.append(None)
        self.nodes[index] = self.tensor(value) if type(value) is torch.Tensor else self._row(value)
        return index

    def special(self, value: Any) -> Node | None:
        """Return the row of a value that only one of the two sides knows, or None."""
        return None

    def other(self, value: Any) -> Node:
        """Return the row of a value that cannot be sent, or refuse it."""
        raise TypeError(f"a value of type {type(value).__name__} cannot be sent to student code")

    def _row(self, value: Any) -> Node:
        kind = type(value)
        if issubclass(kind, torch.Tensor):
            return self.tensor(value)
        if value is None:
            return NoneNode()
        if kind is bool:
            return BoolNode(value)
        if kind is int:
            return self._integer(value)
        if kind is float:
            return FloatNode(value)
        if kind is str:
            return self._string(value)
        if issubclass(kind, tuple):
            return TupleNode(self._children(value, tuple.__iter__(value)))
        if issubclass(kind, list):
            return ListNode(self._children(value, list.__iter__(value)))
        if issubclass(kind, dict):
            return self._dictionary(value)
        return self.special(value) or self.other(value)

    def _integer(self, value: int) -> Node:
        if -(2**63) <= value < 2**63:
            return IntNode(value)
        if value.bit_length() > 4096:
            raise TooMuch(f"it holds an integer of {value.bit_length():,} bits")
        return BigNode(hex(value))

    def _string(self, value: str) -> Node:
        self.text += len(value)
        if self.text > LONGEST_TEXT:
            raise TooMuch(f"it holds more than {LONGEST_TEXT:,} characters of text")
        return StrNode(value.encode("utf-8", "replace").decode("utf-8"))

    def _children(self, parent: Any, values: Iterable[Any]) -> list[int]:
        if id(parent) in self._path:
            raise TooMuch("it contains itself")
        if len(self._path) >= DEEPEST - 2:
            raise TooMuch(f"it is nested more than {DEEPEST - 2} levels deep")
        self._path.add(id(parent))
        try:
            return [self.add(value) for value in values]
        finally:
            self._path.discard(id(parent))

    def _dictionary(self, value: dict[Any, Any]) -> Node:
        keys = list(dict.keys(value))
        if any(type(key) is not str for key in keys):
            return self.other(value)
        for key in keys:
            self._string(key)
        return DictNode([key.encode("utf-8", "replace").decode() for key in keys],
                        self._children(value, list(dict.values(value))))  # fmt: skip

    def tensor(self, value: torch.Tensor, device: str = "cpu") -> Node:
        """Return the row of a plain tensor and keep its bytes."""
        name = DTYPE_NAMES.get(untampered.dtype_of(value))
        if name is None:
            raise TooMuch(f"it holds a tensor of dtype {untampered.dtype_of(value)}")
        dimensions, shape = untampered.dimensions(value), list(untampered.shape_of(value))
        if dimensions > MOST_DIMENSIONS:
            raise TooMuch(f"it holds a tensor of {dimensions} dimensions")
        count = untampered.elements(value)
        length = count * ITEM_SIZE[name]
        if self.size + length > self.limit:
            raise TooMuch(f"it holds {count:,} numbers, more than the {self.limit:,} bytes that are read")
        if (count or spread(shape)) > MOST_ELEMENTS:
            raise TooMuch(f"it holds a tensor of shape {tuple(shape)}")
        plain = untampered.detach(value)
        if untampered.is_conj(plain) or untampered.is_neg(plain):
            plain = untampered.resolve_neg(untampered.resolve_conj(plain))
        data = plain_bytes(plain if untampered.device_of(plain).type == "cpu" else untampered.to_cpu(plain))
        contiguous = untampered.is_contiguous(value)
        row = TensorNode(name, shape, self.size, length, untampered.requires_grad(value), contiguous, device)
        self.pieces.append(data)
        self.size += length
        return row


def check_tree(nodes: list[Node], roots: list[int]) -> None:
    """Require that rows form trees with the given roots, that use every row once and are not too deep."""
    count = len(nodes)
    depth = [-1] * count
    for root in roots:
        if root >= count or depth[root] != -1:
            raise ProtocolViolation(f"Row {root} is used as a value, but it is not there or used already.")
        depth[root] = 0
    for index, node in enumerate(nodes):
        if depth[index] == -1:
            raise ProtocolViolation(f"Row {index} belongs to no value above it.")
        if isinstance(node, ListNode | TupleNode | DictNode | LayerNode):
            if depth[index] >= DEEPEST:
                raise ProtocolViolation(f"Values are nested more than {DEEPEST} levels deep.")
            for child in node.children:
                if not index < child < count or depth[child] != -1:
                    raise ProtocolViolation(f"Row {child} cannot be a child of row {index}.")
                depth[child] = depth[index] + 1


class Unpacker:
    """Builds the values of a message.

    Args:
        nodes: The rows, decoded by type but not trusted.
        roots: The rows that are values of their own.

    Raises:
        ProtocolViolation: The rows break a rule.
    """

    def __init__(self, nodes: list[Node], payload: bytes | memoryview, roots: list[int]) -> None:
        self.payload = memoryview(payload)
        self.values: list[Any] = [None] * len(nodes)
        self._place = 0
        if not (len(nodes) == 1 and roots == [0] and type(nodes[0]) is TensorNode):  # one tensor alone is a tree
            check_tree(nodes, roots)
        for index, node in enumerate(nodes):
            if isinstance(node, TensorNode):
                self.values[index] = self.tensor(node)
        if self._place != len(self.payload):
            raise ProtocolViolation(f"The tensors use {self._place:,} of {len(self.payload):,} bytes of payload.")
        for index in range(len(nodes) - 1, -1, -1):
            if not isinstance(nodes[index], TensorNode):
                self.values[index] = self._value(nodes[index])

    def handle(self, node: HandleNode) -> Any:
        """Return the stand-in of a module in the worker."""
        raise ProtocolViolation("A module came where none can be.")

    def layer(self, node: LayerNode) -> Any:
        """Return a layer of torch's, which only a request may hold."""
        raise ProtocolViolation("A layer came where none can be.")

    def foreign(self, node: ArrayNode | OtherNode) -> Any:
        """Return the stand-in of a value that was not sent."""
        raise ProtocolViolation("A value came that does not travel in this direction.")

    def _value(self, node: Node) -> Any:
        match node:
            case NoneNode():
                return None
            case BoolNode() | IntNode() | FloatNode() | StrNode():
                return node.value
            case BigNode():
                return int(node.digits, 16)
            case ListNode():
                return [self.values[child] for child in node.children]
            case TupleNode():
                return tuple(self.values[child] for child in node.children)
            case DictNode():
                if len(node.keys) != len(node.children) or len(set(node.keys)) != len(node.keys):
                    raise ProtocolViolation("A dictionary's keys are not one for each value.")
                return {key: self.values[child] for key, child in zip(node.keys, node.children, strict=True)}
            case HandleNode():
                return self.handle(node)
            case LayerNode():
                return self.layer(node)
            case ArrayNode() | OtherNode():
                return self.foreign(node)
        raise ProtocolViolation("A row of an unknown kind came.")

    def tensor(self, node: TensorNode) -> torch.Tensor:
        """Build a plain contiguous CPU tensor from a row whose sizes, length and place agree."""
        count = math.prod(node.shape)
        if (count or spread(node.shape)) > MOST_ELEMENTS:
            raise ProtocolViolation(f"A tensor of shape {node.shape} is larger than any that is read.")
        length = count * ITEM_SIZE[node.dtype]
        if node.length != length:
            raise ProtocolViolation(
                f"A {node.dtype} tensor of shape {node.shape} takes {length:,} bytes, not {node.length:,}."
            )
        if node.start != self._place or node.start + length > len(self.payload):
            raise ProtocolViolation(f"A tensor's bytes {node.start:,}+{length:,} are not the next ones of the payload.")
        data = bytearray(self.payload[node.start : node.start + length])
        self._place += length
        if node.dtype == "bool" and data.translate(None, b"\x00\x01"):
            raise ProtocolViolation("A bool tensor holds a byte that is neither 0 nor 1.")
        if not data:
            return torch.empty(node.shape, dtype=DTYPES[node.dtype])
        return torch.frombuffer(data, dtype=DTYPES[node.dtype]).reshape(node.shape)
