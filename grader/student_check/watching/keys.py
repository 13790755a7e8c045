"""Reads single keys from the terminal without waiting for any, on every system."""

import os
import re
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

KOREAN = {"ㅗ": "h", "ㅣ": "l", "ㅜ": "n", "ㄱ": "r", "ㅂ": "q"}  # the same keys while Korean is switched on
ESCAPE = re.compile(r"\x1b(?:\[[0-9;]*[@-~]|O.|.)?", re.DOTALL)  # what a terminal sends for an arrow, F1, Alt and a key
MOST_BYTES = 64

Read = Callable[[], str]


@contextmanager
def pressed_keys() -> Iterator[Read | None]:
    """Give a function that returns the keys which were pressed since it was called last; None without a terminal."""
    if sys.stdin is None or not sys.stdin.isatty():
        yield None
    elif sys.platform == "win32":
        yield _of_windows
    else:
        with _single_keys(sys.stdin.fileno()) as read:
            yield read


def _plain(text: str) -> str:
    """Return letters of keys, without arrows and the like."""
    return "".join(KOREAN.get(key, key) for key in ESCAPE.sub("", text).lower())


def _of_windows() -> str:
    if sys.platform != "win32":
        return ""
    import msvcrt

    pressed = ""
    while msvcrt.kbhit():
        key = msvcrt.getwch()
        pressed += key if key not in "\x00\xe0" else "\x1b" + msvcrt.getwch()  # an arrow and the like is two
    return _plain(pressed)


@contextmanager
def _single_keys(fd: int) -> Iterator[Read]:
    """Have the terminal hand over each key at once, without showing it, and put it back afterwards."""
    import select
    import termios
    import tty

    before = termios.tcgetattr(fd)

    def again(*_: object) -> None:
        tty.setcbreak(fd)

    def read() -> str:
        ready, _, _ = select.select([fd], [], [], 0)
        return _plain(os.read(fd, MOST_BYTES).decode("utf-8", "ignore")) if ready else ""

    previous = signal.signal(signal.SIGCONT, again)  # after Ctrl-Z and fg
    again()
    try:
        yield read
    finally:
        termios.tcsetattr(fd, termios.TCSADRAIN, before)
        signal.signal(signal.SIGCONT, previous)
