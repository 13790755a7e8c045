"""One submission's side of its checks: loads the source into a worker, makes calls, and tells what went wrong.

A worker is leased when the first call needs it. Whatever ends its work costs the check in which that happens; the next
call gets another worker with the source loaded anew (`holding.py`, `loading.py`).
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TypeVar

from grader.inside.answers import Answer, Finding, Reached
from grader.inside.messages import Analyse, Cell, Message
from grader.inside.wire import ProtocolViolation
from grader.limits import DEFAULT_LIMITS, Limits
from grader.workers import policy
from grader.workers.clock import Allowance, Finish, Stopwatch
from grader.workers.connection import new_nonce
from grader.workers.failures import StudentFailure
from grader.workers.holding import GIVEN_UP, Holding, Read
from grader.workers.loading import Loading, encodable, read_findings, read_loaded
from grader.workers.prefetch import PATIENCE_S, AskedAgain, FirstCalls, Prefetched, Request, shared_out
from grader.workers.source import SourceRecord
from grader.workers.sources import ProcessSource, SourceCell, WorkerSource

T = TypeVar("T")
Make = Callable[[bool], tuple[Message, list[bytes]]]
Asked = Sequence[tuple[Make, Read[T]]]


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

    Attributes:
        exchanges: How often the check that runs asked something of the student's code so far.
        stops_at_calls: Whether the first calls end the check instead of being made (`FirstCalls`).
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
        self.record = SourceRecord(file_name, file_name.lower().endswith(".ipynb"), taken=frozenset(exercises))
        self.findings: list[Finding] = []
        self._cells = self.record.cells = [Cell(cell.number, encodable(cell.source), cell.grade_id) for cell in cells]
        self._loading = Loading(self._cells, module_name, self.record, limits)
        self._finish = Finish()
        self.exchanges, self.stops_at_calls = 0, False
        self._prefetched: Prefetched | None = None
        self._answered_ahead = False

    # -- checks -----------------------------------------------------------------------------------------------------

    def begin_check(self, finish: Finish | None = None, prefetched: Prefetched | None = None) -> None:
        """Start the clock and the printed text of a check anew.

        Args:
            finish: When the submission's own time is over; never if not given.
            prefetched: What was answered already to the calls that it is expected to make first.
        """
        self._finish = finish or Finish()
        self._allowance = Allowance.full(self.limits, self._finish, self._allowance if self._connection else None)
        self._used = self._used or self._used_now
        self._used_now = False
        self.exchanges, self._prefetched, self._answered_ahead = 0, prefetched, False
        self._fresh = True
        self.take_output()

    @property
    def asked(self) -> bool:
        """Whether the check that runs asked anything of the student's code so far."""
        return self.exchanges > 0

    def notes(self) -> list[str]:
        """Return sentences about the source that a reader of the report should know."""
        return self.record.notes()

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
        request = Analyse(nonce=new_nonce(), cells=self._cells, file_name=self._loading.file_name, notebook=notebook,
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
        if self.stops_at_calls:
            raise FirstCalls(self._as_first(asked))
        if self._answered_ahead:
            raise AskedAgain
        self.exchanges += 1
        outcomes = self._known(asked)
        if outcomes is not None:
            return outcomes
        self.ready()
        requests = [make(self._fresh and number == 0) for number, (make, _) in enumerate(asked)]
        self._used_now = True
        connection = self._connect()
        try:
            with Stopwatch(self._allowance, connection.transport) as patience:
                answers = connection.ask_each(requests, patience)
            outcomes = self._read_each(answers, asked)
        except GIVEN_UP as error:
            failure = self._given_up(error, connection, doing)
            self._ended(failure)
            raise failure from None
        self._fresh = self._fresh and all(isinstance(outcome, StudentFailure) for outcome in outcomes)
        return outcomes

    def _read_each(self, answers: Sequence[tuple[Answer, bytes]], asked: Asked[T]) -> list[T | StudentFailure]:
        outcomes: list[T | StudentFailure] = []
        for (answer, payload), (_, read) in zip(answers, asked, strict=True):
            self._printed.keep(answer)
            try:
                outcomes.append(read(answer, payload))
                self._ended()
            except StudentFailure as none:
                self._ended(none)
                outcomes.append(none)
        return outcomes

    def _ended(self, failure: StudentFailure | None = None) -> None:
        """Note what a call did to the worker that it ran in."""
        self.worker_ran_code = self.worker_ran_code or failure is None or failure.status != "missing"

    # -- calls before their check -----------------------------------------------------------------------------------

    def prefetch(self, questions: Sequence[list[Request]], finish: Finish) -> list[Prefetched] | None:
        """Make the first calls of several checks together.

        Args:
            questions: For each check what it asks first.
            finish: When the submission's own time is over.

        Returns:
            For each check what was answered. None where not all came in a moment: then nothing is known of any, the
            worker is given up, and each check has to ask by itself.
        """
        self._finish = finish
        try:
            self.ready()
        except StudentFailure:
            return None
        self._used_now = True
        connection = self._connect()
        try:
            with Stopwatch(self._patience(finish), connection.transport) as patience:
                answers = connection.ask_each([request for each in questions for request in each], patience)
        except GIVEN_UP:
            self._drop()
            return None
        self._allowance.looked_at = None
        found = shared_out(questions, answers)
        self.worker_ran_code = self.worker_ran_code or any(each.ran_code for each in found)
        return found

    def _patience(self, finish: Finish) -> Allowance:
        """Return what calls that are made ahead may use together: a moment, and no more than a check has."""
        limits = self.limits
        return Allowance(min(PATIENCE_S, limits.check_wall_s), min(PATIENCE_S, limits.check_cpu_s), finish)

    def _known(self, asked: Asked[T]) -> list[T | StudentFailure] | None:
        """Return what came of calls that were made before their check; None for any others."""
        prefetched, self._prefetched = self._prefetched, None
        if prefetched is None:
            return None
        if not prefetched.by_itself and not prefetched.answers_to(self._as_first(asked)):
            return None
        self._used_now = self._answered_ahead = True
        try:
            return self._read_each(prefetched.answers, asked)
        except ProtocolViolation:
            self._answered_ahead = False
            self.take_output()
            return None

    def _as_first(self, asked: Asked[T]) -> list[Request]:
        """Return requests as they are sent where they are the first ones of a check."""
        dropped, self.dropped_handles = self.dropped_handles, []
        try:
            return [make(number == 0) for number, (make, _) in enumerate(asked)]
        finally:
            self.dropped_handles = dropped

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
        self._allowance.looked_at = None
        return True
