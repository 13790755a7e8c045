"""Asks that an answer uses all that it is given, without knowing the right one: what no trivial answer does.

One input after the other is changed at one place. Where the solution's answer changes, the student's has to change too,
and where several numbers or rows of it do, so have several of the student's. A plain slip, such as a wrong axis, a
missing mask or a forgotten root, leaves that as it is. A constant, an input that is handed back, and tokens that look
at no other token don't.
"""

import functools
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import torch
from torch import nn

from grader.suite.core import compare
from grader.suite.core.draw import Draw
from grader.suite.core.failures import CheckFailed
from grader.suite.core.reference import Reference, widened
from grader.suite.diagnosis.by_answer import alike
from grader.suite.diagnosis.by_measurement import CHANGING
from grader.suite.library.modules.free_names import Renamed
from grader.suite.library.modules.layers import Layer
from grader.workers.calls.student import Given, ModuleHandle, Student
from grader.workers.process.failures import StudentFailure

from .changed_inputs import Extent, Step, changed, clear, input_steps, named, outputs_of

OTHER_SIZE = (
    "The result has another number of entries than asked for. Look at its shape.",
    "결과에 든 수의 개수가 다릅니다. 결과의 모양(shape)을 확인하세요.",
)


def uses_every_input(
    student: Student,
    reference: Reference,
    name: str,
    *args: Any,
    draw: Draw,
    other: Mapping[str, Any] | None = None,
    seed: int | None = None,
    **kwargs: Any,
) -> Any:
    """Ask that an answer has as many dimensions and numbers as the solution's, and uses every input as that does.

    Whether it is right is not asked, so an answer with a plain mistake passes. One that is constant, an input or drawn
    at random does not, nor one that ignores an input, or mixes nothing where the solution does.

    Args:
        student: The student's side.
        reference: The solution.
        name: The exercise, which is the function's name.
        *args: Passed by position to both; a layer is given as `torch_layer` returns it.
        draw: Where the changes come from.
        other: By name, what an argument that is no tensor is in a further call. It is not asked for otherwise.
        seed: Passed to torch.manual_seed before each call of the student's function.
        **kwargs: Passed by keyword to both.

    Returns:
        The student's answer.

    Raises:
        CheckFailed: Something of this is otherwise.
    """

    def solve(given: Given) -> Any:
        with torch.no_grad():
            return getattr(reference, name)(*side(given.args, 1), **side(given.kwargs, 1))

    base, function = Given(args, kwargs), getattr(reference.module, name)
    steps = list(input_steps(named(function, base), base, solve, draw, other or {}))
    calls = [base, *(step.given for step in steps), base]
    cases = [Given(tuple(side(each.args, 0)), side(each.kwargs, 0)) for each in calls]
    seen = getattr(student, name).observe_each(cases, seed=seed)
    for each in seen:
        if isinstance(each, StudentFailure):
            raise each
    return judge(named(function, base), solve(base), steps, [each.value for each in seen])


def side(given: Any, number: int) -> Any:
    """Return arguments with each layer as it is on one side: 0 is the student's."""
    if isinstance(given, Mapping):
        return {key: each[number] if isinstance(each, Layer) else each for key, each in given.items()}
    return [each[number] if isinstance(each, Layer) else each for each in given]


def module_uses_every_input(
    handle: ModuleHandle | Renamed,
    module: nn.Module,
    *args: Any,
    draw: Draw,
    other: Mapping[str, Any] | None = None,
    parameters: Collection[str] | None = None,
    **kwargs: Any,
) -> Any:
    """Ask the same of a module, and that its answer changes with each of its parameters as the solution's does.

    Both modules have other parameters afterwards.

    Args:
        handle: The student's module, as `twin` or `block_twin` returns it, in a mode in which nothing is drawn.
        module: The solution's with the same parameters, in the same mode.
        *args: Passed by position to both.
        draw: Where the changes come from.
        other: As for `uses_every_input`.
        parameters: The names of those that are asked for; all that both sides have if not given.
        **kwargs: Passed by keyword to both.

    Returns:
        The student's answer.

    Raises:
        CheckFailed: Something of this is otherwise.
    """
    remembered = {name: value.clone() for name, value in module.named_buffers()}
    moving = set[str]()

    def solve(given: Given) -> Any:
        with torch.no_grad():
            answer = module(*widened(given.args), **widened(given.kwargs))
            moving.update(name for name, value in module.named_buffers() if not torch.equal(value, remembered[name]))
            for name in moving:
                module.get_buffer(name).copy_(remembered[name])
        return answer

    base = Given(args, kwargs)
    inputs = named(module.forward, base)
    expected, steps = solve(base), list(input_steps(inputs, base, solve, draw, other or {}))
    every = [name for name, _ in module.named_parameters()]
    known = handle.names if isinstance(handle, Renamed) else every
    asked = [name for name in every if name in known and (parameters is None or name in parameters)]
    moved = parameter_steps(module, asked, draw, solve, base)
    own = handle.kept() if moving and isinstance(handle, ModuleHandle) else {}
    state = {name: remembered[name] for name in moving if name in own}  # so that no call stands on the one before
    loaded: list[tuple[Mapping[str, torch.Tensor], Given]]
    loaded = [(state, each) for each in (base, *(step.given for step in steps), base)]
    answers = handle.call_each([*loaded, *((state | values, base) for values, _ in moved)])
    judge(inputs, expected, steps, answers[: len(loaded)], repeats=len(state) == len(moving))
    for (_, step), before, after in zip(moved, answers[len(loaded) - 1 :], answers[len(loaded) :], strict=False):
        judge_change([step], before, [after], widely=False)
    return answers[0]


def parameter_steps(
    module: nn.Module, names: Sequence[str], draw: Draw, solve: Callable[[Given], Any], base: Given
) -> list[tuple[dict[str, torch.Tensor], Step]]:
    """Change one parameter of the solution's module after the other; return the values, and the call after each."""
    found, before = [], solve(base)
    for name in names:
        parameter = module.get_parameter(name)
        value = draw.normal(*parameter.shape) * 0.5 - parameter.detach().float()
        with torch.no_grad():
            parameter.copy_(value)
        step = Step((f"the parameter `{name}`", f"매개변수 `{name}`"), base, before, solve(base))
        found.append(({name: value}, step))
        before = step.after
    return found


def judge(
    given: Mapping[str, Any], expected: Any, steps: Sequence[Step], answers: Sequence[Any], repeats: bool = True
) -> Any:
    """Judge the answer to a call, the answers to each changed one, and that to the first call once more.

    Args:
        given: The inputs by name.
        expected: What the solution gives.
        steps: The changed calls.
        answers: The student's answers to all of them.
        repeats: Whether the last one has to be the first once more.

    Returns:
        The answer to the call.
    """
    answer, *others, again = answers
    for got, want in zip(tensors_like(answer, expected), outputs_of(expected), strict=True):
        require_numbers(got, want)
        for name, value in given.items():
            if isinstance(value, torch.Tensor) and is_equal(got, value) and not is_equal(want, value):
                raise CheckFailed.for_students(f"Your answer is `{name}` itself.", f"결과가 `{name}` 그대로입니다.")
    if repeats and not alike(again, answer, compare.lowest_precision(answer)):
        raise CheckFailed.for_students(CHANGING.hint, CHANGING.hint_ko)
    for what in dict.fromkeys(step.what for step in steps):
        chosen = [(step, other) for step, other in zip(steps, others, strict=True) if step.what == what]
        judge_change([step for step, _ in chosen], answer, [other for _, other in chosen])
    return answer


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
                f"결과의 차원 수가 다릅니다. {has}가 아니라 {asked}이어야 합니다.",
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


def judge_change(steps: Sequence[Step], before: Any, after: Sequence[Any], widely: bool = True) -> None:
    """Ask that an answer changes with an input, in one of several calls.

    Args:
        steps: The calls.
        before: The answer without the change.
        after: The answer to each call.
        widely: Whether several numbers and rows have to change where several of the solution's do.
    """
    what, what_ko = steps[0].what
    wanted = [changed(step.before, step.after) for step in steps]
    start = tensors_like(before, steps[0].before)
    pairs = zip(steps, after, strict=True)
    seen = [[*map(Extent.of, start, tensors_like(each, step.after))] for step, each in pairs]
    for number, places in enumerate(zip(*wanted, strict=True)):
        asked = functools.reduce(Extent.or_more, places)
        found = functools.reduce(Extent.or_more, (each[number] for each in seen))
        who, who_ko = ("your answer", "결과") if len(start) == 1 else (f"output {number + 1}", f"{number + 1}번째 출력")
        if asked.entries and not found.entries:
            raise CheckFailed.for_students(
                f"{who[0].upper()}{who[1:]} stays the same when {what} changes.",
                f"{what_ko} 값이 바뀌어도 {who_ko} 값은 그대로입니다.",
            )
        if widely and found.entries < 2 <= asked.entries:
            raise CheckFailed.for_students(
                f"When {what} changes, only one number of {who} does. More of them depend on it.",
                f"{what_ko} 값이 바뀔 때 {who_ko}에서 수 하나만 달라집니다. 더 많은 수가 달라져야 합니다.",
            )
        if widely and found.rows < 2 <= min(asked.rows, asked.columns):
            raise CheckFailed.for_students(
                f"When {what} changes, only one row of {who} does. Other rows depend on it, too.",
                f"{what_ko} 값이 바뀔 때 {who_ko}에서 행 하나만 달라집니다. 다른 행도 달라져야 합니다.",
            )
