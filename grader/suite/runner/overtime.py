"""Ends a check in which the trusted side computes beyond the submission's own time.

While a worker is waited for, the call's own clock ends it (`workers/process/clock.py`). What is done with an answer has
no such clock: a large one can be compared for minutes. So the system's timer looks at the submission's time now and
then, and what is computed ends where Python gets to it next.
"""

import contextlib
import signal
import time
from collections.abc import Iterator
from types import FrameType

from grader.workers.process.clock import Deadline

LOOK_EVERY_S = 0.5
MOMENT_S = 1.0  # what a check computes between two questions takes a tenth of that at most


class Overtime(BaseException):
    """The submission's time is over; no check catches it by catching exceptions."""


class TooSlow(BaseException):
    """One of several checks that ask together keeps all the others waiting; it has to be run by itself."""


class Overseer:
    """Looks at a submission's time while its checks run."""

    def __init__(self, deadline: Deadline) -> None:
        self._deadline = deadline
        self._may_end = False
        self._moment = float("inf")

    @contextlib.contextmanager
    def at_work(self) -> Iterator[None]:
        """Look again and again; to be called in the main thread of a process that uses no other alarm."""
        before = signal.signal(signal.SIGALRM, self._look)
        signal.setitimer(signal.ITIMER_REAL, LOOK_EVERY_S, LOOK_EVERY_S)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0.0)
            signal.signal(signal.SIGALRM, before)

    @contextlib.contextmanager
    def may_end(self) -> Iterator[None]:
        """Let it end what is done now.

        Raises:
            Overtime: The submission's time is over, and no worker is being waited for.
        """
        self._may_end = True
        try:
            yield
        finally:
            self._may_end = False

    @contextlib.contextmanager
    def for_a_moment(self) -> Iterator[None]:
        """Let it end what takes longer than a moment.

        Raises:
            TooSlow: It did.
        """
        self._moment = time.monotonic() + MOMENT_S
        try:
            yield
        finally:
            self._moment = float("inf")

    def _look(self, _: int, __: FrameType | None) -> None:
        deadline = self._deadline  # its looks are left to whoever knows what was waited for, as long as there is time
        if not self._may_end or deadline.waits:
            return
        if time.monotonic() >= deadline.at and deadline.is_over():
            self._may_end = False  # once: what cleans up after it is not to be ended, too
            raise Overtime
        if time.monotonic() >= self._moment:
            self._moment = float("inf")
            raise TooSlow
