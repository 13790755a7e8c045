"""Asks that an exercise was solved by hand: no call that gives it away, no Python loop where none is allowed.

The forbidden operations are taken away for the time of one call, on an input that can't be told from the others
(`inside/forbidden/blocking.py`). A right answer that was given meanwhile was found without them: who answers by hand
only where somebody looks has written the answer by hand.
"""

from collections.abc import Sequence
from typing import Any

from grader.errors import CourseError
from grader.suite.core import compare
from grader.suite.core.context import current_check, device
from grader.suite.core.failures import CheckFailed, require_value
from grader.suite.core.reference import Reference
from grader.tolerances import Kind
from grader.workers.calls.student import Given, Observation, Student
from grader.workers.process.failures import StudentFailure

WRONG = "The answer of this call is wrong.", "이 호출의 결과가 틀렸습니다."


def no_forbidden_call(
    student: Student,
    reference: Reference,
    name: str,
    *args: Any,
    kind: Kind = "value",
    also: Sequence[Given] = (),
    **kwargs: Any,
) -> Observation:
    """Ask that a function makes none of the calls that its docstring forbids, and answers rightly while it is watched.

    Give it inputs of a size that the value check in its `needs` has too: then no size tells the two apart, and a wrong
    answer costs that check first.

    Args:
        *args: Inputs of the call that is watched, as for `matches_reference`.
        also: Inputs of further calls, in which only a forbidden call counts: what other checks ask, such as further
            dimensions, options, or scores that overflow.

    Raises:
        StudentFailure: It called what is forbidden, status `forbidden`.
        CourseError: The suite does not say what the right answer is.
    """
    require_solution(reference, "no_forbidden_call", "*args")
    forbids = forbidden_by(name)
    seen: Observation = getattr(student, name).observe(*args, forbids=forbids, **kwargs)
    require_right(seen, getattr(reference, name)(*args, **kwargs), kind, compare.lowest_precision(args, kwargs))
    require_none_forbidden(getattr(student, name).observe_each(also, forbids=forbids))
    return seen


def cost_does_not_grow(
    student: Student, reference: Reference, name: str, small: tuple[Any, ...], large: tuple[Any, ...]
) -> Observation:
    """Ask that more tokens take no more operations, as a loop in Python over the tokens would, and change no rule.

    Args:
        small: Arguments with few tokens.
        large: The same with many tokens.

    Returns:
        What was observed of the call with few tokens.

    Raises:
        CheckFailed: There are more operations, or one of the answers is wrong.
        CourseError: The suite does not say what the right answers are.
    """
    require_solution(reference, "cost_does_not_grow", "small, large")
    cases = [Given(args, {}) for args in (small, large)]
    seen: list[Observation] = [require_value(each) for each in getattr(student, name).observe_each(cases, trace=True)]
    few, many = (sum(each.operations.values()) for each in seen)
    if many > few + 4:
        raise CheckFailed(
            f"{few} tensor operations became {many} when there were more tokens: a Python loop runs over them.",
            f"토큰이 늘자 텐서 연산이 {few}번에서 {many}번으로 늘었습니다. 토큰을 파이썬 반복문으로 돌고 있습니다.",
        )
    for args, each in zip((small, large), seen, strict=True):
        require_right(each, getattr(reference, name)(*args), "value", compare.lowest_precision(args))
    return seen[0]


def require_solution(reference: object, asked: str, arguments: str) -> None:
    """Raise CourseError where a check was given something else in the place of the solution."""
    if not isinstance(reference, Reference):
        told = f"{asked} was given {type(reference).__name__!r} in the place of the solution."
        raise CourseError(told, hint=f"Call it as {asked}(student, reference, name, {arguments}).")


def forbidden_by(name: str) -> list[str]:
    """Return the groups of calls that an exercise forbids.

    Raises:
        CourseError: It forbids nothing, so its check would ask nothing.
    """
    course = current_check.get().course
    groups = course.forbids.get(name, []) if course else []
    if not groups:
        raise CourseError(f"{name} has a check for forbidden calls, but its cell forbids none.",
                          hint="Name the groups in its `forbids`, or take the check out.")  # fmt: skip
    return groups


def require_none_forbidden(outcomes: Sequence[Observation | StudentFailure]) -> None:
    """Raise the failure of the first of several watched calls that made a forbidden call; their answers don't count."""
    for outcome in outcomes:
        if isinstance(outcome, StudentFailure) and outcome.status == "forbidden":
            raise outcome


def require_right(seen: Observation, expected: Any, kind: Kind, dtype: str) -> None:
    """Ask that a call gave the right answer while it was watched; a failure begins with the same words each time."""
    try:
        compare.require_all_close(seen.value, expected, kind, dtype, device())
    except CheckFailed as failure:
        failure.reword(f"{WRONG[0]} {failure.english}", f"{WRONG[1]} {failure.korean}")
        failure.advice = WRONG
        raise
