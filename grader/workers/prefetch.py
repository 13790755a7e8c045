"""Calls that are made before their check runs, so that the calls of many checks go in one exchange.

After each change from the trusted process to its worker and back both find their caches cold, which costs more than
most calls do. What a check asks follows from its seed, so it can be run up to its first calls beforehand, and as a
whole once they are answered. An answer counts only for the very bytes that the check then asks with.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from grader.inside.answers import Answer, Raised
from grader.inside.messages import Message

PATIENCE_S = 1.0  # of either clock, for all together; calls that take longer gain nothing by going together
Request = tuple[Message, list[bytes]]


class FirstCalls(BaseException):
    """Ends the first run of a check at its first calls; no check catches it by catching exceptions.

    Args:
        requests: What it asks, as it would be sent.
    """

    def __init__(self, requests: Sequence[Request]) -> None:
        super().__init__("These are the first calls of a check.")
        self.requests = list(requests)


@dataclass(frozen=True)
class Prefetched:
    """The first calls of a check and what a worker answered to them.

    Attributes:
        requests: What was asked.
        answers: The replies and their payloads.
        by_itself: Whether it is taken up by the very call that asked, so that nothing need be compared.
    """

    requests: list[Request]
    answers: list[tuple[Answer, bytes]]
    by_itself: bool = False

    def answers_to(self, requests: Sequence[Request]) -> bool:
        """Tell whether these calls are the ones that were made, to the byte."""
        return alike(requests, self.requests)

    def taken_up(self) -> "Prefetched":
        """Return the same for the very call that asked."""
        return Prefetched(self.requests, self.answers, by_itself=True)

    @property
    def ran_code(self) -> bool:
        """Whether a call did more than say that an exercise is not written."""
        return any(not isinstance(answer, Raised) or answer.kind != "missing" for answer, _ in self.answers)


def alike(some: Sequence[Request], others: Sequence[Request]) -> bool:
    """Tell whether two rows of requests ask the same, to the byte."""
    return len(some) == len(others) and all(map(same, some, others))


def same(one: Request, other: Request) -> bool:
    """Tell whether two requests differ in their nonce alone."""
    (mine, pieces), (yours, others) = one, other
    return pieces == others and mine == msgspec.structs.replace(yours, nonce=mine.nonce)


def shared_out(questions: Sequence[list[Request]], answers: Sequence[tuple[Answer, bytes]]) -> list[Prefetched]:
    """Give to each question the answers to its requests, which come in the same order."""
    rest = iter(answers)
    return [Prefetched(requests, [next(rest) for _ in requests]) for requests in questions]
