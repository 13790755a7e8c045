"""Asks that a function gives what the solution gives, and says of an answer that differs what is known about it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from grader.errors import CourseError
from grader.suite.core import compare
from grader.suite.core.context import Mistake, current_check, device
from grader.suite.core.failures import CheckFailed, require_value
from grader.suite.core.reference import Reference
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
from grader.workers.calls.callees import Callee
from grader.workers.calls.student import Given, Student


def given(*args: Any, **kwargs: Any) -> Given:
    """Return the inputs of one call, for `matches_reference_on_each`."""
    return Given(args, kwargs)


def matches_reference(
    student: Student,
    reference: Reference,
    name: str,
    *args: Any,
    kind: Kind = "value",
    scaling: Scaling | None = None,
    dtype: str = "",
    **kwargs: Any,
) -> Any:
    """Ask that the student's function gives what the solution gives on the same inputs.

    Args:
        scaling: What the scores should be divided by, so that another divisor is measured and named.
        dtype: The precision that the answer is held to, where it is not that of the inputs.

    Raises:
        CheckFailed: They differ; the diagnosis names the known mistake that gives the student's answer.
    """
    return matches_reference_on_each(student, reference, name, [Given(args, kwargs)], kind, scaling, dtype)[0]


def matches_reference_on_each(
    student: Student,
    reference: Reference,
    name: str,
    cases: Sequence[Given],
    kind: Kind = "value",
    scaling: Scaling | None = None,
    dtype: str = "",
) -> list[Any]:
    """Ask the same as `matches_reference` on several inputs, in less time: they travel together.

    The calls are made one after the other, as they are written; the first answer that differs is the one that is told.

    Args:
        cases: The inputs of each call, by `given(...)`; all are there before the first call is made.

    Raises:
        CourseError: There are no cases, so nothing would be asked.
    """
    require_cases(name, cases)
    probes = [function_probe(student, reference, name, case, kind, scaling, dtype) for case in cases]
    return judge_each(probes, getattr(student, name).on_each(list(cases)))


def require_cases(name: str, cases: Sequence[Given]) -> None:
    """Raise CourseError where a check would compare nothing."""
    if not cases:
        raise CourseError(f"A check of {name} compares nothing: its list of cases is empty. Put given(...) into it.")


def answers(function: Callee, cases: Sequence[Given]) -> list[Any]:
    """Return what a function or module of the student's gives on several inputs, which travel together.

    Args:
        function: `student.NAME`, or a module's handle.
        cases: The inputs of each call, by `given(...)`.

    Raises:
        StudentFailure: One of the calls gave no value.
    """
    return [require_value(outcome) for outcome in function.on_each(cases)]


def judge_each(probes: "Sequence[Probe]", answers: list[Any]) -> list[Any]:
    """Ask of each answer that it is the solution's, and return all of them."""
    for probe, answer in zip(probes, answers, strict=True):
        probe.judge(answer)
    return answers


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
    """

    exercise: str
    case: Given
    kind: Kind
    scaling: Scaling | None
    solve: Callable[[float | None], Any]
    run_mistake: Callable[[Mistake], Any]
    again: Callable[[], Any]
    dtype: str = ""

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
                failure.diagnosis = EARLIER
            diagnose_rounding(failure, answer, expected, dtype)
            diagnose_randomness(failure, answer, self.again, dtype)
            raise
        remember_expected(expected)
        current_check.get().inputs.append((self.exercise, self.case))


def function_probe(
    student: Student,
    reference: Reference,
    name: str,
    case: Given,
    kind: Kind,
    scaling: Scaling | None = None,
    dtype: str = "",
) -> Probe:
    """Return the probe of a call of the student's function."""

    def solve(divisor: float | None) -> Any:
        return getattr(reference, name)(*scaled_arguments(scaling, divisor, case.args), **case.kwargs)

    def run_mistake(mistake: Mistake) -> Any:
        """Run it on the earlier inputs too, of which it may keep something."""
        for other, earlier in current_check.get().inputs:
            if other == name:
                given_to(mistake.make, earlier)
        return given_to(mistake.make, case)

    def again() -> Any:
        return getattr(student, name)(*case.args, **case.kwargs)

    return Probe(name, case, kind, scaling, solve, run_mistake, again, dtype)


def given_to(function: Callable[..., Any], case: Given) -> Any:
    """Call a mistake with copies of the inputs of one call, so that it changes none of them."""
    return function(*copies(case.args), **{key: copies(value) for key, value in case.kwargs.items()})
