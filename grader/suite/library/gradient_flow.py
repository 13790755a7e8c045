"""Asks that gradients arrive, whatever they are: an answer with a plain mistake has them as the right one has.

What is detached, rebuilt of plain numbers or computed under no_grad cuts them off.
"""

import inspect
from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import nn

from grader.suite.core import compare
from grader.suite.core.failures import CheckFailed
from grader.suite.core.gradients import is_float, uneven
from grader.suite.core.reference import Reference, widened
from grader.suite.library.modules.free_names import Renamed
from grader.suite.library.modules.module_checks import gradients_arrive
from grader.workers.calls.student import ModuleHandle, Observation, Student

from .changed_inputs import outputs_of


def gradients_flow(
    student: Student, reference: Reference, name: str, *args: Any, output: int = 0, **kwargs: Any
) -> Observation:
    """Ask that a gradient reaches every floating input that the solution's reaches: finite, and not zero everywhere.

    Args:
        student: The student's side.
        reference: The solution.
        name: The exercise, which is the function's name.
        *args: Passed by position to both.
        output: Which item of a returned tuple the gradients are taken of.
        **kwargs: Passed by keyword to both.

    Returns:
        What was seen of the call.

    Raises:
        CheckFailed: One does not arrive, or is not finite.
    """
    return require_flow(getattr(student, name), getattr(reference.module, name), {}, args, kwargs, output)


def module_gradients_flow(
    handle: ModuleHandle | Renamed, module: nn.Module, *args: Any, output: int = 0, **kwargs: Any
) -> Observation:
    """Ask the same of a module, of its inputs and of every parameter that both sides have.

    Args:
        handle: The student's module, as `twin` or `block_twin` returns it, in a mode in which nothing is drawn.
        module: The solution's with the same parameters, in the same mode.
        *args: Passed by position to both.
        output: Which item of a returned tuple the gradients are taken of.
        **kwargs: Passed by keyword to both.

    Returns:
        What was seen of the call.

    Raises:
        CheckFailed: One does not arrive, or is not finite.
    """
    known = dict(module.named_parameters())
    if isinstance(handle, Renamed):
        known = {name: value for name, value in known.items() if name in handle.names}
    return require_flow(handle, module, known, args, kwargs, output)


def require_flow(
    asked: Any,
    solution: Callable[..., Any],
    parameters: Mapping[str, torch.Tensor],
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
    output: int,
) -> Observation:
    """Ask that a gradient reaches all inputs of a call, and these parameters, that it reaches in the solution."""

    def followed(value: Any) -> Any:
        return value.detach().double().requires_grad_() if is_float(value) else widened(value)

    wide, words = [followed(value) for value in args], {key: followed(value) for key, value in kwargs.items()}
    expected = compare.as_tensor(outputs_of(solution(*wide, **words))[output])
    names = list(inspect.signature(getattr(solution, "forward", solution)).parameters)
    inputs = {**dict(zip(names, wide, strict=False)), **words}
    leaves = {name: value for name, value in {**inputs, **parameters}.items() if is_float(value)}
    cotangent = uneven(expected.shape)
    wanted = torch.autograd.grad((expected * cotangent).sum(), list(leaves.values()), allow_unused=True)
    dtype = compare.lowest_precision(args, dict(kwargs))
    seen: Observation = asked.observe(*args, cotangent=cotangent.to(getattr(torch, dtype)), output=output, **kwargs)
    found = {
        **dict(zip(names, seen.input_gradients, strict=False)),
        **seen.keyword_gradients,
        **seen.parameter_gradients,
    }
    gradients_arrive(found, dict(zip(leaves, wanted, strict=True)), dtype, parameters)
    broken = [name for name in leaves if (grad := found.get(name)) is not None and not bool(torch.isfinite(grad).all())]
    if broken:
        listed = ", ".join(broken)
        raise CheckFailed.for_students(
            f"The gradient of {listed} holds NaN or an infinity.", f"{listed}의 그래디언트에 NaN이나 무한대가 있습니다."
        )
    return seen
