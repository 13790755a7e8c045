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


class _Request:
    """Whether a stop was asked for."""

    asked = False


def listen() -> None:
    """Remember every SIGINT and SIGTERM of this process from now on, and raise at once as Python does.

    A shell may hand down that the ends of children are ignored; then nobody could learn how they ended.
    """
    _Request.asked = False
    if hasattr(signal, "SIGCHLD"):
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for number in SIGNALS:
        signal.signal(number, _asked)


def raise_if_asked() -> None:
    """Raise KeyboardInterrupt if a signal came since `listen`, whose exception may have been lost on the way."""
    if _Request.asked:
        raise KeyboardInterrupt


@contextmanager
def held_back() -> Iterator[None]:
    """Keep both signals waiting, so that none arrives in Python's own callbacks at a fork."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _asked(_: int, __: FrameType | None) -> None:
    _Request.asked = True
    raise KeyboardInterrupt
