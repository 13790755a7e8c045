"""Takes one submission through the checks of a suite, on one worker."""

import hashlib
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec
import pytest

from grader.errors import CourseError
from grader.inside.worker.reset_state import reset
from grader.results.verdict import CheckVerdict, both, timeout_verdict
from grader.suite.core.context import CheckState, current_check
from grader.suite.core.course_faults import fault_in, last_line_in, unknown_fixture
from grader.suite.core.draw import check_seed
from grader.suite.core.failures import CheckFailed, clear_frames
from grader.suite.core.manifest import Check
from grader.suite.diagnosis.call_text import call_text
from grader.suite.diagnosis.shown_calls import ShownCall, shown_calls
from grader.words import CourseWords, Words
from grader.workers.process.failures import NotGraded
from grader.workers.session import WorkerSession
from grader.workers.source_loading import TextReading

from .collect import Suite
from .outcomes import LATE, verdict_of


@dataclass(eq=False)  # pytest's plugins are told apart by what they are
class Run:
    """Takes one submission through the checks: the plugin that pytest asks before and after each of them.

    Attributes:
        digest: The hash that inputs are drawn from.
        text: What was read of its text.
        seeds: What the inputs of single checks are drawn from instead of the submission, by check.
        explains: Whether the known mistakes behind a failure are looked for.
        first_loss: Whether the checks of an exercise end at the first one that costs points.
        on_begin: Called with each check before it begins.
        on_verdict: Called with each verdict the moment it is reached, so that none is lost when a process dies.
        verdicts: What came of the checks so far; those that have one are not run.
        shown: What each check asked and what came of it, where the session keeps that, by check.
    """

    suite: Suite
    session: WorkerSession
    digest: str
    text: TextReading = field(default_factory=TextReading)
    seeds: Mapping[str, int] = field(default_factory=dict)
    explains: bool = True
    first_loss: bool = False
    on_begin: Callable[[Check], None] = lambda _: None
    on_verdict: Callable[[CheckVerdict], None] = lambda _: None
    verdicts: dict[str, CheckVerdict] = field(default_factory=dict)
    shown: dict[str, list[ShownCall]] = field(default_factory=dict)
    _findings: dict[Any, Any] = field(default_factory=dict)
    _id: str = ""
    _left_out: str = ""
    _stages: list[tuple[pytest.CallInfo[None], pytest.TestReport]] = field(default_factory=list)

    def grade(self, exercise: str | None = None) -> None:
        """Go through the checks, or those of one exercise, that have no verdict yet.

        Raises:
            NotGraded: Nothing is known of the check that ran, and no other one is run.
            GraderError: The suite or the machine is at fault.
        """
        checks = [check for check in self.suite.order if exercise in (None, check.spec.exercise)
                  and check.id not in self.verdicts]  # fmt: skip
        plugins = self.suite.pytest_session.config.pluginmanager
        plugins.register(self)
        try:
            for check, following in zip(checks, [*checks[1:], None], strict=False):
                verdict = self._take(check, None if following is None else following.item)
                self.verdicts[check.id] = verdict
                self.on_verdict(verdict)
        finally:
            plugins.unregister(self)

    # -- what pytest asks --------------------------------------------------------------------------------------------

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self) -> None:
        if self._left_out:
            pytest.skip(self._left_out)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_call(self) -> Generator[None, Any, Any]:
        done = yield
        self.session.do_what_was_told()
        return done

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(
        self, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        self._stages.append((call, report))
        return report

    @pytest.hookimpl(optionalhook=True)  # a student's own run makes no such report
    def pytest_json_runtest_metadata(self) -> dict[str, str]:
        return {"check": self._id}

    # -- a check -----------------------------------------------------------------------------------------------------

    def _take(self, check: Check, nextitem: pytest.Item | None) -> CheckVerdict:
        """Have pytest take a check through its stages, and say what became of it."""
        self.on_begin(check)
        refusal = self._refusal(check)
        # A forbidden call costs the whole exercise, so it is looked for also where what the check needs does not hold.
        looked_for = check.spec.category == "policy" and not self.first_loss
        runs = refusal is None or (looked_for and refusal.status == "skipped")
        self._id, self._stages = check.id, []
        self._left_out = "" if refusal is None or runs else refusal.reason or refusal.found
        state = self._begin(check)
        check.item.config.hook.pytest_runtest_protocol(item=check.item, nextitem=nextitem)
        error = next((call.excinfo.value for call, _ in self._stages if call.excinfo is not None), None)
        if isinstance(error, NotGraded):
            raise error
        verdict = refusal if refusal is not None and not runs else self._verdict(check, error, state)
        if refusal is not None and verdict.status not in ("forbidden", "timeout"):
            verdict = refusal
        duration = sum(report.duration for _, report in self._stages)
        return msgspec.structs.replace(verdict, duration_s=round(duration, 6))

    def _refusal(self, check: Check) -> CheckVerdict | None:
        """Return the verdict of a check that is not worth running, or None for one that is."""
        mine = f"{check.spec.exercise}."
        lost = [
            verdict for verdict in self.verdicts.values() if verdict.status != "passed" and verdict.id.startswith(mine)
        ]
        if any(verdict.status == "timeout" for verdict in lost):
            return timeout_verdict(check.id)
        if lost and self.text.is_unwritten(check.spec.exercise):  # all checks would say the same
            return msgspec.structs.replace(lost[0], id=check.id)
        for verdict in lost:
            if verdict.id.partition("[")[0] in check.needed or (self.first_loss and verdict.status != "skipped"):
                spec = next(other.spec for other in self.suite.checks if other.id == verdict.id)
                asked = CourseWords(spec.sentence, spec.sentence_ko)
                reason = Words("Not run, because this check has to pass first: {sentence}", sentence=asked)
                return CheckVerdict(id=check.id, status="skipped", **both(reason=reason))
        return None

    def _begin(self, check: Check) -> CheckState:
        """Make a check the one that runs: its inputs, its clock, and torch's switches and generators anew."""
        drawn_for = f"{check.spec.exercise}.contract" if check.spec.is_rule else check.id  # rules share their calls
        course = self.suite.course
        seed = self.seeds.get(check.id) or check_seed(course.secret, course.assignment, self.digest, drawn_for)
        self.session.begin_check()
        forbids = course.forbids.get(check.spec.exercise, ())
        own_policy = check.spec.category == "policy" and not check.spec.is_rule
        if own_policy and not forbids:
            problem = f"{check.spec.exercise} has a check for forbidden calls, but its cell forbids none."
            raise CourseError(problem, "Name the groups in its `forbids`, or take the check out.")
        self.session.forbids = forbids if own_policy or course.solution is None else ()
        state = CheckState(
            check, seed, course, self.session, self._findings, compared=[] if self.session.keeps_calls else None,
            explains=self.explains,
        )  # fmt: skip
        current_check.set(state)
        reset(seed=int.from_bytes(hashlib.sha256(seed.to_bytes(16, "big")).digest()[:4], "big"))  # NumPy takes 32 bits
        return state

    def _verdict(self, check: Check, error: BaseException | None, state: CheckState) -> CheckVerdict:
        if error is None and check.spec.exercise in self.text.stubs:
            error = CheckFailed.for_students(LATE)
        line, attempt = last_line_in(check.item.path, error), self.session.attempt
        if isinstance(error, pytest.FixtureLookupError):
            error = unknown_fixture(check.item, error)
        elif isinstance(error, CourseError):
            error = fault_in(check.item.path, error)
        verdict = verdict_of(check.id, error, may_be_excused=attempt.requests == 0)
        clear_frames(error)
        if verdict.status == "passed" and [report.outcome for _, report in self._stages] != ["passed"] * 3:
            raise CourseError(f"pytest did not report a pass of {check.node}, and no exception.")
        if state.compared is not None:
            self.shown[check.id] = shown_calls(attempt.calls or [], state.compared, self.suite.course.solution)
        output, dropped = self.session.take_output()
        shown = attempt.called is not None and check.visibility == "visible" and verdict.status in ("failed", "error")
        return msgspec.structs.replace(
            verdict,
            suite_line=None if verdict.status == "passed" else line,
            output=output,
            call=call_text(*attempt.called) if shown else "",
            output_dropped=dropped,
            input_seed=f"{state.seed:032x}",
        )
