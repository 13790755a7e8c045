"""The worker session of one submission: loads its source into a worker, makes calls, and reports failures.

A worker is leased when the first call needs it. If it ends, the check that was running fails; the next call gets
another worker with the source loaded again (`lease.py`, `source_loading.py`).
"""

from collections.abc import Collection, Sequence
from typing import Any, TypeVar

from grader.inside.protocol.answers import Answer, StatementReached
from grader.inside.protocol.messages import PY_BESIDE, Analyse, Cell, Message
from grader.limits import DEFAULT_LIMITS, Limits
from grader.workers.process.check_attempt import Asked, CheckAttempt, Make, PausedRequest, Printed, Read, pause
from grader.workers.process.clock import Allowance, Deadline, Stopwatch
from grader.workers.process.connection import new_nonce
from grader.workers.process.failures import StudentFailure
from grader.workers.process.lease import ENDS_WORKER, WorkerLease
from grader.workers.process.local_process import LocalWorkers
from grader.workers.process.transport import WorkerSource

from .source_loading import SourceLoading, TextReading, encodable, read_found, read_loaded
from .source_notes import SourceRecord

T = TypeVar("T")
Request = tuple[Message, list[bytes]]


class WorkerSession(WorkerLease):
    """The source of one submission in a worker, and the requests to it.

    Args:
        limits: What a check and a reply may use.
        file_name: Bare name of the file, for sentences; `.ipynb` makes it a notebook. It is never sent to the worker.
        module_name: The `__name__` that the source runs under; the worker's name of the file is made of it.
        device: Where tensors are put before the student's code gets them.
        exercises: The names of the exercises, none of which counts as a misspelling of another.
        keeps_calls: Whether each check keeps what it asked, to be shown to the teacher.
    """

    def __init__(
        self,
        source: WorkerSource | LocalWorkers,
        cells: Sequence[Cell],
        *,
        limits: Limits = DEFAULT_LIMITS,
        file_name: str,
        module_name: str = "submission",
        device: str = "cpu",
        exercises: Collection[str] = (),
        keeps_calls: bool = False,
    ) -> None:
        super().__init__(source, limits)
        self.device, self.keeps_calls = device, keeps_calls
        self.forbids: Sequence[str] = ()  # groups of library calls that are blocked in each call from now on
        notebook = file_name.lower().endswith(".ipynb") or any(cell.number == PY_BESIDE for cell in cells)
        self.record = SourceRecord(file_name, notebook, exercises=frozenset(exercises))
        self._cells = self.record.cells = [Cell(cell.number, encodable(cell.source), cell.grade_id) for cell in cells]
        self._loading = SourceLoading(self._cells, module_name, self.record, limits)
        self._deadline = Deadline()

    # -- checks -----------------------------------------------------------------------------------------------------

    def begin_check(self, deadline: Deadline | None = None, pauses: bool = False) -> CheckAttempt:
        """Start the clock and the printed text of a check.

        Args:
            deadline: When the submission's own time is over; never if not given.
            pauses: Whether the check's requests wait for those of other checks (`ask_together`).

        Returns:
            The attempt that begins; it is now the session's `attempt`.
        """
        self._deadline = deadline or Deadline()
        self._used_before = self._used_before or self._used_now
        self._used_now = False
        allowance = Allowance.full(self.limits, self._deadline)
        self.attempt = CheckAttempt(allowance, Printed(self.limits.output_bytes), pauses=pauses)
        if self.keeps_calls:
            self.attempt.calls = []
        return self.attempt

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
            if self._loading.is_first_kill(failure, "analysis"):
                return self.analyse(exercises)
            unread, korean = failure.sentence, failure.sentence_ko
            if failure.limit in ("wall", "cpu"):
                seconds = self.limits.check_wall_s if failure.limit == "wall" else self.limits.check_cpu_s
                unread = f"The text of your file could not be read through within {seconds:g} s."
                korean = f"파일의 코드를 {seconds:g}초 안에 다 읽지 못했습니다."
            self.record.unread, self.record.korean[unread] = unread, korean
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
        if self.attempt.pauses:
            return pause(self.attempt, asked)  # type: ignore[no-any-return]  # what `ask_together` found for it
        self.ready()
        requests = self.attempt.make(asked)
        self._used_now = True
        connection = self._connect()
        try:
            with Stopwatch(self.attempt.allowance, connection.transport) as patience:
                answers = connection.ask(requests, patience)
            return self._read_each(self.attempt, answers, asked)
        except ENDS_WORKER as error:
            failure = self._give_up_worker(error, connection, doing)
            self._note_that_code_ran(failure)
            raise failure from None

    def ask_together(self, paused: Sequence[PausedRequest], allowance: Allowance) -> list[Any] | None:
        """Send the requests of several paused checks to the worker in one exchange.

        Args:
            paused: The requests of each check.
            allowance: What this exchange and all further ones of these checks may still use, as one check may.

        Returns:
            For each check its outcomes, or the exception because of which its requests could not be made. None if the
            worker did not finish within the allowance: it is ended, and no outcome is known.
        """
        self._deadline = deadline = allowance.deadline
        deadline.postpone(deadline.stalls.since())
        began = deadline.stalls.seen
        try:
            self.ready()
            made = [requests_or_error(each_paused) for each_paused in paused]
            requests = [request for each in made if isinstance(each, list) for request in each]
            connection = self._connect()
            try:
                with Stopwatch(allowance, connection.transport) as patience:
                    answers = iter(connection.ask(requests, patience))
                return [
                    self._read_each(each_paused.attempt, [next(answers) for _ in each], each_paused.asked)
                    if isinstance(each, list) else each
                    for each_paused, each in zip(paused, made, strict=True)
                ]  # fmt: skip
            except ENDS_WORKER as error:
                raise self._give_up_worker(error, connection, "Your code") from None
        except StudentFailure:
            # No check alone caused this load, so time is given back: at most what one check may take.
            deadline.postpone(min(deadline.stalls.seen - began, self.limits.check_wall_s))
            return None
        finally:
            self._used_before = self._connection is not None

    def _read_each(
        self, attempt: CheckAttempt, answers: Sequence[tuple[Answer, bytes]], asked: Asked[T]
    ) -> list[T | StudentFailure]:
        outcomes: list[T | StudentFailure] = []
        for (answer, payload), (_, read) in zip(answers, asked, strict=True):
            attempt.printed.keep(answer)
            try:
                outcomes.append(read(answer, payload))
                self._note_that_code_ran()
            except StudentFailure as none:
                self._note_that_code_ran(none)
                outcomes.append(none)
        return outcomes

    def _note_that_code_ran(self, failure: StudentFailure | None = None) -> None:
        """Record that student code ran, unless the call only met an unwritten function."""
        self.worker_ran_code = self.worker_ran_code or failure is None or failure.status != "missing"

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
        same again after a first kill (`SourceLoading.note_failure`).
        """
        reached: list[StatementReached] = []
        allowance = Allowance.full(self.limits, self._deadline)

        def progress(step: StatementReached) -> None:
            reached[:] = [step]

        try:
            request = self._loading.request()
            self.record.loaded = self._exchange(request, [], "Your file", read_loaded, allowance, progress)
        except StudentFailure as failure:
            self._loading.note_failure(failure, reached[-1] if reached else None)
            return False
        self._loaded = True
        self.attempt.allowance.looked_at = None
        return True


def requests_or_error(paused: PausedRequest) -> list[Request] | Exception:
    """Return the requests of a paused check, or the exception because of which they cannot be made."""
    try:
        return paused.attempt.make(paused.asked)
    except Exception as error:  # a module whose worker has ended, or a value that cannot be sent
        return error
