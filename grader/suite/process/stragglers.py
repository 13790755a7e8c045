"""Lets the last submissions of one suite go on while another one has begun."""

import contextlib
import select
import tempfile
from collections.abc import Container
from pathlib import Path
from typing import Protocol

from grader.jail.leftovers import kept_folder
from grader.system.stopping import raise_if_asked

from .child import Child


class Batch(Protocol):
    """The children of one collected suite, as `forking.JobRunner` has them."""

    def running(self) -> list[Child]:
        """Return the children that run."""

    def note_ended(self, ready: Container[int]) -> None:
        """Take note of the submissions and the children that ended."""

    def deliver_results(self) -> None:
        """Hand on what the children said that have ended."""

    def is_over(self) -> bool:
        """Tell whether every child has ended, and all that they said was handed on."""

    def kill(self) -> None:
        """End every child wherever it is."""


class Stragglers:
    """The batches whose last submissions still run while another one has begun.

    A submission that hangs to its limit would hold up all other assignments otherwise. A context manager: what still
    runs at its end is killed.
    """

    def __init__(self) -> None:
        self._batches: list[Batch] = []
        self._open = contextlib.ExitStack()

    def __enter__(self) -> "Stragglers":
        self._folder = self._open.enter_context(kept_folder("grading"))
        return self

    def __exit__(self, *_: object) -> None:
        for batch in self._batches:
            batch.kill()
        self._open.close()

    def new_folder(self) -> Path:
        """Return an empty folder for what a batch's children write."""
        return Path(tempfile.mkdtemp(dir=self._folder))

    def add(self, batch: Batch) -> None:
        """Let the children of a batch end in their own time."""
        self._batches.append(batch)

    def running(self) -> list[Child]:
        """Return the children that still run."""
        return [child for batch in self._batches for child in batch.running()]

    def follow(self, *batches: Batch) -> None:
        """Wait until something ends of the stragglers or of further batches, and hand on what the stragglers said."""
        poll = select.poll()
        followed = [*self._batches, *batches]
        for child in (child for batch in followed for child in batch.running()):
            poll.register(child.pidfd, select.POLLIN)
        ready = {number for number, _ in poll.poll(1000)}
        for batch in followed:
            batch.note_ended(ready)
        for batch in list(self._batches):
            batch.deliver_results()
            if batch.is_over():
                self._batches.remove(batch)

    def finish(self) -> None:
        """Wait until all of them have ended."""
        while self._batches:
            raise_if_asked()
            self.follow()
