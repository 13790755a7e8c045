"""One submission's side of its checks: loads the source into a worker, makes calls, and tells what went wrong.

A worker is leased when the first call needs it. Whatever ends its work costs the check in which that happens; the next
call gets another worker with the source loaded anew (`lease.py`, `source_loading.py`).
"""

from collections.abc import Collection, Sequence
from typing import Any, TypeVar

from grader.inside.protocol.answers import Answer, Reached
from grader.inside.protocol.messages import PY_BESIDE, Analyse, Cell, Message
from grader.limits import DEFAULT_LIMITS, Limits
from grader.workers.process.call_budget import Asked, Attempt, Make, Question, Read, pause
from grader.workers.process.clock import Allowance, Finish, Stopwatch
from grader.workers.process.connection import new_nonce
from grader.workers.process.failures import StudentFailure
from grader.workers.process.lease import GIVEN_UP, Holding
from grader.workers.process.printed import Printed
from grader.workers.process.worker_source import ProcessSource, SourceCell, WorkerSource

from .policy import TextReading
from .source_loading import Loading, encodable, read_found, read_loaded
from .source_notes import SourceRecord

T = TypeVar("T")
Request = tuple[Message, list[bytes]]


class Session(Holding):
    """One submission on the untrusted side.

    Args:
        source: Where workers come from.
        cells: The student's source.
        limits: What a check and a reply may use.
        file_name: Bare name of the file, for sentences; `.ipynb` makes it a notebook. The worker is never told it.
        module_name: The `__name__` that the source runs under; the worker's name of the file is made of it.
        device: Where tensors are put before the student's code gets them.
        exercises: The names that are asked for, none of which is a misspelling of another.
    """

    def __init__(
        self,
        source: WorkerSource | ProcessSource,
        cells: Sequence[SourceCell],
        *,
        limits: Limits = DEFAULT_LIMITS,
        file_name: str,
        module_name: str = "submission",
        device: str = "cpu",
        exercises: Collection[str] = (),
    ) -> None:
        super().__init__(source, limits)
        self.device = device
        self.forbids: Sequence[str] = ()  # groups of library calls that are taken away for each call from now on
        notebook = file_name.lower().endswith(".ipynb") or any(cell.number == PY_BESIDE for cell in cells)
        self.record = SourceRecord(file_name, notebook, taken=frozenset(exercises))
        self._cells = self.record.cells = [Cell(cell.number, encodable(cell.source), cell.grade_id) for cell in cells]
        self._loading = Loading(self._cells, module_name, self.record, limits)
        self._finish = Finish()

    # -- checks -----------------------------------------------------------------------------------------------------

    def begin_check(self, finish: Finish | None = None, pauses: bool = False) -> Attempt:
        """Start the clock and the printed text of a check anew.

        Args:
            finish: When the submission's own time is over; never if not given.
            pauses: Whether the check's questions wait for those of other checks (`ask_together`).

        Returns:
            The try that begins, which is the session's own from now on.
        """
        self._finish = finish or Finish()
        before = self.attempt.allowance if self._connection and not pauses else None
        self._used_before = self._used_before or self._used_now
        self._used_now = False
        self.attempt = Attempt(
            Allowance.full(self.limits, self._finish, before), Printed(self.limits.output_bytes), pauses=pauses
        )
        return self.attempt

    def notes(self) -> list[str]:
        """Return sentences about the source that a reader of the report should know."""
        return self.record.notes()

    # -- requests ---------------------------------------------------------------------------------------------------

    def analyse(self, exercises: Collection[str]) -> TextReading:
        """Read which exercises the text answers, in a worker that no student code has run in.

        Args:
            exercises: Their names.

        Returns:
            What was read; nothing where the text could not be read through, which `notes` says then.
        """
        if self._loaded:
            self._drop()
        request = Analyse(nonce=new_nonce(), cells=self._cells, file_name=self._loading.file_name,
                          notebook=self.record.notebook, exercises=list(exercises))  # fmt: skip
        try:
            found = self._exchange(request, [], "The reading of your file", read_found)
        except StudentFailure as failure:
            if self._loading.first_kill(failure, "analysis"):
                return self.analyse(exercises)
            self.record.unread = failure.sentence
            if failure.limit in ("wall", "cpu"):
                seconds = self.limits.check_wall_s if failure.limit == "wall" else self.limits.check_cpu_s
                self.record.unread = f"The text of your file could not be read through within {seconds:g} s."
            return TextReading()
        return TextReading(frozenset(found.stubs), frozenset(found.absent), found.calls)

    def request(self, make: Make, read: Read[T], doing: str) -> T:
        """Make one request to the loaded source, on a new worker if need be.

        Args:
            make: Makes the request, given its number among those of the check.
            read: Turns the reply into a value; raises ProtocolViolation where it breaks a rule.
            doing: What is called, for sentences.

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
            doing: What is called, for sentences.

        Returns:
            For each the value, or the failure of a call that gave none.

        Raises:
            StudentFailure: The worker did not come to the end of them.
        """
        if self.attempt.pauses:
            return pause(self.attempt, asked)  # type: ignore[no-any-return]  # what `ask_together` found for it
        self.ready()
        requests = self.attempt.make(asked)
        self._used_now = True
        connection = self._connect()
        try:
            with Stopwatch(self.attempt.allowance, connection.transport) as patience:
                answers = connection.ask_each(requests, patience)
            return self._read_each(self.attempt, answers, asked)
        except GIVEN_UP as error:
            failure = self._given_up(error, connection, doing)
            self._note_that_code_ran(failure)
            raise failure from None

    def ask_together(self, questions: Sequence[Question], finish: Finish) -> list[Any] | None:
        """Put the questions of several paused checks to the worker in one exchange, within the limits of one check.

        Args:
            questions: One for each check.
            finish: When the submission's own time is over.

        Returns:
            For each question its outcomes, or the exception that it could not be asked for. None where the worker did
            not come to the end of them within the time of one check: it is given up, and nothing is known of any.
        """
        self._finish = finish
        finish.put_off(finish.stalls.since())
        began = finish.stalls.seen
        try:
            self.ready()
            made = [made_or_failed(question) for question in questions]
            requests = [request for each in made if isinstance(each, list) for request in each]
            connection = self._connect()
            try:
                with Stopwatch(Allowance.full(self.limits, finish), connection.transport) as patience:
                    answers = iter(connection.ask_each(requests, patience) if requests else [])
                return [
                    self._read_each(question.attempt, [next(answers) for _ in each], question.asked)
                    if isinstance(each, list) else each
                    for question, each in zip(questions, made, strict=True)
                ]  # fmt: skip
            except GIVEN_UP as error:
                raise self._given_up(error, connection, "Your code") from None
        except StudentFailure:
            # No check asked the student's code for so much at once: what one check may take is given back, and no more.
            finish.put_off(min(finish.stalls.seen - began, self.limits.check_wall_s))
            return None
        finally:
            self._used_before = self._connection is not None

    def _read_each(
        self, attempt: Attempt, answers: Sequence[tuple[Answer, bytes]], asked: Asked[T]
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
        """Note what a call did to the worker that it ran in."""
        self.worker_ran_code = self.worker_ran_code or failure is None or failure.status != "missing"

    # -- the source -------------------------------------------------------------------------------------------------

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
        self.attempt.allowance.looked_at = None
        return True


def made_or_failed(question: Question) -> list[Request] | Exception:
    """Return the requests of a question, or the exception that it ends with where they cannot be made."""
    try:
        return question.attempt.make(question.asked)
    except Exception as error:  # a module whose worker has ended, or a value that cannot be sent
        return error
