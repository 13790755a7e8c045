"""One submission on its way through the checks of a suite, on one worker."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
import pytest

from grader.errors import CourseError
from grader.faults import fault
from grader.inside.worker.reset_state import reset
from grader.results.verdict import CheckVerdict, timeout_verdict
from grader.suite.core.context import AssignmentContext, CheckState, current_check
from grader.suite.core.draw import check_seed
from grader.suite.core.failures import clear_frames
from grader.suite.core.manifest import Check
from grader.suite.diagnosis.call_text import call_text
from grader.suite.diagnosis.shown_calls import ShownCall, shown_calls
from grader.words import CourseWords, Words
from grader.workers.process.failures import KilledBySystem, NoTimeLeft
from grader.workers.session import WorkerSession
from grader.workers.source_loading import TextReading

from .outcomes import verdict_of, without_late_answers
from .suite_errors import last_line_in


class NotRun(pytest.skip.Exception):  # type: ignore[misc,name-defined]  # documented, but not typed
    """Ends a check before its first line.

    Args:
        verdict: What is said of it instead.
    """

    def __init__(self, verdict: CheckVerdict) -> None:
        super().__init__(verdict.reason or verdict.found)
        self.verdict = verdict


@dataclass
class Run:
    """One submission on its way through the checks of a suite.

    Attributes:
        digest: The hash that inputs are drawn from.
        on_verdict: Called with each verdict the moment it is reached, so that none is lost when a process dies.
        seeds: What the inputs of single checks are drawn from instead of the submission, by check.
        proven: Whether the solution passed all of the suite, so that a check that stumbles does so over the submission.
        explains: Whether the known mistakes behind a failure are looked for.
        first_loss: Whether the checks of an exercise end at the first one that costs points.
        hung: The exercises of which a check ran into a limit on time.
        lost: The exercises of which a check cost points.
        killed: The exercises whose worker the system killed; nothing is known of their other checks.
        is_over: Whether the submission has no time left.
        shown: What each check asked and what came of it, where the session keeps that, by check.
        on_begin: Called with each check before it begins.
    """

    course: AssignmentContext
    session: WorkerSession
    digest: str
    on_verdict: Callable[[CheckVerdict], None] = lambda _: None
    text: TextReading = field(default_factory=TextReading)
    seeds: Mapping[str, int] = field(default_factory=dict)
    proven: bool = False
    explains: bool = True
    first_loss: bool = False
    verdicts: dict[str, CheckVerdict] = field(default_factory=dict)
    hung: set[str] = field(default_factory=set)
    lost: set[str] = field(default_factory=set)
    killed: set[str] = field(default_factory=set)
    is_over: bool = False
    shown: dict[str, list[ShownCall]] = field(default_factory=dict)
    findings: dict[Any, Any] = field(default_factory=dict)
    on_begin: Callable[[Check], None] = lambda _: None

    def begin(self, check: Check) -> None:
        """Make a check the one that runs: its inputs, its clock, and torch's switches and generators anew."""
        self.on_begin(check)
        seed = self.seed_of(check)
        self.session.begin_check()
        current_check.set(
            CheckState(
                check, seed, self.course, self.session, self.findings,
                compared=[] if self.session.keeps_calls else None, explains=self.explains,
            )
        )  # fmt: skip
        reset(seed=int.from_bytes(hashlib.sha256(seed.to_bytes(16, "big")).digest()[:4], "big"))  # NumPy takes 32 bits

    def seed_of(self, check: Check) -> int:
        """Return what the inputs of a check are drawn from."""
        if check.id in self.seeds:
            return self.seeds[check.id]
        drawn_for = f"{check.spec.exercise}.contract" if check.spec.is_rule else check.id  # rules share their calls
        return check_seed(self.course.secret, self.course.assignment, self.digest, drawn_for)

    def refusal(self, check: Check, needed: Sequence[Check]) -> CheckVerdict | None:
        """Return the verdict of a check that is not worth running, or None for one that is.

        Args:
            needed: The checks that have to pass before it.

        Raises:
            NotGraded: Nothing more will be known of the exercise.
        """
        exercise = check.spec.exercise
        if self.is_over:
            raise NoTimeLeft
        if exercise in self.killed:
            raise KilledBySystem
        if exercise in self.lost and self.first_loss:
            return CheckVerdict(id=check.id, status="skipped")
        if exercise in self.hung:
            return timeout_verdict(check.id)
        return None if check.spec.category == "policy" else self._unmet_need(check, needed)

    def _unmet_need(self, check: Check, needed: Sequence[Check]) -> CheckVerdict | None:
        for other in needed:
            if self.verdicts[other.id].status != "passed":
                asked = CourseWords(other.spec.sentence, other.spec.sentence_ko)
                reason = Words("Not run, because this must hold first: {sentence}", sentence=asked)
                return CheckVerdict(id=check.id, status="skipped", reason=str(reason), reason_ko=reason.to("ko"))
        return None

    def end(
        self, check: Check, item: pytest.Function, error: BaseException | None, reports: list[pytest.TestReport],
        needed: Sequence[Check],
    ) -> None:  # fmt: skip
        """Say what became of a check that pytest has taken through its stages.

        Args:
            error: The first exception that left one of them; None where there was none.
            reports: pytest's own reports of them.

        Raises:
            GraderError: The suite or the machine is at fault.
        """
        exercise = check.spec.exercise
        if isinstance(error, KilledBySystem):
            self.killed.add(exercise)
            return
        if isinstance(error, NoTimeLeft):
            self.is_over = True
            return
        verdict = error.verdict if isinstance(error, NotRun) else self._verdict(check, item, error, reports)
        if check.spec.category == "policy" and verdict.status not in ("forbidden", "timeout"):
            verdict = self._unmet_need(check, needed) or verdict  # any other was asked for it before
        if verdict.status == "timeout":
            self.hung.add(exercise)
        if not verdict.excused and verdict.status != "passed" and (check.spec.weight or verdict.status != "skipped"):
            self.lost.add(exercise)
        verdict = msgspec.structs.replace(verdict, duration_s=round(sum(report.duration for report in reports), 6))
        self.verdicts[check.id] = verdict
        self.on_verdict(verdict)

    def _verdict(
        self, check: Check, item: pytest.Function, error: BaseException | None, reports: list[pytest.TestReport]
    ) -> CheckVerdict:
        line = last_line_in(item.path, None if error is None else error.__traceback__) or None
        if line is not None and isinstance(error, CourseError):
            error = fault(item.path, line, error.problem, error.hint)
        attempt = self.session.attempt
        verdict = verdict_of(check.id, error, item, may_be_excused=attempt.requests == 0, proven=self.proven)
        clear_frames(error)
        if verdict.status == "passed" and [report.outcome for report in reports] != ["passed"] * 3:
            raise CourseError(f"pytest did not report a pass of {item.nodeid}, and no exception.")
        verdict = without_late_answers(verdict, check.spec.exercise in self.text.stubs)
        if (compared := current_check.get().compared) is not None:
            self.shown[check.id] = shown_calls(attempt.calls or [], compared, self.course.solution)
        output, dropped = self.session.take_output()
        shown = attempt.called is not None and check.visibility == "visible" and verdict.status in ("failed", "error")
        return msgspec.structs.replace(
            verdict,
            suite_line=None if verdict.status == "passed" else line,
            output=output,
            call=call_text(*attempt.called) if shown else "",
            output_dropped=dropped,
            input_seed=f"{self.seed_of(check):032x}",
        )
