"""Names the mistake behind a wrong answer, when a known mistake gives exactly that answer.

Every wrong variant of the exercise is run on the inputs of the failing call, on the trusted side; the one whose result
equals the student's is the diagnosis. Where none fits, nothing is said: a wrong guess teaches less than silence. A
later check of the exercise asks only those that fitted before it.
"""

import warnings
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

import torch

from grader.results.verdict import Diagnosis
from grader.suite.core.compare import is_close
from grader.suite.core.context import Mistake, current_check
from grader.tolerances import tolerance
from grader.words import CourseWords, Words
from grader.workers.process.failures import StudentFailure

OWN_WORDS = ("AssertionError", "NotImplementedError")  # their words tell nothing of what went wrong
MOST = 3  # when more mistakes than this fit, the call tells nothing


def alike(answer: Any, other: Any, dtype: str) -> bool:
    """Tell whether two answers are the same tensor, or tuples or lists of the same tensors."""
    if isinstance(answer, tuple | list) and isinstance(other, tuple | list):
        return len(answer) == len(other) and all(alike(a, b, dtype) for a, b in zip(answer, other, strict=True))
    if not isinstance(other, torch.Tensor):
        return False
    return not other.is_complex() and is_close(answer, other.detach(), tolerance("value", dtype))


def diagnose(
    answer: Any, right: Any, dtype: str, run_mistake: Callable[[Mistake], Any], exercise: str
) -> Diagnosis | None:
    """Return the mistakes whose answer on the same inputs is the student's answer.

    Args:
        right: The expected answer; a mistake that gives it in this call explains nothing.
    """

    def fits(mistake: Mistake) -> bool:
        result = outcome_of(partial(run_mistake, mistake))
        return alike(answer, result, dtype) and not alike(result, right, dtype)

    return diagnosis_of(fitting_mistakes(exercise, fits))


def diagnose_exception(
    failure: StudentFailure, run_mistake: Callable[[Mistake], Any], exercise: str
) -> Diagnosis | None:
    """Return the mistakes that raise what the student's code raised, on the same inputs."""
    if failure.status != "error" or failure.exception_type in OWN_WORDS:
        return None
    raised = failure.exception_type, failure.text

    def fits(mistake: Mistake) -> bool:
        error = outcome_of(partial(run_mistake, mistake))
        return (type(error).__name__, str(error).replace(mistake.name, exercise)) == raised

    return diagnosis_of(fitting_mistakes(exercise, fits))


def fitting_mistakes(exercise: str, fits: Callable[[Mistake], bool]) -> list[Mistake]:
    """Return the known mistakes that fit what this check of an exercise found and what those before it did."""
    check = current_check.get()
    findings, seen = check.findings, check.findings.seen.get(exercise)
    if exercise not in findings.fitting:
        known = check.mistakes_of(exercise)
        findings.fitting[exercise] = [mistake for mistake in known if seen is None or seen.may_be(mistake)]
    findings.fitting[exercise] = [mistake for mistake in findings.fitting[exercise] if fits(mistake)]
    return findings.fitting[exercise]


def outcome_of(run: Callable[[], Any]) -> Any:
    """Run a mistake and return its answer, or the exception that it raises: any that a student's code may raise."""
    try:
        with torch.random.fork_rng(devices=[]), warnings.catch_warnings(action="ignore"):
            return run()
    except Exception as error:
        return error.with_traceback(None)


def diagnosis_of(mistakes: Sequence[Mistake]) -> Diagnosis | None:
    """Turn the mistakes that fit into a diagnosis, or None when there are none or too many to tell."""
    if not mistakes or len(mistakes) > MOST:
        return None
    return Diagnosis.of(
        [mistake.name for mistake in mistakes], one_of((mistake.hint, mistake.ko) for mistake in mistakes)
    )


def one_of(hints: Iterable[tuple[str, str]]) -> Words:
    english, korean = zip(*dict.fromkeys(hints), strict=True)
    words = CourseWords(" / ".join(english), " / ".join(korean))
    return words if len(english) == 1 else Words("One of these, perhaps: {hints}", hints=words)
