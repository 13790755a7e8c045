"""Asks the student's code something and judges the answer, at once or when it is there.

A check that is run ahead of its turn (`prefetch.py`) has no answer to judge yet. Where judging is all that it does with
the answer, the rest of the check is run through all the same, and the judging is put off to the check's turn. Then
nothing of the check has to be run a second time.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn, TypeVar

from grader.suite.context import active
from grader.workers.prefetch import FirstCalls

Answer = TypeVar("Answer")
Judged = TypeVar("Judged")


@dataclass
class PutOff:
    """An answer that is not there yet, and what is to become of it.

    Attributes:
        stop: What is asked.
        resume: Asks again, and judges.
        looked_at: Whether the check did something else with the answer, so that it has to be run from its beginning.
    """

    stop: FirstCalls
    resume: Callable[[], Any]
    looked_at: bool = False


def judged(ask: Callable[[], Answer], judge: Callable[[Answer], Judged]) -> Judged | Any:
    """Return what judging an answer gives.

    Args:
        ask: Asks the student's code once and returns what came of it.
        judge: Judges that, and raises where it is wrong. It may be run later than `ask`, so it must not depend on
            anything that a check changes in between.
    """
    if active.session is None or not active.session.stops_at_calls:
        return judge(ask())
    try:
        return judge(ask())
    except FirstCalls as stop:
        later = PutOff(stop.with_traceback(None), lambda: judge(ask()))
    active.put_off.append(later)
    return Unanswered(later)


class Unanswered:
    """Stands for an answer that is not there yet; whoever looks at it ends the first run of the check.

    Args:
        put_off: What was asked.
    """

    __slots__ = ("__put_off",)

    def __init__(self, put_off: PutOff) -> None:
        object.__setattr__(self, "_Unanswered__put_off", put_off)

    def __getattribute__(self, name: str) -> NoReturn:
        put_off: PutOff = object.__getattribute__(self, "_Unanswered__put_off")
        put_off.looked_at = True
        raise put_off.stop


def _looks(self: Unanswered, *_: object) -> NoReturn:
    """Do what every use of such an answer does; Python looks for the methods of operators in the class alone."""
    self.__getattribute__("")


OPERATORS = """
    repr str bytes format hash bool len iter next contains getitem setitem delitem call enter exit index int float
    complex eq ne lt le gt ge neg pos abs invert add sub mul truediv floordiv mod divmod pow matmul and or xor lshift
    rshift radd rsub rmul rtruediv rfloordiv rmod rdivmod rpow rmatmul rand ror rxor rlshift rrshift
    iadd isub imul itruediv ifloordiv imod ipow imatmul iand ior ixor ilshift irshift round trunc floor ceil reversed
    length_hint setattr delattr
""".split()  # noqa: SIM905 - a list of words
for _name in OPERATORS:
    setattr(Unanswered, f"__{_name}__", _looks)
