"""Asks the student's code something and judges the answer, at once or when it is there.

A check that is run ahead of its turn (`prefetch.py`) has no answer to judge yet. Where judging is all that it does with
the answer, the rest of the check is run through all the same, and the judging is put off to the check's turn. Then
nothing of the check has to be run a second time. Whether it does no more is read off the check's own code
(`workers/flow.py`): nobody else gets the answer, what the judging returns is let go of, and it happens within no `with`
or `try`, which might have a say in it.
"""

import functools
import sys
from collections.abc import Callable
from dataclasses import dataclass
from types import FrameType
from typing import Any, ParamSpec, TypeVar, cast

from grader.suite.context import active
from grader.workers.flow import is_dropped, is_guarded, place_of
from grader.workers.prefetch import FirstCalls, Unanswered, parts_of, unanswered

Answer = TypeVar("Answer")
Judged = TypeVar("Judged")
P = ParamSpec("P")


@dataclass(frozen=True)
class PutOff:
    """An answer that is not there yet, and what is to become of it.

    Attributes:
        stop: What is asked.
        judge: Asks again, and judges.
        seen: What `active.look` said at the time; None where nobody asks.
    """

    stop: FirstCalls
    judge: Callable[[], Any]
    seen: Any = None


def judged(ask: Callable[[], Answer], judge: Callable[[Answer], Judged]) -> Judged | Any:
    """Return what judging an answer gives; to be returned in turn by the function that a suite calls.

    Args:
        ask: Asks the student's code once and returns what came of it.
        judge: Judges that, and raises where it is wrong. It may be run later than `ask`.

    Returns:
        What stands for it where judging is put off, and nobody can see it.
    """
    try:
        return judge(ask())
    except FirstCalls as stop:
        caller = sys._getframe(2)
        if not is_dropped(caller):
            return unanswered(stop, lambda: judge(ask()), caller)
        put_off(stop, lambda: judge(ask()), caller)
    return None


def put_off(stop: FirstCalls, judge: Callable[[], Any], caller: FrameType) -> None:
    """Put judging off to the turn of the check that is run ahead.

    Args:
        stop: What is asked.
        judge: Asks again, and judges.
        caller: The frame that has no use for what comes of it.

    Raises:
        FirstCalls: That frame, or one between the check and it, has a say in what comes of it.
    """
    frame: FrameType | None = caller
    while frame is not None and frame is not active.ahead:
        if is_guarded(frame):
            raise stop
        frame = frame.f_back
    active.put_off.append(PutOff(stop.with_traceback(None), judge, active.look() if active.look else None))


def judges(function: Callable[P, Judged]) -> Callable[P, Judged]:
    """Let a function judge an answer that is not there yet: `checks.close(student.f(x), expected)`.

    Args:
        function: Given to suites; it gets the answer as an argument, and raises where that is wrong.

    Returns:
        The same function, which puts its judging off where the very call that a check makes of it is all that gets the
        answer and nobody sees what it returns.
    """

    @functools.wraps(function)
    def judge(*args: P.args, **kwargs: P.kwargs) -> Judged:
        missing = [each for each in (*args, *kwargs.values()) if type(each) is Unanswered]
        if not missing:
            return function(*args, **kwargs)
        stop, ask, frame, place = parts_of(missing[0])
        caller = sys._getframe(1)
        if len(missing) > 1 or caller is not frame or place_of(caller) != place:
            raise stop  # another function had the answer, or has another one too

        def later() -> Judged:
            answer = ask()

            def there(value: Any) -> Any:
                return answer if type(value) is Unanswered else value

            now = {name: there(value) for name, value in kwargs.items()}
            return cast(Callable[..., Judged], function)(*map(there, args), **now)

        put_off(stop, later, caller)
        return cast(Judged, None)  # it is dropped at once

    return judge
