"""The rules of a module's contract alone."""

from collections.abc import Mapping
from typing import Any

import torch

from grader.language import N_
from grader.suite.core import compare
from grader.suite.core.context import device
from grader.suite.core.failures import CheckFailed
from grader.suite.diagnosis.by_answer import alike
from grader.suite.library.changed_inputs import outputs_of
from grader.tolerances import tolerance
from grader.words import Words

from .gate import are_alike
from .seen import Seen
from .table import rule


@rule(
    "value", N_("In eval the module gives what the text says, even after training has changed it."), holds="is_module"
)
def evaluation(seen: Seen) -> None:
    seen.require_right([call for call in ("here", "here trained", "further in eval") if call in seen.calls])


@rule("property", N_("In eval the same input gives the same result every time."), holds="is_module")
def eval_draws_nothing(seen: Seen) -> None:
    if not are_alike(seen, "here", "here again"):
        raise CheckFailed.for_students(
            Words(
                "In eval the same input gives a different result the second time, under torch.no_grad(): something is "
                "dropped or drawn, or depends on whether gradients are asked for."
            ),
        )


@rule("property", N_("In training numbers are dropped, different ones in every call."), holds="drops")
def dropout(seen: Seen) -> None:
    require_drawn(*(seen.answer(call) for call in ("here in training", "dropped", "here")))


def require_drawn(first: Any, second: Any, in_eval: Any) -> None:
    """Ask that two answers in training and that in eval are all different."""
    dtype = compare.lowest_precision(in_eval)
    if alike(first, in_eval, dtype) or alike(second, in_eval, dtype):
        raise CheckFailed.for_students(
            Words("The same call gives the same result in training and in eval: dropout is for training alone."),
        )
    if alike(first, second, dtype):
        raise CheckFailed.for_students(
            Words("In training two calls give the same result: dropout has to draw anew in every call."),
        )


@rule(
    "parameters",
    N_("The parameters have the names and shapes of the text, and there are no others."),
    holds="is_module",
)
def parameters(seen: Seen) -> None:
    side = seen.side
    for key in ("plain", "further"):
        if key in side.built:
            require_shapes(side.read_parameters(key), side.built[key].values)


def require_shapes(parameters: Mapping[str, torch.Tensor], right: Mapping[str, torch.Tensor]) -> None:
    given, wanted = ({name: tuple(value.shape) for name, value in held.items()} for held in (parameters, right))
    if given != wanted:
        raise CheckFailed(Words("The parameters are {given}, but {wanted} are asked for.", given=given, wanted=wanted))


@rule(
    "parameters",
    N_("A module that was called before gives the same as a new one whose state_dict it has loaded."),
    holds="is_module",
)
def state_dict(seen: Seen) -> None:
    if are_alike(seen, "here", "here again"):  # else the rule `eval_draws_nothing` says what is drawn
        require_restored(seen.answer("restored"), seen.answer("here"))


def require_restored(restored: Any, second: Any) -> None:
    """Ask that a module which was called before gives what a new one gives whose state_dict it has loaded."""
    if not alike(restored, second, compare.lowest_precision(second)):
        raise CheckFailed.for_students(
            Words("A module that was called before gives a different result from a new one with the same state_dict."),
        )


@rule("property", N_("An item of a batch gives the same alone and among others."), holds="has_batch")
def items_apart(seen: Seen) -> None:
    results = len(seen.contract.results)
    for alone, together in zip(
        compare.as_tensors(seen.answer("alone"), results),
        compare.as_tensors(seen.answer("distinct"), results),
        strict=True,
    ):
        if not is_near(alone, together[1:2]):
            raise CheckFailed.for_students(
                Words("An item of the batch gives a different result alone than among others."),
            )


@rule("property", N_("A change of later tokens changes nothing before them."), holds="causal")
def causality(seen: Seen) -> None:
    for text, whole, changed in zip(
        seen.contract.results, outputs_of(seen.answer("distinct")), outputs_of(seen.answer("later")), strict=True
    ):
        axis = text.index("T") - len(text)
        kept = seen.contract.distinct["T"] // 2
        if (
            whole.dim() < -axis
            or changed.shape != whole.shape
            or not is_near(changed.narrow(axis, 0, kept), whole.narrow(axis, 0, kept))
        ):
            raise CheckFailed.for_students(Words("A change of a later token changed the result of an earlier one."))


def is_near(answer: torch.Tensor, expected: torch.Tensor) -> bool:
    """Tell whether two answers of a module are the same but for rounding."""
    if answer.shape != expected.shape:
        return False
    bound = compare.scaled(tolerance("module", compare.lowest_precision(expected), device()), expected)
    return compare.is_close(answer, expected.double(), bound)
