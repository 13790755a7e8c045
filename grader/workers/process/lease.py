"""One submission's hold on a worker: leases it when it is needed, speaks to it, and gives it up.

Whatever kills a worker, hangs it or makes it speak nonsense ends the hold; the next request gets another worker.
"""

from collections.abc import Callable
from typing import TypeVar

from grader.inside.protocol.answers import Reached
from grader.inside.protocol.messages import Message
from grader.inside.protocol.wire import ProtocolViolation
from grader.limits import Limits
from grader.system.machine import KilledByTheSystem

from .call_budget import Attempt, Read
from .clock import Allowance, Stopwatch
from .connection import Connection
from .end_messages import KilledBySystem, failure_of, killed_by_somebody
from .failures import OutOfTime, StudentFailure, WorkerDied
from .printed import Printed
from .transport import SocketTransport, Transport
from .worker_source import ProcessSource, WorkerSource

T = TypeVar("T")
GIVEN_UP = (OutOfTime, WorkerDied, ProtocolViolation)


class Holding:
    """What a submission holds on the untrusted side.

    Args:
        source: Where workers come from.
        limits: What a check and a reply may use.

    Attributes:
        generation: How many workers there were so far.
        worker_ran_code: Whether the worker did more so far than say that an exercise is not written.
        attempt: The try of a check that is running.
    """

    def __init__(self, source: WorkerSource | ProcessSource, limits: Limits) -> None:
        self.limits = limits
        self.generation = 0
        self.worker_ran_code = False
        self._source = source
        self._keeps_process = not isinstance(source, WorkerSource)
        self._connection: Connection | None = None
        self._loaded = False
        self._used_before = self._used_now = False  # by a check before the one that runs, and by that one
        self.attempt = Attempt(Allowance.full(limits), Printed(limits.output_bytes))
        self._system = KilledByTheSystem()

    @property
    def worker_is_used(self) -> bool:
        """Whether an earlier check ran on the worker that the next call gets, so that a retry is worth its cost."""
        return (self._used_before or self._used_now) and self._connection is not None and not self._keeps_process

    def drop_worker(self) -> None:
        """Give the worker up, so that the next call gets one that nothing has touched.

        A process outside a jail is kept as long as it answers, since starting one takes seconds.
        """
        if not self._keeps_process:
            self._drop()

    def take_output(self) -> tuple[str, int]:
        """Return what the check printed so far and how many bytes more were dropped, and forget it."""
        return self.attempt.printed.take()

    def close(self) -> None:
        """Give the worker up for good."""
        self._drop()

    def _exchange(
        self,
        message: Message,
        pieces: list[bytes],
        doing: str,
        read: Read[T],
        allowance: Allowance | None = None,
        progress: Callable[[Reached], None] | None = None,
    ) -> T:
        """Make one request to a worker that need not have the source loaded."""
        connection = self._connect()
        try:
            with Stopwatch(allowance or self.attempt.allowance, connection.transport) as patience:
                answer, payload = connection.ask(message, pieces, patience, progress)
            self.attempt.printed.keep(answer)
            return read(answer, payload)
        except GIVEN_UP as error:
            raise self._given_up(error, connection, doing) from None

    def _given_up(self, error: Exception, connection: Connection, doing: str) -> StudentFailure:
        """Give up a worker that did not answer, and return what that means for the check."""
        fate = connection.transport.fate() if isinstance(error, WorkerDied) else None
        self._drop()
        if isinstance(error, WorkerDied) and killed_by_somebody(fate) and self._system.any_since():
            raise KilledBySystem
        return failure_of(error, fate, self.limits, doing)

    def _connect(self) -> Connection:
        if self._connection is None:
            if isinstance(self._source, WorkerSource):
                transport: Transport = SocketTransport(self._source.lease(), self._source)
            else:
                transport = self._source.transport()
            self._connection = Connection(transport, self.limits.reply_bytes)
            self.generation += 1
            self.attempt.allowance.looked_at = None
            self._loaded = self._used_before = self._used_now = self.worker_ran_code = False
        return self._connection

    def _drop(self) -> None:
        if self._connection is not None:
            self._connection.transport.end()
        self._connection = None
        self._loaded = self._used_before = self._used_now = self.worker_ran_code = False
