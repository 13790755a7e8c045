"""The rules of a contract with layers: of a function that is handed torch's own, such as a residual block."""

import torch

from grader.language import N_
from grader.suite.core import compare
from grader.suite.core.context import device
from grader.suite.core.failures import CheckFailed
from grader.words import Words
from grader.workers.calls.given_layers import GivenLayer, LayerState, state_in
from grader.workers.calls.student import Given, Observation

from .seen import Seen
from .table import rule

COUNTER = "num_batches_tracked"
"""What torch's batch norm counts its calls in training by."""


def states_after(given: Given, observed: Observation) -> list[tuple[GivenLayer, LayerState]]:
    pairs = zip(given.args, observed.inputs_after, strict=True)
    return [(layer, state_in(after)) for layer, after in pairs if isinstance(layer, GivenLayer)]


@rule("property", N_("Each layer that is given is called once, in the mode it arrives in, and keeps that mode."),
      holds="takes_any_layers", row="point")  # fmt: skip
def layers_called_once(seen: Seen) -> None:
    for call in ("counted 0", "counted 1"):
        seen.require_right([call])
        for layer, state in states_after(seen.calls[call].given, seen.observed(call)):
            require_mode(layer, state)
            if state.tensors.get(COUNTER, torch.tensor([])).flatten().tolist() != [layer.training]:
                raise CheckFailed.for_students(Words("A layer was not called exactly once."))


def require_left_alone(layer: GivenLayer, state: LayerState) -> None:
    """Ask that a layer has its parameters, what `.grad` held (the same numbers) and its mode."""
    for name, value in layer.values.items():
        after = state.tensors.get(name)
        compare.require_all_close(after, value, "value", compare.lowest_precision(after), device())
        if name not in state.gradients or not torch.equal(state.gradients[name], value):
            raise CheckFailed.for_students(
                Words("`.grad` of a layer's parameters was changed by the call; leave it to the caller."),
            )
        if name not in state.followed:
            raise CheckFailed.for_students(Words("A layer's parameters no longer require gradients after the call."))
    require_mode(layer, state)


def require_mode(layer: GivenLayer, state: LayerState) -> None:
    if state.training is not layer.training:
        raise CheckFailed.for_students(Words("A layer was left in another mode than it came in."))
