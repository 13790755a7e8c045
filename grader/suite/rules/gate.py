"""Asks that an answer depends on what it is given as the solution's does, whatever its shape and its numbers.

So a slip passes: a wrong axis, a missing root, a batch axis too many. Refused are answers that are constant, random,
one of the inputs, or blind to an input; and answers of the solution's shape that combine nothing where the solution
combines several numbers of an input. Of three inputs or more one may be ignored, and further ones by an answer that is
no fixed mixture of those that it uses.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import torch

from grader.language import N_
from grader.suite.core import compare
from grader.suite.core.failures import CheckFailed
from grader.suite.core.gradients import is_float
from grader.suite.diagnosis.by_answer import alike
from grader.suite.library.changed_inputs import (
    Extent,
    changed,
    clear,
    is_equal,
    moved,
    outputs_of,
    require_numbers,
)
from grader.suite.library.other_device import SEED
from grader.words import Words
from grader.workers.calls.student import Given

from .calls import shuffled, with_input
from .seen import Seen
from .side import OTHER

LEAST = 3  # of so many inputs one may be left out
NARROW = {
    "entries": N_("Changing some numbers of `{name}` should change more numbers of your answer than it does."),
    "rows": N_("Changing some rows of `{name}` should change more rows of your answer than it does."),
}
CHANGING = Words(
    "The same call gives a different result the second time: something is drawn at random, or kept from call to call."
)
Change = tuple[list[Extent], list[torch.Tensor]]
"""How far the solution's results change with an input, and the student's answer then."""
FACTORS = 1.0, -0.5, 0.25  # of the inputs in three calls; the last is half way between the others


class MixesNothing(CheckFailed):
    """What changes in an answer is no more than what changes in an input."""


def require_dependence(seen: Seen) -> None:
    """Ask that the answers to the calls of the gate show no trivial one.

    Raises:
        CheckFailed: They do; the sentence may be read by students.
        StudentFailure: A call gave no value, in any form.
    """
    while (failure := seen.failure("gate")) is not None and failure.status != "timeout":
        if not seen.ask_the_gate_in_its_next_form():
            break
    answer = some_tensors_of(seen.answer("gate"), len(outputs_of(seen.expected("gate"))))
    require_own_numbers(seen, answer)
    require_the_same_again(seen)
    if not seen.contract.takes_numbers:
        require_size_to_matter(answer, tensors_again(seen.answer("distinct"), answer))
    require_inputs_to_matter(seen, answer)


def require_own_numbers(seen: Seen, answer: list[torch.Tensor]) -> None:
    """Ask that an answer holds numbers that are not all alike, not in all of its rows, and none of its inputs."""
    given, copied = seen.calls["gate"].given, list[str]()
    for got, want in zip(answer, outputs_of(seen.expected("gate")), strict=False):
        require_numbers(got, want)
        if rows_differ(want) and not rows_differ(got) and is_affine(along(seen, given, [])[0]):
            raise CheckFailed.for_students(
                Words("Your answer mixes its inputs in fixed parts: all of its rows are the same."),
            )
        copied += [
            name
            for name, value in seen.side.named(given).items()
            if is_float(value) and is_equal(got, value) and not is_equal(want, value)
        ][:1]
    if len(copied) == len(answer):
        raise CheckFailed.for_students(Words("Your answer is `{name}` itself.", name=copied[0]))


def require_the_same_again(seen: Seen) -> None:
    """Ask for the same answer to the same call."""
    twice = ("here", "here again") if seen.contract.is_module else ("gate", "anew")
    has_both = all(seen.failure(call) is None for call in twice)
    is_told = has_both and (seen.contract.is_module or not seen.is_asked_anew)
    # A module may notice that the second call asks for no gradients, and a function's second call follows another one.
    if not is_told or not are_alike(seen, *twice):
        twice = ("gate", "again")
        seen.ask({"again": replace(seen.calls["gate"], options={"seed": SEED})})
    if not are_alike(seen, *twice):
        raise CheckFailed.for_students(CHANGING)


def are_alike(seen: Seen, call: str, other: str) -> bool:
    count = len(outputs_of(seen.expected("gate")))
    first, second = (some_tensors_of(seen.answer(name), count) for name in (call, other))
    return alike(second, first, compare.lowest_precision(first))


def require_inputs_to_matter(seen: Seen, answer: list[torch.Tensor]) -> None:
    """Ask that an answer changes with all inputs that it has to look at, and with a module's layers."""
    inputs = [call.removeprefix(OTHER) for call in seen.calls if call.startswith(OTHER)]
    changes = {name: change_of(seen, OTHER + name, answer) for name in inputs}
    if seen.contract.mixes:
        require_mixing(seen, changes, answer)
    ignored = [name for name, change in changes.items() if is_ignored(seen, name, change, answer)]
    required = [name for name in ignored if name not in seen.contract.ignorable]
    lacks_one = seen.contract.is_module and len(inputs) < LEAST and bool(required)
    if seen.contract.is_module:
        layers, unused = unused_layers(seen, answer)
        inputs, ignored = inputs + layers, ignored + unused
    if not lacks_one and len(ignored) <= (len(inputs) >= LEAST):
        return
    if lacks_one or not mixes_by_content(seen, seen.calls["gate"].given, ignored, inputs):
        raise CheckFailed.for_students(Words("Your answer stays the same when `{name}` changes.", name=ignored[0]))


def change_of(seen: Seen, call: str, before: list[torch.Tensor]) -> Change:
    """Return how far the solution's results change in a call, and the answer to it."""
    right = changed(seen.expected("gate"), seen.expected(call))[: len(before)]
    return right, tensors_again(seen.answer(call), before)


def is_ignored(seen: Seen, name: str, change: Change, before: list[torch.Tensor]) -> bool:
    """Tell whether an answer stays the same with a change of an input with which the solution's changes."""
    right, after = change
    should, does = any(wanted.entries for wanted in right), differs(before, after)
    # A module may give what it gave in an earlier call, which is another one whatever changes.
    if not should or (not does and not seen.contract.is_module):
        right, after = in_another_order(seen, name, before)
        should, does = should or any(wanted.entries for wanted in right), does or differs(before, after)
    return should and not does


def in_another_order(seen: Seen, name: str, before: list[torch.Tensor]) -> Change:
    """Return how far the solution's results change, and the answer, where the numbers of an input change places.

    Of an input that is no tensor nothing changes.
    """
    plain = seen.calls["gate"]
    inputs = seen.side.named(plain.given)
    if not isinstance(inputs[name], torch.Tensor):
        return [], before
    call, other = f"mixed {name}", with_input(inputs, name, shuffled(inputs[name], seen.draw))
    seen.ask({call: replace(plain, given=other, options={})})
    return change_of(seen, call, before)


def unused_layers(seen: Seen, before: list[torch.Tensor]) -> tuple[list[str], list[str]]:
    """Return the layers whose parameters the solution's answer depends on, and those that the student's does not.

    A gradient tells; where none reaches a layer, its parameters are changed.
    """
    side, right = seen.side, seen.side.expected["here"].gradients
    names = [name for name in side.built["gate"].values if (grad := right.get(name)) is not None and bool(grad.any())]
    layers = list(dict.fromkeys(layer_of(name) for name in names))
    grads = {} if seen.failure("here") is not None else seen.observed("here").parameter_gradients
    reached = {name for name, grad in grads.items() if grad is not None and bool(grad.any())}
    if "gate" in side.unloaded:  # its parameters have other names
        return layers, [] if reached else layers
    used = {layer_of(name) for name in reached}
    left = {layer: [name for name in names if layer_of(name) == layer] for layer in layers if layer not in used}
    if not left:
        return layers, []
    shapes = {name: value.shape for name, value in side.built["gate"].values.items()}
    calls = {
        f"another {layer}": replace(
            seen.calls["gate"], options={}, values={name: seen.draw.normal(*shapes[name]) for name in several}
        )
        for layer, several in left.items()
    }
    seen.ask(calls)
    answers = [before, *(tensors_again(seen.answer(call), before) for call in calls)]
    changed_by = [differs(*two) for two in pairwise(answers)]
    return layers, [layer for layer, changes in zip(left, changed_by, strict=True) if not changes]


def layer_of(name: str) -> str:
    """Return the layer that a parameter belongs to; one of the module itself is a layer of its own."""
    return name.rpartition(".")[0] or name


def differs(before: list[torch.Tensor], after: list[torch.Tensor]) -> bool:
    """Tell whether any result is another one, by more than rounding."""
    return any(moved(*pair).entries for pair in zip(before, after, strict=True))


def require_size_to_matter(small: list[torch.Tensor], large: list[torch.Tensor]) -> None:
    """Ask of the answers of a function that is given nothing but sizes that another size gives another one."""
    if all(torch.equal(before, after) for before, after in zip(small, large, strict=True)):
        raise CheckFailed.for_students(Words("Your answer is the same whatever size is asked for."))


def some_tensors_of(answer: Any, most: int) -> list[torch.Tensor]:
    """Return the first tensors of an answer, which may have returned one too few or too many."""
    if isinstance(answer, tuple | list) and answer:
        return [compare.as_tensor(item) for item in answer[:most]]
    return compare.as_tensors(answer, 1 if isinstance(answer, torch.Tensor) else most)


def tensors_again(answer: Any, before: list[torch.Tensor]) -> list[torch.Tensor]:
    """Return as many tensors of another answer as the first one had."""
    again = some_tensors_of(answer, len(before))
    if len(again) != len(before):
        raise CheckFailed.for_students(CHANGING)
    return again


def rows_differ(result: torch.Tensor) -> bool:
    """Tell whether a result has rows of which one is another one than the first."""
    if result.dim() < 2 or not result.numel():
        return False
    rows = result.reshape(-1, result.shape[-1]).nan_to_num(nan=0.0)
    return bool(moved(rows[:1].expand(rows.shape), rows).entries)


def mixes_by_content(seen: Seen, given: Given, ignored: Sequence[str], inputs: Sequence[str]) -> bool:
    """Tell whether an answer that ignores some inputs is no fixed mixture of the others.

    It is not affine in the first that it uses; or it uses two, and the solution is affine there as well.
    """
    used = [name for name, value in seen.side.named(given).items() if is_float(value) and name not in ignored]
    if len(inputs) < LEAST or not used or ignored == inputs:
        return False
    answers, right = along(seen, given, used[:1])
    return not is_affine(answers) or (len(used) > 1 and is_affine(right))


def along(seen: Seen, given: Given, names: Sequence[str]) -> tuple[list[torch.Tensor], list[torch.Tensor]]:
    """Return the first result of three calls whose inputs lie on one line, the last half way; and the solution's.

    Args:
        names: The inputs that differ; all of them if none is named.
    """
    calls = {}
    for factor in FACTORS:
        inputs = seen.side.named(given).items()
        args = [x * factor if is_float(x) and name in (names or [name]) else x for name, x in inputs]
        call = replace(seen.calls["gate"], given=Given(tuple(args), {}), options={})
        calls[f"{' '.join(names)} times {factor}"] = call
    seen.ask(calls)
    answers = [some_tensors_of(seen.answer(name), 1)[0] for name in calls]
    return answers, [outputs_of(seen.expected(name))[0] for name in calls]


def is_affine(answers: Sequence[torch.Tensor]) -> bool:
    """Tell whether the last of three answers lies half way between the others."""
    start, end, middle = answers
    return not Extent.of((start + end) / 2, middle, clear(middle)).entries


def require_mixing(seen: Seen, changes: Mapping[str, Change], before: list[torch.Tensor]) -> None:
    """Ask of an answer of the solution's shape that it mixes something of an input, where the solution does.

    Raises:
        MixesNothing: No more of any result changes than of an input, where more of the solution's does; and no token of
            another input changes other rows.
    """
    shapes = [value.shape for value in outputs_of(seen.expected("gate"))]
    if [value.shape for value in before] != shapes[: len(before)]:
        return
    narrow = list[MixesNothing]()
    for name, (right, after) in changes.items():
        inputs, others = (seen.side.named(seen.calls[call].given)[name] for call in ("gate", OTHER + name))
        if not isinstance(inputs, torch.Tensor):
            continue
        places = Extent.of(inputs, others)
        extents = [moved(*pair) for pair in zip(before, after, strict=True)]
        if seen.contract.has_tokens(name) and any(
            min(wanted.rows, wanted.columns, extent.rows) > places.rows
            for wanted, extent in zip(right, extents, strict=True)
        ):
            return
        if part := narrow_in(places, right, extents):
            narrow.append(MixesNothing.for_students(Words(NARROW[part], name=name)))
    if narrow:
        raise narrow[0]


def narrow_in(places: Extent, right: list[Extent], extents: list[Extent]) -> str:
    """Return "entries" or "rows" if every result changes in no more of them than the input, but the solution's in more.

    Otherwise return an empty text.
    """
    narrow = []
    for wanted, extent in zip(right, extents, strict=True):
        if wanted.entries > places.entries >= extent.entries > 0:
            narrow.append("entries")
        elif min(wanted.rows, wanted.columns) > places.rows >= extent.rows > 0:
            narrow.append("rows")
    return narrow[0] if len(narrow) == len(right) else ""
