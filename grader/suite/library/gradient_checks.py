"""Asks of gradients that they are the solution's, or just that they arrive.

An answer with a plain mistake has gradients that arrive as the right one has. What is detached, rebuilt of plain
numbers or computed under no_grad cuts them off.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import nn

from grader.suite.core import compare
from grader.suite.core.context import device
from grader.suite.core.failures import CheckFailed
from grader.suite.core.gradients import (
    argument_names,
    followed_answer,
    gradients_of,
    gradients_seen,
    missing_gradients,
    require_gradients,
    weights_of,
)
from grader.suite.library.modules.dropout import same_draw
from grader.tolerances import tolerance
from grader.words import Words
from grader.workers.calls.callees import Callee
from grader.workers.calls.observation import TensorFacts
from grader.workers.calls.student import Given

from .changed_inputs import noise, outputs_of

LEAST = 0.1  # the part of what gradients may differ by that is still far more than rounding


def gradients_match(
    asked: Callee,
    solution: Callable[..., Any],
    *args: Any,
    output: int | None = None,
    dropped: Callable[[Any], torch.Tensor] | None = None,
    **kwargs: Any,
) -> None:
    """Ask that gradients flow to every floating input and parameter and equal the solution's.

    The scalar is all that comes back, weighted by fixed, uneven numbers and summed, so that no gradient vanishes by
    symmetry.

    Args:
        asked: `student.NAME`, or a module's handle.
        solution: `reference.NAME`, or the solution's module.
        output: Which item of a returned tuple the gradients are taken of; of all if not given.
        dropped: For a student's module in training and a solution's in eval: reads off the student's answer the weights
            after dropout, so that the solution drops the same ones.
    """
    solution, given = inspect.unwrap(solution), Given(args, kwargs)
    expected, leaves = followed_answer(solution, given)
    dtype = compare.lowest_precision(args)
    weighers = weights_of(outputs_of(expected), getattr(torch, dtype))
    cotangent = [weights * (output in (None, place)) for place, weights in enumerate(weighers)]
    seen = asked.observe(*args, cotangent=cotangent, **kwargs)
    if dropped is not None and isinstance(solution, nn.Module):
        with same_draw(solution, dropped(seen.value)):
            expected, leaves = followed_answer(solution, given)
    answers = gradients_seen(seen, dict(zip(argument_names(solution), args, strict=False)))
    require_gradients(answers, gradients_of(outputs_of(expected), cotangent, leaves), dtype)


def gradients_arrive(answers: Mapping[str, torch.Tensor | None], expected: Mapping[str, torch.Tensor | None]) -> None:
    """Ask that a gradient that is more than rounding arrives at each of these, and name all that get none.

    Args:
        answers: The student's gradients by name.
        expected: The solution's; where there is none or next to none, nothing is asked.
    """
    wanted = {name: float(grad.abs().max()) for name, grad in expected.items() if grad is not None and grad.numel()}
    least = LEAST * tolerance("gradient", "float32", device()).relative * max(wanted.values(), default=0.0)
    noisy = max((noise(grad) for grad in answers.values() if grad is not None), default=0.0)
    cut = [
        name
        for name, largest in wanted.items()
        if largest > least and ((answer := answers.get(name)) is None or bool((answer.abs() <= noisy).all()))
    ]
    if cut:
        raise CheckFailed.for_students(missing_gradients(cut))


def require_followed(facts: Sequence[TensorFacts], expected: Sequence[int]) -> None:
    """Ask that gradients can be taken of the items of a result that have these places."""
    cut = [place + 1 for place in expected if place < len(facts) and not facts[place].requires_grad]
    if cut:
        raise CheckFailed.for_students(
            Words("No gradient flows back from result {number}: detach or no_grad, say, cut it off.", number=cut[0])
        )


def require_finite(gradients: Mapping[str, torch.Tensor | None]) -> None:
    broken = [name for name, grad in gradients.items() if grad is not None and not bool(torch.isfinite(grad).all())]
    if broken:
        raise CheckFailed.for_students(
            Words("The gradient of {names} holds NaN or an infinity.", names=", ".join(broken))
        )
