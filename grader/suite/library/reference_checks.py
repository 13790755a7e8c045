"""Asks that a function gives what the solution gives, and says of an answer that differs what is known about it."""

from collections.abc import Sequence
from typing import Any

from grader.errors import CourseError
from grader.suite.core import compare
from grader.suite.core.context import Mistake, current_check, device
from grader.suite.core.failures import CheckFailed
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
from grader.workers.process.failures import StudentFailure


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
    **kwargs: Any,
) -> Any:
    """Ask that the student's function gives what the solution gives on the same inputs.

    Args:
        student: The student's side.
        reference: The solution in float64.
        name: The exercise, which is the function's name.
        *args: Passed by position to both.
        kind: Which row of the tolerances applies.
        scaling: What the scores should be divided by, so that another divisor is measured and named.
        **kwargs: Passed by keyword to both.

    Returns:
        The student's answer.

    Raises:
        CheckFailed: They differ; the diagnosis names the known mistake that gives the student's answer.
    """
    probe = Probe(student, reference, name, Given(args, kwargs), kind, scaling)
    return judge_each([probe], getattr(student, name).on_each([probe.case]))[0]


def matches_reference_on_each(
    student: Student,
    reference: Reference,
    name: str,
    cases: Sequence[Given],
    kind: Kind = "value",
    scaling: Scaling | None = None,
) -> list[Any]:
    """Ask the same as `matches_reference` on several inputs, in less time: they travel together.

    The calls are made one after the other, as they are written; the first answer that differs is the one that is told.

    Args:
        student: The student's side.
        reference: The solution in float64.
        name: The exercise, which is the function's name.
        cases: The inputs of each call, by `given(...)`; all are there before the first call is made.
        kind: Which row of the tolerances applies.
        scaling: As for `matches_reference`.

    Returns:
        The student's answers.

    Raises:
        CheckFailed: One differs, as for `matches_reference`.
        CourseError: There are no cases, so nothing would be asked.
    """
    if not cases:
        raise CourseError(f"A check of {name} compares nothing: its list of cases is empty. Put given(...) into it.")
    probes = [Probe(student, reference, name, case, kind, scaling) for case in cases]
    return judge_each(probes, getattr(student, name).on_each(list(cases)))


def answers(function: Callee, cases: Sequence[Given]) -> list[Any]:
    """Return what a function or module of the student's gives on several inputs, which travel together.

    Args:
        function: `student.NAME`, or a module's handle.
        cases: The inputs of each call, by `given(...)`.

    Raises:
        StudentFailure: One of the calls gave no value.
    """
    outcomes = function.on_each(cases)
    for outcome in outcomes:
        if isinstance(outcome, StudentFailure):
            raise outcome
    return outcomes


def judge_each(probes: "Sequence[Probe]", answers: list[Any]) -> list[Any]:
    """Ask of each answer that it is the solution's, and return all of them."""
    for probe, answer in zip(probes, answers, strict=True):
        with diagnosing_exceptions(probe.attempt, probe.name):
            if isinstance(answer, StudentFailure):
                raise answer
        probe.judge(answer)
    return answers


def given_to(mistake: Mistake, case: Given) -> Any:
    """Run a known mistake on the inputs of one call."""
    return mistake.make(*copies(case.args), **{key: copies(value) for key, value in case.kwargs.items()})


class Probe:
    """One call of the student's function, and what the solution says to it.

    Args:
        student: The student's side.
        reference: The solution in float64.
        name: The exercise, which is the function's name.
        case: The inputs.
        kind: Which row of the tolerances applies.
        scaling: What the scores should be divided by.
    """

    def __init__(
        self,
        student: Student,
        reference: Reference,
        name: str,
        case: Given,
        kind: Kind,
        scaling: Scaling | None,
    ) -> None:
        self.student, self.reference, self.name, self.case = student, reference, name, case
        self.args, self.kwargs = case.args, case.kwargs
        self.kind, self.scaling = kind, scaling

    def attempt(self, mistake: Mistake) -> Any:
        """Run a known mistake on the same inputs, and on those before them, of which it may keep something."""
        for name, case in current_check.get().inputs:
            if name == self.name:
                given_to(mistake, case)
        return given_to(mistake, Given(self.args, self.kwargs))

    def judge(self, answer: Any) -> None:
        """Ask that an answer is the solution's.

        Raises:
            CheckFailed: It is not; the diagnosis says what is known of it.
        """
        expected = getattr(self.reference, self.name)(*self.args, **self.kwargs)
        dtype = compare.lowest_precision(self.args, self.kwargs)
        try:
            compare.require_all_close(answer, expected, self.kind, dtype, device())
        except CheckFailed as failure:
            self._explain(failure, answer, expected, dtype)
            raise
        remember_expected(expected)
        current_check.get().inputs.append((self.name, Given(self.args, self.kwargs)))

    def _explain(self, failure: CheckFailed, answer: Any, expected: Any, dtype: str) -> None:
        def rerun(divisor: float) -> Any:
            args = self.args if self.scaling is None else scaled_arguments(self.scaling, divisor, self.args)
            return getattr(self.reference, self.name)(*args, **self.kwargs)

        failure.diagnosis = diagnose(answer, expected, dtype, self.attempt, self.name)
        diagnose_divisor(failure, answer, self.scaling, rerun, dtype)
        if failure.diagnosis is None and is_earlier(answer, expected, dtype):
            failure.diagnosis = EARLIER
        diagnose_rounding(failure, answer, expected, dtype)
        diagnose_randomness(failure, answer, lambda: getattr(self.student, self.name)(*self.args, **self.kwargs), dtype)
