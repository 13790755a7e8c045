"""What a session works with: where its workers come from, and the pieces of source that it is handed."""

from typing import Protocol, runtime_checkable

from .transport import Lease, Lender, Transport


@runtime_checkable
class WorkerSource(Lender, Protocol):
    """Where jailed workers come from: a jail, or a branch of it in a forked session."""

    def lease(self) -> Lease:
        """Return a worker that nobody has used."""


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
