"""Takes one submission through the checks of a suite, on one worker."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
import pytest

from grader.errors import CourseError, IsolationError
from grader.inside.worker.reset_state import reset
from grader.results.verdict import CheckVerdict, both, timeout_verdict
from grader.suite.core.context import AssignmentContext, CheckState, Findings, current_check
from grader.suite.core.course_faults import fault_in, last_line_in
from grader.suite.core.draw import check_seed
from grader.suite.core.failures import CheckFailed
from grader.suite.core.manifest import Check
from grader.suite.diagnosis.call_text import call_text
from grader.suite.diagnosis.shown_calls import shown_calls
from grader.suite.library.fixtures import unknown_fixture
from grader.words import CourseWords, Words
from grader.workers.process.failures import NotGraded
from grader.workers.session import WorkerSession
from grader.workers.source_loading import TextReading

from .outcomes import LATE, verdict_of
from .tries import Job


@dataclass
class Run:
    """Takes one submission through checks.

    Attributes:
        order: The checks that are run, in their order.
        job: What is to be run, and how.
        text: What was read of its text.
        lost: What did not pass so far, by exercise.
    """

    course: AssignmentContext
    order: Sequence[Check]
    session: WorkerSession
    job: Job
    text: TextReading = field(default_factory=TextReading)
    lost: dict[str, list[CheckVerdict]] = field(default_factory=dict)
    _findings: Findings = field(default_factory=Findings)

    def take(self, check: Check) -> CheckVerdict:
        """Have pytest take a check through its stages, and return what became of it.

        Raises:
            NotGraded: Nothing is known of the check, and no other one is to be run.
            GraderError: The suite or the machine is at fault.
        """
        verdict = self._refusal(check)
        if verdict is None:
            state = self._begin(check)
            check.item.config.hook.pytest_runtest_protocol(item=check.item, nextitem=None)
            verdict = self._verdict(check, state)
        if verdict.status != "passed":
            self.lost.setdefault(check.spec.exercise, []).append(verdict)
        return verdict

    def _refusal(self, check: Check) -> CheckVerdict | None:
        lost = self.lost.get(check.spec.exercise, [])
        if any(verdict.status == "timeout" for verdict in lost):
            return timeout_verdict(check.id)
        if lost and self.text.is_unwritten(check.spec.exercise):  # all checks would say the same
            return msgspec.structs.replace(lost[0], id=check.id)
        for verdict in lost:
            is_end = self.job.exercise is None and verdict.status != "skipped"
            if is_end or verdict.id.partition("[")[0] in check.needed:
                spec = next(other.spec for other in self.order if other.id == verdict.id)
                asked = CourseWords(spec.sentence, spec.sentence_ko)
                reason = Words("Not run, because this check has to pass first: {sentence}", sentence=asked)
                return CheckVerdict(id=check.id, status="skipped", **both(reason=reason))
        return None

    def _begin(self, check: Check) -> CheckState:
        """Make a check the one that runs: its inputs, its clock, and torch's switches and generators anew."""
        drawn_for = f"{check.spec.exercise}.contract" if check.spec.is_rule else check.id  # rules share their calls
        course = self.course
        seed = check_seed(course.secret, course.assignment, self.job.source.digest, drawn_for)
        attempt, compared = self.session.begin_check(), None
        if self.job.seeds is not None:
            seed = self.job.seeds.get(check.id, seed)
            attempt.calls, compared = [], list[tuple[Any, Any]]()
        watches_itself = check.spec.contract is not None  # and repeats the calls unblocked, to grade the rest
        self.session.forbids = () if watches_itself else course.forbids.get(check.spec.exercise, ())
        state = CheckState(
            check, seed, course, self.session, self._findings, compared=compared, explains=self.job.first is not None
        )  # fmt: skip
        current_check.set(state)
        if not (check.spec.is_rule and check.spec.exercise in self._findings.seen):  # such a rule only reads
            number = hashlib.sha256(seed.to_bytes(16, "big")).digest()[:4]  # NumPy takes 32 bits
            reset(seed=int.from_bytes(number, "big"))
        return state

    def _verdict(self, check: Check, state: CheckState) -> CheckVerdict:
        error = next((call.excinfo.value for call in state.stages if call.excinfo is not None), None)
        if isinstance(error, NotGraded | IsolationError):
            raise error
        if error is None and check.spec.exercise in self.text.stubs:
            error = CheckFailed.for_students(LATE)
        line, attempt = last_line_in(check.item.path, error), self.session.attempt
        if isinstance(error, pytest.FixtureLookupError):
            error = unknown_fixture(check.item, error)
        elif isinstance(error, CourseError):
            error = fault_in(check.item.path, error)
        verdict = verdict_of(check.id, error)
        if verdict.status == "passed" and "call" not in [call.when for call in state.stages]:
            raise CourseError(f"pytest did not report a pass of {check.node}, and no exception.")
        calls = shown_calls(attempt.calls or [], state.compared or [])
        output, dropped = self.session.take_output()
        shown = attempt.called is not None and check.visibility == "visible" and verdict.status in ("failed", "error")
        return msgspec.structs.replace(
            verdict,
            suite_line=None if verdict.status == "passed" else line,
            output=output,
            call=call_text(*attempt.called) if shown else "",
            output_dropped=dropped,
            input_seed=f"{state.seed:032x}",
            calls=msgspec.to_builtins(calls),
            excused=verdict.excused and not attempt.requests,  # no answer is a reason to count one check less
            duration_s=round(sum(call.duration for call in state.stages), 6),
        )
