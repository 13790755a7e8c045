"""Runs one check for one submission, as often as it may be tried, and says what became of it.

A check that did not pass on a used worker is tried once more on a fresh one, because an earlier check must not cost a
later one. A try whose worker was killed is made once more, because an accident of the machine costs nobody a point.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
import pytest
from _pytest.reports import TestReport

from grader.course.faults import placed
from grader.errors import CourseError
from grader.results.verdict import CheckVerdict
from grader.suite.broken import line_in
from grader.suite.context import CourseSide, active
from grader.suite.failures import let_go
from grader.suite.late_installs import counted
from grader.suite.manifest import Check
from grader.suite.outcomes import verdict_of
from grader.suite.run import Ahead, Run
from grader.suite.stages import leave_module, report_of_judgement, stages
from grader.workers.failures import StudentFailure
from grader.workers.prefetch import Prefetched

ERROR: pytest.StashKey[BaseException | None] = pytest.StashKey()
"""The first exception of an item in the try that runs or ran last."""

Result = tuple[CheckVerdict, list[TestReport]]


@dataclass
class Tries:
    """The tries of one check.

    Attributes:
        run: The submission.
        course: What the assignment brings to its checks.
        check: The check.
        item: pytest's item of it.
        nextitem: The item after it.
        ready: Its own fixtures that can be made without pytest, by name.
        repeated: Whether it was tried again on a fresh worker, since it did not pass on a used one.
    """

    run: Run
    course: CourseSide
    check: Check
    item: pytest.Item
    nextitem: pytest.Item | None
    ready: Mapping[str, Callable[[], Any]]
    repeated: bool = False

    def result(self) -> Result:
        """Run the check and return the verdict and the reports of the try that counts."""
        session = self.run.session
        found = self._answered_ahead(self.run.prefetched.pop(self.check.id, None))
        used = found is None and session.worker_is_used
        active.will_be_repeated = used
        verdict, reports = found or self._once()
        active.will_be_repeated = False
        if self._was_killed():
            verdict, reports = self._once()
        elif used and verdict.status not in ("passed", "skipped") and not self._is_settled(verdict):
            session.fresh_worker()
            verdict, reports = self._once()
            if self._was_killed():
                verdict, reports = self._once()
            self.repeated = True
        return verdict, reports

    def _is_settled(self, verdict: CheckVerdict) -> bool:
        """Tell whether another worker would say the same: that the exercise is not written."""
        if verdict.status != "missing":
            return False
        stub = not self.run.session.worker_ran_code  # a stub harms no worker
        return stub or self.check.spec.exercise in self.run.missing

    def _was_killed(self) -> bool:
        """Tell, once, whether the try ended because its worker was killed from outside or by the system."""
        error, self.item.stash[ERROR] = self.item.stash[ERROR], None
        return isinstance(error, StudentFailure) and error.killed

    def _once(self) -> Result:
        """Run the item once and say how it ended."""
        self.item.stash[ERROR] = None
        self._begin(None)
        return self._settle(stages(self.item, self.nextitem, self.ready))

    def _answered_ahead(self, ahead: Ahead | None) -> Result | None:
        """Return the pass of a check whose first calls were answered ahead.

        None where there is no such answer or anything else came of it: then the check asks by itself, on the worker as
        it is by now, as if it had never been asked ahead.
        """
        if ahead is None:
            return None
        self.item.stash[ERROR], active.will_be_repeated = None, True
        if ahead.judge is None:
            self._begin(ahead.answers)
            reports = stages(self.item, self.nextitem, self.ready)
        else:
            self._begin(ahead.answers.taken_up())
            reports = report_of_judgement(self.item, ahead.judge)
            if reports:
                leave_module(self.item, self.nextitem)
        passed = bool(reports) and self.item.stash[ERROR] is None
        return self._settle(reports) if passed else None

    def _begin(self, answers: Prefetched | None) -> None:
        active.begin_check(self.check, self.run.seed_of(self.course, self.check.id))
        self.run.session.begin_check(self.run.finish, answers)

    def _settle(self, reports: list[TestReport]) -> Result:
        """Say what became of the item that was run."""
        item, check = self.item, self.check
        error = item.stash[ERROR]
        line = line_in(item.path, None if error is None else error.__traceback__) or None
        if line is not None and isinstance(error, CourseError):
            raise placed(error, item.path, line)
        verdict = verdict_of(check.id, error, may_be_excused=not self.run.session.asked)
        if line is not None:
            verdict = msgspec.structs.replace(verdict, suite_line=line)
        let_go(error)
        told = [(report.when, report.outcome) for report in reports]
        if verdict.status == "passed" and told != [("call", "passed")]:
            raise CourseError(f"pytest reported {told} for {item.nodeid} without an exception.")
        return counted(verdict, check.spec.exercise), reports
