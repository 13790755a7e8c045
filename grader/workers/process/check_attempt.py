"""One check that runs: what it may still use, how many requests it made, and what its calls printed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from grader.inside.protocol.answers import Answer, Loaded, Reply
from grader.inside.protocol.messages import Message

from .clock import Allowance

MOST_OUTPUT = 4  # a check keeps as much printed text as this many calls may print
T = TypeVar("T")
Make = Callable[[int], tuple[Message, list[bytes]]]
"""Makes a request, given its number among those of the check: what torch's generators are seeded with."""
Read = Callable[[Answer, bytes], T]
"""Turns a reply into a value; raises ProtocolViolation where it breaks a rule."""
Asked = Sequence[tuple[Make, Read[T]]]


class Printed:
    """The printed text of a check.

    Args:
        limit: Characters that one call may keep; a check may keep some times as many.
    """

    def __init__(self, limit: int) -> None:
        self._limit = MOST_OUTPUT * limit
        self._kept: list[str] = []
        self._size = self._dropped = 0

    def keep(self, reply: Answer) -> None:
        """Keep what a call printed as far as it fits; ignore what the source prints while it is loaded."""
        if not isinstance(reply, Reply) or isinstance(reply, Loaded):
            return
        kept = reply.output[: max(0, self._limit - self._size)]
        self._kept.append(kept)
        self._size += len(kept)
        self._dropped += reply.dropped + len(reply.output) - len(kept)

    def drain(self) -> tuple[str, int]:
        """Return and clear the text and the number of dropped characters."""
        taken = "".join(self._kept), self._dropped
        self._kept, self._size, self._dropped = [], 0, 0
        return taken


@dataclass
class CheckAttempt:
    """One check that runs.

    Attributes:
        allowance: The time that its calls may still use.
        printed: What they printed.
        requests: How many requests it made.
        calls: What it asked so far, where that is kept to be shown (`KeptCall`); else None.
        told: Requests whose replies nobody waits for, each with what it does in words; they travel with the next one.
        called: The function of its last call, with the inputs; None if that was a module.
    """

    allowance: Allowance
    printed: Printed
    requests: int = 0
    calls: list[Any] | None = None
    told: list[tuple[Make, Read[Any], str]] = field(default_factory=list)
    called: Any = field(default=None, init=False)

    def make(self, asked: Asked[Any]) -> list[tuple[Message, list[bytes]]]:
        made = []
        for make, _ in asked:
            made.append(make(self.requests))
            self.requests += 1
        return made
