"""Makes the examples of an exercise from its contract and its solution, and the hints from its known mistakes."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import torch
from torch import nn

from grader.inside.protocol.torch_internals import set_deterministic
from grader.suite.core import compare
from grader.suite.core.context import Mistake
from grader.suite.core.contract import Contract
from grader.suite.core.course_faults import fault_in
from grader.suite.core.draw import Draw
from grader.suite.core.gradients import is_float, parameters_of, uneven
from grader.suite.diagnosis.by_answer import MOST, outcome_of
from grader.suite.library.changed_inputs import outputs_of
from grader.suite.library.modules.module_checks import load
from grader.suite.rules.items import RULES
from grader.workers.calls.given_layers import GivenLayer
from grader.workers.calls.student import Given
from grader.workers.process.failures import StudentFailure

from .model import (
    Example,
    ExerciseExamples,
    Hint,
    StoredCall,
    StoredLayer,
    StoredTensor,
    args_of,
    results_of,
    stored,
    values_of,
)

SEED = 2026
P = 0.2
LEADING = (2,)
ZERO = 1e-5  # what is closer to 0 may be a rounding error
STRETCH = 1.0123456789
HASH_DIGITS = 16
SHORT = 6  # digits of numbers with two decimals
GRADIENT_DIGITS = 6
NOISE = 1e-11  # of results and gradients


def make_examples(name: str, contract: Contract, solution: ModuleType, *, follows: bool = False) -> ExerciseExamples:
    """Return the examples of an exercise: sizes that all differ and an item more, then others.

    Args:
        follows: Whether the gradients of the first call are taken, too, after which torch lets no forked process take
            any on the pretended device.

    Raises:
        CourseError: The solution gives no result.
    """
    try:
        made = of_class if contract.is_module else of_function
        examples, smallest = made(contract, getattr(solution, name), Draw(SEED), follows=follows)
    except Exception as error:  # the course's solution raises what it likes
        what = f"the solution of `{name}` ends on an example of its contract with"
        hint = "Mend the solution, or the contract in its hidden suite."
        raise fault_in(Path(str(solution.__file__)), error, what, hint) from error
    return ExerciseExamples(examples, smallest, [rule.name for rule in RULES.values() if rule.is_asked_of(contract)])


def of_function(
    contract: Contract, answer: Callable[..., Any], draw: Draw, *, follows: bool
) -> tuple[list[Example], Example]:
    """Return the examples of a function, and the smallest."""
    lead = LEADING if contract.leads else ()
    first = called(answer, contract.call(draw, contract.distinct, lead), follows=follows)
    examples = [Example([first, called(answer, contract.call(draw, contract.alike))])]
    return examples, Example([called(answer, contract.call(draw, contract.ones))])


def of_class(
    contract: Contract, made: Callable[..., nn.Module], draw: Draw, *, follows: bool
) -> tuple[list[Example], Example]:
    """Return the examples of the modules of a class, and the smallest."""
    example = partial(of_module, contract, made, draw)
    examples = [example(contract.distinct, ("train", "eval"), follows=follows)]
    if contract.further or contract.options or contract.drops:
        p = P if contract.drops else 0.0
        examples.append(example(contract.distinct, ("eval",), p, contract.further, options=True))
    return examples, example(contract.ones, ("train",))


def of_module(
    contract: Contract, made: Callable[..., nn.Module], draw: Draw, sizes: Mapping[str, int], modes: Sequence[str],
    p: float = 0.0, further: Mapping[str, Any] | None = None, *, options: bool = False, follows: bool = False,
) -> Example:  # fmt: skip
    """Return the example of one module of a class."""
    given = contract.made_with(sizes, p)
    given = Given(given.args, {**given.kwargs, **(further or {})})
    module = made(*given.args, **given.kwargs).double()
    values = {name: short(value) for name, value in draw.parameters(module).items()}
    load(module, values)
    calls: list[StoredCall] = []
    for mode in modes:
        length = contract.shorter(sizes) if mode == "eval" else sizes
        lead = LEADING if contract.leads and sizes != contract.ones else ()
        inputs = contract.call(draw, length, lead, options=options)
        calls.append(called(module.train(mode == "train"), inputs, mode, follows=follows and not calls))
    built = StoredCall(list(given.args), dict(given.kwargs))
    return Example(calls, built, {name: stored(value, SHORT) for name, value in values.items()})


def called(answer: Callable[..., Any], given: Given, mode: str = "", *, follows: bool = False) -> StoredCall:
    """Return a call with what the solution gives; if it is asked for, with gradients, too."""
    args = [stored_layer(arg) if isinstance(arg, GivenLayer) else stored(short(arg), SHORT) for arg in given.args]
    kwargs = {name: stored(short(value), SHORT) for name, value in given.kwargs.items()}
    passed, words = args_of(StoredCall(args, kwargs), layer_of, torch.float64)
    leaves = {f"argument {place + 1}": arg.requires_grad_() for place, arg in enumerate(passed) if is_float(arg)}
    for place, arg in enumerate(passed):
        leaves |= {f"argument {place + 1}.{name}": value for name, value in parameters_of(arg).items()}
    leaves |= dict(answer.named_parameters()) if isinstance(answer, nn.Module) else {}
    results = outputs_of(answer(*passed, **words))
    given_back = [stored(without_noise(result.detach())) for result in results]
    if not follows:
        return StoredCall(args, kwargs, mode, given_back)
    gradients = [gradients_of(result, leaves) for result in results]
    return StoredCall(args, kwargs, mode, given_back, gradients)


def without_noise(value: torch.Tensor) -> torch.Tensor:
    """Return 0 for what is only there because numbers are rounded, otherwise on every machine."""
    return torch.where(value.abs() < NOISE, 0.0, value) if is_float(value) else value


def gradients_of(result: torch.Tensor, leaves: Mapping[str, torch.Tensor]) -> dict[str, StoredTensor]:
    """Return the gradients of the sum of a result's numbers, weighted unevenly, by the names of the leaves."""
    if not result.requires_grad:
        return {}
    scalar = (result * uneven(result.shape)).sum()
    grads = torch.autograd.grad(scalar, [*leaves.values()], allow_unused=True, retain_graph=True)
    pairs = zip(leaves, grads, strict=True)
    return {name: stored(without_noise(grad), GRADIENT_DIGITS) for name, grad in pairs if grad is not None}


def stored_layer(given: GivenLayer) -> StoredLayer:
    """Return a layer with its parameters rounded."""
    parameters = {name: stored(short(value), SHORT) for name, value in given.values.items()}
    return StoredLayer(given.kind, list(given.sizes), parameters, given.device)


def short(value: Any) -> Any:
    """Return floating numbers to two decimals, which a person can type."""
    return torch.round(value, decimals=2) if is_float(value) else value


def layer_of(layer: StoredLayer) -> nn.Module:
    """Return the layer on the trusted side."""
    module: nn.Module = getattr(nn, layer.name)(*layer.sizes)
    load(module, values_of(layer.parameters))
    return module


def make_hints(examples: Sequence[Example], mistakes: Sequence[Mistake]) -> list[Hint]:
    """Return the hints of the mistakes that an example shows.

    An answer that mistakes with more than a few hints give has none, nor has a mistake that gives other numbers every
    time.
    """
    answers: dict[tuple[str, str], list[str]] = {}
    for answer, hints in hints_by_answer(examples, mistakes).items():
        for hint in hints if len(hints) <= MOST else ():
            answers.setdefault(hint, []).append(answer)
    return [Hint(*hint, sorted(known)) for hint, known in sorted(answers.items())]


def hints_by_answer(examples: Sequence[Example], mistakes: Sequence[Mistake]) -> dict[str, set[tuple[str, str]]]:
    """Return the hints of the mistakes that give an answer, by its hash."""
    by_answer: dict[str, set[tuple[str, str]]] = {}
    for mistake in mistakes:
        with nan_in_fresh_memory():
            first, second = (answer_of_mistake(mistake, examples, seed) for seed in range(2))
        if first is not None and first == second:
            by_answer.setdefault(first, set()).add((mistake.hint, mistake.ko))
    return by_answer


@contextmanager
def nan_in_fresh_memory() -> Iterator[None]:
    """Let memory that nobody has written to hold NaN, whatever was there before."""
    set_deterministic(True, warn_only=True)
    try:
        yield
    finally:
        set_deterministic(False)


def answer_of_mistake(mistake: Mistake, examples: Sequence[Example], seed: int) -> str | None:
    """Return the hash of a mistake's first wrong answer to the examples; None where all are right."""
    torch.manual_seed(seed)
    for place, (call, outcome) in enumerate(outcomes(mistake, examples)):
        if isinstance(outcome, Exception):
            return answer_hash(place, outcome, mistake)
        try:
            compare.require_all_close(outcome, results_of(call), "module", "float32")
        except Exception:
            return answer_hash(place, outcome, mistake)
    return None


def outcomes(mistake: Mistake, examples: Sequence[Example]) -> Iterator[tuple[StoredCall, Any]]:
    """Yield what a mistake gives or raises in each call; in float64, which rounds alike on every machine."""
    for example in examples:
        built: list[nn.Module] = []
        for call in example.calls:
            yield call, outcome_of(mistake, partial(answer_to, example, call, built))


def answer_to(
    example: Example, call: StoredCall, built: list[nn.Module], mistake: Mistake, dtype: torch.dtype = torch.float64
) -> Any:
    """Return what a mistake gives in a call of an example.

    Args:
        built: The module of the calls before, which is put into it by the first.
    """
    args, kwargs = args_of(call, layer_of, dtype)
    if example.built is None:
        with torch.no_grad():
            return mistake.make(*args, **kwargs)
    if not built:
        init, options = args_of(example.built, layer_of)
        built.append(mistake.make(*init, **options).to(dtype))
        load(built[0], values_of(example.parameters))
    with torch.no_grad():
        return built[0].train(call.mode == "train")(*args, **kwargs)


def answer_hash(place: int, answer: Any, mistake: Mistake | None = None) -> str | None:
    """Return what stands for a wrong answer: a hash of its numbers to three digits, or of what was raised.

    Nobody reads an answer off it, and the right one is not among them.

    Args:
        place: Which of the calls it is.
        mistake: Whose answer it is; a student's has the exercise's name where that has its own.
    """
    words = [str(place)]
    if isinstance(answer, StudentFailure):
        words += [answer.exception_type, answer.text]
    elif isinstance(answer, Exception):
        text = str(answer)
        words += [type(answer).__name__, text.replace(mistake.name, mistake.exercise) if mistake else text]
    else:
        for output in answer if isinstance(answer, tuple | list) else [answer]:
            if not isinstance(output, torch.Tensor) or output.is_complex():
                return None
            words.append(str(tuple(output.shape)))
            words += [rounded(number) for number in output.detach().double().flatten().tolist()]
    return hashlib.sha256("\n".join(words).encode()).hexdigest()[:HASH_DIGITS]


def rounded(number: float) -> str:
    """Return a number to three digits; of a multiple, since short decimal numbers lie on the border of two of these."""
    return "0" if abs(number) < ZERO else f"{number * STRETCH:.3g}"
