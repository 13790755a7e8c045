"""Asks that an answer uses all that it is given, without knowing the right one: what no trivial answer does.

One input after the other is changed at one place. Where the solution's answer changes, the student's has to change too,
and where several numbers or rows of it do, so have several of the student's. A plain slip, such as a wrong axis, a
missing mask or a forgotten root, leaves that as it is. A constant, an input that is handed back, and tokens that look
at no other token don't. Of three inputs or more one may be left out: that is a slip too (the keys taken for values, one
matrix in two roles), which the checks of values and of gradients see.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import torch
from torch import nn

from grader.suite.core.draw import Draw
from grader.suite.core.failures import require_value
from grader.suite.core.reference import Reference, answer_of
from grader.suite.library.modules.free_names import Renamed
from grader.suite.library.modules.layers import Layer
from grader.workers.calls.student import Given, ModuleHandle, Student

from .changed_answers import collected, in_order, judge, judge_change, refuse, tensors_like
from .changed_inputs import Extent, Step, clear, input_steps, named, with_argument

TOKENS = ("x",)  # without them an answer looks at nothing
FACTORS = 1.0, -0.5, 0.25  # of the tokens in three calls; the last is half way between the others


def uses_every_input(
    student: Student,
    reference: Reference,
    name: str,
    *args: Any,
    draw: Draw,
    other: Mapping[str, Any] | None = None,
    seed: int | None = None,
    needed: Collection[str] = TOKENS,
    **kwargs: Any,
) -> Any:
    """Ask that an answer has as many dimensions and numbers as the solution's, and uses every input as that does.

    Whether it is right is not asked, so an answer with a plain mistake passes. One that is constant, an input or drawn
    at random does not, nor one that ignores an input, or mixes nothing where the solution does. Of three inputs or more
    one may be ignored, and more that are not needed where the answer is not a fixed mixture of those that are. Several
    results may come in another order.

    Args:
        *args: Passed by position to both; a layer is given as `torch_layer` returns it.
        other: By name, what an argument that is not a tensor is in a further call. It is not asked for otherwise.
        seed: Passed to torch.manual_seed before each call of the student's function.
        needed: The names of inputs that may never be ignored.
    """

    def solve(given: Given) -> Any:
        with torch.no_grad():
            return getattr(reference, name)(*side(given.args, 1), **side(given.kwargs, 1))

    base = Given(args, kwargs)
    inputs, expected = named(getattr(reference.module, name), base), solve(base)
    steps = list(input_steps(inputs, base, solve, draw, other or {}))

    def ask(calls: Sequence[Given]) -> list[Any]:
        cases = [Given(tuple(side(each.args, 0)), side(each.kwargs, 0)) for each in calls]
        return [require_value(each).value for each in getattr(student, name).observe_each(cases, seed=seed)]

    answer, ignored = judge(inputs, expected, steps, ask([base, *(step.given for step in steps), base]))
    refuse(
        ignored, {step.owner for step in steps}, needed, lambda: mixes_by_content(ask, inputs, base, needed, expected)
    )
    return answer


def mixes_by_content(
    ask: Callable[[Sequence[Given]], list[Any]], inputs: Mapping[str, Any], base: Given, needed: Collection[str],
    expected: Any,
) -> bool:  # fmt: skip
    """Tell whether each result of an answer is not a fixed mixture of the needed inputs: it is not affine in them."""
    calls = [base] * len(FACTORS)
    for number, (name, value) in enumerate(inputs.items()):
        if name in needed and isinstance(value, torch.Tensor) and value.is_floating_point():
            calls = [with_argument(each, number, name, value * f) for each, f in zip(calls, FACTORS, strict=True)]
    *ends, middle = (tensors_like(in_order(each, expected), expected) for each in ask(calls))
    numbers = ([each.flatten() for each in triple] for triple in zip(*ends, middle, strict=True))
    return all(Extent.of((one + other) / 2, between, clear(between)).entries for one, other, between in numbers)


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
    needed: Collection[str] = TOKENS,
    **kwargs: Any,
) -> Any:
    """Ask the same of a module, and that its answer changes with each of its parameters as the solution's does.

    The parameters of one layer count as one input. Both modules have other parameters afterwards.

    Args:
        handle: The student's module, as `twin` or `block_twin` returns it, in a mode in which nothing is drawn.
        parameters: The names of those that are asked for; all that both sides have if not given.
        needed: The names of inputs that may never be ignored.
    """
    remembered = {name: value.clone() for name, value in module.named_buffers()}
    moving = set[str]()

    def solve(given: Given) -> Any:
        answer = answer_of(module, given.args, given.kwargs)
        with torch.no_grad():
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
    _, ignored = judge(inputs, expected, steps, answers[: len(loaded)], repeats=len(state) == len(moving))
    for (_, step), before, after in zip(moved, answers[len(loaded) - 1 :], answers[len(loaded) :], strict=False):
        with collected(ignored, step.owner):
            judge_change([step], in_order(before, expected), [in_order(after, expected)], widely=False)
    learned = {step.owner for _, step in moved}

    def ask(calls: Sequence[Given]) -> list[Any]:
        return handle.call_each([(state, each) for each in calls])

    def mixes() -> bool:
        frozen = bool(learned) and learned <= ignored.keys()  # no parameter is used, or what it held at first is kept
        return not frozen and mixes_by_content(ask, inputs, base, needed, expected)

    refuse(ignored, {step.owner for step in steps} | learned, needed, mixes)
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
        layer = name.rpartition(".")[0] or name
        step = Step((f"the parameter `{name}`", f"매개변수 `{name}`"), base, before, solve(base), layer)
        found.append(({name: value}, step))
        before = step.after
    return found
