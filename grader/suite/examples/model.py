"""What an example is: a few calls with small inputs, and what they give.

Grading makes them of the contract and the solution. A student's folder has them in `examples.json`, which the build
writes, and no solution. Numbers are text in it, since JSON has no infinity.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import torch

from grader.errors import UsageError
from grader.language import translation
from grader.workers.calls.given_layers import GivenLayer
from grader.workers.calls.requests import Given

NAME = "examples.json"
DIGITS = 8  # more than the comparison in float32 looks at


class StoredTensor(msgspec.Struct, frozen=True, tag_field="is", tag="tensor", forbid_unknown_fields=True):
    """A tensor: the name of its dtype in torch, its shape, and its numbers in their order."""

    dtype: str
    shape: list[int]
    numbers: str


class StoredLayer(
    msgspec.Struct, frozen=True, tag_field="is", tag="layer", forbid_unknown_fields=True, omit_defaults=True
):
    """One of torch's layers: its name in torch.nn, what it is built with, its parameters, and where it always is."""

    name: str
    sizes: list[int]
    parameters: dict[str, StoredTensor]
    device: str = ""


class StoredObject(msgspec.Struct, frozen=True, tag_field="is", tag="object", forbid_unknown_fields=True):
    value: list[Any] | dict[str, Any]


Stored = StoredTensor | StoredLayer | StoredObject | float | int | bool | None


class StoredCall(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a call is given.

    Attributes:
        mode: What a module is switched to before, `train` or `eval`; empty for a function.
        results: What it gives, in float64; empty for the call of a class.
        gradients: Those of its results, by the names of what is passed and of parameters; of the first call.
        followed: The places of the results that gradients can be taken of; of the first call.
    """

    args: list[Stored]
    kwargs: dict[str, Stored] = {}
    mode: str = ""
    results: list[StoredTensor] = []
    gradients: dict[str, StoredTensor] = {}
    followed: list[int] = []


class Example(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Some calls of a function, or of one module of a class.

    Attributes:
        built: What the class is called with; None for a function.
        parameters: What is loaded into the module.
    """

    calls: list[StoredCall]
    built: StoredCall | None = None
    parameters: dict[str, StoredTensor] = {}


class Hint(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What is said, in English and in Korean, to whoever gives one of these wrong answers."""

    hint: str
    ko: str
    answers: list[str]


class ExerciseExamples(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The examples of an exercise, and what the build knows of wrong answers to them.

    Attributes:
        smallest: An example of the smallest sizes, which only a student's own run tries.
        inputs: What the inputs are called, in their order.
        rules: The rules that a student's own run asks of the first example, as `checks.py` has them.
        forbids: The groups of calls that the exercise forbids.
    """

    examples: list[Example]
    smallest: Example | None = None
    inputs: list[str] = []
    rules: list[str] = []
    forbids: list[str] = []
    hints: list[Hint] = []


def stored(value: Any, digits: int = DIGITS) -> Any:
    """Return a tensor, a layer, a list or a dictionary as what is stored; anything else as it is."""
    if isinstance(value, list | dict):
        return StoredObject(value)
    if isinstance(value, GivenLayer):
        parameters = {name: stored(number, digits) for name, number in value.values.items()}
        return StoredLayer(value.kind, list(value.sizes), parameters, value.device)
    if not isinstance(value, torch.Tensor):
        return value
    numbers = value.flatten().tolist()
    text = " ".join(f"{number:.{digits}g}" if isinstance(number, float) else str(int(number)) for number in numbers)
    numbers_in(text)  # once, before a grading run forks for each submission
    return StoredTensor(str(value.dtype).removeprefix("torch."), list(value.shape), text)


def tensor_of(text: StoredTensor) -> torch.Tensor:
    return numbers_in(text.numbers).to(getattr(torch, text.dtype), copy=True).reshape(text.shape)


@cache
def numbers_in(text: str) -> torch.Tensor:
    """Return numbers in float64 that are written between blanks; nobody may change them."""
    return torch.tensor([float(number) for number in text.split()], dtype=torch.float64)


def values_of(stored: Mapping[str, StoredTensor]) -> dict[str, torch.Tensor]:
    return {name: tensor_of(value) for name, value in stored.items()}


def given_in(call: StoredCall, dtype: torch.dtype = torch.float32) -> Given:
    def live(value: Stored) -> Any:
        if isinstance(value, StoredTensor):
            tensor = tensor_of(value)
            return tensor.to(dtype) if tensor.is_floating_point() else tensor
        if isinstance(value, StoredLayer):
            parameters = values_of(value.parameters)
            return GivenLayer(value.name, tuple(value.sizes), parameters, dtype, value.device)
        return value.value.copy() if isinstance(value, StoredObject) else value

    return Given(tuple(map(live, call.args)), {name: live(value) for name, value in call.kwargs.items()})


def results_of(call: StoredCall) -> Any:
    results = tuple(map(tensor_of, call.results))
    return results if len(results) > 1 else results[0]


def examples_text(exercises: Mapping[str, ExerciseExamples]) -> str:
    """Return the text of the file, a line for each example and each hint."""
    encode = msgspec.json.Encoder().encode

    def text(value: Any) -> str:
        lines = ",\n".join(encode(item).decode() for item in value) if isinstance(value, list) else ""
        return f"[\n{lines}]" if lines else encode(value).decode()

    parts = []
    for name, known in exercises.items():
        fields = [f'"{field}":{text(getattr(known, field))}' for field in known.__struct_fields__]
        parts.append(f'"{name}":{{' + ",\n".join(fields) + "}")
    return "{" + ",\n".join(parts) + "}\n"


def read_examples(file: Path, exercises: Sequence[str], language: str = "en") -> dict[str, ExerciseExamples]:
    """Return the examples of a file by exercise; none where it is not there.

    Args:
        exercises: Those that it has to name.
        language: Of what is said where it does not.

    Raises:
        UsageError: The file is not as it came.
    """
    try:
        known = msgspec.json.decode(file.read_bytes(), type=dict[str, ExerciseExamples])
        if known.keys() == set(exercises):
            return known
    except FileNotFoundError:
        return {}
    except (OSError, msgspec.MsgspecError):
        pass
    sentence = translation(language).gettext("{file} is not as it came with this assignment. Put it back.")
    raise UsageError(sentence.format(file=file))
