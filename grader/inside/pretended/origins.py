"""Says of a tensor that is left on the CPU in a call on another device where student code made, moved or kept it.

torch names the line in which two devices meet. What has to be mended is, as a rule, another line: the one that made the
mask, or the attribute that `.to(device)` does not move.
"""

import linecache
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import torch
from torch import nn
from torch.overrides import TorchFunctionMode

from ..protocol import untampered
from ..protocol.exceptions import LONGEST_LINE, clean, explain, type_name, words_of
from ..protocol.rows import LONGEST_MESSAGE, LONGEST_NAME

MOST_KEPT = 1000
TO_BE_FILLED = frozenset({"empty", "zeros", "ones", "full"})
"""What makes a tensor whose rows are then computed one by one, as the notes do; torch copies each from its device."""


class Place(NamedTuple):
    """A line of the student's: the number of its cell, its own number and its text."""

    cell: int | None
    line: int | None
    source: str


class Origin(NamedTuple):
    """How a tensor came to be on the CPU.

    Attributes:
        function: The function of torch that made it, or moved it there.
        moved: Whether it was moved there.
        place: The line.
        filled: Whether it, and all that it was computed from, was made to be filled row by row.
    """

    function: str
    moved: bool
    place: Place
    filled: bool


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
    """

    def __init__(self, files: Mapping[str, int]) -> None:
        super().__init__()
        self.last_met: torch.Tensor | None = None
        self._files = files
        self._known: dict[int, tuple[torch.Tensor, Origin]] = {}

    def __torch_function__(
        self, function: Any, types: Sequence[type], args: tuple[Any, ...] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        """Call a function of torch, and note its result or, where it raises, its operand on the CPU."""
        given = [*tensors_in(args), *tensors_in((kwargs or {}).values())]
        here = [each for each in given if is_left_behind(each)]
        try:
            result = function(*args, **kwargs or {})
        except Exception:
            if here and len(here) < len(given):
                self.last_met = here[0]
            raise
        if isinstance(result, torch.Tensor) and is_left_behind(result) and len(self._known) < MOST_KEPT:
            self._note(function, given, here, result)
        return result

    def _note(self, function: Any, given: list[torch.Tensor], here: list[torch.Tensor], result: torch.Tensor) -> None:
        """Remember where a result on the CPU comes from: from the first of its operands there, if it has any."""
        at = address(result)
        if at == 0 or at in self._known:  # a view keeps the place of what it is a view of
            return
        name = clean(getattr(function, "__name__", ""), LONGEST_NAME)
        if not here:
            filled = not given and name in TO_BE_FILLED
            self._known[at] = result, Origin(name, bool(given), self._place(), filled)
            return
        earlier = [self._known[each][1] for each in map(address, here) if each in self._known]
        if earlier:
            filled = len(earlier) == len(given) and all(origin.filled for origin in earlier)
            self._known[at] = result, earlier[0]._replace(filled=filled)

    def _place(self) -> Place:
        """Return the student's line that is being run."""
        frame = sys._getframe(1)
        while frame is not None and frame.f_code.co_filename not in self._files:
            frame = frame.f_back  # type: ignore[assignment]
        if frame is None:
            return Place(None, None, "")
        file, line = frame.f_code.co_filename, frame.f_lineno
        return Place(self._files[file], line, clean(linecache.getline(file, line).strip(), LONGEST_LINE))

    def is_filled(self, tensor: torch.Tensor) -> bool:
        """Tell whether a tensor was made in this call to be filled row by row."""
        known = self._known.get(address(tensor))
        return known is not None and known[1].filled

    def describe(self, tensor: torch.Tensor, target: Any, names: Mapping[str, Any]) -> tuple[str, Place | None]:
        """Return a sentence on where a tensor on the CPU comes from, or none, and the line if it is known.

        Args:
            target: What was called; a module's attributes are looked through.
            names: The names of the student's file.
        """
        for owner, attribute, value in attributes(target):
            if share_memory(value, tensor):
                return f" The attribute {attribute} of {owner} is not a buffer: .to(device) leaves it on the CPU.", None
        for name, value in list(names.items()):
            if isinstance(value, torch.Tensor) and share_memory(value, tensor):
                return f" {clean(name, LONGEST_NAME)} was made on the CPU when the file was loaded.", None
        if address(tensor) not in self._known:
            return "", None
        function, moved, place, _ = self._known[address(tensor)][1]
        where = "" if place.line is None else f" in line {place.line}"
        if moved:
            return f" The call of {function}{where} moved a tensor to the CPU.", place
        return f" The call of {function}{where} made a tensor on the CPU: give it device=x.device.", place


def tensors_in(values: Any) -> list[torch.Tensor]:
    """Return the tensors among arguments, also in lists and tuples of them."""
    found = []
    for value in values:
        items = value if isinstance(value, list | tuple) else (value,)
        found += [each for each in items if isinstance(each, torch.Tensor)]
    return found


def is_left_behind(tensor: torch.Tensor) -> bool:
    """Tell whether a tensor is on the CPU and more than one number, which may meet a tensor of any device."""
    return bool(untampered.device_of(tensor).type == "cpu" and untampered.dimensions(tensor) > 0)


def address(tensor: torch.Tensor) -> int:
    """Return what views of one tensor have in common; 0 for what is not on the CPU."""
    if untampered.device_of(tensor).type != "cpu":
        return 0
    try:
        return int(untampered.storage_address(tensor))
    except Exception:  # of a sparse tensor, say: it has no one memory
        return 0


def share_memory(one: torch.Tensor, other: torch.Tensor) -> bool:
    """Tell whether two tensors on the CPU are the same or views of one."""
    return address(one) == address(other) and bool(address(one))


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
        if untampered.device_of(value).type == "cpu":
            yield value
    elif isinstance(value, list | tuple):
        for item in value:
            yield from left_behind(item)


def require_there(value: Any, origins: Origins, target: Any, names: Mapping[str, Any]) -> None:
    """Ask of a call's result that none of its tensors is on the CPU, but one that was made there to be filled.

    Raises:
        OnTheCpu: One is.
    """
    left = next((each for each in left_behind(value) if not origins.is_filled(each)), None)
    if left is not None:
        words, place = origins.describe(left, target, names)
        raise OnTheCpu(f"The result is on the CPU, and what it is computed from is on another device.{words}", place)


def require_one_device(error: BaseException, origins: Origins, target: Any, names: Mapping[str, Any]) -> None:
    """Ask of what a call raised that no operation had been given a tensor on the CPU.

    Raises:
        OnTheCpu: One had.
    """
    if origins.last_met is not None and isinstance(error, RuntimeError):
        words, place = origins.describe(origins.last_met, target, names)
        raise OnTheCpu(f"{words_of(error).rstrip('.')}.{words}", place) from error


def explain_place(found: OnTheCpu, files: dict[str, int]) -> dict[str, Any]:
    """Return the fields of a `RaisedReply`: the line is the one to mend, where that is known."""
    cause = found.__cause__
    fields = explain(cause or found, files) | {"kind": "error", "text": clean(found.text, LONGEST_MESSAGE)}
    if cause is None:
        fields |= {"type_name": "RuntimeError", "bases": ["Exception"]}
    return fields if found.place is None else fields | found.place._asdict()
