"""The worker session of one submission: loads its source into a worker, makes calls, and reports failures.

A worker is leased when the first call needs it. If it ends, the check that was running fails; the next call gets
another worker with the source loaded again (`lease.py`, `source_loading.py`).
"""

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from grader.inside.protocol.answers import StatementReached
from grader.inside.protocol.messages import PY_BESIDE, Analyse, Cell, Stop
from grader.limits import DEFAULT_LIMITS, Limits
from grader.workers.process.check_attempt import Asked, Make, Read
from grader.workers.process.clock import Allowance
from grader.workers.process.connection import new_nonce
from grader.workers.process.failures import StudentFailure
from grader.workers.process.lease import ENDS_WORKER, WorkerLease
from grader.workers.process.transport import WorkerSource

from .source_loading import SourceLoading, Stops, TextReading, encodable, read_found, read_loaded
from .source_notes import SourceRecord

if TYPE_CHECKING:
    from grader.workers.process.in_process import InProcess

T = TypeVar("T")
FIRST_MODULE = 1 << 20  # far beyond the worker's own numbers


class WorkerSession(WorkerLease):
    """The source of one submission in a worker, and the requests to it.

    Args:
        limits: What a check and a reply may use.
        file_name: Bare name of the file, for sentences; `.ipynb` makes it a notebook. It is never sent to the worker.
        module_name: The `__name__` that the source runs under; the worker's name of the file is made of it.
        device: Where tensors are put before the student's code gets them.
        exercises: The names of the exercises, none of which counts as a misspelling of another.
        left: What the submission may still use; without a limit if not given.
        stops: The statements that hung or killed the worker of an earlier session, which are left out.
    """

    def __init__(
        self,
        source: "WorkerSource | InProcess",
        cells: Sequence[Cell],
        *,
        limits: Limits = DEFAULT_LIMITS,
        file_name: str,
        module_name: str = "submission",
        device: str = "cpu",
        exercises: Collection[str] = (),
        left: Allowance | None = None,
        stops: Mapping[int, Sequence[Stop]] | None = None,
    ) -> None:
        self.device = device
        super().__init__(source, limits, left)
        self.forbids: Sequence[str] = ()  # groups of library calls that are blocked in each call from now on
        notebook = file_name.lower().endswith(".ipynb") or any(cell.number == PY_BESIDE for cell in cells)
        self.record = SourceRecord(file_name, notebook, exercises=frozenset(exercises))
        self._cells = self.record.cells = [Cell(cell.number, encodable(cell.source), cell.grade_id) for cell in cells]
        self._modules = FIRST_MODULE
        steps = not isinstance(source, WorkerSource)
        self._loading = SourceLoading(self._cells, module_name, self.record, limits, stops, steps)

    # -- checks -----------------------------------------------------------------------------------------------------

    @property
    def stops(self) -> Stops:
        """The statements that hung or killed a worker while the source was loaded, by the number of their group."""
        return self._loading.stops

    def notes(self, language: str = "en") -> list[str]:
        """Return sentences about the source that a reader of the report should know."""
        return self.record.notes(language)

    # -- requests ---------------------------------------------------------------------------------------------------

    def analyse(self, exercises: Collection[str]) -> TextReading:
        """Read which exercises the text answers, in a worker that no student code has run in.

        Returns:
            What was read; nothing if the text could not be analysed, which `notes` reports then.
        """
        if self._loaded:
            self._drop()
        request = Analyse(nonce=new_nonce(), cells=self._cells, file_name=self._loading.file_name,
                          notebook=self.record.notebook, exercises=list(exercises))  # fmt: skip
        try:
            return self._exchange(request, [], "The reading of your file", read_found)
        except StudentFailure as failure:
            self.record.unread = failure.sentence
            return TextReading()

    def request(self, make: Make, read: Read[T], doing: str) -> T:
        """Make one request to the loaded source, on a new worker if need be.

        Args:
            make: Makes the request, given its number among those of the check.
            read: Turns the reply into a value; raises ProtocolViolation where it breaks a rule.
            doing: The name of what is called, in sentences.

        Raises:
            StudentFailure: The student's code gave no value.
        """
        (outcome,) = self.request_each([(make, read)], doing)
        if isinstance(outcome, StudentFailure):
            raise outcome
        return outcome

    def request_each(self, asked: Asked[T], doing: str) -> list[T | StudentFailure]:
        """Make several requests to the loaded source, which are sent together.

        Args:
            asked: How to make each request and how to read its reply, as for `request`.

        Returns:
            For each the value, or the failure of a call that gave none.

        Raises:
            StudentFailure: The worker did not finish them.
        """
        outcomes, end = self.request_until_end(asked, doing)
        if end is not None:
            raise end
        return outcomes

    def request_until_end(
        self, asked: Asked[T], doing: str, *, shared: int = 0
    ) -> tuple[list[T | StudentFailure], StudentFailure | None]:
        """Make the same requests; where one of them ends the worker, return what came before it and that failure.

        Args:
            shared: Whether many checks read what comes, so that together they may take longer than one check: so many
                times `SHARED_TIMES` as long; 0 for what one check alone reads.

        Raises:
            StudentFailure: What was told before could not be done.
        """
        self.ready()
        told, self.attempt.told = self.attempt.told, []
        everything = [*((make, read) for make, read, _ in told), *asked]
        requests = self.attempt.make(everything)
        connection = self._connect()
        outcomes: list[Any] = []
        end: StudentFailure | None = None
        try:
            with self._patience_for_many(connection, shared) if shared else self._patience(connection) as patience:
                for (answer, payload), (_, read) in zip(connection.ask(requests, patience), everything, strict=True):
                    patience.next_call()
                    self.attempt.printed.keep(answer)
                    try:
                        outcomes.append(read(answer, payload))
                    except StudentFailure as none:
                        outcomes.append(none)
        except ENDS_WORKER as error:
            done = len(outcomes)
            end = self._give_up_worker(error, connection, told[done][2] if done < len(told) else doing)
        if undone := [outcome for outcome in outcomes[: len(told)] if isinstance(outcome, StudentFailure)]:
            raise undone[0]
        return outcomes[len(told) :], end

    def next_module(self) -> int:
        """Return a number for a module that the worker is about to make.

        Raises:
            StudentFailure: The source cannot be loaded at all.
        """
        self.ready()
        self._modules += 1
        return self._modules

    def tell(self, make: Make, read: Read[Any], doing: str) -> None:
        """Make a request whose reply is not waited for: it travels with the next one, which fails where this does."""
        self.attempt.told.append((make, read, doing))

    def do_what_was_told(self) -> None:
        """Have it done where no request follows.

        Raises:
            StudentFailure: It could not be done.
        """
        if self.attempt.told:
            self.request_each([], self.attempt.told[-1][2])

    # -- the source -------------------------------------------------------------------------------------------------

    def ready(self) -> None:
        """Make sure that a worker has the source loaded.

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
        """Load the source into a worker; returns True if it is loaded, False if it must be loaded again.

        The next load reports each statement that it reaches, or leaves out the statement that ended this one, or is the
        same again (`SourceLoading.note_failure`).
        """
        reached: list[StatementReached] = []
        allowance = Allowance.of(self.limits.check_cpu_s)

        def progress(step: StatementReached) -> None:
            reached[:] = [step]

        try:
            request = self._loading.request()
            self.record.loaded = self._exchange(request, [], "Your file", read_loaded, allowance, progress)
        except StudentFailure as failure:
            self._loading.note_failure(failure, reached[-1] if reached else None)
            return False
        self._loaded = True
        return True
