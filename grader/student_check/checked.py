"""A student's own run: what is asked, what came of it, and how it goes on where a process hangs or dies.

What a process was at then costs that check, and where it hung the rest of the exercise; another process runs what is
left. A statement of the source is left out in the next process, a few times at most.
"""

from collections.abc import Callable, Sequence

import msgspec

from grader import errors
from grader.course.content.student_course import StudentFiles
from grader.inside.protocol.answers import StatementReached
from grader.inside.protocol.messages import Cell, Stop
from grader.language import translation
from grader.limits import DEFAULT_LIMITS, Limits
from grader.results.verdict import CheckVerdict, ManifestCheck, both, timeout_verdict
from grader.source_cells import Source
from grader.words import in_language
from grader.workers.process.clock import Allowance, Patience
from grader.workers.process.end_messages import failure_of
from grader.workers.process.failures import OutOfTime, StudentFailure, WorkerDied
from grader.workers.source_loading import SourceLoading, encodable
from grader.workers.source_notes import SourceRecord

from .children import Child
from .steps import Begun, Collected, Ended, Judged, SourceLoaded, Step

START_S = 180.0


class Checked(msgspec.Struct):
    """A run of the visible checks of some exercises; each process that takes part in it is given it as it is then.

    Attributes:
        wanted: The exercises.
        device: Where the code computes: `cpu` or `pretended`.
        language: Of what is said to the student.
        in_notebook: Whether the code is that of a running notebook, and of no file.
        checks: Their visible checks in order, as soon as they are known.
        verdicts: One for each check, by id.
        notes: What the student should know of how the file was read and run.
        stops: The statements of the source that hung or killed a process.
        at: The last step.
    """

    files: StudentFiles
    source: Source
    wanted: Sequence[str] = ()
    device: str = "cpu"
    language: str = "en"
    limits: Limits = DEFAULT_LIMITS
    in_notebook: bool = False
    checks: list[ManifestCheck] = []
    verdicts: dict[str, CheckVerdict] = {}
    notes: list[str] = []
    stops: dict[int, list[Stop]] = {}
    at: Step | None = None

    def __post_init__(self) -> None:
        cells = [Cell(cell.number, encodable(cell.source), cell.grade_id) for cell in self.source.cells]
        self.source = msgspec.structs.replace(self.source, cells=cells, sha256={})
        self.notes = self.notes or [*self.source.notes]

    @property
    def problem(self) -> str:
        """Why the file could not be read at all; empty otherwise."""
        return self.source.problem or ""

    @property
    def all_passed(self) -> bool:
        """Whether there were checks and every one of them passed."""
        return bool(self.checks) and all(self.verdicts[check.id].status == "passed" for check in self.checks)

    def take(self, step: Step) -> None:
        """Enter a step; raises the error that it tells."""
        self.at = step
        match step:
            case Collected():
                self.checks = step.checks
            case SourceLoaded():
                self.notes = [*self.source.notes, *step.notes]
            case Judged():
                self.verdicts[step.verdict.id] = step.verdict
            case Ended(error="UsageError" | "CourseError"):
                raise getattr(errors, step.error)(step.problem, step.hint)
            case Ended() if step.error:
                raise RuntimeError(f"{step.error}: {step.problem}")

    def run_in(self, start: "Callable[[Checked], Child]") -> None:
        """Run the checks in one process after the other, until one comes to its end."""
        while not isinstance(self.at, Ended):
            self.at = lost = None
            child = start(self)
            patience = Patience(child, Allowance(wall_s=START_S))
            try:
                while not isinstance(self.at, Ended):
                    self.take(step := child.next(patience))
                    if not isinstance(step, StatementReached):  # all of them together have the time of a check
                        patience = Patience(child, Allowance.of(self.limits.check_cpu_s))
            except (OutOfTime, WorkerDied) as error:
                lost = error
            finally:
                status = child.end()
            if lost is not None:
                self._lose(lost, status, child.words)

    def _lose(self, error: Exception, status: int, words: str) -> None:
        """Enter what it means that a process hung or died at the last step."""
        match self.at:
            case None:
                _ = translation(self.language).gettext
                sentence = _("A Python process for your code could not be started: {words}.")
                hint = _("Try `python -c 'import torch'` with the same Python.")
                raise errors.UsageError(sentence.format(words=words.rstrip(".") or type(error).__name__), hint)
            case Begun(check=id) | Judged(verdict=CheckVerdict(id=id)):
                exercise = next(check.exercise for check in self.checks if check.id == id)
                failure = failure_of(error, status, exercise)
                self._fail(id, failure)
                for check in self.checks:
                    if failure.status == "timeout" and check.exercise == exercise and check.id not in self.verdicts:
                        self.verdicts[check.id] = timeout_verdict(check.id)
                if all(check.id in self.verdicts for check in self.checks):
                    self.at = Ended()
            case Collected() | StatementReached() | SourceLoaded():
                self._leave_out(failure_of(error, status, "Your file"))

    def _leave_out(self, failure: StudentFailure) -> None:
        """Have the next process leave out the statement that was reached, if there may be another one."""
        failure.sentence = in_language(failure.sentence, self.language)
        record = SourceRecord(self.source.file_name, self.source.kind == "ipynb")
        loading = SourceLoading(self.source.cells, self.files.name, record, self.limits, self.stops, steps=True)
        try:
            loading.note_failure(failure, self.at if isinstance(self.at, StatementReached) else None)
            self.stops = loading.stops
        except StudentFailure:
            for check in self.checks:
                self._fail(check.id, failure)
            self.notes, self.at = [*self.source.notes, failure.sentence], Ended()

    def _fail(self, id: str, failure: StudentFailure) -> None:
        self.verdicts[id] = CheckVerdict(id=id, status=failure.status, **both(found=failure.sentence))
