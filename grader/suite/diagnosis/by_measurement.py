"""What can be tried on a wrong answer without a list of mistakes: whether the scores were divided by another number,
whether the answer is that of an earlier call, and whether it is only rounded.

Dividing the scores by c multiplies what is linear in them by right / c, so the solution itself, given a scaled
argument, answers as the student's divisor would.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch

from grader.course.variants.variant_marks import CHANGING_RESULT, ROUNDED_RESULT, SCALING_DIVISOR
from grader.results.verdict import Diagnosis
from grader.suite.core.compare import is_close
from grader.suite.core.context import current_check
from grader.suite.core.failures import CheckFailed
from grader.tolerances import Tolerance
from grader.words import Words
from grader.workers.process.failures import StudentFailure

from .by_answer import alike

MOST = 1 << 22  # numbers of an answer that is asked for twice
EARLIER = Words("This is the result of an earlier call: compute anew at every call and keep nothing between two calls.")
CHANGING = Words(
    "The same call gives another result the second time: something is drawn at random, or kept from call to call."
)
ROUNDED_ANSWER = Words("The numbers are rounded. Return them as they are.")
DIGITS = (4, 3, 2, 1, 0)
ROOT = "sqrt({name})"
NEAR = 2e-3  # relative: within it two divisors are one
ROUNDED = Tolerance(5e-3, 5e-3)

Rerun = Callable[[float], Any]


@dataclass(frozen=True)
class Scaling:
    """Which root the scores of an exercise are divided by, and what a student may take for it.

    Attributes:
        width: The number whose root is right; 1 where the text does not scale.
        name: What the exercise calls it; empty where the text does not scale.
        argument: Position of an argument that the scores are linear in; None where a module's parameters are.
        parameters: Ends of the names of parameters that the scores are linear in (`W_query.weight`).
        sizes: Other sizes by name, such as the number of tokens.
    """

    width: int
    name: str = "d_k"
    argument: int | None = None
    parameters: tuple[str, ...] = ()
    sizes: Mapping[str, int] = field(default_factory=dict)

    @property
    def right(self) -> float:
        """The right divisor."""
        return math.sqrt(self.width)

    def words(self) -> list[tuple[float, str]]:
        """Return the wrong divisors that have a name."""
        if not self.name:
            roots = [(math.sqrt(size), Words(ROOT, name=name)) for name, size in self.sizes.items()]
            return [(2.0, "2"), (0.5, "1 / 2"), *roots]
        named = [(1.0, "1"), (float(self.width), self.name), (1 / self.right, f"1 / sqrt({self.name})")]
        named += [(math.sqrt(self.right), f"sqrt(sqrt({self.name}))")]
        named += [(math.sqrt(2) * self.right, f"sqrt(2 * {self.name})")]
        named += [(2 * self.right, f"2 * sqrt({self.name})"), (self.right / 2, f"sqrt({self.name}) / 2")]
        named += [(float(math.isqrt(self.width)), f"int(sqrt({self.name}))")]
        named += [(float(self.width) ** 2, f"{self.name} ** 2"), (1 / self.width, f"1 / {self.name}")]
        for name, size in self.sizes.items():
            named += [(math.sqrt(size), Words(ROOT, name=name)), (float(size), name)]
        return [(value, word) for value, word in named if not math.isclose(value, self.right, rel_tol=NEAR)]


def scaled_arguments(scaling: Scaling | None, divisor: float | None, args: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the arguments with which the solution answers as if the scores were divided by another number."""
    if scaling is None or divisor is None or scaling.argument is None:
        return args
    factor = scaling.right / divisor
    return tuple(value * factor if place == scaling.argument else value for place, value in enumerate(args))


def diagnose_divisor(failure: CheckFailed, answer: Any, scaling: Scaling | None, rerun: Rerun, dtype: str) -> None:
    """Say in a failure by what the scores were divided, where a wrong divisor that has a name gives the answer."""
    if scaling is None or not current_check.get().explains:
        return
    fitting = [word for divisor, word in scaling.words() if alike(answer, rerun(divisor), dtype)]
    if fitting:
        known = failure.diagnosis.mistakes if failure.diagnosis else [SCALING_DIVISOR]
        failure.diagnosis = Diagnosis.of(known, words_of_divisor(scaling, fitting))


def words_of_divisor(scaling: Scaling, divisors: Sequence[str]) -> Words:
    """Return what the scores were divided by.

    Args:
        divisors: What that number is called.
    """
    text = Words("the text leaves them as they are")
    if scaling.name:
        text = Words("the text divides by sqrt({name})", name=scaling.name)
    if "1" in divisors:
        return Words("You do not scale the scores; {text}.", text=text)
    if "1 / 2" in divisors:
        return Words("You multiply the scores by 2; {text}.", text=text)
    if f"1 / sqrt({scaling.name})" in divisors:
        return Words("You multiply the scores by sqrt({name}); the text divides by it.", name=scaling.name)
    divisor, *others = dict.fromkeys(divisors)
    for other in others:
        divisor = Words("{divisor} or {other}", divisor=divisor, other=other)
    return Words("You divide the scores by {divisor}; {text}.", divisor=divisor, text=text)


def tensors_of(value: Any) -> list[torch.Tensor]:
    """Return the real tensors of an answer, or nothing where it is none."""
    items = list(value) if isinstance(value, tuple | list) else [value]
    real = all(isinstance(item, torch.Tensor) and not item.is_complex() for item in items)
    return items if real else []


def diagnose_randomness(failure: CheckFailed, answer: Any, again: Callable[[], Any], dtype: str) -> None:
    """Say in a failure that nothing explains so far if the same call gives another answer the second time."""
    largest = max(map(torch.numel, tensors_of(answer)), default=0)
    if failure.diagnosis is not None or not current_check.get().explains or not 0 < largest <= MOST:
        return
    try:
        second = again()
    except StudentFailure:  # the first answer is the one that is judged; a second that fails says nothing
        return
    if tensors_of(second) and not alike(second, answer, dtype):
        failure.diagnosis = Diagnosis.of([CHANGING_RESULT], CHANGING)


def diagnose_rounding(failure: CheckFailed, answer: Any, expected: Any, dtype: str) -> None:
    """Say in a failure that nothing explains so far if the answer is the expected one, rounded to some digits."""
    wanted = tensors_of(expected)
    if failure.diagnosis is not None or not wanted or len(tensors_of(answer)) != len(wanted):
        return
    for digits in DIGITS:
        rounded = tuple(torch.round(tensor.double(), decimals=digits) for tensor in wanted)
        if any(bool((tensor == tensor.flatten()[:1]).all()) for tensor in rounded):
            return  # zeros are what is left of small numbers, and what an answer that computes nothing gives too
        if alike(answer, rounded if isinstance(expected, tuple) else rounded[0], dtype):
            failure.diagnosis = Diagnosis.of([ROUNDED_RESULT], ROUNDED_ANSWER)
            return


def remember_expected(expected: Any) -> None:
    """Keep an expected answer of the running check, so that one which comes again is recognised."""
    current_check.get().earlier_answers.append(expected)


def is_earlier(answer: Any, expected: Any, dtype: str) -> bool:
    """Tell whether a wrong answer is what an earlier call of the running check had to give.

    Not so where it agrees with the expected one so far that rounding could explain the rest.
    """

    def agrees(old: Any) -> bool:
        pairs = zip(tensors_of(old), tensors_of(expected), strict=False)
        return all(is_close(a, b.double(), ROUNDED) for a, b in pairs)

    return any(alike(answer, old, dtype) and not agrees(old) for old in current_check.get().earlier_answers)
