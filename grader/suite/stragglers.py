"""Lets the last submissions of one session go on while another one has begun."""

import contextlib
import select
import tempfile
from collections.abc import Container
from pathlib import Path
from typing import Protocol

from grader.jail.leftovers import kept_folder
from grader.stopping import raise_if_asked
from grader.suite.child import Child


class Session(Protocol):
    """The children of one collected suite, as `forking.Forks` has them."""

    def running(self) -> list[Child]:
        """Return the children that run."""

    def hear(self, ready: Container[int]) -> None:
        """Take note of the submissions and the children that ended."""

    def hand_on(self) -> None:
        """Hand on what the children said that have ended."""

    def is_over(self) -> bool:
        """Tell whether every child has ended, and all that they said was handed on."""

    def kill(self) -> None:
        """End every child wherever it is."""


class Stragglers:
    """The sessions whose last submissions still run while another one has begun.

    A submission that hangs to its limit would hold up all other assignments otherwise. A context manager: what still
    runs at its end is killed.
    """

    def __init__(self) -> None:
        self._sessions: list[Session] = []
        self._open = contextlib.ExitStack()

    def __enter__(self) -> "Stragglers":
        self._folder = self._open.enter_context(kept_folder("grading"))
        return self

    def __exit__(self, *_: object) -> None:
        for session in self._sessions:
            session.kill()
        self._open.close()

    def new_folder(self) -> Path:
        """Return an empty folder for what a session's children write."""
        return Path(tempfile.mkdtemp(dir=self._folder))

    def add(self, session: Session) -> None:
        """Let the children of a session end in their own time."""
        self._sessions.append(session)

    def running(self) -> list[Child]:
        """Return the children that still run."""
        return [child for session in self._sessions for child in session.running()]

    def follow(self, *sessions: Session) -> None:
        """Wait until something ends of the stragglers or of further sessions, and hand on what the stragglers said."""
        poll = select.poll()
        followed = [*self._sessions, *sessions]
        for child in (child for session in followed for child in session.running()):
            poll.register(child.pidfd, select.POLLIN)
        ready = {number for number, _ in poll.poll(1000)}
        for session in followed:
            session.hear(ready)
        for session in list(self._sessions):
            session.hand_on()
            if session.is_over():
                self._sessions.remove(session)

    def finish(self) -> None:
        """Wait until all of them have ended."""
        while self._sessions:
            raise_if_asked()
            self.follow()
