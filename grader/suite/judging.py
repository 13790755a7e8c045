"""Asks the student's code something and judges the answer, at once or when it is there.

A check that is run ahead of its turn (`prefetch.py`) has no answer to judge yet. Where judging is all that it does with
the answer, the rest of the check is run through all the same, and the judging is put off to the check's turn. Then
nothing of the check has to be run a second time. Whether it does no more is read off the check's own code: what a call
returns is let go of by the very next instruction.
"""

import dis
import sys
from collections.abc import Callable
from dataclasses import dataclass
from types import FrameType
from typing import Any, TypeVar

from grader.suite.context import active
from grader.workers.prefetch import FirstCalls

Answer = TypeVar("Answer")
Judged = TypeVar("Judged")
CACHE, POP_TOP = dis.opmap.get("CACHE", 0), dis.opmap["POP_TOP"]
WORD = 2  # bytes of an instruction, and of each entry that Python keeps behind it for itself


@dataclass(frozen=True)
class PutOff:
    """An answer that is not there yet, and what is to become of it.

    Attributes:
        stop: What is asked.
        judge: Asks again, and judges.
    """

    stop: FirstCalls
    judge: Callable[[], Any]


def judged(ask: Callable[[], Answer], judge: Callable[[Answer], Judged]) -> Judged | Any:
    """Return what judging an answer gives; to be returned in turn by the function that a suite calls.

    Args:
        ask: Asks the student's code once and returns what came of it.
        judge: Judges that, and raises where it is wrong. It may be run later than `ask`.

    Returns:
        None where judging is put off, and nobody can see it.
    """
    try:
        return judge(ask())
    except FirstCalls as stop:
        if not lets_go(sys._getframe(2)):
            raise
        active.put_off.append(PutOff(stop.with_traceback(None), lambda: judge(ask())))
    return None


def lets_go(frame: FrameType) -> bool:
    """Tell whether a frame has no use for what the call returns that it is waiting for."""
    code, place = frame.f_code.co_code, frame.f_lasti + WORD
    while place < len(code) and code[place] == CACHE:
        place += WORD
    return place < len(code) and code[place] == POP_TOP
