"""Asks that an exercise was solved by hand: no call that gives it away, no Python loop where none is allowed.

The forbidden operations are taken away for the time of one call, on an input that can't be told from the others
(`inside/forbidden/blocking.py`). A right answer that was given meanwhile was found without them: who answers by hand
only where somebody looks has written the answer by hand.
"""

from collections.abc import Callable, Sequence
from typing import Any

from grader.errors import CourseError
from grader.suite.core import compare
from grader.suite.core.context import current_check, device
from grader.suite.core.failures import CheckFailed, require_value
from grader.tolerances import Kind
from grader.words import Words, joined
from grader.workers.calls.callees import Callee
from grader.workers.calls.student import Given, Observation
from grader.workers.process.failures import StudentFailure

WRONG = Words("The answer of this call is wrong.")


def no_forbidden_call(
    asked: Callee,
    solution: Callable[..., Any],
    *args: Any,
    kind: Kind = "value",
    also: Sequence[Given] = (),
    **kwargs: Any,
) -> Observation:
    """Ask that a function makes none of the calls that its docstring forbids, and answers rightly while it is watched.

    Give it inputs of a size that the value check in its `needs` has too: then no size tells the two apart, and a wrong
    answer costs that check first.

    Args:
        asked: `student.NAME`.
        solution: `reference.NAME`.
        *args: Inputs of the call that is watched.
        also: Inputs of further calls, in which only a forbidden call counts: what other checks ask, such as further
            dimensions, options, or scores that overflow.

    Raises:
        StudentFailure: It called what is forbidden, status `forbidden`.
    """
    forbids = forbidden_by(asked.name)
    first, *others = asked.observe_each([Given(args, kwargs), *also], forbids=forbids)
    seen: Observation = require_value(first)
    require_right(seen, solution(*args, **kwargs), kind, compare.lowest_precision(args, kwargs))
    require_none_forbidden(others)
    return seen


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
        failure.reword(joined(WRONG, failure.found))
        failure.advice = WRONG
        raise
