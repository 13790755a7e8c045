"""Judges how an answer changes with what is given, beside how the solution's does."""

import functools
import itertools
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import torch

from grader.suite.core import compare
from grader.suite.core.failures import CheckFailed
from grader.suite.diagnosis.by_answer import alike
from grader.suite.diagnosis.by_measurement import CHANGING

from .changed_inputs import Extent, Step, changed, clear, noise, outputs_of

OTHER_SIZE = (
    "The result has another number of entries than asked for. Look at its shape.",
    "결과에 든 수의 개수가 다릅니다. 결과의 모양(shape)을 확인하세요.",
)

LEAST = 3  # of so many inputs one may be left out


class IgnoredError(CheckFailed):
    """The answer stays the same when an input changes on which the solution's depends."""


def judge(
    given: Mapping[str, Any], expected: Any, steps: Sequence[Step], answers: Sequence[Any], repeats: bool = True
) -> tuple[Any, dict[str, IgnoredError]]:
    """Judge the answer to a call, the answers to each changed one, and that to the first call once more.

    Args:
        steps: The changed calls.
        answers: The student's answers to all of them.
        repeats: Whether the last one has to be the first once more.

    Returns:
        The answer to the call, its results in the order of the solution's, and by name what is said of ignored inputs.
    """
    answer, *others, again = (in_order(each, expected) for each in answers)
    for got, want in zip(tensors_like(answer, expected), outputs_of(expected), strict=True):
        require_numbers(got, want)
        for name, value in given.items():
            if isinstance(value, torch.Tensor) and is_equal(got, value) and not is_equal(want, value):
                raise CheckFailed.for_students(f"Your answer is `{name}` itself.", f"결과가 `{name}` 그대로입니다.")
    if repeats and not alike(again, answer, compare.lowest_precision(answer)):
        raise CheckFailed.for_students(CHANGING.hint, CHANGING.hint_ko)
    ignored: dict[str, IgnoredError] = {}
    for name in dict.fromkeys(step.owner for step in steps):
        chosen = [(step, other) for step, other in zip(steps, others, strict=True) if step.owner == name]
        with collected(ignored, name):
            judge_change([step for step, _ in chosen], answer, [other for _, other in chosen])
    return answer, ignored


@contextmanager
def collected(ignored: dict[str, IgnoredError], name: str) -> Iterator[None]:
    """Keep by an input's name that an answer ignores it."""
    try:
        yield
    except IgnoredError as failure:
        ignored.setdefault(name, failure)


def refuse(
    ignored: Mapping[str, IgnoredError], inputs: Collection[str], needed: Collection[str], mixes: Callable[[], bool]
) -> None:
    """Fail by the first of the ignored inputs, unless it is one of several or the answer mixes by what it is given.

    Args:
        needed: Those that may never be ignored.
        mixes: Asks whether the answer is more than a fixed mixture of those.
    """
    if not ignored or (len(ignored) == 1 and len(inputs) >= LEAST and ignored.keys().isdisjoint(needed)):
        return
    if not ignored.keys().isdisjoint(needed) or not mixes():
        raise next(iter(ignored.values()))


def in_order(answer: Any, expected: Any) -> Any:
    """Return the tensors of an answer in the order of the solution's, where their shapes tell it."""
    if not isinstance(expected, tuple | list) or not isinstance(answer, tuple | list):
        return answer
    by_shape = {each.shape: each for each in answer if isinstance(each, torch.Tensor)}
    wanted = [each.shape for each in expected]
    known = len(by_shape) == len(answer) == len(wanted) and set(wanted) == by_shape.keys()
    return [by_shape[shape] for shape in wanted] if known else answer


def tensors_like(answer: Any, expected: Any) -> list[torch.Tensor]:
    """Return the tensors of an answer, which have as many dimensions and numbers as those of the solution.

    Raises:
        CheckFailed: They have others.
    """
    wanted = outputs_of(expected)
    several = isinstance(expected, tuple | list)
    found = compare.as_tensors(answer, len(wanted)) if several else [compare.as_tensor(answer)]
    for got, want in zip(found, wanted, strict=True):
        has, asked = got.dim(), want.dim()
        if has != asked:
            raise CheckFailed.for_students(
                f"The result has another number of dimensions than asked for: {has}, not {asked}.",
                f"결과의 차원이 {asked}개여야 하는데 {has}개입니다.",
            )
        if got.numel() != want.numel():
            raise CheckFailed(
                f"The result has the shape {compare.shape_text(got)}, but {compare.shape_text(want)} is asked for.",
                f"결과의 모양이 {compare.shape_text(got)}인데 {compare.shape_text(want)}이어야 합니다.",
                advice=OTHER_SIZE,
            )
    return [compare.require_real(got, tuple(got.shape)) for got in found]


def require_numbers(got: torch.Tensor, want: torch.Tensor) -> None:
    """Ask that an answer holds numbers, and different ones where the solution's does."""
    numbers = got[~torch.isnan(got)]
    if want.numel() and not numbers.numel():
        raise CheckFailed.for_students(*compare.NAN)
    differ = Extent.of(want.flatten()[:1].expand(want.numel()), want.flatten(), clear(want)).entries
    if differ and bool((numbers == numbers[0]).all()):
        raise CheckFailed.for_students("All numbers of your answer are the same.", "결과의 수가 모두 같습니다.")


def is_equal(one: torch.Tensor, other: torch.Tensor) -> bool:
    """Tell whether two tensors hold the same numbers, whatever their dtypes."""
    return one.shape == other.shape and torch.equal(one.to(other.dtype), other)


def moved(before: torch.Tensor, after: torch.Tensor) -> Extent:
    """Return how much of an answer changed by more than rounding.

    What is the same in both, such as a fill of -1e9, tells nothing of the rounding of the others.
    """
    differing = before[before != after] if before.shape == after.shape else before
    return Extent.of(before, after, noise(differing))


def judge_change(steps: Sequence[Step], before: Any, after: Sequence[Any], widely: bool = True) -> None:
    """Ask that an answer changes with an input, in one of several calls.

    Args:
        widely: Whether several numbers and rows have to change where several of the solution's do; of several results
            it is enough that those of one do.
    """
    what, what_ko = steps[0].what
    start = tensors_like(before, steps[0].before)
    wanted = [changed(step.before, step.after) for step in steps]
    seen = [
        [moved(one, two) for one, two in zip(start, tensors_like(each, step.after), strict=True)]
        for step, each in zip(steps, after, strict=True)
    ]
    at_one_place = [not step.everywhere for step in steps]
    narrow = list[CheckFailed]()
    for number in range(len(start)):
        uses = any(each[number].entries for each in seen)
        has_to = any(each[number].entries for each in wanted)
        asked, found = (
            functools.reduce(Extent.or_more, (each[number] for each in itertools.compress(extents, at_one_place)))
            for extents in (wanted, seen)
        )
        who, who_ko = ("your answer", "결과") if len(start) == 1 else (f"output {number + 1}", f"{number + 1}번째 출력")
        if has_to and not uses:
            raise IgnoredError.for_students(
                f"{who[0].upper()}{who[1:]} stays the same when {what} changes.",
                f"{what_ko} 값이 바뀌어도 {who_ko} 값은 그대로입니다.",
            )
        if found.entries < 2 <= asked.entries:
            failure = CheckFailed.for_students(
                f"When {what} changes, only one number of {who} does. More of them depend on it.",
                f"{what_ko} 값이 바뀔 때 {who_ko}에서 수 하나만 달라집니다. 더 많은 수가 달라져야 합니다.",
            )
            narrow.append(failure)
        elif found.rows < 2 <= min(asked.rows, asked.columns):
            failure = CheckFailed.for_students(
                f"When {what} changes, only one row of {who} does. Other rows depend on it, too.",
                f"{what_ko} 값이 바뀔 때 {who_ko}에서 행 하나만 달라집니다. 다른 행도 달라져야 합니다.",
            )
            narrow.append(failure)
    if widely and len(narrow) == len(start):
        raise narrow[0]
