"""A stopwatch that knows what is being done: each moment is booked to the innermost section that is open."""

import functools
import time
from collections.abc import Callable
from typing import Any


class Sections:
    """Adds up wall and processor time by section.

    Args:
        base: The section that is open when no other is.
    """

    def __init__(self, base: str) -> None:
        self._base = base
        self.begin()

    def begin(self) -> None:
        """Forget everything; a forked child does so, since its processor time begins at 0."""
        self.wall: dict[str, float] = {}
        self.cpu: dict[str, float] = {}
        self._open = [self._base]
        self._last = (time.perf_counter(), time.process_time())

    @property
    def innermost(self) -> str:
        """The section that time is booked to now."""
        return self._open[-1]

    def book(self) -> None:
        """Book the time since the last change."""
        now, name = (time.perf_counter(), time.process_time()), self._open[-1]
        self.wall[name] = self.wall.get(name, 0.0) + now[0] - self._last[0]
        self.cpu[name] = self.cpu.get(name, 0.0) + now[1] - self._last[1]
        self._last = now

    def enter(self, name: str) -> None:
        """Open a section inside the open ones."""
        self.book()
        self._open.append(name)

    def leave(self) -> None:
        """Close the innermost section."""
        self.book()
        self._open.pop()

    def within(self, name: str, function: Callable[..., Any], *, unless: str = "") -> Callable[..., Any]:
        """Return the function with its time booked to a section.

        Args:
            name: The section.
            function: What to time.
            unless: A section in which its time stays where it is.
        """

        @functools.wraps(function)
        def timed(*args: Any, **kwargs: Any) -> Any:
            if unless and self.innermost == unless:
                return function(*args, **kwargs)
            self.enter(name)
            try:
                return function(*args, **kwargs)
            finally:
                self.leave()

        return timed
