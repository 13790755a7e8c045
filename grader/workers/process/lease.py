"""The worker that a submission holds: leased at its first call, sent requests, ended.

Whatever kills a worker, hangs it or makes it send invalid replies ends the lease; the next request gets another worker.
In a student's own run it is this process, which whoever started it ends.
"""

import signal
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from grader.inside.protocol.answers import StatementReached
from grader.inside.protocol.messages import Message
from grader.inside.protocol.wire import ProtocolViolation
from grader.limits import SHARED_TIMES, Limits
from grader.system.machine import KilledByTheSystem

from .check_attempt import CheckAttempt, Printed, Read
from .clock import Allowance, Patience
from .connection import Connection
from .end_messages import failure_of
from .failures import KilledBySystem, NoTimeLeft, OutOfTime, StudentFailure, WorkerDied
from .transport import SocketTransport, WorkerSource

if TYPE_CHECKING:
    from .in_process import InProcess

T = TypeVar("T")
ENDS_WORKER = (OutOfTime, WorkerDied, ProtocolViolation)


class WorkerLease:
    """The worker that a submission has leased.

    Args:
        limits: What a check and a reply may use.
        left: What the submission may still use; without a limit if not given.

    Attributes:
        generation: How many workers were leased so far.
        attempt: The check that runs.
        left: The time that the submission may still use.
    """

    def __init__(self, source: "WorkerSource | InProcess", limits: Limits, left: Allowance | None = None) -> None:
        self.limits = limits
        self.generation = 0
        self._source = source
        self.left = left or Allowance()
        self._connection: Connection | InProcess | None = None
        self._loaded = False
        self.attempt = self.begin_check()
        self._system = KilledByTheSystem()

    def begin_check(self) -> CheckAttempt:
        """Start the clock and the printed text of a check; it is now the session's `attempt`."""
        self.attempt = CheckAttempt(Allowance.of(self.limits.check_cpu_s), Printed(self.limits.output_bytes))
        return self.attempt

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
            with self._patience(connection, allowance) as patience:
                ((answer, payload),) = connection.ask([(message, pieces)], patience, progress)
            self.attempt.printed.keep(answer)
            return read(answer, payload)
        except ENDS_WORKER as error:
            raise self._give_up_worker(error, connection, doing) from None

    def _patience(self, connection: "Connection | InProcess", allowance: Allowance | None = None) -> Patience:
        return Patience(connection.transport, allowance or self.attempt.allowance, self.left)

    def _patience_for_many(self, connection: "Connection | InProcess", times: int) -> Patience:
        """Return the patience for calls that many checks read; each of them has the time of a check."""
        limit = self.limits.check_cpu_s
        return Patience(connection.transport, Allowance.of(times * SHARED_TIMES * limit), self.left, limit)

    def _give_up_worker(self, error: Exception, connection: "Connection | InProcess", doing: str) -> StudentFailure:
        """End a worker that did not answer, and return the failure of the check.

        Raises:
            NotGraded: That is not the student's doing.
        """
        exit_status = connection.transport.exit_status() if isinstance(error, WorkerDied) else None
        self._drop()
        if isinstance(error, OutOfTime) and str(error) == "submission":
            raise NoTimeLeft
        if exit_status is not None and exit_status & 0x7F == signal.SIGKILL and self._system.any_since():
            raise KilledBySystem
        return failure_of(error, exit_status, doing)

    def _connect(self) -> "Connection | InProcess":
        if self._connection is None:
            if isinstance(self._source, WorkerSource):
                transport = SocketTransport(self._source.lease(), self._source)
                self._connection = Connection(transport, self.limits.reply_bytes)
            else:
                self._connection = self._source
            self.generation += 1
            self._loaded = False
        return self._connection

    def _drop(self) -> None:
        if isinstance(self._connection, Connection):
            self._connection.transport.end()
            self._connection = None
            self._loaded = False
