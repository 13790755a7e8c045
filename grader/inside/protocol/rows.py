"""The rows that values travel as: one flat table for each message instead of values inside of values.

A row names its children by their place further down the table, so no depth of nesting costs the reader its stack, and
every size is bounded by the type that it is decoded with.
"""

from typing import Annotated, Literal

import msgspec

MOST_NODES = 4096
MOST_DIMENSIONS = 16
DEEPEST = 32
LONGEST_TEXT = 1 << 16
LONGEST_MESSAGE = 2000  # of an exception; patterns that take quadratic time and worse look at it on the trusted side
LONGEST_NAME = 300
PRETENDED = "pretended"  # a device on which the CPU computes, and which refuses what a GPU refuses
Name = Annotated[str, msgspec.Meta(max_length=LONGEST_NAME)]
Text = Annotated[str, msgspec.Meta(max_length=LONGEST_TEXT)]
Words = Annotated[str, msgspec.Meta(max_length=LONGEST_MESSAGE)]
Count = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]
Index = Annotated[int, msgspec.Meta(ge=0, lt=MOST_NODES)]
Indices = Annotated[list[Index], msgspec.Meta(max_length=MOST_NODES)]
DtypeName = Literal[
    "float16", "bfloat16", "float32", "float64", "int8", "int16", "int32", "int64",
    "uint8", "bool", "complex64", "complex128",
]  # fmt: skip
ITEM_SIZE: dict[str, int] = {
    "float16": 2, "bfloat16": 2, "float32": 4, "float64": 8, "int8": 1, "int16": 2, "int32": 4, "int64": 8,
    "uint8": 1, "bool": 1, "complex64": 8, "complex128": 16,
}  # fmt: skip


class Row(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    """What all rows of a value table have in common: they travel as arrays, the kind first."""


class NoneNode(Row, tag="none"):
    """The value None."""


class BoolNode(Row, tag="bool"):
    """True or False."""

    value: bool


class IntNode(Row, tag="int"):
    """An integer of 64 bits."""

    value: Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]


class BigNode(Row, tag="big"):
    """An integer beyond 64 bits, in hexadecimal, so that its length bounds the work of reading it."""

    digits: Annotated[str, msgspec.Meta(pattern=r"\A-?0x[0-9a-f]{1,1024}\Z", max_length=1027)]


class FloatNode(Row, tag="float"):
    """A float; NaN and the infinities travel as they are."""

    value: float


class StrNode(Row, tag="str"):
    """A text."""

    value: Text


class ListNode(Row, tag="list"):
    """A list; its children are rows further down the table."""

    children: Indices


class TupleNode(Row, tag="tuple"):
    """A tuple; its children are rows further down the table."""

    children: Indices


class DictNode(Row, tag="dict"):
    """A dictionary with text keys, one child each."""

    keys: Annotated[list[Text], msgspec.Meta(max_length=MOST_NODES)]
    children: Indices


class TensorNode(Row, tag="tensor"):
    """A tensor whose bytes are a slice of the payload, in C order and little endian.

    Attributes:
        start: First byte in the payload.
        length: Number of bytes; must be elements times item size.
        contiguous: Whether it was contiguous where it came from.
        device: The device that it came from, or has to go to.
        shares_input: The number of the input tensor whose storage it shares, or None.
        strides: Its strides where it has to go, if it must not be contiguous there. Answers never have them.
    """

    dtype: DtypeName
    shape: Annotated[list[Count], msgspec.Meta(max_length=MOST_DIMENSIONS)]
    start: Count
    length: Count
    requires_grad: bool = False
    contiguous: bool = True
    device: Annotated[str, msgspec.Meta(max_length=32)] = "cpu"
    shares_input: Index | None = None
    strides: Annotated[list[Count], msgspec.Meta(max_length=MOST_DIMENSIONS)] | None = None


class ArrayNode(Row, tag="array"):
    """A NumPy array: only its dtype and shape, since a tensor was required."""

    dtype: Name
    shape: Annotated[list[Count], msgspec.Meta(max_length=64)]


class HandleNode(Row, tag="handle"):
    """A module in the worker."""

    id: Count
    class_name: Name


class LayerNode(Row, tag="layer"):
    """One of torch's layers, built anew for what it is sent with; answers never have one.

    Attributes:
        kind: Its name in torch.nn.
        sizes: What it is built with.
        keys: The names of its parameters, whose values are the children; `.grad` holds the same numbers.
        device: Where it has to go, if that is not where its parameters' values are; empty for there.
        training: Whether it is in training.
    """

    kind: Name
    sizes: Annotated[list[Count], msgspec.Meta(max_length=MOST_DIMENSIONS)]
    keys: Annotated[list[Name], msgspec.Meta(max_length=MOST_NODES)]
    children: Indices
    dtype: DtypeName
    device: Annotated[str, msgspec.Meta(max_length=32)]
    training: bool


class OtherNode(Row, tag="other"):
    """Anything that does not travel, named by its type.

    Attributes:
        note: Why it did not travel, as the rest of a sentence; empty when the type says it all.
    """

    type_name: Name
    note: Annotated[str, msgspec.Meta(max_length=1000)] = ""


Node = (
    NoneNode | BoolNode | IntNode | BigNode | FloatNode | StrNode | ListNode | TupleNode | DictNode
    | TensorNode | ArrayNode | HandleNode | LayerNode | OtherNode
)  # fmt: skip
Table = Annotated[list[Node], msgspec.Meta(max_length=MOST_NODES)]
