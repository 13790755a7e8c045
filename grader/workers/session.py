"""One submission's workers: leases them, loads the source into each, keeps the clock and tells what went wrong.

A worker is leased when the first call needs it. Whatever kills it, hangs it or makes it speak nonsense costs the check
in which that happens; the next call gets another worker with the source loaded anew (`loading.py`).
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TypeVar

from grader.inside.answers import Answer, Finding, Reached
from grader.inside.messages import Analyse, Cell, Message
from grader.inside.wire import ProtocolViolation
from grader.limits import DEFAULT_LIMITS, Limits
from grader.workers import policy
from grader.workers.clock import Allowance, Stopwatch
from grader.workers.connection import Connection, new_nonce
from grader.workers.ends import failure_of
from grader.workers.failures import OutOfTime, StudentFailure, WorkerDied
from grader.workers.loading import Loading, encodable, read_findings, read_loaded
from grader.workers.printed import Printed
from grader.workers.source import SourceRecord
from grader.workers.sources import ProcessSource, SourceCell, WorkerSource
from grader.workers.transport import SocketTransport, Transport

T = TypeVar("T")
Make = Callable[[bool], tuple[Message, list[bytes]]]
Read = Callable[[Answer, bytes], T]


class Session:
    """One submission on the untrusted side.

    Args:
        source: Where workers come from.
        cells: The student's source.
        limits: What a check and a reply may use.
        file_name: Bare name of the file; `.ipynb` makes it a notebook.
        module_name: The `__name__` that the source runs under; the file name's stem if not given.
        device: Where tensors are put before the student's code gets them.
        exercises: The names that are asked for, none of which is a misspelling of another.

    Attributes:
        worker_ran_code: Whether the worker did more so far than say that an exercise is not written.
        asked: Whether the check that runs asked anything of the student's code so far.
    """

    def __init__(
        self,
        source: WorkerSource | ProcessSource,
        cells: Sequence[SourceCell],
        *,
        limits: Limits = DEFAULT_LIMITS,
        file_name: str,
        module_name: str = "",
        device: str = "cpu",
        exercises: Collection[str] = (),
    ) -> None:
        self.limits = limits
        self.device = device
        self.generation = 0
        self.record = SourceRecord(file_name, file_name.endswith(".ipynb"), taken=frozenset(exercises))
        self.findings: list[Finding] = []
        self._source = source
        self._keeps_process = not isinstance(source, WorkerSource)
        self._cells = self.record.cells = [Cell(cell.number, encodable(cell.source), cell.grade_id) for cell in cells]
        module_name = module_name or file_name.rpartition(".")[0] or file_name
        self._loading = Loading(self._cells, module_name, self.record, limits)
        self._connection: Connection | None = None
        self._loaded = False
        self._used = self._used_now = False
        self.worker_ran_code = self.asked = False
        self._fresh = True
        self._allowance = Allowance.full(limits)
        self._finish = float("inf")
        self._printed = Printed(limits.output_bytes)
        self.dropped_handles: list[int] = []

    # -- checks -----------------------------------------------------------------------------------------------------

    def begin_check(self, finish: float = float("inf")) -> None:
        """Start the clock and the printed text of a check anew.

        Args:
            finish: When the submission's own time is over, by the monotonic clock.
        """
        self._finish = finish
        self._allowance = Allowance.full(self.limits, finish, self._allowance if self._connection else None)
        self._used = self._used or self._used_now
        self._used_now = self.asked = False
        self._fresh = True
        self.take_output()

    @property
    def worker_is_used(self) -> bool:
        """Whether an earlier check ran on the worker that the next call gets, so that a retry is worth its cost."""
        return (self._used or self._used_now) and self._connection is not None and not self._keeps_process

    def fresh_worker(self) -> None:
        """Give the worker up, so that the next call gets one that nothing has touched.

        A process outside a jail is kept as long as it answers, since starting one takes seconds.
        """
        if not self._keeps_process:
            self._drop()

    def take_output(self) -> tuple[str, int]:
        """Return what the check printed so far and how many bytes more were dropped, and forget it."""
        return self._printed.take()

    def notes(self) -> list[str]:
        """Return sentences about the source that a reader of the report should know."""
        return self.record.notes()

    def close(self) -> None:
        """Give the worker up for good."""
        self._drop()

    # -- requests ---------------------------------------------------------------------------------------------------

    def analyse(self, forbids: Mapping[str, Sequence[str]]) -> policy.TextReading:
        """Look for forbidden calls in the text, in a worker that no student code has run in.

        Args:
            forbids: The groups that each exercise forbids, those that forbid nothing as well.

        Returns:
            What was found, or why the text could not be read through.
        """
        if self._loaded:
            self._drop()
        notebook = self.record.notebook
        exercises = {name: list(groups) for name, groups in forbids.items()}
        request = Analyse(nonce=new_nonce(), cells=self._cells, file_name=self.record.file_name, notebook=notebook,
                          exercises=exercises)  # fmt: skip
        try:
            found = self._exchange(request, [], "The reading of your file", read_findings)
        except StudentFailure as failure:
            if self._loading.first_kill(failure, "analysis"):
                return self.analyse(forbids)
            self.record.unread = failure.sentence
            if failure.limit in ("wall", "cpu"):
                seconds = self.limits.check_wall_s if failure.limit == "wall" else self.limits.check_cpu_s
                self.record.unread = f"The text of your file could not be read through within {seconds:g} s."
            return policy.TextReading(unread=self.record.unread)
        self.findings = found.findings
        findings: dict[str, list[str]] = {}
        for finding in self.findings:
            findings.setdefault(finding.exercise, []).append(policy.told(finding, notebook))
        return policy.TextReading(findings, "", frozenset(found.stubs), frozenset(found.absent))

    def request(self, make: Make, doing: str, read: Read[T]) -> T:
        """Make one request to the loaded source, on a new worker if need be.

        Args:
            make: Makes the request, given whether torch's state has to be set anew.
            doing: What is called, for sentences.
            read: Turns the reply into a value; raises ProtocolViolation where it breaks a rule.

        Raises:
            StudentFailure: The student's code gave no value.
        """
        (outcome,) = self.request_each([(make, read)], doing)
        if isinstance(outcome, StudentFailure):
            raise outcome
        return outcome

    def request_each(self, asked: Sequence[tuple[Make, Read[T]]], doing: str) -> list[T | StudentFailure]:
        """Make several requests to the loaded source, which are sent together.

        Args:
            asked: How to make each request and how to read its reply, as for `request`.
            doing: What is called, for sentences.

        Returns:
            For each the value, or the failure of a call that gave none.

        Raises:
            StudentFailure: The worker did not come to the end of them.
        """
        self.asked = True
        self.ready()
        requests = [make(self._fresh and number == 0) for number, (make, _) in enumerate(asked)]
        self._used_now = True
        connection = self._connect()
        outcomes: list[T | StudentFailure] = []
        try:
            with Stopwatch(self._allowance, connection.transport) as patience:
                answers = connection.ask_each(requests, patience)
            for (answer, payload), (_, read) in zip(answers, asked, strict=True):
                self._printed.keep(answer)
                try:
                    outcomes.append(read(answer, payload))
                    self._ended()
                except StudentFailure as none:
                    self._ended(none)
                    outcomes.append(none)
        except (OutOfTime, WorkerDied, ProtocolViolation) as error:
            failure = self._given_up(error, connection, doing)
            self._ended(failure)
            raise failure from None
        self._fresh = self._fresh and all(isinstance(outcome, StudentFailure) for outcome in outcomes)
        return outcomes

    def _ended(self, failure: StudentFailure | None = None) -> None:
        """Note what a call did to the worker that it ran in."""
        self.worker_ran_code = self.worker_ran_code or failure is None or failure.status != "missing"

    def ready(self) -> None:
        """See to it that there is a worker with the source loaded.

        Raises:
            StudentFailure: The source cannot be loaded at all.
        """
        if self._loading.unloadable is not None:
            raise self._loading.unloadable
        if self._connection is not None and self._loaded:
            return
        while not self._load():
            continue

    def _load(self) -> bool:
        """Load the source into a worker; returns whether it is loaded, or has to be loaded again up to a stop."""
        reached: list[Reached] = []
        allowance = Allowance.full(self.limits, self._finish)

        def progress(step: Reached) -> None:
            reached[:] = [step]

        try:
            request = self._loading.request()
            self.record.loaded = self._exchange(request, [], "Your file", read_loaded, allowance, progress)
        except StudentFailure as failure:
            self._loading.ended(failure, reached[-1] if reached else None)
            return False
        self._loaded = True
        self._allowance.looked_at = None
        return True

    def _exchange(
        self,
        message: Message,
        pieces: list[bytes],
        doing: str,
        read: Read[T],
        allowance: Allowance | None = None,
        progress: Callable[[Reached], None] | None = None,
    ) -> T:
        connection = self._connect()
        try:
            with Stopwatch(allowance or self._allowance, connection.transport) as patience:
                answer, payload = connection.ask(message, pieces, patience, progress)
            self._printed.keep(answer)
            return read(answer, payload)
        except (OutOfTime, WorkerDied, ProtocolViolation) as error:
            raise self._given_up(error, connection, doing) from None

    def _given_up(self, error: Exception, connection: Connection, doing: str) -> StudentFailure:
        """Give up a worker that did not answer, and return what that means for the check."""
        fate = connection.transport.fate() if isinstance(error, WorkerDied) else None
        self._drop()
        return failure_of(error, fate, self.limits, doing)

    def _connect(self) -> Connection:
        if self._connection is None:
            if isinstance(self._source, WorkerSource):
                transport: Transport = SocketTransport(self._source.lease(), self._source.fate)
            else:
                transport = self._source.transport()
            self._connection = Connection(transport, self.limits.reply_bytes)
            self.generation += 1
            self._allowance.looked_at = None
            self.dropped_handles = []
            self._loaded = self._used = self._used_now = self.worker_ran_code = False
            self._fresh = True
        return self._connection

    def _drop(self) -> None:
        if self._connection is not None:
            self._connection.transport.end()
        self._connection = None
        self._loaded = self._used = self._used_now = self.worker_ran_code = False
