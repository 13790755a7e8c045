"""One submission on its way through the checks of a suite, on one worker."""

import hashlib
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec
import pytest

from grader.errors import CourseError
from grader.inside.protocol.messages import Stop
from grader.inside.worker.reset_state import reset
from grader.results.verdict import CheckVerdict, timeout_verdict
from grader.suite.core.context import CheckState, current_check
from grader.suite.core.draw import check_seed
from grader.suite.core.failures import CheckFailed, clear_frames
from grader.suite.core.manifest import Check
from grader.suite.diagnosis.call_text import call_text
from grader.suite.diagnosis.shown_calls import ShownCall, shown_calls
from grader.words import CourseWords, Words
from grader.workers.process.failures import KilledBySystem, NoTimeLeft
from grader.workers.session import WorkerSession
from grader.workers.source_loading import TextReading

from .outcomes import LATE, verdict_of
from .suite import Suite
from .suite_errors import last_line_in, with_place


class RunReport(msgspec.Struct, kw_only=True):
    """What is known of a submission beside its verdicts: the last words of a fork.

    Attributes:
        is_whole: Whether these are all of them; not where a fork died.
        text: What was read of its text; None where that came to no end.
        notes: What a person should know of how the file was read and run.
        stops: The statements that hung or killed a worker.
        shown: What each check asked and what came of it, where the session keeps that, by check.
        killed: The exercises whose worker the system killed; nothing is known of their other checks.
        is_over: Whether the submission had no time left, so that checks were not run.
        cpu_s: Seconds of processor time that its workers used.
        refused: A sentence when this submission could not be graded through no fault of anybody's code.
    """

    is_whole: bool = False
    text: TextReading | None = None
    notes: list[str] = []
    stops: dict[int, list[Stop]] = {}
    shown: dict[str, list[ShownCall]] = {}
    killed: list[str] = []
    is_over: bool = False
    cpu_s: float = 0.0
    refused: str = ""


@dataclass(eq=False)  # pytest's plugins are told apart by what they are
class Run:
    """One submission on its way through the checks: the plugin that pytest asks before and after each of them.

    Attributes:
        digest: The hash that inputs are drawn from.
        on_verdict: Called with each verdict the moment it is reached, so that none is lost when a process dies.
        seeds: What the inputs of single checks are drawn from instead of the submission, by check.
        proven: Whether the solution passed all of the suite, so that a check that stumbles does so over the submission.
        explains: Whether the known mistakes behind a failure are looked for.
        on_begin: Called with each check before it begins.
    """

    suite: Suite
    session: WorkerSession
    digest: str
    on_verdict: Callable[[CheckVerdict], None] = lambda _: None
    report: RunReport = field(default_factory=RunReport)
    seeds: Mapping[str, int] = field(default_factory=dict)
    proven: bool = False
    explains: bool = True
    verdicts: dict[str, CheckVerdict] = field(default_factory=dict)
    findings: dict[Any, Any] = field(default_factory=dict)
    on_begin: Callable[[Check], None] = lambda _: None
    _check: Check | None = None
    _refusal: CheckVerdict | None = None
    _stages: list[tuple[pytest.CallInfo[None], pytest.TestReport]] = field(default_factory=list)

    def grade(self, exercise: str | None = None) -> None:
        """Go through the checks, or those of one exercise, that have no verdict yet; `verdicts` has what came of them.

        Raises:
            GraderError: The suite or the machine is at fault.
        """
        checks = [check for check in self.suite.order if exercise in (None, check.spec.exercise)
                  and check.id not in self.verdicts]  # fmt: skip
        plugins = self.suite.pytest_session.config.pluginmanager
        plugins.register(self)
        try:
            for check, following in zip(checks, [*checks[1:], None], strict=False):
                self._begin(check)
                nextitem = None if following is None else following.item
                check.item.config.hook.pytest_runtest_protocol(item=check.item, nextitem=nextitem)
                self._end(check)
                if self.report.is_over:
                    break
        finally:
            plugins.unregister(self)

    # -- what pytest asks --------------------------------------------------------------------------------------------

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self) -> None:
        assert self._check is not None
        if self._check.spec.exercise in self.report.killed:
            raise KilledBySystem
        self._refusal = self._refuse(self._check)
        if self._refusal is not None:
            pytest.skip(self._refusal.reason or self._refusal.found)

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
        return {} if self._check is None else {"check": self._check.id}

    # -- a check -----------------------------------------------------------------------------------------------------

    def _begin(self, check: Check) -> None:
        """Make a check the one that runs: its inputs, its clock, and torch's switches and generators anew."""
        self.on_begin(check)
        self._check, self._refusal, self._stages = check, None, []
        seed = self._seed_of(check)
        self.session.begin_check()
        current_check.set(
            CheckState(
                check, seed, self.suite.course, self.session, self.findings,
                compared=[] if self.session.keeps_calls else None, explains=self.explains,
            )
        )  # fmt: skip
        reset(seed=int.from_bytes(hashlib.sha256(seed.to_bytes(16, "big")).digest()[:4], "big"))  # NumPy takes 32 bits

    def _seed_of(self, check: Check) -> int:
        """Return what the inputs of a check are drawn from."""
        if check.id in self.seeds:
            return self.seeds[check.id]
        drawn_for = f"{check.spec.exercise}.contract" if check.spec.is_rule else check.id  # rules share their calls
        return check_seed(self.suite.course.secret, self.suite.course.assignment, self.digest, drawn_for)

    def _refuse(self, check: Check) -> CheckVerdict | None:
        """Return the verdict of a check that is not worth running, or None for one that is."""
        exercise = f"{check.spec.exercise}."
        before = {verdict.status for id, verdict in self.verdicts.items() if id.startswith(exercise)}
        if self.suite.first_loss and before - {"passed", "skipped"}:
            return CheckVerdict(id=check.id, status="skipped")
        if "timeout" in before:
            return timeout_verdict(check.id)
        return None if check.spec.category == "policy" else self._unmet_need(check)

    def _unmet_need(self, check: Check) -> CheckVerdict | None:
        for other in self.suite.needed[check.id]:
            if self.verdicts[other.id].status != "passed":
                asked = CourseWords(other.spec.sentence, other.spec.sentence_ko)
                reason = Words("Not run, because this must hold first: {sentence}", sentence=asked)
                return CheckVerdict(id=check.id, status="skipped", reason=str(reason), reason_ko=reason.to("ko"))
        return None

    def _end(self, check: Check) -> None:
        """Say what became of a check that pytest has taken through its stages."""
        error = next((call.excinfo.value for call, _ in self._stages if call.excinfo is not None), None)
        if isinstance(error, KilledBySystem):
            self.report.killed = sorted({*self.report.killed, check.spec.exercise})
            return
        if isinstance(error, NoTimeLeft):
            self.report.is_over = True
            return
        verdict = self._refusal or self._verdict(check, error)
        if check.spec.category == "policy" and verdict.status not in ("forbidden", "timeout"):
            verdict = self._unmet_need(check) or verdict  # any other was asked for it before
        duration = sum(report.duration for _, report in self._stages)
        verdict = msgspec.structs.replace(verdict, duration_s=round(duration, 6))
        self.verdicts[check.id] = verdict
        self.on_verdict(verdict)

    def _verdict(self, check: Check, error: BaseException | None) -> CheckVerdict:
        if error is None and self.report.text and check.spec.exercise in self.report.text.stubs:
            error = CheckFailed.for_students(LATE)
        line, attempt = last_line_in(check.item.path, error), self.session.attempt
        error = with_place(error, check.item)
        verdict = verdict_of(check.id, error, may_be_excused=attempt.requests == 0, proven=self.proven)
        clear_frames(error)
        if verdict.status == "passed" and [report.outcome for _, report in self._stages] != ["passed"] * 3:
            raise CourseError(f"pytest did not report a pass of {check.node}, and no exception.")
        if (compared := current_check.get().compared) is not None:
            self.report.shown[check.id] = shown_calls(attempt.calls or [], compared, self.suite.course.solution)
        output, dropped = self.session.take_output()
        shown = attempt.called is not None and check.visibility == "visible" and verdict.status in ("failed", "error")
        return msgspec.structs.replace(
            verdict,
            suite_line=None if verdict.status == "passed" else line,
            output=output,
            call=call_text(*attempt.called) if shown else "",
            output_dropped=dropped,
            input_seed=f"{self._seed_of(check):032x}",
        )
