"""Keeps what a check asked of the student's code, where somebody wants to see all of it."""

from dataclasses import dataclass
from typing import Any, TypeVar

from grader.inside.protocol.answers import Answer
from grader.inside.protocol.messages import Message
from grader.workers.process.check_attempt import CheckAttempt, Make, Read
from grader.workers.process.failures import StudentFailure

T = TypeVar("T")


@dataclass
class KeptCall:
    """One call, or one request to a module.

    Attributes:
        name: What was called.
        given: The inputs, a `Given`.
        outcome: What came of it: what the check sees of the answer, or a StudentFailure; None as long as nothing has.
    """

    name: str
    given: Any
    outcome: Any = None


def kept(attempt: CheckAttempt, call: KeptCall, make: Make, read: Read[T]) -> tuple[Make, Read[T]]:
    """Return how to make a request and read its reply, so that the attempt keeps the call if it keeps any."""
    calls = attempt.calls
    if calls is None:
        return make, read

    def made(number: int) -> tuple[Message, list[bytes]]:
        calls.append(call)
        return make(number)

    def seen(answer: Answer, payload: bytes) -> T:
        try:
            outcome = read(answer, payload)
        except StudentFailure as failure:
            call.outcome = failure
            raise
        call.outcome = outcome
        return outcome

    return made, seen
