"""Asks that an exercise was solved by hand: no call that gives it away, no Python loop where none is allowed.

Both look at evidence from the student's process, so they are as good as plain evidence is: the syntax tree, read before
any student code ran, and the operations seen while it ran. A way round them costs nobody else a point.
"""

from typing import Any

from grader.suite.context import active
from grader.suite.failures import CheckFailed
from grader.workers.failures import StudentFailure
from grader.workers.policy import forbidden_in_trace
from grader.workers.student import ModuleHandle, Observation, Student


def no_forbidden_call(
    student: Student, name: str, *args: Any, module: ModuleHandle | None = None, **kwargs: Any
) -> Observation:
    """Ask that the exercise makes none of the calls that its docstring forbids.

    Args:
        student: The student's side.
        name: The exercise.
        *args: Inputs of a call that is watched.
        module: For a class, the handle that is called.
        **kwargs: Keyword inputs of that call.

    Returns:
        What was observed, so that the caller can ask for the right value as well.
    """
    for finding in active.findings.get(name, []):
        raise StudentFailure("forbidden", finding, name=name)
    target = getattr(student, name) if module is None else module
    seen: Observation = target.observe(*args, trace=True, **kwargs)
    groups = active.course.forbids.get(name, []) if active.course else []
    call = forbidden_in_trace(groups, seen.calls, seen.operations)
    if call is not None:
        raise StudentFailure("forbidden", call, name=name)
    return seen


def cost_does_not_grow(student: Student, name: str, small: tuple[Any, ...], large: tuple[Any, ...]) -> None:
    """Ask that more tokens take no more operations, as a loop in Python over the tokens would.

    Args:
        student: The student's side.
        name: The exercise.
        small: Arguments with few tokens.
        large: The same with many tokens.
    """
    few = sum(getattr(student, name).observe(*small, trace=True).operations.values())
    many = sum(getattr(student, name).observe(*large, trace=True).operations.values())
    if many > few + 4:
        raise CheckFailed(
            f"{few} tensor operations became {many} when there were more tokens: a Python loop runs over them.",
            f"토큰이 늘자 텐서 연산이 {few}번에서 {many}번으로 늘었습니다. 토큰을 파이썬 반복문으로 돌고 있습니다.",
        )
