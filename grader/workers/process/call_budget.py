"""One try of a check as its workers see it: what it may still use, what it asked so far, and what its calls printed.

A check that pauses at its questions runs in a greenlet (`grader/suite/runner/paused_checks.py`). Where it asks, it is
left at that line, and it goes on from there when the answers of all checks that wait have come back together.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

import greenlet

from grader.inside.protocol.answers import Answer
from grader.inside.protocol.messages import Message

from .clock import Allowance
from .printed import Printed

T = TypeVar("T")
Make = Callable[[int], tuple[Message, list[bytes]]]
"""Makes a request, given its number among those of the check: what torch's generators are seeded with."""
Read = Callable[[Answer, bytes], T]
"""Turns a reply into a value; raises ProtocolViolation where it breaks a rule."""
Asked = Sequence[tuple[Make, Read[T]]]


class Abandoned(BaseException):
    """Ends a paused check whose answer will not come; no check catches it by catching exceptions."""


@dataclass
class Attempt:
    """One try of a check.

    Attributes:
        allowance: What its calls may still use.
        printed: What they printed.
        requests: How many there were.
        pauses: Whether its questions wait for those of other checks.
        unset: The parameters of the module that was loaded last that no value was given for so far.
        abandoned: Whether nobody answers it any more.
        called: The function that its last question called, with the inputs; None where that was something else.
    """

    allowance: Allowance
    printed: Printed
    requests: int = 0
    pauses: bool = False
    unset: Sequence[str] = ()
    abandoned: bool = field(default=False, init=False)
    called: Any = field(default=None, init=False)

    def make(self, asked: Asked[Any]) -> list[tuple[Message, list[bytes]]]:
        """Make the next requests of the check."""
        made = []
        for make, _ in asked:
            made.append(make(self.requests))
            self.requests += 1
        return made


@dataclass(frozen=True)
class Question:
    """What a paused check asks: requests that are made together.

    Attributes:
        attempt: The check's.
        asked: How to make each request and how to read its reply.
    """

    attempt: Attempt
    asked: Asked[Any]


def pause(attempt: Attempt, asked: Asked[T]) -> Any:
    """Leave the check at its question, and return the outcomes when they have come.

    Raises:
        Abandoned: They will not come.
        Exception: What the question came to, where it could not be asked.
    """
    if attempt.abandoned:
        raise Abandoned
    outcome = cast(greenlet.greenlet, greenlet.getcurrent().parent).switch(Question(attempt, asked))
    if isinstance(outcome, BaseException):
        raise outcome
    return outcome
