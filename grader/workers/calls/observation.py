"""What a suite can see of one call: plain values, and facts about the tensors that their copies do not show."""

from typing import Any

import msgspec
import torch

from grader.inside.protocol.rows import ListNode, Node, TensorNode, TupleNode


class TensorFacts(msgspec.Struct, frozen=True):
    """What a returned tensor was like where it came from.

    Attributes:
        requires_grad: Whether autograd follows it.
        contiguous: Whether it lay contiguously in memory.
        shares_input: Whether its storage is an input's.
        device: Where it was; empty for an output that is not a tensor.
    """

    requires_grad: bool = False
    contiguous: bool = False
    shares_input: bool = False
    device: str = ""


class Placement(msgspec.Struct, frozen=True):
    """What a parameter or buffer is like, without its numbers.

    Attributes:
        kind: `parameter` or `buffer`.
        dtype: torch's name without the prefix.
        device: Where it is.
        shape: Its sizes.
        requires_grad: Whether autograd follows it, as it does a buffer that was computed from parameters.
    """

    kind: str
    dtype: str
    device: str
    shape: tuple[int, ...]
    requires_grad: bool = False

    def __str__(self) -> str:
        return f"a {self.kind} of shape {self.shape} in {self.dtype}"


class Raised(msgspec.Struct, frozen=True):
    """An exception of the student's code.

    Attributes:
        bases: The names of that class's bases, nearest first.
        line: Number of the last line of the student's in the traceback.
    """

    type_name: str
    bases: tuple[str, ...]
    text: str
    line: int | None


class Observation(msgspec.Struct, frozen=True):
    """All that was observed of a call.

    Attributes:
        value: What it returned.
        input_gradients: Aligned with the arguments; None where there is none.
        keyword_gradients: By keyword.
        parameter_gradients: By name of the called module's parameters; those of a module that is an argument have its
            position before their names, as in `2.weight`.
        inputs_after: The arguments as they were after the call, when asked for by `echo`.
        keywords_after: The same by keyword.
        followed_after: Which arguments autograd follows after the call, when asked for by `echo`: positions, keywords.
        operations: How often each ATen operation was run, when asked for by `trace`.
        facts: One for each output: for each item of a returned tuple or list, else for the value.
    """

    value: Any
    input_gradients: list[torch.Tensor | None] = []
    keyword_gradients: dict[str, torch.Tensor | None] = {}
    parameter_gradients: dict[str, torch.Tensor | None] = {}
    inputs_after: list[Any] = []
    keywords_after: dict[str, Any] = {}
    followed_after: frozenset[int | str] = frozenset()
    operations: dict[str, int] = {}
    facts: list[TensorFacts] = []


def facts_of(nodes: list[Node], root: int) -> list[TensorFacts]:
    """Return the facts of each output of a value."""
    top = nodes[root]
    rows = top.children if isinstance(top, ListNode | TupleNode) else [root]
    return [
        TensorFacts(node.requires_grad, node.contiguous, node.shares_input is not None, node.device)
        if isinstance(node := nodes[row], TensorNode)
        else TensorFacts()
        for row in rows
    ]
