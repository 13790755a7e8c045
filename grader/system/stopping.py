"""A stop that was asked for by Ctrl-C or SIGTERM and that must not be lost.

Python raises a signal's exception wherever the process happens to be. In a callback that runs at a fork, in `__del__`
or in a collector's callback it is printed and dropped, and the run would go on as if nothing had been asked. So the
request is also remembered, and the loop that waits for submissions asks for it again.
"""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Terminated(KeyboardInterrupt):
    """The process was asked to end by SIGTERM."""


class _Request:
    """The stop that was asked for last; None while there is none."""

    stop: type[KeyboardInterrupt] | None = None


def listen() -> None:
    """Remember every SIGINT and SIGTERM of this process from now on, and raise at once as Python does.

    A shell may hand down that the ends of children are ignored; then nobody could learn how they ended.
    """
    _Request.stop = None
    if hasattr(signal, "SIGCHLD"):
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for number in SIGNALS:
        signal.signal(number, _asked)


def raise_if_asked() -> None:
    """Raise what a signal that came since `listen` asked for, if its exception was lost on the way."""
    if _Request.stop is not None:
        raise _Request.stop


@contextmanager
def held_back() -> Iterator[None]:
    """Keep both signals waiting, so that none arrives in Python's own callbacks at a fork."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _asked(number: int, _: FrameType | None) -> None:
    _Request.stop = Terminated if number == signal.SIGTERM else KeyboardInterrupt
    raise _Request.stop
