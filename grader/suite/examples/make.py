"""Makes the examples of an exercise from its contract and its solution, and the hints from its known mistakes."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import torch
from torch import nn

from grader.errors import CourseError
from grader.inside.protocol.torch_internals import set_deterministic
from grader.suite.core import compare
from grader.suite.core.context import Mistake
from grader.suite.core.contract import Contract, shape_of
from grader.suite.core.course_faults import fault_in
from grader.suite.core.draw import Draw
from grader.suite.core.gradients import argument_names, followed, followed_answer, gradients_of, is_float, weights_of
from grader.suite.core.reference import answer_of
from grader.suite.diagnosis.by_answer import MOST, outcome_of
from grader.suite.library.changed_inputs import outputs_of
from grader.suite.library.modules.module_checks import load
from grader.suite.library.reference_checks import loaded_module
from grader.suite.rules.calls import with_zero_tokens
from grader.suite.rules.function_calls import LEAD
from grader.suite.rules.items import RULES
from grader.text import listed
from grader.workers.calls.given_layers import GivenLayer
from grader.workers.calls.student import Given
from grader.workers.process.failures import StudentFailure

from .model import (
    Example,
    ExerciseExamples,
    Hint,
    StoredCall,
    given_in,
    results_of,
    stored,
    values_of,
)

SEED = 2026
P = 0.2
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
        CourseError: The solution gives no result, or another one than its contract says.
    """
    try:
        made, callee = of_class if contract.is_module else of_function, getattr(solution, name)
        require_declared(name, contract, callee)
        examples, smallest = made(contract, callee, Draw(SEED), follows=follows)
        inputs = argument_names(callee)[contract.is_module :]  # without `self`
    except Exception as error:  # the course's solution raises what it likes
        what = f"an example of `{name}` by its contract ends with"
        hint = "Mend the solution, or the contract in its hidden suite."
        raise fault_in(Path(str(solution.__file__)), error, what, hint) from error
    rules = [rule.name for rule in RULES.values() if rule.is_asked_of(contract)]
    return ExerciseExamples(examples, smallest, inputs, rules)


def require_declared(name: str, contract: Contract, callee: Callable[..., Any]) -> None:
    """Ask of the solution results of the shapes that its contract says, and no NaN, also where tokens are zeros.

    Raises:
        CourseError: It gives others; NaN would be the right answer then.
    """
    sizes, lead = contract.distinct, contract.items if contract.leads else ()
    if contract.is_module:
        built = contract.made_with(sizes)
        callee = callee(*built.args, **built.kwargs).double()
    given = with_zero_tokens(contract, contract.call(Draw(SEED), sizes, lead))
    results = outputs_of(answer_of(callee, given))
    shapes = [tuple(result.shape) for result in results]
    wanted = [shape_of(text, sizes, lead) for text in contract.results]
    if shapes != wanted:
        shown = [listed([str(shape) for shape in several]) for several in (wanted, shapes)]
        problem = f"By its contract `{name}` gives {shown[0]}, but the solution gives {shown[1]}."
        raise CourseError(problem, "Mend the contract in its hidden suite, or the solution.")
    if any(bool(result.isnan().any()) for result in results):
        problem = f"The solution of `{name}` gives NaN for inputs that its contract draws, every second token zeros."
        raise CourseError(problem, "Let it give numbers for them, or have others drawn: `draws={...}` in the contract.")


def of_function(
    contract: Contract, callee: Callable[..., Any], draw: Draw, *, follows: bool
) -> tuple[list[Example], Example]:
    lead = LEAD if contract.leads else ()
    first = called(callee, contract.call(draw, contract.distinct, lead), follows=follows)
    examples = [Example([first, called(callee, contract.call(draw, contract.alike))])]
    return examples, Example([called(callee, contract.call(draw, contract.ones))])


def of_class(
    contract: Contract, made: Callable[..., nn.Module], draw: Draw, *, follows: bool
) -> tuple[list[Example], Example]:
    example = partial(of_module, contract, made, draw)
    examples = [example(contract.distinct, ("train", "eval"), follows=follows)]
    if contract.further or contract.options or contract.drops:
        p = P if contract.drops else 0.0
        examples.append(example(contract.distinct, ("eval",), p, contract.further, keywords=True))
    return examples, example(contract.ones, ("train",))


def of_module(
    contract: Contract, made: Callable[..., nn.Module], draw: Draw, sizes: Mapping[str, int], modes: Sequence[str],
    p: float = 0.0, further: Mapping[str, Any] | None = None, *, keywords: bool = False, follows: bool = False,
) -> Example:  # fmt: skip
    given = contract.made_with(sizes, p, further)
    module = made(*given.args, **given.kwargs).double()
    values = {name: short(value) for name, value in draw.parameters(module).items()}
    load(module, values)
    calls: list[StoredCall] = []
    for mode in modes:
        length = contract.shorter(sizes) if mode == "eval" else sizes
        lead = LEAD if contract.leads and sizes != contract.ones else ()
        inputs = contract.call(draw, length, lead, keywords=keywords)
        calls.append(called(module.train(mode == "train"), inputs, mode, follows=follows and not calls))
    built = StoredCall(list(given.args), dict(given.kwargs))
    return Example(calls, built, {name: stored(value, SHORT) for name, value in values.items()})


def called(callee: Callable[..., Any], given: Given, mode: str = "", *, follows: bool = False) -> StoredCall:
    """Return a call with what the solution gives; if it is asked for, with gradients, too."""
    args = [stored(short(arg), SHORT) for arg in given.args]
    call = StoredCall(args, {name: stored(short(value), SHORT) for name, value in given.kwargs.items()}, mode)
    value, leaves = followed_answer(callee, given_in(call))
    results = outputs_of(value)
    given_back = [stored(without_noise(result.detach())) for result in results]
    call = msgspec.structs.replace(call, results=given_back)
    if not follows:
        return call
    gradients = gradients_of(results, weights_of(results), leaves).items()
    kept = {name: stored(without_noise(grad), GRADIENT_DIGITS) for name, grad in gradients if grad is not None}
    return msgspec.structs.replace(call, gradients=kept, followed=followed(results))


def without_noise(value: torch.Tensor) -> torch.Tensor:
    """Return 0 for what is only there because numbers are rounded, otherwise on every machine."""
    return torch.where(value.abs() < NOISE, 0.0, value) if is_float(value) else value


def short(value: Any) -> Any:
    """Return floating numbers to two decimals, which a person can type; those of a layer, too."""
    if isinstance(value, GivenLayer):
        return replace(value, values={name: short(number) for name, number in value.values.items()})
    return torch.round(value, decimals=2) if is_float(value) else value


def make_hints(examples: Sequence[Example], mistakes: Sequence[Mistake]) -> list[Hint]:
    """Return the hints of the mistakes that an example shows.

    An answer that mistakes with more than a few hints give has none, nor has a mistake that gives other numbers every
    time. Memory that nobody has written to holds NaN, whatever was there before.
    """
    by_answer: dict[str, set[tuple[str, str]]] = {}
    set_deterministic(True, warn_only=True)
    try:
        for mistake in mistakes:
            first, second = (hash_of_mistake(mistake, examples, seed) for seed in range(2))
            if first is not None and first == second:
                by_answer.setdefault(first, set()).add((mistake.hint, mistake.ko))
    finally:
        set_deterministic(False)
    answers: dict[tuple[str, str], list[str]] = {}
    for answer, hints in by_answer.items():
        for hint in hints if len(hints) <= MOST else ():
            answers.setdefault(hint, []).append(answer)
    return [Hint(*hint, sorted(known)) for hint, known in sorted(answers.items())]


def hash_of_mistake(mistake: Mistake, examples: Sequence[Example], seed: int) -> str | None:
    """Return the hash of a mistake's first wrong answer to the examples; None where all are right."""
    torch.manual_seed(seed)
    wrong = first_wrong(mistake.make, examples)
    return None if wrong is None else answer_hash(*wrong, mistake)


def first_wrong(make: Callable[..., Any], examples: Sequence[Example]) -> tuple[int, Any] | None:
    """Return which call of the examples a function or a class gets wrong first, and what it gives or raises there."""
    answers = ((call, answer) for example in examples for call, answer in answers_of(make, example, torch.float64))
    for place, (call, answer) in enumerate(answers):
        if isinstance(answer, Exception):
            return place, answer
        try:
            compare.require_all_close(answer, results_of(call), "module", "float32")
        except Exception:
            return place, answer
    return None


def answers_of(make: Callable[..., Any], example: Example, dtype: torch.dtype) -> Iterator[tuple[StoredCall, Any]]:
    """Yield each call of an example, and what is given or raised there; float64 rounds alike everywhere.

    Args:
        make: The function, or the class whose module is called.
    """
    module: Any = None
    if example.built is not None:
        built, values = given_in(example.built), values_of(example.parameters)
        module = outcome_of(partial(loaded_module, make, built, values, compare.dtype_name(dtype)))
    for call in example.calls:
        if isinstance(module, Exception):
            yield call, module
            continue
        callee = make if module is None else module.train(call.mode == "train")
        yield call, outcome_of(partial(answer_of, callee, given_in(call), dtype))


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
