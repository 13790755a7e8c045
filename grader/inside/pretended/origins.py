"""Says of a tensor that is left on the CPU in a call on another device where student code made, moved or kept it.

torch names the line in which two devices meet. What has to be mended is, as a rule, another line: the one that made the
mask, or the attribute that `.to(device)` does not move.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import torch
from torch import nn
from torch.overrides import TorchFunctionMode

from ..protocol import untampered
from ..protocol.exceptions import Place, clean, explain, own_line, type_name, words_of
from ..protocol.rows import LONGEST_MESSAGE, LONGEST_NAME

MOST_KEPT = 1000
MOVING = frozenset({"cpu", "to", "type", "type_as"})


class Origin(NamedTuple):
    """How a tensor came to be on the CPU.

    Attributes:
        words: The sentence that says it.
        place: The line, where it is known.
    """

    words: str
    place: Place | None


class OnTheCpu(Exception):
    """A call on another device met a tensor on the CPU; its cause is what torch raised, if it raised anything.

    Attributes:
        text: What happened and what to do about it.
        place: The line to mend, where it is known.
    """

    def __init__(self, text: str, place: Place | None) -> None:
        super().__init__(text)
        self.text = text
        self.place = place


class Origins(TorchFunctionMode):
    """While it is on, remembers where tensors on the CPU come from, and which one an operation was given last.

    Args:
        files: The names of the student's files, each with its cell.
        target: What is called; a module's attributes are looked through.
        names: The names of the student's file.
    """

    def __init__(self, files: Mapping[str, int], target: Any, names: Mapping[str, Any]) -> None:
        super().__init__()
        self.last_met: torch.Tensor | None = None
        self._files = files
        self._known: dict[int, tuple[torch.Tensor, Origin]] = {}
        for owner, name, value in attributes(target):
            words = f" The attribute {name} of {owner} is not a buffer: .to(device) leaves it on the CPU."
            self._keep(value, Origin(words, None))
        for name, value in list(names.items()):
            if isinstance(value, torch.Tensor):
                words = f" {clean(name, LONGEST_NAME)} was made on the CPU when the file was loaded."
                self._keep(value, Origin(words, None))

    def __torch_function__(
        self, function: Any, types: Sequence[type], args: tuple[Any, ...] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        """Call a function of torch, and note its result or, where it raises, its operand on the CPU."""
        given = [*tensors_in(args), *tensors_in((kwargs or {}).values())]
        here = [tensor for tensor in given if is_on_the_cpu(tensor)]
        try:
            result = function(*args, **kwargs or {})
        except Exception:  # whatever torch or a function of the student's raised goes on
            if len(here) < len(given):  # a single number may meet a tensor of any device
                self.last_met = next((tensor for tensor in here if untampered.dimensions(tensor)), None)
            raise
        if isinstance(result, torch.Tensor) and is_on_the_cpu(result):
            self._note(getattr(function, "__name__", ""), given, here, result)
        return result

    def _note(self, name: str, given: list[torch.Tensor], here: list[torch.Tensor], result: torch.Tensor) -> None:
        """Remember where a result on the CPU comes from: from the first of its operands there, if it has any."""
        if here:
            earlier = next((self._known[key][1] for key in map(address, here) if key in self._known), None)
            if earlier is not None:
                self._keep(result, earlier)
            return
        place = own_line(self._files)
        call = f"The call of {clean(name, LONGEST_NAME)}" + ("" if place.line is None else f" in line {place.line}")
        moved = bool(given) and name in MOVING
        words = "moved a tensor to the CPU." if moved else "made a tensor on the CPU: give it device=x.device."
        self._keep(result, Origin(f" {call} {words}", place))

    def _keep(self, tensor: torch.Tensor, origin: Origin) -> None:
        """Remember a tensor, and hold it so that no other takes its place; a view is known as what it is a view of."""
        at = address(tensor)
        if at != 0 and at not in self._known and len(self._known) < MOST_KEPT:
            self._known[at] = tensor, origin

    def of(self, tensor: torch.Tensor) -> Origin:
        """Return where a tensor on the CPU comes from; without words where that is not known."""
        return self._known[address(tensor)][1] if address(tensor) in self._known else Origin("", None)


def tensors_in(values: Any) -> list[torch.Tensor]:
    """Return the tensors among arguments, also in lists and tuples of them."""
    tensors = []
    for value in values:
        items = value if isinstance(value, list | tuple) else (value,)
        tensors += [argument for argument in items if isinstance(argument, torch.Tensor)]
    return tensors


def is_on_the_cpu(tensor: torch.Tensor) -> bool:
    """Tell whether a tensor is on the CPU."""
    return bool(untampered.device_of(tensor).type == "cpu")


def address(tensor: torch.Tensor) -> int:
    """Return what views of one tensor have in common; 0 for what is not on the CPU, or has no one memory."""
    try:
        return int(untampered.storage_address(tensor)) if is_on_the_cpu(tensor) else 0
    except Exception:  # of a sparse tensor, say
        return 0


def attributes(target: Any) -> Iterator[tuple[str, str, torch.Tensor]]:
    """Yield the tensors that a module and its submodules keep as plain attributes, with their owner's class."""
    if isinstance(target, nn.Module):
        for _, module in untampered.named_modules(target):
            for name, value in list(vars(module).items()):
                if isinstance(value, torch.Tensor):
                    yield type_name(type(module)), clean(name, LONGEST_NAME), value


def left_behind(value: Any) -> Iterator[torch.Tensor]:
    """Yield the tensors of a result that are on the CPU."""
    if isinstance(value, torch.Tensor):
        if is_on_the_cpu(value):
            yield value
    elif isinstance(value, list | tuple):
        for item in value:
            yield from left_behind(item)


def require_there(value: Any, origins: Origins) -> None:
    """Ask of a call's result that none of its tensors is on the CPU.

    Raises:
        OnTheCpu: One is.
    """
    for origin in map(origins.of, left_behind(value)):
        words = f"The result is on the CPU, and what it is computed from is on another device.{origin.words}"
        raise OnTheCpu(words, origin.place)


def require_one_device(error: BaseException, origins: Origins) -> None:
    """Ask of what a call raised that no operation had been given a tensor on the CPU.

    Raises:
        OnTheCpu: One had.
    """
    if origins.last_met is not None and isinstance(error, RuntimeError):
        origin = origins.of(origins.last_met)
        raise OnTheCpu(f"{words_of(error).rstrip('.')}.{origin.words}", origin.place) from error


def explain_place(error: OnTheCpu, files: Mapping[str, int]) -> dict[str, Any]:
    """Return the fields of a `RaisedReply`: the line is the one to mend, where that is known."""
    cause = error.__cause__
    fields = explain(cause or error, files) | {"kind": "error", "text": clean(error.text, LONGEST_MESSAGE)}
    if cause is None:
        fields |= {"type_name": "RuntimeError", "bases": ["Exception"]}
    return fields if error.place is None else fields | error.place._asdict()
