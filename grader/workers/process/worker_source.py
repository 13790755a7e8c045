"""The interfaces that a worker session needs: the sources of workers, and the cells of a submission."""

from typing import Protocol, runtime_checkable

from .transport import LeasedWorker, Transport, WorkerLender


@runtime_checkable
class WorkerSource(WorkerLender, Protocol):
    """The source of jailed workers: a jail, or a branch of it in a child process."""

    def lease(self) -> LeasedWorker:
        """Return an unused worker."""


class ProcessSource(Protocol):
    """The source of workers that are too slow to start to be replaced for every exercise."""

    def transport(self) -> Transport:
        """Return the running worker, or a new one if it ended."""


class SourceCell(Protocol):
    """A cell of student source, as `grader.submissions` reads it."""

    @property
    def number(self) -> int: ...
    @property
    def source(self) -> str: ...
    @property
    def grade_id(self) -> str: ...
