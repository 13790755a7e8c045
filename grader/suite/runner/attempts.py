"""Runs one check for one submission, as often as it may be tried, and says what became of it.

A check that did not pass on a used worker is tried once more by itself on a fresh one, because an earlier check must
not cost a later one; that verdict counts. Second tries of one exercise share a fresh worker as long as each fails as it
did at first, so one exercise cannot harm another, and wrong answers cost little. A check that fails differently there
is tried again on a worker of its own. What was seen to happen, such as an input that was changed, counts whatever ran
on the worker before. No worker gets the same check twice, otherwise code could tell a second try; a check that began
beside others and came to no end there is not run on that worker again. If a worker was killed during a try, the try is
repeated, since an accident must not cost a point.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
import pytest

from grader.errors import CourseError
from grader.faults import fault
from grader.results.verdict import CheckVerdict
from grader.suite.core.context import current_check
from grader.suite.core.failures import clear_frames
from grader.suite.core.manifest import Check
from grader.workers.process.failures import StudentFailure

from .outcomes import verdict_of, without_late_answers
from .paused_checks import own_torch
from .plugin import BODY_RESULT, ERROR
from .stages import run_stages
from .submission_run import BodyResult, Run
from .suite_errors import last_line_in

Result = tuple[CheckVerdict, list[pytest.TestReport]]


@dataclass
class Tries:
    """The tries of one check.

    Attributes:
        makers: By name, what makes each of its fixtures that work without pytest.
        repeated: Whether it was tried again on a fresh worker, since it did not pass on a used one.
    """

    run: Run
    check: Check
    item: pytest.Item
    nextitem: pytest.Item | None
    makers: Mapping[str, Callable[[], Any]]
    repeated: bool = False

    def result(self, body_result: BodyResult | None) -> Result:
        """Run the check and return the verdict and the reports of the try that counts."""
        session = self.run.session
        if body_result is None and self.run.asked_on.get(self.check.id) == session.generation:
            session.drop_worker()
        used = body_result is not None or session.worker_is_used
        verdict, reports = self._once(will_be_repeated=used) if body_result is None else self._of_body(body_result)
        ran_code = session.worker_ran_code if body_result is None else body_result.worker_ran_code
        if self._was_killed():
            verdict, reports = self._once()
        elif used and not self._is_final(verdict, ran_code):
            verdict, reports = self._again(verdict)
            self.repeated = True
        return verdict, reports

    def _again(self, first: CheckVerdict) -> Result:
        """Try the check once more, on a fresh worker or on one that ran only second tries of its exercise.

        All of those failed as they did at first. If this check fails differently, a try on a worker of its own counts.
        """
        run, exercise = self.run, self.check.spec.exercise
        shared = run.retried_exercise == exercise
        if not shared:
            run.session.drop_worker()
        verdict, reports = self._once()
        if self._was_killed():
            verdict, reports = self._once()
        if fails_the_same_way(first, verdict):
            run.retried_exercise = exercise
        elif shared and not self._is_final(verdict, run.session.worker_ran_code):
            return self._again(first)
        return verdict, reports

    def _is_final(self, verdict: CheckVerdict, ran_code: bool) -> bool:
        """Tell whether a second try would change nothing: it passed, is not written, or was seen to break a rule.

        Args:
            ran_code: Whether the worker that was asked had run student code; a stub harms no worker.
        """
        if verdict.status == "missing":
            return not ran_code or self.check.spec.exercise in self.run.missing
        return verdict.status in ("passed", "skipped") or getattr(self.item.stash[ERROR], "is_final", False)

    def _was_killed(self) -> bool:
        """Tell whether the try ended because its worker was killed from outside or by the system."""
        error = self.item.stash[ERROR]
        return isinstance(error, StudentFailure) and error.killed

    def _once(self, *, will_be_repeated: bool = False) -> Result:
        """Run the item once and say how it ended."""
        self.run.retried_exercise = ""  # for this try is another one, until `_again` finds that it failed alike
        state = self.run.state_of(self.check, will_be_repeated=will_be_repeated)
        current_check.set(state)
        self.run.session.begin_check(self.run.deadline)
        self.item.stash[ERROR] = None
        with own_torch(state.seed), self.run.overseer.may_end():
            reports = run_stages(self.item, self.nextitem, self.makers)
        return self._verdict_and_reports(reports)

    def _of_body(self, body_result: BodyResult) -> Result:
        """Take the item through pytest's stages with a body that has run already, and say how it ended."""
        self.run.session.attempt = body_result.attempt
        self.item.stash[ERROR], self.item.stash[BODY_RESULT] = None, body_result
        try:
            return self._verdict_and_reports(
                run_stages(self.item, self.nextitem, dict.fromkeys(self.makers, lambda: None))
            )
        finally:
            del self.item.stash[BODY_RESULT]

    def _verdict_and_reports(self, reports: list[pytest.TestReport]) -> Result:
        """Say what became of the item that was run."""
        item, check = self.item, self.check
        error = item.stash[ERROR]
        line = last_line_in(item.path, None if error is None else error.__traceback__) or None
        if line is not None and isinstance(error, CourseError):
            error = fault(item.path, line, error.problem, error.hint)
        verdict = verdict_of(
            check.id, error, may_be_excused=self.run.session.attempt.requests == 0, proven=self.run.proven
        )
        if line is not None:
            verdict = msgspec.structs.replace(verdict, suite_line=line)
        clear_frames(error)
        told = [(report.when, report.outcome) for report in reports]
        if verdict.status == "passed" and told != [("call", "passed")]:
            raise CourseError(f"pytest reported {told} for {item.nodeid} without an exception.")
        return without_late_answers(verdict, check.spec.exercise in self.run.text.stubs), reports


def fails_the_same_way(first: CheckVerdict, second: CheckVerdict) -> bool:
    """Tell whether a check failed twice in the same words; more may be said the second time, when somebody reads it."""
    return (
        first.status == second.status
        and first.status in ("failed", "error")
        and first.exception_type == second.exception_type
        and first.suite_raised == second.suite_raised
        and second.found.startswith(first.found)
    )
