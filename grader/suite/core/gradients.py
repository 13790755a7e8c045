"""Compares gradients: relative to the largest of the call, since entry by entry right answers fail in float32."""

import inspect
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import torch
from torch import nn

from grader.tolerances import tolerance
from grader.words import Words, joined
from grader.workers.calls.given_layers import GivenLayer
from grader.workers.calls.observation import Observation

from . import compare
from .context import device
from .failures import CheckFailed

Gradients = dict[str, torch.Tensor | None]
"""By the names of inputs and of parameters; the parameters of a layer among the inputs are `norm.weight`."""


def is_float(value: Any) -> bool:
    """Tell whether a value is a floating tensor, which a gradient can be asked for."""
    return isinstance(value, torch.Tensor) and value.is_floating_point()


def uneven(shape: torch.Size | tuple[int, ...]) -> torch.Tensor:
    """Return float64 numbers of alternating sign and uneven size, the same for the same shape.

    An output weighted by them and summed is a scalar whose gradient does not vanish by symmetry.
    """
    count = torch.Size(shape).numel()
    index = torch.arange(1, count + 1, dtype=torch.float64)
    return (torch.cos(index * 1.7) + 0.3).reshape(shape)


def parameters_of(value: Any) -> dict[str, torch.Tensor]:
    """Return the parameters of a layer or another module by name; none of anything else."""
    return dict(value.named_parameters()) if isinstance(value, nn.Module) else {}


def argument_names(function: Callable[..., Any]) -> list[str]:
    """Return the names of the arguments of a function, or of a module's `forward`."""
    return list(inspect.signature(getattr(function, "forward", function)).parameters)


def leaves_of(args: Sequence[Any], names: Sequence[str]) -> dict[str, torch.Tensor]:
    """Return what has a gradient among inputs, by name: floating tensors, and the parameters of layers."""
    leaves: dict[str, torch.Tensor] = {}
    for name, arg in zip(names, args, strict=False):
        leaves |= {name: arg.requires_grad_()} if is_float(arg) else {}
        leaves |= {f"{name}.{key}": value for key, value in parameters_of(arg).items()}
    return leaves


def gradients_of(result: torch.Tensor, cotangent: torch.Tensor, leaves: Mapping[str, torch.Tensor]) -> Gradients:
    """Return the gradients of a weighted sum of a result's numbers, by the names of the leaves."""
    gradients = torch.autograd.grad((result * cotangent).sum(), list(leaves.values()), allow_unused=True)
    return dict(zip(leaves, gradients, strict=True))


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
    parameters: Collection[str] = (),
) -> None:
    """Ask that gradients equal the expected ones.

    Args:
        answers: The student's, by the names of inputs and parameters.
        expected: float64; None where the solution has none either, and then nothing is asked.
        parameters: Those of the names that are a module's parameters.

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
        describe_wrong_gradients(first, wrong, missing)
        raise first
    if missing:
        raise CheckFailed.for_students(missing_gradients(missing, parameters))


def describe_wrong_gradients(failure: CheckFailed, wrong: Sequence[str], missing: Sequence[str]) -> None:
    """Put the names of all wrong gradients into the failure of the first."""
    names = {"wrong": ", ".join(wrong), "missing": ", ".join(missing)}
    if missing:
        single = Words("The gradient of {wrong} is wrong, and none reaches {missing}.", **names)
        several = Words("The gradients of {wrong} are wrong, and none reaches {missing}.", **names)
    else:
        single = Words("The gradient of {wrong} is wrong.", **names)
        several = Words("The gradients of {wrong} are wrong.", **names)
    failure.advice = several if len(wrong) > 1 else single
    failure.reword(joined(failure.advice, failure.found))


def missing_gradients(missing: Sequence[str], parameters: Collection[str]) -> Words:
    """Return what no gradient reaches, and why that may be."""
    names = ", ".join(missing)
    if not set(missing) <= set(parameters):
        return Words("No gradient reaches {names}: it is not used, or the result was cut off from it.", names=names)
    if len(missing) == 1:
        return Words(
            "No gradient reaches the parameter {names}: frozen, not used, or the result was cut off from it.",
            names=names,
        )
    return Words(
        "No gradient reaches the parameters {names}: frozen, not used, or the result was cut off from it.", names=names
    )
