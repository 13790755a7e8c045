"""What a session works with: where its workers come from, and the pieces of source that it is handed."""

from typing import Protocol, runtime_checkable

from grader.workers.transport import Lease, Transport


@runtime_checkable
class WorkerSource(Protocol):
    """Where jailed workers come from: a jail, or a branch of it in a forked session."""

    def lease(self) -> Lease:
        """Return a worker that nobody has used."""

    def fate(self, pid: int) -> int | None:
        """Return the wait status of a dead worker, None while it lives or when nobody knows."""

    def spread(self) -> None:
        """Let workers run on any processor, where they were kept to one that somebody else has now."""


class ProcessSource(Protocol):
    """Where workers come from that are too dear to be replaced for every exercise."""

    def transport(self) -> Transport:
        """Return the worker that is there, or a new one if it ended."""


class SourceCell(Protocol):
    """A piece of student source, as the reader of submissions hands it over."""

    @property
    def number(self) -> int: ...
    @property
    def source(self) -> str: ...
    @property
    def grade_id(self) -> str: ...
