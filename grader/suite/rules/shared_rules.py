"""The rules of a contract that functions and modules share: each is a check that reads what was seen of its calls."""

from collections.abc import Sequence
from dataclasses import replace

import torch

from grader.language import N_
from grader.suite.core import compare
from grader.suite.core.contract import shape_of
from grader.suite.core.failures import CheckFailed
from grader.suite.core.gradients import require_gradients
from grader.suite.library.changed_inputs import outputs_of
from grader.suite.library.checks import has_dtype, has_shape
from grader.suite.library.gradient_checks import gradients_arrive, require_finite, require_followed
from grader.suite.library.other_device import other_device, require_same, what_a_gpu_can
from grader.suite.library.purity import require_unchanged
from grader.tolerances import Tolerance
from grader.words import Words
from grader.workers.process.failures import StudentFailure

from .calls import DROPPED, DTYPES, EQUAL, IN_ITEMS, beside
from .gate import MixesNothing, require_dependence
from .layer_rules import require_left_alone, states_after
from .seen import Seen
from .table import VALUE, rule

ECHOED = ("distinct", "equal", "float64", "items", "further", "optional", "handed on", "here again")
"""The calls beside the gate's after which the inputs are looked at, where they gave a value."""
GATE_AGAIN = 2
"""How many further draws the gate tries before it refuses: one ReLU too many may hide every change in one draw."""
EXACT = 1e-10
"""How far an answer in float64 is from the solution's at most, relative to its largest number, if nothing is lost."""
LEAST_DIFFERENCE = 0.05
"""How far the difference of two close answers may be from the solution's, relative to its largest number."""


@rule("property", N_("The result depends on every input, whether or not its values are right."))
def uses_inputs(seen: Seen) -> None:
    for _ in range(GATE_AGAIN):
        try:
            require_dependence(seen)
            return
        except MixesNothing:
            raise  # other numbers may happen to mix no more in the solution either
        except CheckFailed:
            seen.ask_the_gate_anew()
    require_dependence(seen)


@rule("policy", N_("The result is computed without the library calls that the text forbids."))
def written_by_hand(seen: Seen) -> None:
    if seen.caught is not None:
        raise seen.caught


@rule("shape", N_("The result has the shape that the text says, also where a size is 1."))
def shape(seen: Seen) -> None:
    contract = seen.contract
    asked: dict[str, tuple[dict[str, int], Sequence[int]]] = {} if seen.form else {"gate": (contract.alike, ())}
    asked |= {"distinct": (contract.distinct, ()), "equal": (dict.fromkeys(contract.letters, EQUAL), ())}
    asked |= {"items": (contract.distinct, contract.items)} if contract.leads else {}
    for call, (sizes, lead) in asked.items():
        has_shape(seen.answer(call), *(shape_of(text, sizes, lead) for text in contract.results))
    for call in (name for name in calls_of_single_sizes(seen) if seen.failure(name) is None):
        has_shape(seen.answer(call), *(tuple(value.shape) for value in outputs_of(seen.expected(call))))


def calls_of_single_sizes(seen: Seen) -> list[str]:
    """Return the calls in which sizes are 1, be it because others are large."""
    return [name for name in seen.calls if name == "ones" or name.startswith("large ")]


@rule("dtype", N_("The result has the dtype of what is given: float32, float64 or bfloat16."), holds="takes_numbers")
def dtype(seen: Seen) -> None:
    drops = seen.contract.drops and seen.failure("here in training") is None
    asked = DTYPES | ({DROPPED: torch.bfloat16} if drops else {})
    for call in (name for name in asked if name in seen.calls):
        for value in outputs_of(seen.answer(call)):
            has_dtype(value, asked[call])


@rule("gradient", N_("Gradients flow from the result back to every input."), holds="takes_numbers")
def gradients_flow(seen: Seen) -> None:
    grads, wanted = seen.gradients("here")
    if seen.calls["here"].module in seen.side.unloaded:  # its parameters have other names
        wanted = {name: grad for name, grad in wanted.items() if name in grads}
    gradients_arrive(grads, wanted)
    require_finite(grads)
    require_followed(seen.observed("here").facts, seen.side.expected["here"].followed)
    if seen.contract.drops and seen.failure("here in training") is None:
        gradients_arrive(seen.gradients("here in training")[0], wanted)


@rule("purity", N_("The inputs are the same after the call, and none requires a gradient that did not before."),
      holds="takes_numbers")  # fmt: skip
def inputs_unchanged(seen: Seen) -> None:
    calls = ["gate", *(name for name in ECHOED if name in seen.calls and seen.failure(name) is None)]
    observed = {name: (seen.calls[name].given, seen.observed(name)) for name in calls}
    for given, after in observed.values():
        require_unchanged(given.args, given.kwargs, after)
    for layer, state in states_after(*observed["gate"]):
        require_left_alone(layer, state)


@rule("value", N_("Random inputs of several sizes give the right result."))
def value(seen: Seen) -> None:
    seen.require_right([call for call in ("distinct", "equal", "further") if call in seen.calls])


@rule("value", N_("With its options, such as a mask, the result and its dtype are right."), holds="has_options")
def options(seen: Seen) -> None:
    for call, wanted in {"optional": torch.float32, "optional bfloat16": torch.bfloat16}.items():
        seen.require_right([call])
        for value in outputs_of(seen.answer(call)):
            has_dtype(value, wanted)


@rule("value", N_("With leading dimensions, each item is computed for itself."), holds="leads")
def leading_dimensions(seen: Seen) -> None:
    seen.require_right(["items"])
    for value in outputs_of(seen.answer("items")):
        has_dtype(value, seen.calls["items"].given.args[0].dtype)
    seen.require_right([call for call in seen.calls if call == "one item"])


@rule("shape", N_("A single token or feature, and far more of them than in the note, give the right result."), VALUE)
def sizes(seen: Seen) -> None:
    seen.require_right(calls_of_single_sizes(seen))


@rule("dtype", N_("What is given in float64 is computed in float64, and bfloat16 gives the right result too."), VALUE,
      "takes_numbers")  # fmt: skip
def float64(seen: Seen) -> None:
    seen.require_right(["float64"])
    answers_half = "bfloat16" in seen.calls and seen.failure("bfloat16") is None  # or the rule `dtype` says so
    if answers_half and not seen.contract.takes_layers:
        seen.require_right(["bfloat16"])
    there = outputs_of(seen.expected("float64"))
    if all(map(is_exact, compare.as_tensors(seen.answer("float64"), len(there)), there)):
        return
    call = seen.calls["float64"]  # a constant that is rounded, such as a root, is no loss
    seen.ask({"float64": call, "float64 beside": replace(call, given=beside(call.given, seen.draw), options={})})
    there, near = (outputs_of(seen.expected(name)) for name in ("float64", "float64 beside"))
    wanted = [far - close for close, far in zip(there, near, strict=True)]
    answers, others = (compare.as_tensors(seen.answer(name), len(wanted)) for name in ("float64", "float64 beside"))
    require_float64(answers, others, wanted)


def is_exact(answer: torch.Tensor, want: torch.Tensor) -> bool:
    """Tell whether an answer is so near to the solution's that nothing on its way was float32."""
    finite = want[want.isfinite()].abs()
    return compare.is_close(answer, want, Tolerance(EXACT * float(finite.max()) if finite.numel() else 0.0, 0.0))


def require_float64(
    answers: Sequence[torch.Tensor], others: Sequence[torch.Tensor], wanted: Sequence[torch.Tensor]
) -> None:
    """Ask that answers to inputs close to each other differ as they should, which little is left of in float32."""
    for answer, other, want in zip(answers, others, wanted, strict=True):
        finite = want.isfinite()
        off = (has_shape(other, tuple(want.shape)) - answer - want)[finite].abs()
        if bool((off > LEAST_DIFFERENCE * want[finite].abs().max()).any()):
            raise CheckFailed.for_students(
                Words("Something on the way from float64 to the result is computed in a lower precision."),
            )


@rule("gradient", N_("The right gradients flow to what is given."), VALUE, "takes_numbers")
def gradients(seen: Seen) -> None:
    if seen.contract.is_module:
        require_gradients(*seen.gradients("gradients"), "float32")
        if not is_right(seen, "here"):  # what is wrong in eval the rule `evaluation` says
            return
    require_gradients(*seen.gradients("here"), "float32")
    if IN_ITEMS in seen.calls and seen.failure(IN_ITEMS) is None and is_right(seen, IN_ITEMS):
        require_gradients(*seen.gradients(IN_ITEMS), "float32")


def is_right(seen: Seen, call: str) -> bool:
    try:
        seen.require_right([call])
    except (CheckFailed, StudentFailure):
        return False
    return True


@rule(
    "property",
    N_("Views that are not contiguous in memory (transposed, sliced, expanded) give the right result."),
    VALUE,
    "takes_tensors",
)
def any_layout(seen: Seen) -> None:
    seen.require_right([name for name in seen.calls if name.startswith("layout")])


@rule(
    "property",
    N_("Every call is computed anew, even if tensors given and returned before have been overwritten."),
    VALUE,
)
def computed_anew(seen: Seen) -> None:
    seen.require_right(["anew"])


@rule(
    "device",
    N_("On a device other than the CPU, such as a GPU, the result is on that device and has the same values."),
    holds="takes_numbers",
)
def another_device(seen: Seen) -> None:
    other_device()
    here = "restored" if seen.contract.is_module else "here"
    with what_a_gpu_can():
        if here == "restored" and seen.failure(here) is not None:  # `elsewhere` has another state then
            compare.as_tensors(seen.answer("elsewhere"), len(seen.contract.results))
        else:
            require_same(seen.observed(here), seen.observed("elsewhere"), seen.side.named(seen.calls["here"].given))
        name, moved = "here in training", "elsewhere in training"
        if moved in seen.calls and seen.failure(name) is None:
            if seen.contract.drops:  # drawn by a generator of the student's own
                compare.as_tensors(seen.answer(moved), len(seen.contract.results))
            else:
                require_same(seen.observed(name), seen.observed(moved), seen.side.named(seen.calls[name].given))
        if IN_ITEMS in seen.calls and is_right(seen, "items"):
            seen.require_right([IN_ITEMS])
