"""Writes down for a teacher what a check asked of the student's code, what came of it and what was expected.

It may hold everything of a hidden check: it is made where a single check is run again, and is in no report.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import numpy
import torch

from grader.text import sanitise
from grader.workers.calls.kept_calls import KeptCall
from grader.workers.calls.observation import Observation
from grader.workers.calls.requests import Given
from grader.workers.process.failures import StudentFailure

from .call_text import MOST_NUMBERS

LONGEST = 1000
DIGITS = 8
WIDEST = 50  # characters of a line of numbers


class ShownValue(msgspec.Struct, frozen=True):
    """A value as text.

    Attributes:
        label: What it is, as in Python: `args[0]`, `return`, `weight.grad`.
        text: The value; a large tensor without its middle.
        expected: What the check held it against; empty where it did not.
    """

    label: str
    text: str
    expected: str = ""


class ShownCall(msgspec.Struct, frozen=True, kw_only=True):
    """One call as text.

    Attributes:
        name: What was called; empty for what the check held against something without a call returning it as it is.
        inputs: What it was given.
        answers: What came back; none where nothing did.
    """

    name: str
    inputs: list[ShownValue] = []
    answers: list[ShownValue] = []


def shown_calls(calls: Sequence[KeptCall], compared: Sequence[tuple[Any, Any]]) -> list[ShownCall]:
    """Return the calls of a check in their order, and then what it held against something that it computed itself.

    Args:
        compared: What the check held against what, as (answer, expected); an answer is known by being the same object.
    """
    wanted = {id(actual): expected for actual, expected in reversed(compared)}
    shown = [_shown(call, wanted) for call in calls]
    returned = {id(value) for call in calls for _, value in _parts(call)}
    comparisons = [(actual, expected) for actual, expected in compared if id(actual) not in returned]
    values = [ShownValue("", value_text(actual), value_text(expected)) for actual, expected in comparisons]
    return shown + [ShownCall(name="", answers=[value]) for value in values]


def _shown(call: KeptCall, wanted: dict[int, Any]) -> ShownCall:
    answers = [
        ShownValue(label, value_text(value), value_text(wanted[id(value)]) if id(value) in wanted else "")
        for label, value in _parts(call)
        if value is not None or label == "return"
    ]
    inputs = [ShownValue(label, value_text(value)) for label, value in _inputs(call.given)]
    return ShownCall(name=call.name, inputs=inputs, answers=answers)


def _inputs(given: Given) -> Iterator[tuple[str, Any]]:
    yield from ((f"args[{place}]", value) for place, value in enumerate(given.args))
    yield from given.kwargs.items()


def _parts(call: KeptCall) -> Iterator[tuple[str, Any]]:
    """Give what came back of a call, each with its label; of a tuple each item."""
    seen = call.outcome
    if isinstance(seen, StudentFailure):
        yield "raise", f"{seen.exception_type}: {seen.text}" if seen.exception_type else seen.sentence
    elif isinstance(seen, Observation):
        yield from _items("return", seen.value)
        yield from ((f"args[{place}].grad", grad) for place, grad in enumerate(seen.input_gradients))
        yield from ((f"{name}.grad", grad) for name, grad in seen.keyword_gradients.items())
        yield from ((f"{name}.grad", grad) for name, grad in seen.parameter_gradients.items())
        yield from ((f"args[{place}] (after)", value) for place, value in enumerate(seen.inputs_after))
        yield from ((f"{name} (after)", value) for name, value in seen.keywords_after.items())
    elif isinstance(seen, tuple):  # of a request to a module: the value and the reply
        yield from _items("return", seen[0])


def _items(label: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, tuple | list) and value:
        yield from ((f"{label}[{place}]", item) for place, item in enumerate(value))
    elif isinstance(value, dict) and value:
        yield from ((f"{label}[{key!r}]", item) for key, item in value.items())
    else:
        yield label, value


def value_text(value: Any) -> str:
    """Return a value as text: a tensor with its shape and dtype, and without its middle where it is large."""
    return sanitise(_text(value), LONGEST)


def _text(value: Any) -> str:
    if isinstance(value, torch.Tensor):
        return _tensor_text(value.detach())
    if isinstance(value, tuple | list):
        return "\n".join(f"[{place}] {_text(item)}" for place, item in enumerate(value)) or repr(value)
    return value if isinstance(value, str) else repr(value)


def _tensor_text(tensor: torch.Tensor) -> str:
    head = f"{tuple(tensor.shape)} {str(tensor.dtype).removeprefix('torch.')}"
    if tensor.device.type == "meta" or tensor.layout != torch.strided:
        return head
    plain = tensor.cpu().to(torch.float32) if tensor.dtype in (torch.bfloat16, torch.float16) else tensor.cpu()
    numbers = numpy.array2string(
        plain.numpy(), precision=DIGITS, threshold=MOST_NUMBERS, edgeitems=3, separator=", ", max_line_width=WIDEST
    )
    return f"{head}\n{numbers}"
