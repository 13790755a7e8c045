"""What suites ask of an exercise that is an nn.Module.

The student's module stays on the other side; a twin of the solution is built here with the same parameters, loaded by
name into both, so that values are compared whatever the student's order of creation or way of drawing them.
"""

import inspect
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from torch import nn

from grader.errors import CourseError
from grader.suite.core import compare
from grader.suite.core.context import Mistake, device
from grader.suite.core.draw import Draw
from grader.suite.core.failures import CheckFailed
from grader.suite.core.gradients import is_float, missing_gradient_sentences, require_gradients, uneven
from grader.suite.core.reference import Reference, widened
from grader.suite.diagnosis.by_answer import copies, diagnose, diagnosing_exceptions
from grader.suite.diagnosis.by_measurement import (
    EARLIER,
    Scaling,
    diagnose_divisor,
    diagnose_randomness,
    diagnose_rounding,
    is_earlier,
    remember_expected,
    scaled_arguments,
)
from grader.tolerances import Kind, tolerance
from grader.workers.calls.student import Given, ModuleHandle, Student
from grader.workers.process.failures import StudentFailure

from .dropout import drawn

MOST_NAMED = 4


def twin(
    student: Student, reference: Reference, draw: Draw, name: str, *init: Any, **options: Any
) -> tuple[ModuleHandle, nn.Module]:
    """Build the student's module and the solution's with the same random parameters.

    Args:
        student: The student's side.
        reference: The solution.
        draw: Where the parameters come from.
        name: The exercise, which is the class's name.
        *init: Passed by position to both constructors.
        **options: Passed by keyword to both.

    Returns:
        The student's handle (float32) and the solution's module (float64), both in training mode.
    """
    handle = getattr(student, name)(*init, **options)
    if not isinstance(handle, ModuleHandle):
        raise CheckFailed(
            f"{name}(...) is not an nn.Module; derive the class from nn.Module.",
            f"{name}(...)이 nn.Module이 아닙니다. nn.Module을 상속하세요.",
        )
    module = getattr(reference.module, name)(*init, **options).double()
    values = random_values(module, draw)
    load(module, values)
    handle.load(values)
    return handle, module


def random_values(module: nn.Module, draw: Draw) -> dict[str, torch.Tensor]:
    """Return random numbers for every parameter of a module, by name."""
    parameters = dict(module.named_parameters())
    numbers = draw.normal(sum(value.numel() for value in parameters.values())) * 0.5
    parts = torch.split(numbers, [value.numel() for value in parameters.values()])
    return {name: part.view(value.shape) for (name, value), part in zip(parameters.items(), parts, strict=True)}


def load(module: nn.Module, values: Mapping[str, torch.Tensor]) -> None:
    """Copy values into a module's parameters by name; of two names for one parameter the later value stays."""
    parameters = dict(module.named_parameters(remove_duplicate=False))
    with torch.no_grad():
        for key, value in values.items():
            parameters[key].copy_(value)


def module_matches(
    handle: ModuleHandle,
    module: nn.Module,
    *args: Any,
    kind: Kind = "module",
    exercise: str = "",
    scaling: Scaling | None = None,
    **kwargs: Any,
) -> Any:
    """Ask that the student's module gives what the solution's gives.

    Args:
        handle: The student's module, as `twin` returns it.
        module: The solution's with the same parameters, in the same mode.
        *args: Passed by position to both.
        kind: Which row of the tolerances applies.
        exercise: The class's name, so that a known mistake can be recognised; its variants are built like `handle`.
        scaling: What the scores should be divided by, so that another divisor is measured and named.
        **kwargs: Passed by keyword to both.

    Returns:
        The student's answer.
    """
    case = Given(args, kwargs)
    with diagnosing_exceptions(mistake_runner(handle, module, case, exercise), exercise or handle.name):
        answer = handle(*args, **kwargs)
    return judge_module_answer(handle, module, case, answer, kind, exercise, scaling)


def module_matches_on_each(
    handle: ModuleHandle,
    module: nn.Module,
    cases: Sequence[Given],
    kind: Kind = "module",
    exercise: str = "",
    scaling: Scaling | None = None,
) -> list[Any]:
    """Ask the same as `module_matches` on several inputs, in less time: they travel together.

    Args:
        handle: The student's module, as `twin` returns it.
        module: The solution's with the same parameters, in the same mode.
        cases: The inputs of each call, by `given(...)`; all are there before the first call is made.
        kind: Which row of the tolerances applies.
        exercise: As for `module_matches`.
        scaling: As for `module_matches`.

    Returns:
        The student's answers.

    Raises:
        CourseError: There are no cases, so nothing would be asked.
    """
    if not cases:
        raise CourseError(f"A check of {handle.name} compares nothing: its list of cases is empty. Put given(...) in.")
    answers = handle.on_each(list(cases))
    for case, answer in zip(cases, answers, strict=True):
        with diagnosing_exceptions(mistake_runner(handle, module, case, exercise), exercise or handle.name):
            if isinstance(answer, StudentFailure):
                raise answer
        judge_module_answer(handle, module, case, answer, kind, exercise, scaling)
    return answers


def mistake_runner(handle: ModuleHandle, module: nn.Module, case: Given, exercise: str) -> Callable[[Mistake], Any]:
    """Return what builds a known mistake as the student's module was built, and calls it with the same inputs."""
    dtype = compare.lowest_precision(case.args, case.kwargs)

    def attempt(mistake: Mistake) -> Any:
        init, options = handle.built_with
        wrong = mistake.make(*init, **options)
        load(wrong, dict(module.named_parameters()))
        wrong.train(module.training).to(getattr(torch, dtype))
        with torch.no_grad():
            return wrong(*copies(case.args), **{key: copies(value) for key, value in case.kwargs.items()})

    return attempt


def judge_module_answer(
    handle: ModuleHandle,
    module: nn.Module,
    case: Given,
    answer: Any,
    kind: Kind,
    exercise: str,
    scaling: Scaling | None,
) -> Any:
    """Return an answer if it is what the solution's module gives to the same inputs, and raise CheckFailed if not."""
    args, kwargs = case.args, case.kwargs
    dtype = compare.lowest_precision(args, kwargs)
    with torch.no_grad():
        expected = module(*widened(args), **widened(kwargs))
    try:
        compare.require_all_close(answer, expected, kind, dtype, device())
    except CheckFailed as failure:

        def rerun(divisor: float) -> Any:
            given = args if scaling is None else scaled_arguments(scaling, divisor, args)
            with torch.no_grad(), scaled_parameters(module, scaling, divisor):
                return module(*widened(given), **widened(kwargs))

        attempt = mistake_runner(handle, module, case, exercise)
        failure.diagnosis = diagnose(answer, expected, dtype, attempt, exercise or handle.name)
        diagnose_divisor(failure, answer, scaling, rerun, dtype)
        if failure.diagnosis is None and is_earlier(answer, expected, dtype):
            failure.diagnosis = EARLIER
        diagnose_rounding(failure, answer, expected, dtype)
        diagnose_randomness(failure, answer, lambda: handle(*args, **kwargs), dtype)
        describe_surplus_parameters(failure, handle)
        raise
    remember_expected(expected)
    return answer


def describe_surplus_parameters(failure: CheckFailed, handle: Any) -> None:
    """Say in a failure first which parameters the student's module has beyond those that were loaded, if it has any."""
    surplus = sorted(handle.unset or []) if isinstance(handle, ModuleHandle) else []
    if surplus:
        listed = ", ".join(surplus[:MOST_NAMED]) + (", ..." if len(surplus) > MOST_NAMED else "")
        failure.reword(
            f"The module has parameters that are not asked for: '{listed}'. {failure.english}",
            f"요구하지 않은 매개변수가 모듈에 있습니다: '{listed}'. {failure.korean}",
        )


@contextmanager
def scaled_parameters(module: nn.Module, scaling: Scaling | None, divisor: float) -> Iterator[None]:
    """Let a module answer as if its scores were divided by another number, by scaling what they are linear in."""
    ends = () if scaling is None else scaling.parameters
    chosen = [value for name, value in module.named_parameters() if name.endswith(ends)] if ends else []
    before = [value.clone() for value in chosen]
    factor = 1.0 if scaling is None else scaling.right / divisor
    try:
        for value in chosen:
            value.mul_(factor)
        yield
    finally:
        for value, old in zip(chosen, before, strict=True):
            value.copy_(old)


def module_gradients_match(
    handle: ModuleHandle,
    module: nn.Module,
    *args: Any,
    output: int = 0,
    dropped: Callable[[Any], torch.Tensor] | None = None,
    **kwargs: Any,
) -> None:
    """Ask that gradients with respect to inputs and parameters equal those of the solution's module.

    Args:
        handle: The student's module.
        module: The solution's with the same parameters, in the same mode.
        *args: Passed by position to both.
        output: Which item of a returned tuple the gradients are taken of.
        dropped: For a student's module in training and a solution's in eval: reads off the student's answer the weights
            after dropout, so that the solution drops the same ones.
        **kwargs: Passed by keyword to both.
    """
    wide = [a.detach().double().requires_grad_() if is_float(a) else a for a in args]

    def answered() -> torch.Tensor:
        given = module(*wide, **widened(kwargs))
        return compare.as_tensor(given[output] if isinstance(given, tuple) else given)

    expected = answered()
    cotangent = uneven(expected.shape)
    parameters = dict(module.named_parameters())
    leaves = [a for a in wide if is_float(a)]
    dtype = compare.lowest_precision(args)
    seen = handle.observe(*args, cotangent=cotangent.to(getattr(torch, dtype)), output=output, **kwargs)
    if dropped is not None:
        with drawn(module, dropped(seen.value)):
            expected = answered()
    grads = torch.autograd.grad((expected * cotangent).sum(), [*leaves, *parameters.values()], allow_unused=True)
    answers = [grad for grad, arg in zip(seen.input_gradients, args, strict=True) if is_float(arg)]
    answers += [seen.parameter_gradients.get(key) for key in parameters]
    names = list(inspect.signature(module.forward).parameters)
    labels = [label for label, arg in zip(names, args, strict=False) if is_float(arg)]
    require_gradients(answers, list(grads), dtype, [*labels, *parameters], parameters)


def gradients_arrive(
    answers: Mapping[str, torch.Tensor | None],
    expected: Mapping[str, torch.Tensor | None],
    dtype: str = "float32",
    parameters: Collection[str] = (),
) -> None:
    """Ask that a gradient other than zero arrives at each of these, and name all that get none.

    Args:
        answers: The student's gradients by name.
        expected: The solution's; where there is none or next to none, nothing is asked.
        dtype: The lowest precision that took part.
        parameters: Those of the names that are a module's parameters.
    """
    wanted = {name: float(grad.abs().max()) for name, grad in expected.items() if grad is not None and grad.numel()}
    least = tolerance("gradient", dtype, device()).relative * max(wanted.values(), default=0.0)
    cut = [
        name
        for name, largest in wanted.items()
        if largest > least and ((answer := answers.get(name)) is None or not bool((answer != 0).any()))
    ]
    if cut:
        raise CheckFailed.for_students(*missing_gradient_sentences(cut, parameters))


def future_is_invisible(run: Callable[[torch.Tensor], Any], x: torch.Tensor, draw: Draw) -> None:
    """Ask that a change of the later tokens changes no earlier output.

    Args:
        run: Calls the student's code; the output is (..., T, d), or a tuple that begins with it.
        x: (..., T, d_in) with T > 1.
        draw: Where the change comes from; it is random, since a constant would vanish in a layer norm.
    """
    tokens = x.shape[-2]
    before = first(run(x))
    for cut in range(1, tokens):
        changed = x.clone()
        changed[..., cut:, :] += draw.normal(*changed[..., cut:, :].shape)
        after = first(run(changed))
        bound = compare.scaled(tolerance("module", compare.lowest_precision(x), device()), before)
        if not compare.is_close(after[..., :cut, :], before[..., :cut, :].double(), bound):
            raise CheckFailed(
                "A change of a later token changed the output of an earlier one.",
                "뒤에 오는 토큰을 바꾸었더니 앞 토큰의 출력이 달라졌습니다.",
            )


def first(value: Any) -> torch.Tensor:
    """Return the tensor, or the first of a tuple or list."""
    return compare.as_tensor(value[0] if isinstance(value, tuple | list) and value else value)
