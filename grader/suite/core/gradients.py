"""Takes the solution's gradients and compares the student's with them.

They are compared relative to the largest of the call, since entry by entry right answers fail in float32.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import nn

from grader.tolerances import tolerance
from grader.words import Words, joined
from grader.workers.calls.given_layers import GivenLayer
from grader.workers.calls.observation import Observation
from grader.workers.calls.requests import Given

from . import compare
from .context import device
from .failures import CheckFailed
from .reference import widened

Gradients = dict[str, torch.Tensor | None]
"""By the names of inputs and of parameters; the parameters of a layer among the inputs are `norm.weight`."""


def is_float(value: Any) -> bool:
    return isinstance(value, torch.Tensor) and value.is_floating_point()


def weights_of(results: Sequence[torch.Tensor], dtype: torch.dtype = torch.float32) -> list[torch.Tensor]:
    return [uneven(result.shape).to(dtype) for result in results]


def uneven(shape: torch.Size | tuple[int, ...]) -> torch.Tensor:
    """Return float64 numbers of alternating sign and uneven size, the same for the same shape.

    An output weighted by them and summed is a scalar whose gradient does not vanish by symmetry.
    """
    count = torch.Size(shape).numel()
    index = torch.arange(1, count + 1, dtype=torch.float64)
    return (torch.cos(index * 1.7) + 0.3).reshape(shape)


def parameters_of(value: Any) -> dict[str, torch.Tensor]:
    return dict(value.named_parameters()) if isinstance(value, nn.Module) else {}


def argument_names(function: Callable[..., Any]) -> list[str]:
    return list(inspect.signature(getattr(function, "forward", function)).parameters)


def followed_answer(callee: Callable[..., Any], given: Given) -> tuple[Any, dict[str, torch.Tensor]]:
    """Return what a function or a module of the solution's gives, and what gradients can be taken of, by name.

    These are floating tensors that are passed by position, the parameters of layers among them, and those of a module.
    """
    args, leaves = widened(given.args), dict[str, torch.Tensor]()
    for name, arg in zip(argument_names(callee), args, strict=False):
        leaves |= {name: arg.requires_grad_()} if is_float(arg) else {}
        leaves |= {f"{name}.{key}": value for key, value in parameters_of(arg).items()}
    return callee(*args, **widened(given.kwargs)), leaves | parameters_of(callee)


def gradients_of(
    results: Sequence[torch.Tensor], cotangents: Sequence[torch.Tensor], leaves: Mapping[str, torch.Tensor]
) -> Gradients:
    scalars = [(results[place] * cotangents[place].double()).sum() for place in followed(results)]
    if not scalars or not leaves:
        return dict.fromkeys(leaves)
    gradients = torch.autograd.grad(scalars, list(leaves.values()), allow_unused=True)
    return dict(zip(leaves, gradients, strict=True))


def followed(results: Sequence[torch.Tensor]) -> list[int]:
    return [place for place, result in enumerate(results) if result.requires_grad]


def gradients_seen(seen: Observation, inputs: Mapping[str, Any]) -> Gradients:
    """Return the gradients of a call by the names of its inputs and of parameters; none of what has a keyword."""
    pairs = zip(inputs.items(), seen.input_gradients, strict=False)
    layers = {
        f"{place}.{key}": f"{name}.{key}"
        for place, (name, value) in enumerate(inputs.items())
        if isinstance(value, GivenLayer)
        for key in value.values
    }
    of_parameters = {layers.get(name, name): grad for name, grad in seen.parameter_gradients.items()}
    return {name: grad for (name, value), grad in pairs if is_float(value)} | of_parameters


def require_gradients(
    answers: Mapping[str, torch.Tensor | None],
    expected: Mapping[str, torch.Tensor | None],
    dtype: str,
) -> None:
    """Ask that gradients equal the expected ones.

    Args:
        answers: The student's, by the names of inputs and parameters.
        expected: float64; None where the solution has none either, and then nothing is asked.

    Raises:
        CheckFailed: One is missing or differs; the sentence names all that do.
    """
    largest = max((float(g.abs().max()) for g in expected.values() if g is not None and g.numel()), default=0.0)
    bound = tolerance("gradient", dtype, device())
    missing: list[str] = []
    wrong: list[str] = []
    first: CheckFailed | None = None
    for name, want in expected.items():
        if want is None:
            continue
        if (answer := answers.get(name)) is None:
            if largest == 0 or float(want.abs().max()) > bound.relative * largest:
                missing.append(name)
            continue
        room = torch.full(want.shape, bound.absolute + bound.relative * largest, dtype=torch.float64)
        try:
            compare.require_close(answer, want, room)
        except CheckFailed as failure:
            wrong.append(name)
            first = first or failure
    if first is not None:
        raise wrong_gradients(first, wrong, missing)
    if missing:
        raise CheckFailed.for_students(missing_gradients(missing))


def wrong_gradients(first: CheckFailed, wrong: Sequence[str], missing: Sequence[str]) -> CheckFailed:
    """Return a failure that names all wrong gradients and describes the first of them."""
    advice = Words("The gradient is wrong for {wrong}.", wrong=", ".join(wrong))
    if missing:
        names = {"wrong": ", ".join(wrong), "missing": ", ".join(missing)}
        advice = Words("The gradient is wrong for {wrong}, and none reaches {missing}.", **names)
    return CheckFailed(joined(advice, first.found), advice, first.values)


def missing_gradients(names: Sequence[str]) -> Words:
    return Words(
        "No gradient reaches {names}: not used, frozen, or the result was cut off from it.", names=", ".join(names)
    )
