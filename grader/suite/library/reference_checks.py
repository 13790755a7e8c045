"""Asks that a function gives what the solution gives, and says of an answer that differs what is known about it."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from grader.course.variants.variant_marks import EARLIER_RESULT
from grader.results.verdict import Diagnosis
from grader.suite.core import compare
from grader.suite.core.context import Mistake, current_check, device
from grader.suite.core.failures import CheckFailed, require_value
from grader.suite.diagnosis.by_answer import copies, diagnose, diagnosing_exceptions
from grader.suite.diagnosis.by_measurement import (
    EARLIER,
    Scaling,
    diagnose_divisor,
    diagnose_randomness,
    diagnose_rounding,
    is_earlier,
    remember_expected,
    scaled_arguments,
)
from grader.tolerances import Kind
from grader.words import Words, joined
from grader.workers.calls.callees import Callee
from grader.workers.calls.student import Given

MOST_NAMED = 4


def given(*args: Any, **kwargs: Any) -> Given:
    """Return the inputs of one call, for `matches`."""
    return Given(args, kwargs)


@dataclass(frozen=True)
class Probe:
    """One call of the student's function or module, and what the solution says to it.

    Attributes:
        exercise: Whose known mistakes may explain a wrong answer.
        case: The inputs.
        kind: Which row of the tolerances applies.
        scaling: What the scores should be divided by.
        solve: Gives the solution's answer, where a divisor is given that for scores divided by it.
        run_mistake: Runs a known mistake on the same inputs.
        again: Makes the student's call once more.
        dtype: The precision that the answer is held to; empty for that of the inputs.
        unset: Gives the names of a module's parameters that nobody asked for, so that they hold what was drawn.
    """

    exercise: str
    case: Given
    kind: Kind
    scaling: Scaling | None
    solve: Callable[[float | None], Any]
    run_mistake: Callable[[Mistake], Any]
    again: Callable[[], Any]
    dtype: str = ""
    unset: Callable[[], Sequence[str]] = lambda: ()

    def judge(self, answer: Any) -> None:
        """Ask that an answer is the solution's.

        Raises:
            CheckFailed: It is not; the diagnosis says what is known of it.
            StudentFailure: The call gave none; the diagnosis names the mistake that raises the same.
        """
        with diagnosing_exceptions(self.run_mistake, self.exercise):
            require_value(answer)
        expected = self.solve(None)
        dtype = self.dtype or compare.lowest_precision(self.case.args, self.case.kwargs)
        try:
            compare.require_all_close(answer, expected, self.kind, dtype, device())
        except CheckFailed as failure:
            failure.diagnosis = diagnose(answer, expected, dtype, self.run_mistake, self.exercise)
            diagnose_divisor(failure, answer, self.scaling, self.solve, dtype)
            if failure.diagnosis is None and is_earlier(answer, expected, dtype):
                failure.diagnosis = Diagnosis.of([EARLIER_RESULT], EARLIER)
            diagnose_rounding(failure, answer, expected, dtype)
            if unset := self.unset():
                failure.reword(joined(surplus_words(unset), failure.found))
            else:
                diagnose_randomness(failure, answer, self.again, dtype)
            raise
        remember_expected(expected)
        current_check.get().inputs.append((self.exercise, self.case))


def surplus_words(names: Collection[str]) -> Words:
    """Return which parameters of the student's module nobody asked for."""
    listed = ", ".join(map(repr, sorted(names)[:MOST_NAMED]))
    return Words("The module has parameters that are not asked for: {names}.", names=listed)


def function_probe(
    function: Callee,
    solution: Callable[..., Any],
    case: Given,
    kind: Kind,
    scaling: Scaling | None = None,
    dtype: str = "",
) -> Probe:
    """Return the probe of a call of the student's function.

    Args:
        solution: The solution's, which takes its inputs in float64, as `reference.NAME` does.
    """

    def solve(divisor: float | None) -> Any:
        return solution(*scaled_arguments(scaling, divisor, case.args), **case.kwargs)

    def run_mistake(mistake: Mistake) -> Any:
        """Run it on the earlier inputs too, of which it may keep something."""
        with torch.no_grad():
            for other, earlier in current_check.get().inputs:
                if other == function.name:
                    given_to(mistake.make, earlier)
            return given_to(mistake.make, case)

    def again() -> Any:
        return function(*case.args, **case.kwargs)

    return Probe(function.name, case, kind, scaling, solve, run_mistake, again, dtype)


def given_to(function: Callable[..., Any], case: Given) -> Any:
    """Call a mistake with copies of the inputs of one call, so that it changes none of them."""
    return function(*copies(case.args), **{key: copies(value) for key, value in case.kwargs.items()})
