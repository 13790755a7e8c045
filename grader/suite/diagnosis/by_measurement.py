"""What can be measured of a wrong answer without a list of mistakes: by what the scores were divided, whether the
answer is that of an earlier call, and whether it is only rounded.

Dividing the scores by c multiplies what is linear in them by right / c, so the solution itself, given a scaled
argument, answers as the student's divisor would. Where the weights and their scores are both known, c is read off the
weights alone: the difference of two scores over the difference of the logarithms of their weights.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import torch

from grader.course.variants.variant_marks import CHANGING_RESULT, EARLIER_RESULT, ROUNDED_RESULT, SCALING_DIVISOR
from grader.results.verdict import Diagnosis
from grader.suite.core.compare import is_close
from grader.suite.core.context import current_check
from grader.suite.core.failures import CheckFailed
from grader.tolerances import Tolerance
from grader.workers.process.failures import StudentFailure

from .by_answer import alike

MOST = 1 << 22  # numbers of an answer that is asked for twice
EARLIER = Diagnosis(
    [EARLIER_RESULT],
    "This is the result of an earlier call: compute anew at every call and keep nothing between two calls.",
    "앞선 호출의 결과가 다시 나왔습니다. 호출할 때마다 새로 계산하고 호출 사이에 아무것도 남겨 두지 마세요.",
)
CHANGING = Diagnosis(
    [CHANGING_RESULT],
    "The same call gives another result the second time: something is drawn at random, or kept from call to call.",
    "같은 호출을 두 번 했더니 결과가 다릅니다. 무작위로 뽑거나 호출 사이에 남겨 두는 것이 있습니다.",
)
ROUNDED_ANSWER = Diagnosis(
    [ROUNDED_RESULT],
    "The numbers are rounded. Return them as they are.",
    "값을 반올림했습니다. 그대로 돌려주세요.",
)
DIGITS = (4, 3, 2, 1, 0)
FARTHEST = 1000.0  # how far from the right divisor one is looked for, as a factor
STEPS, ROUNDS = 60, 40
GOLDEN = (math.sqrt(5) - 1) / 2
NEAR = 2e-3  # relative: within it a measured divisor is a known number
READ_OFF = Tolerance(0.0, 5e-3)
ROW_SUM = 1e-3
ROUNDED = Tolerance(5e-3, 5e-3)

KOREAN = {
    "the number of tokens": "토큰 수",
    "the number of queries": "쿼리 수",
    "the number of keys": "키 수",
    "the number of features": "특징 수",
    "the size of a head": "헤드 크기",
    " or ": " 또는 ",
}

Rerun = Callable[[float], Any]


@dataclass(frozen=True)
class Scaling:
    """Which root the scores of an exercise are divided by, and what a student may take for it.

    Attributes:
        width: The number whose root is right; 1 where the text does not scale.
        name: What the exercise calls it; empty where the text does not scale.
        argument: Position of an argument that the scores are linear in; None where a module's parameters are.
        parameters: Ends of the names of parameters that the scores are linear in (`W_query.weight`).
        scores: The scores themselves, where the answer is their weights and is compared with printed numbers.
        sizes: Other sizes by name, such as the number of tokens.
    """

    width: int
    name: str = "d_k"
    argument: int | None = None
    parameters: tuple[str, ...] = ()
    scores: torch.Tensor | None = None
    sizes: Mapping[str, int] = field(default_factory=dict)

    @property
    def right(self) -> float:
        """The right divisor."""
        return math.sqrt(self.width)

    def words(self) -> list[tuple[float, str]]:
        """Return the wrong divisors that have a name."""
        if not self.name:
            return [(2.0, "2"), (0.5, "1 / 2")] + [
                (math.sqrt(size), f"sqrt({name})") for name, size in self.sizes.items()
            ]
        named = [(1.0, "1"), (float(self.width), self.name), (1 / self.right, f"1 / sqrt({self.name})")]
        named += [(math.sqrt(self.right), f"sqrt(sqrt({self.name}))")]
        named += [(math.sqrt(2) * self.right, f"sqrt(2 * {self.name})")]
        named += [(2 * self.right, f"2 * sqrt({self.name})"), (self.right / 2, f"sqrt({self.name}) / 2")]
        named += [(float(math.isqrt(self.width)), f"int(sqrt({self.name}))")]
        named += [(float(self.width) ** 2, f"{self.name} ** 2"), (1 / self.width, f"1 / {self.name}")]
        for name, size in self.sizes.items():
            named += [(math.sqrt(size), f"sqrt({name})"), (float(size), name)]
        return [(value, word) for value, word in named if not math.isclose(value, self.right, rel_tol=NEAR)]


def scaled_arguments(scaling: Scaling | None, divisor: float | None, args: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the arguments with which the solution answers as if the scores were divided by another number."""
    if scaling is None or divisor is None or scaling.argument is None:
        return args
    factor = scaling.right / divisor
    return tuple(value * factor if place == scaling.argument else value for place, value in enumerate(args))


def diagnose_divisor(failure: CheckFailed, answer: Any, scaling: Scaling | None, rerun: Rerun, dtype: str) -> None:
    """Measure the divisor behind a wrong answer and, if there is one, say it in the failure."""
    if scaling is None or not current_check.get().explains:
        return
    divisor = search(answer, rerun, scaling.right, dtype)
    if divisor is not None:
        describe_divisor(failure, scaling, divisor)


def describe_divisor(failure: CheckFailed, scaling: Scaling, divisor: float) -> None:
    """Put a measured divisor into a failure: with its number in a visible check, by its name alone in a hidden one."""
    if math.isclose(divisor, scaling.right, rel_tol=NEAR):
        return
    fitting = [word for value, word in scaling.words() if math.isclose(divisor, value, rel_tol=NEAR)]
    word = "1" if "1" in fitting else " or ".join(dict.fromkeys(fitting))
    check = current_check.get().check
    shown = check is None or check.visibility == "visible"
    number = f"{divisor:.4g}" if shown else ""
    what = " = ".join(dict.fromkeys(filter(None, (number, word))))
    what_ko, name_ko = in_korean(what), in_korean(scaling.name)
    text, text_ko = f"the text divides by sqrt({scaling.name})", f"본문에서는 sqrt({name_ko})로 나눕니다"
    if not scaling.name:
        text, text_ko = "the text leaves them as they are", "본문에서는 그대로 둡니다"
    english = f"You divide the scores by {what or 'another number'}; {text}."
    korean = f"점수를 나눈 수가 {what_ko or '다른 수'}입니다. {text_ko}."
    if word == "1 / 2":
        english, korean = f"You multiply the scores by 2; {text}.", f"점수에 2를 곱했습니다. {text_ko}."
    elif math.isclose(divisor, 1 / scaling.right, rel_tol=NEAR):
        english = f"You multiply the scores by sqrt({scaling.name}); the text divides by it."
        korean = f"점수에 sqrt({name_ko})를 곱했습니다. 본문에서는 그것으로 나눕니다."
    elif word == "1":
        english, korean = f"You do not scale the scores; {text}.", f"점수를 나누지 않았습니다. {text_ko}."
    known = failure.diagnosis.mistakes if failure.diagnosis else []
    failure.diagnosis = Diagnosis(known or [SCALING_DIVISOR], english, korean)
    if shown:
        failure.reword(f"{failure.english} {english}", f"{failure.korean} {korean}")


def in_korean(words: str) -> str:
    """Return the words for a divisor in Korean; names of arguments stay as they are."""
    for english, korean in KOREAN.items():
        words = words.replace(english, korean)
    return words


def search(answer: Any, rerun: Rerun, right: float, dtype: str) -> float | None:
    """Return the divisor with which the solution gives this answer, or None if no divisor does."""
    tensors = tensors_of(answer)
    if not tensors:
        return None

    def distance(logarithm: float) -> float:
        there = tensors_of(rerun(math.exp(logarithm)))
        if [each.shape for each in there] != [each.shape for each in tensors]:
            return math.inf
        total = sum(float((a.double() - b.double()).square().sum()) for a, b in zip(tensors, there, strict=True))
        return total if math.isfinite(total) else math.inf

    middle, width = math.log(right), math.log(FARTHEST)
    places = [middle + width * (2 * step / STEPS - 1) for step in range(STEPS + 1)]
    distances = [distance(place) for place in places]
    best = min(range(len(places)), key=distances.__getitem__)
    if math.isinf(distances[best]):
        return None
    low, high = places[max(best - 1, 0)], places[min(best + 1, STEPS)]
    for _ in range(ROUNDS):
        left, there = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
        low, high = (low, there) if distance(left) < distance(there) else (left, high)
    divisor = math.exp((low + high) / 2)
    return divisor if alike(answer, rerun(divisor), dtype) else None


def tensors_of(value: Any) -> list[torch.Tensor]:
    """Return the real tensors of an answer, or nothing where it is none."""
    items = list(value) if isinstance(value, tuple | list) else [value]
    real = all(isinstance(item, torch.Tensor) and not item.is_complex() for item in items)
    return items if real else []


def read_off(weights: Any, scores: torch.Tensor) -> float | None:
    """Return the divisor that turned scores into these weights, or None if it is not one number.

    Args:
        weights: The student's answer, (..., T); entries that are 0 are left out.
        scores: The scores, of the same shape.
    """
    if not isinstance(weights, torch.Tensor) or weights.shape != scores.shape or weights.is_complex():
        return None
    if not bool(((weights.double().sum(-1) - 1).abs() < ROW_SUM).all()):
        return None
    logs, wide = weights.double().log(), scores.double()
    over, under = wide - wide[..., :1], logs - logs[..., :1]
    good = torch.isfinite(over) & torch.isfinite(under) & (over.abs() > 1e-6) & (under.abs() > 1e-6)
    if not bool(good.any()):
        return None
    found = (over[good] / under[good]).flatten()
    middle = found.median()
    return float(middle) if float(middle) > 0 and is_close(found, middle.expand_as(found), READ_OFF) else None


@contextmanager
def divisor_read_off(weights: Any, scaling: Scaling | None) -> Iterator[None]:
    """Say in a failure by what the scores of an answer of weights were divided, where that can be read off."""
    try:
        yield
    except CheckFailed as failure:
        if scaling is not None and scaling.scores is not None:
            divisor = read_off(weights, scaling.scores)
            if divisor is not None:
                describe_divisor(failure, scaling, divisor)
        raise


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
        failure.diagnosis = CHANGING


def diagnose_rounding(failure: CheckFailed, answer: Any, expected: Any, dtype: str) -> None:
    """Say in a failure that nothing explains so far if the answer is the expected one, rounded to some digits."""
    wanted = tensors_of(expected)
    if failure.diagnosis is not None or not wanted or len(tensors_of(answer)) != len(wanted):
        return
    for digits in DIGITS:
        rounded = tuple(torch.round(each.double(), decimals=digits) for each in wanted)
        if any(bool((each == each.flatten()[:1]).all()) for each in rounded):
            return  # zeros are what is left of small numbers, and what an answer that computes nothing gives too
        if alike(answer, rounded if isinstance(expected, tuple) else rounded[0], dtype):
            failure.diagnosis = ROUNDED_ANSWER
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
