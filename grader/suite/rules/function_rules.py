"""The rules of a function's contract: each is a check that reads what was seen of the contract's calls."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch

from grader.language import N_
from grader.results.verdict import Category
from grader.suite.core import compare
from grader.suite.core.contract import Contract, shape_of
from grader.suite.core.failures import CheckFailed
from grader.suite.core.gradients import is_float, require_gradients
from grader.suite.diagnosis.by_measurement import remember_expected
from grader.suite.library.changed_inputs import outputs_of
from grader.suite.library.checks import has_dtype, has_shape
from grader.suite.library.forbidden_calls import require_none_forbidden, require_right
from grader.suite.library.gradient_checks import gradients_arrive, require_finite
from grader.suite.library.layouts import MIXED, naming_layout
from grader.suite.library.other_device import other_device, require_same, what_a_gpu_can
from grader.suite.library.purity import require_unchanged

from .calls import DTYPES, EQUAL
from .gate import require_dependence, tensors_of
from .seen import Seen

Body = Callable[[Seen], None]
Gradients = list[torch.Tensor | None]
GATE, VALUE = "the_gate", "value"
ECHOED = ("distinct", "float64", "items")
"""The calls beside the gate's after which the inputs are looked at, where they gave a value."""
LEAST_DIFFERENCE = 0.3
"""How far the difference of two close answers may be from the solution's, relative to its largest number."""


@dataclass(frozen=True)
class Rule:
    """A check that follows from a contract.

    Attributes:
        sentence: What is asked of the student, in English; other languages are in the catalogues.
        needs: The rule that must have passed; empty for none.
        holds: Whether it is asked of an exercise, given its contract and the groups of calls that it forbids.
    """

    name: str
    category: Category
    sentence: str
    body: Body
    needs: str
    holds: Callable[[Contract, Sequence[str]], bool]


RULES: dict[str, Rule] = {}


def rule(
    category: Category,
    sentence: str,
    needs: str = "",
    holds: Callable[[Contract, Sequence[str]], bool] = lambda contract, forbids: True,
) -> Callable[[Body], Body]:
    """Make a function a rule of the name that it has."""

    def add(body: Body) -> Body:
        RULES[body.__name__] = Rule(body.__name__, category, sentence, body, needs, holds)
        return body

    return add


def has_items(contract: Contract, forbids: Sequence[str]) -> bool:
    """Tell whether there may be leading dimensions."""
    return contract.leads


def has_tensors(contract: Contract, forbids: Sequence[str]) -> bool:
    """Tell whether there are inputs that are tensors."""
    return contract.takes_tensors


@rule("property", N_("The result changes with what is given, as it should; values come later."))
def the_gate(seen: Seen) -> None:
    require_dependence(seen)


@rule("shape", N_("The result has the shape that the text says, also where a size is 1."), GATE)
def shape(seen: Seen) -> None:
    contract = seen.contract
    asked = {"alike": contract.alike, "distinct": contract.distinct, "equal": dict.fromkeys(contract.letters, EQUAL)}
    for call, sizes in (asked | {"ones": contract.ones}).items():
        has_shapes(seen, call, sizes)
    if contract.leads:
        has_shapes(seen, "items", contract.distinct, contract.items)


def has_shapes(seen: Seen, call: str, sizes: dict[str, int], lead: Sequence[int] = ()) -> None:
    """Ask for the shapes of the contract with these sizes; the calls of the gate may have others."""
    if call == "alike" and seen.has_items_in_gate:
        return
    results = seen.contract.results
    for value, text in zip(tensors_of(seen.answer(call), len(results)), results, strict=True):
        has_shape(value, shape_of(text, sizes, lead))


@rule("dtype", N_("The result has the dtype of what is given: float32, float64 or bfloat16."), GATE, has_tensors)
def dtype(seen: Seen) -> None:
    for call, wanted in DTYPES.items():
        for value in outputs_of(seen.answer(call)):
            has_dtype(value, wanted)


@rule("gradient", N_("From the result a gradient flows to everything that is given."), GATE, has_tensors)
def gradients_flow(seen: Seen) -> None:
    for output in range(len(seen.contract.results)):
        names, found, wanted = gradients_of(seen, f"gradients {output}" if output else "here", output)
        gradients_arrive(dict(zip(names, found, strict=True)), dict(zip(names, wanted, strict=True)))
        require_finite({name: grad for name, grad in zip(names, found, strict=True) if grad is not None})


@rule("purity", N_("What is given is the same after the call and requires no gradient."), GATE, has_tensors)
def inputs_unchanged(seen: Seen) -> None:
    for call in ("alike", *(name for name in ECHOED if name in seen.calls and seen.failure(name) is None)):
        require_unchanged(seen.calls[call].given.args, {}, seen.observed(call))


@rule("value", N_("Random inputs of several sizes give the right result."))
def value(seen: Seen) -> None:
    seen.require_right(["distinct", "equal"])


@rule("value", N_("With dimensions in front, every item is computed for itself."), holds=has_items)
def leading_dimensions(seen: Seen) -> None:
    seen.require_right(["items"])
    for value in outputs_of(seen.answer("items")):
        has_dtype(value, torch.float64)


@rule("shape", N_("A single token or feature, and far more of them than in the note, give the right result."), VALUE)
def sizes(seen: Seen) -> None:
    seen.require_right(["ones", *(f"large {letter}" for letter in seen.contract.letters)])


@rule("dtype", N_("What is given in float64 is computed in float64."), VALUE, has_tensors)
def float64(seen: Seen) -> None:
    seen.require_right(["float64"])
    there, near = (outputs_of(seen.solution.answer(seen.calls[call].given)) for call in ("float64", "float64 beside"))
    wanted = [far - close for close, far in zip(there, near, strict=True)]
    answers, others = (tensors_of(seen.answer(call), len(wanted)) for call in ("float64", "float64 beside"))
    for answer, other, want in zip(answers, others, wanted, strict=True):
        finite = want.isfinite()
        off = (has_shape(other, tuple(want.shape)) - answer - want)[finite].abs()
        if bool((off > LEAST_DIFFERENCE * want[finite].abs().max()).any()):
            raise CheckFailed.for_students(
                "Something on the way from float64 to the result is computed in a lower precision.",
                "float64 입력에서 결과까지 가는 길에 더 낮은 정밀도로 계산하는 곳이 있습니다.",
                code="not_float64",
            )


@rule("gradient", N_("The right gradients flow to what is given."), VALUE, has_tensors)
def gradients(seen: Seen) -> None:
    for output in range(len(seen.contract.results)):
        names, found, wanted = gradients_of(seen, f"gradients {output}", output)
        require_gradients(found, wanted, "float32", names)


def gradients_of(
    seen: Seen, call: str, output: int = 0
) -> tuple[list[str], list[torch.Tensor | None], list[torch.Tensor | None]]:
    """Return the names of the floating inputs of a call, the student's gradients of them, and the solution's."""
    given, function = seen.calls[call].given, getattr(seen.solution.reference.module, seen.name)
    wide = [each.detach().double().requires_grad_() if is_float(each) else each for each in given.args]
    cotangent = seen.calls[call].options["cotangent"].double()
    leaves = [each for each in wide if is_float(each)]
    wanted = torch.autograd.grad((outputs_of(function(*wide))[output] * cotangent).sum(), leaves, allow_unused=True)
    names = [name for name, each in seen.solution.named(given).items() if is_float(each)]
    answers = seen.observed(call).input_gradients
    return names, [grad for grad, each in zip(answers, given.args, strict=True) if is_float(each)], list(wanted)


@rule(
    "property",
    N_("Views that are not contiguous in memory (transposed, sliced, expanded) give the right result."),
    VALUE,
    has_tensors,
)
def any_layout(seen: Seen) -> None:
    for call in (name for name in seen.calls if name.startswith("layout")):
        with naming_layout(MIXED):
            seen.require_right([call])


@rule("property", N_("A tensor that holds other numbers in a second call gives another answer."), VALUE, has_tensors)
def computed_anew(seen: Seen) -> None:
    call = seen.calls["anew"]
    remember_expected(getattr(seen.solution.reference, seen.name)(*call.options["before"]))
    seen.require_right(["anew"])


@rule(
    "device",
    N_("On another device than the CPU, such as a GPU, the result is there, with the same values."),
    GATE,
    has_tensors,
)
def another_device(seen: Seen) -> None:
    other_device()
    here = seen.observed("here")
    with what_a_gpu_can():
        require_same(here, seen.observed("elsewhere"), seen.calls["here"].given.args, {})
        if "items" in seen.calls and seen.failure("items") is None:
            require_same(seen.observed("items"), seen.observed("items elsewhere"), seen.calls["items"].given.args, {})


@rule("policy", N_("The result is computed without the library calls that the text forbids."), VALUE,
      holds=lambda contract, forbids: bool(forbids))  # fmt: skip
def written_by_hand(seen: Seen) -> None:
    given = seen.calls["watched"].given
    if "items watched" in seen.calls:
        failure = seen.failure("items watched")
        require_none_forbidden([failure] if failure else [])
    answer = seen.observed("watched")
    require_right(answer, seen.solution.answer(given), "value", compare.lowest_precision(given.args))
