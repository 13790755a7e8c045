"""The worker that a submission holds: leased at its first call, sent requests, ended.

Whatever kills a worker, hangs it or makes it send invalid replies ends the lease; the next request gets another worker.
"""

from collections.abc import Callable
from typing import TypeVar

from grader.inside.protocol.answers import StatementReached
from grader.inside.protocol.messages import Message
from grader.inside.protocol.wire import ProtocolViolation
from grader.limits import Limits
from grader.system.machine import KilledByTheSystem

from .check_attempt import CheckAttempt, Printed, Read
from .clock import Allowance, Stopwatch
from .connection import Connection
from .end_messages import KilledBySystem, failure_of, killed_by_somebody
from .failures import OutOfTime, StudentFailure, WorkerDied
from .local_process import LocalWorkers
from .transport import SocketTransport, Transport, WorkerSource

T = TypeVar("T")
ENDS_WORKER = (OutOfTime, WorkerDied, ProtocolViolation)


class WorkerLease:
    """The worker that a submission has leased.

    Args:
        limits: What a check and a reply may use.

    Attributes:
        generation: How many workers were leased so far.
        worker_ran_code: Whether calls on this worker have run student code other than unwritten functions.
    """

    def __init__(self, source: WorkerSource | LocalWorkers, limits: Limits) -> None:
        self.limits = limits
        self.generation = 0
        self.worker_ran_code = False
        self._source = source
        self._keeps_process = not isinstance(source, WorkerSource)
        self._connection: Connection | None = None
        self._loaded = False
        self._used_before = self._used_now = False  # by an earlier check, and by the running one
        self.attempt = CheckAttempt(Allowance.full(limits), Printed(limits.output_bytes))
        self._system = KilledByTheSystem()

    @property
    def worker_is_used(self) -> bool:
        """Whether an earlier check ran on the worker of the next call, so that a retry may help."""
        return (self._used_before or self._used_now) and self._connection is not None and not self._keeps_process

    def drop_worker(self) -> None:
        """End the worker, so that the next call gets an unused one.

        A process outside a jail is kept as long as it answers, since starting one takes seconds.
        """
        if not self._keeps_process:
            self._drop()

    def take_output(self) -> tuple[str, int]:
        """Return and clear what the check printed so far, with the number of bytes that were dropped."""
        return self.attempt.printed.drain()

    def close(self) -> None:
        """End the worker for good."""
        self._drop()

    def _exchange(
        self,
        message: Message,
        pieces: list[bytes],
        doing: str,
        read: Read[T],
        allowance: Allowance | None = None,
        progress: Callable[[StatementReached], None] | None = None,
    ) -> T:
        """Make one request to a worker, whether or not the source is loaded."""
        connection = self._connect()
        try:
            with Stopwatch(allowance or self.attempt.allowance, connection.transport) as patience:
                ((answer, payload),) = connection.ask([(message, pieces)], patience, progress)
            self.attempt.printed.keep(answer)
            return read(answer, payload)
        except ENDS_WORKER as error:
            raise self._give_up_worker(error, connection, doing) from None

    def _give_up_worker(self, error: Exception, connection: Connection, doing: str) -> StudentFailure:
        """End a worker that did not answer, and return the failure of the check."""
        exit_status = connection.transport.exit_status() if isinstance(error, WorkerDied) else None
        self._drop()
        if isinstance(error, WorkerDied) and killed_by_somebody(exit_status) and self._system.any_since():
            raise KilledBySystem
        return failure_of(error, exit_status, self.limits, doing)

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
