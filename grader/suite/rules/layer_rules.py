"""The rules of a contract with layers: of a function that is handed torch's own, such as a residual block."""

from collections.abc import Sequence

import torch

from grader.language import N_
from grader.suite.core import compare
from grader.suite.core.context import device
from grader.suite.core.contract import Contract, GivenLayer
from grader.suite.core.failures import CheckFailed
from grader.words import Words

from .function_calls import FunctionSide
from .given_layers import COUNTER, LayerState
from .seen import Seen
from .shared_rules import require_all_unchanged
from .table import GATE, rule


def has_layers(contract: Contract, forbids: Sequence[str]) -> bool:
    """Tell whether layers are given."""
    return contract.takes_layers


def has_any_layers(contract: Contract, forbids: Sequence[str]) -> bool:
    """Tell whether any layers may be given."""
    return contract.takes_any_layers


def states_after(seen: Seen, call: str) -> list[tuple[GivenLayer, LayerState, dict[str, torch.Tensor]]]:
    """Return the layers of a call, how they are after it, and their parameters before it.

    Raises:
        StudentFailure: The call gave no value.
    """
    seen.answer(call)
    side, made = seen.side, seen.calls[call]
    assert isinstance(side, FunctionSide)
    if not side.has_states(made):  # a later call ended the worker
        seen.ask({call: made})
        seen.answer(call)
    return side.states(made)


@rule("value", N_("Whatever layers are given, each of them comes in its place."), holds=has_any_layers)
def other_layers(seen: Seen) -> None:
    seen.require_right([call for call in seen.calls if call.startswith("layers ")])


@rule("property", N_("Each layer that is given is called once, in the mode in which it comes, and stays in it."),
      holds=has_any_layers, row="point")  # fmt: skip
def layers_called_once(seen: Seen) -> None:
    for call in ("counted in train", "counted in eval"):
        seen.require_right([call])
        for layer, state, _ in states_after(seen, call):
            require_mode(layer, state)
            if state.tensors[COUNTER].item() != layer.training:
                raise CheckFailed.for_students(Words("A layer was not called exactly once."))


@rule("purity", N_("What is given is the same after the call: tensors, and layers down to their `.grad`."), GATE,
      has_layers)  # fmt: skip
def layers_unchanged(seen: Seen) -> None:
    require_all_unchanged(seen)
    for layer, state, values in states_after(seen, "alike"):
        require_left_alone(layer, state, values)


def require_left_alone(layer: GivenLayer, state: LayerState, values: dict[str, torch.Tensor]) -> None:
    """Ask that a layer has its parameters, what `.grad` held (the same numbers) and its mode."""
    for name, value in values.items():
        after = state.tensors[name]
        compare.require_all_close(after, value, "value", compare.lowest_precision(after), device())
        if name not in state.gradients or not torch.equal(state.gradients[name], value):
            raise CheckFailed.for_students(
                Words("`.grad` of a layer's parameters was changed by the call; leave it to the caller."),
            )
        if name not in state.followed:
            raise CheckFailed.for_students(
                Words("A layer's parameters require no gradient any more after the call."),
            )
    require_mode(layer, state)


def require_mode(layer: GivenLayer, state: LayerState) -> None:
    """Ask that a layer is in the mode in which it came."""
    if state.training is not layer.training:
        raise CheckFailed.for_students(Words("A layer was left in another mode than it came in."))
