"""Calls that are made before their check runs, so that the calls of many checks go in one exchange.

After each change from the trusted process to its worker and back both find their caches cold, which costs more than
most calls do. What a check asks follows from its seed, so it can be run up to its first calls beforehand, and as a
whole once they are answered. An answer counts only for the very bytes that the check then asks with.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import FrameType
from typing import Any, NoReturn

import msgspec

from grader.inside.answers import Answer, Raised
from grader.inside.messages import Message
from grader.workers.flow import goes_into

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


class AskedAgain(BaseException):
    """Ends a check that was answered ahead and asks more than the solution made it ask; it has to ask all by itself.

    Its next call would find a worker on which others were made since, and random numbers that go on from there.
    """


class Unanswered:
    """Stands for the answer of a call that was not made, on its way to the one function that gets it.

    Whatever looks at it ends the check at this call, as if it had never come back.

    Args:
        stop: What is asked.
        ask: Makes the call and returns its answer.
        frame: Whose call it is.
        place: Where that frame hands the answer on, by the offset in its byte code.
    """

    def __init__(self, stop: FirstCalls, ask: Callable[[], Any], frame: FrameType, place: int) -> None:
        self.stop, self.ask, self.frame, self.place = stop, ask, frame, place

    def __getattribute__(self, name: str) -> NoReturn:
        raise parts_of(self)[0]

    def _looked_at(self, *_: object, **__: object) -> NoReturn:
        raise parts_of(self)[0]

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> NoReturn:
        """End the check where a function of torch's is given such an answer."""
        given = [*args, *(kwargs or {}).values()]
        for each in (inner for item in given for inner in (item if type(item) in (list, tuple) else [item])):
            if type(each) is cls:
                raise parts_of(each)[0]
        raise TypeError("An answer that is not there yet lies too deep in these arguments.")

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _looked_at
    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __pow__ = __rpow__ = __matmul__ = __rmatmul__ = _looked_at
    __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = __neg__ = __pos__ = __abs__ = __invert__ = _looked_at
    __lt__ = __le__ = __gt__ = __ge__ = __bool__ = __int__ = __float__ = __complex__ = __index__ = _looked_at
    __len__ = __iter__ = __getitem__ = __setitem__ = __contains__ = __call__ = __enter__ = __exit__ = _looked_at
    __array__ = __round__ = __reversed__ = __delitem__ = __next__ = _looked_at
    __eq__ = __ne__ = __hash__ = __repr__ = __str__ = __format__ = _looked_at


def parts_of(answer: Unanswered) -> tuple[FirstCalls, Callable[[], Any], FrameType, int]:
    """Return what an answer that is not there was made of: what is asked, how, by whom, and where it goes."""
    own = object.__getattribute__(answer, "__dict__")
    return own["stop"], own["ask"], own["frame"], own["place"]


def unanswered(stop: FirstCalls, ask: Callable[[], Any], frame: FrameType) -> Unanswered:
    """Return what stands for an answer, where no more than one function gets it.

    Raises:
        FirstCalls: The caller does something else with it.
    """
    place = goes_into(frame)
    if place is None:
        raise stop
    return Unanswered(FirstCalls(stop.requests), ask, frame, place)


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
