"""The pytest plugin: decides when a check is run, on which worker, and what became of it.

pytest collects the suite once. For each submission the plugin is pointed at a `Run`, and every item then goes through
`pytest_runtest_protocol` here: the ladder (`needs`), the clock of the submission, and a second try on a fresh worker
for a check that did not pass on a used one, because an earlier check must not cost a later one.
"""

import re
import time
from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import pytest
from _pytest.reports import TestReport

from grader.course.faults import placed
from grader.errors import CourseError, GraderError, UsageError
from grader.limits import Limits
from grader.results.verdict import CheckVerdict
from grader.suite import shortcuts
from grader.suite.broken import line_in, no_need
from grader.suite.context import CourseSide, active
from grader.suite.draw import check_seed
from grader.suite.late_installs import counted
from grader.suite.manifest import Check, Manifest, make_manifest, only_with_needs, shuffled
from grader.suite.outcomes import not_run, verdict_of
from grader.suite.stages import leave_module, report_of_refusal, stages
from grader.workers.failures import StudentFailure
from grader.workers.session import Session

ERROR: pytest.StashKey[BaseException | None] = pytest.StashKey()


@dataclass
class Run:
    """One submission on its way through the suite.

    Attributes:
        session: The student's side.
        submission: The hash that inputs are drawn from.
        limits: What the submission may use.
        finish: When its time is over, by the monotonic clock.
        on_verdict: Called with each verdict the moment it is reached, so that none is lost when a process dies.
        verdicts: What each check came to, by id.
        exercise: The exercise that is being checked.
        hangs: How many checks ran into the time limit, by exercise.
        missing: The exercises of which a fresh worker has already said that they are not written.
        suspect: Whether one of its checks did not pass at the first try, so that the worker may be damaged.
        seeds: What a check's inputs are drawn from, where that is not worked out anew, by check.
    """

    session: Session
    submission: str
    limits: Limits
    finish: float
    on_verdict: Callable[[CheckVerdict], None]
    verdicts: dict[str, CheckVerdict] = field(default_factory=dict)
    exercise: str = ""
    hangs: Counter[str] = field(default_factory=Counter)
    missing: set[str] = field(default_factory=set)
    suspect: bool = False
    seeds: Mapping[str, int] = field(default_factory=dict)


class GradingPlugin:
    """Runs the collected suite for one submission after another.

    Args:
        course: What the assignment brings to its checks.
        exercises: The exercises in the assignment's order.
        visible_root: The folder or file of the visible suite.
        graded: Whether every exercise must have hidden checks.
        on_collected: Called with the pytest session once the suite is collected; runs the submissions.
        shuffle: What another order of the checks is drawn from; None for the suite's own.
        only: The id of the one check to run, with those that it needs; None for all.
    """

    def __init__(
        self,
        course: CourseSide,
        exercises: Sequence[str],
        visible_root: Path,
        on_collected: Callable[["GradingPlugin", pytest.Session], None],
        *,
        graded: bool = True,
        shuffle: int | None = None,
        only: str | None = None,
    ) -> None:
        self.course = course
        self.exercises = exercises
        self.visible_root = visible_root
        self.on_collected = on_collected
        self.graded = graded
        self.shuffle = shuffle
        self.only = only
        self.manifest: Manifest | None = None
        self.items: list[pytest.Item] = []
        self.checks: dict[str, Check] = {}
        self._by_stem: dict[str, list[Check]] = {}
        self._ready: dict[str, dict[str, Callable[[], Any]]] = {}
        self.error: GraderError | None = None
        self.stopped: KeyboardInterrupt | None = None
        self.run: Run | None = None

    @pytest.hookimpl(tryfirst=True)
    def pytest_configure(self, config: pytest.Config) -> None:
        """Set what others read of the terminal's options, since the terminal itself does not take part."""
        for name, value in {"tbstyle": "native", "verbose": 0, "showlocals": False, "fulltrace": False}.items():
            if not hasattr(config.option, name):
                setattr(config.option, name, value)

    # -- collecting -------------------------------------------------------------------------------------------------

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed and self.error is None:
            lines = [line.strip() for line in report.longreprtext.splitlines() if line.strip()]
            told = [line.removeprefix("E").strip() for line in lines if line.startswith("E ")] or lines
            name = re.escape(report.nodeid.rpartition("/")[2])
            places = re.findall(rf'{name}", line (\d+)|{name}:(\d+)', report.longreprtext)
            place = f" (line {''.join(places[-1])})" if places else ""
            self.error = CourseError(
                f"The suite tests/{report.nodeid}{place} could not be read:",
                told[-1].removeprefix("grader.errors.CourseError: ") if told else "pytest gives no reason.",
            )

    def pytest_internalerror(self, excinfo: pytest.ExceptionInfo[BaseException]) -> bool:
        """Keep what pytest would print as a traceback."""
        error = excinfo.value
        if self.error is None:
            name = type(error).__name__
            self.error = error if isinstance(error, GraderError) else CourseError(f"pytest stopped: {name}: {error}.")
        return True

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        if self.error is not None:
            return
        try:
            manifest, ordered = make_manifest(
                self.course.assignment, items, self.exercises, self.visible_root, graded=self.graded
            )
        except CourseError as error:
            self.error = error
            return
        self.manifest = manifest
        self.checks = {check.node: check for check in manifest.checks}
        try:
            chosen = ordered if self.only is None else only_with_needs(manifest, ordered, self.only)
        except UsageError as error:
            self.error = error
            return
        items[:] = self.items = chosen if self.shuffle is None else shuffled(manifest, chosen, self.shuffle)
        for check in manifest.checks:
            self._by_stem.setdefault(check.id.partition("[")[0], []).append(check)
        self._ready = {item.nodeid: shortcuts.own_fixtures(item) for item in items}
        shortcuts.drop_idle_plugins(config, items)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        active.course = self.course
        if self.error is None:
            try:
                self.on_collected(self, session)
            except GraderError as error:
                self.error = error
            except KeyboardInterrupt as stop:
                self.stopped = stop
        return True

    # -- one check --------------------------------------------------------------------------------------------------

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> bool:
        run, check = self._run, self.checks[item.nodeid]
        started = time.monotonic()
        refused = self._reason_not_to_run(run, check)
        if refused is None:
            verdict, reports = self._run_check(run, check, item, nextitem)
        else:
            verdict, reports = refused, [report_of_refusal(item, refused)]
            leave_module(item, nextitem)
        verdict = msgspec.structs.replace(verdict, duration_s=round(time.monotonic() - started, 6))
        run.verdicts[check.id] = verdict
        run.on_verdict(verdict)
        for report in reports:
            details = report.__dict__.setdefault("_json_report_extra", {})
            details["metadata"] = {"check": check.id, "status": verdict.status}
            item.ihook.pytest_runtest_logreport(report=report)
        return True

    def _run_check(
        self, run: Run, check: Check, item: pytest.Item, nextitem: pytest.Item | None
    ) -> tuple[CheckVerdict, list[TestReport]]:
        """Run a check, and once more on a fresh worker where an earlier check may be why it did not pass."""
        seed = run.seeds.get(check.id)
        if seed is None:
            seed = check_seed(self.course.secret, self.course.assignment, run.submission, check.id)
        active.check, active.session, active.seed = check, run.session, seed
        self._enter_exercise(run, check)
        used = run.session.worker_is_used
        verdict, reports = self._attempt(item, check, nextitem)
        error = item.stash[ERROR]
        if isinstance(error, StudentFailure) and error.killed:  # an accident of the machine costs nobody a point
            used = False
            verdict, reports = self._attempt(item, check, nextitem)
        attempts = 1
        stub = verdict.status == "missing" and not run.session.worker_ran_code  # a stub harms no worker
        settled = stub or (verdict.status == "missing" and check.spec.exercise in run.missing)
        if used and verdict.status not in ("passed", "skipped") and not settled:
            run.session.fresh_worker()
            verdict, reports = self._attempt(item, check, nextitem)
            attempts = 2
        if verdict.status == "missing":
            run.missing.add(check.spec.exercise)
        run.hangs[check.spec.exercise] += verdict.status == "timeout"
        run.suspect = run.suspect or verdict.status not in ("passed", "missing") or attempts > 1
        output, dropped = run.session.take_output()
        return msgspec.structs.replace(
            verdict, output=output, output_dropped=dropped, attempts=attempts, input_seed=f"{seed:016x}"
        ), reports

    def _attempt(
        self, item: pytest.Item, check: Check, nextitem: pytest.Item | None
    ) -> tuple[CheckVerdict, list[TestReport]]:
        """Run an item once and say how it ended."""
        item.stash[ERROR] = None
        active.earlier = []
        self._run.session.begin_check(self._run.finish)
        reports = stages(item, nextitem, self._ready[item.nodeid])
        error = item.stash[ERROR]
        line = line_in(item.path, None if error is None else error.__traceback__) or None
        if line is not None and isinstance(error, CourseError):
            raise placed(error, item.path, line)
        verdict = verdict_of(check.id, error, may_be_excused=not self._run.session.asked)
        if line is not None:
            verdict = msgspec.structs.replace(verdict, suite_line=line)
        told = [(report.when, report.outcome) for report in reports]
        if verdict.status == "passed" and told != [("call", "passed")]:
            raise CourseError(f"pytest reported {told} for {item.nodeid} without an exception.")
        return counted(verdict, check.spec.exercise), reports

    def _reason_not_to_run(self, run: Run, check: Check) -> CheckVerdict | None:
        """Return the verdict of a check that is not worth running, or None for one that is."""
        if time.monotonic() >= run.finish:
            return not_run(check.id, "timeout", "submission_time", seconds=run.limits.submission_wall_s)
        hangs = run.hangs[check.spec.exercise]
        if hangs >= run.limits.hangs_per_exercise:
            return not_run(check.id, "timeout", "hangs" if hangs > 1 else "hang", count=hangs)
        for need in check.spec.needs:
            for other in self._named(check, need):
                if run.verdicts[other.id].status != "passed":
                    reason = not_run(check.id, "skipped", "needs", sentence=other.spec.sentence)
                    korean = not_run(check.id, "skipped", "needs", sentence=other.spec.sentence_ko).reason_ko
                    return msgspec.structs.replace(reason, reason_ko=korean)
        return None

    def _named(self, check: Check, need: str) -> list[Check]:
        """Return the checks (one, or one for each parameter) that a `needs` entry names; all ran before this one."""
        found = self._by_stem.get(f"{check.spec.exercise}.{need.removeprefix('test_')}", [])
        if not found or any(other.id not in self._run.verdicts for other in found):
            raise no_need(check, need, self._by_stem)
        return found

    def _enter_exercise(self, run: Run, check: Check) -> None:
        """Start an exercise: on the worker of the one before if nothing went wrong on it, else on a fresh one.

        A worker on which every check passed may still be damaged; then a check on it fails, and its second try on a
        fresh worker counts. A fresh worker for every exercise would cost far more; it would differ only for code that
        works because another exercise's function ran before it.
        """
        if run.exercise == check.spec.exercise:
            return
        if run.suspect:
            run.session.fresh_worker()
        run.exercise, run.suspect = check.spec.exercise, False

    @property
    def _run(self) -> Run:
        if self.run is None:
            raise CourseError("A check was started without a submission.")
        return self.run

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, TestReport, TestReport]:
        if call.excinfo is not None and item.stash[ERROR] is None:
            item.stash[ERROR] = call.excinfo.value
        return (yield)

    @pytest.hookimpl(tryfirst=True, optionalhook=True)
    def pytest_json_runtest_stage(self, report: TestReport) -> dict[str, Any] | None:
        return shortcuts.short_stage(report)

    def pytest_report_teststatus(self, report: TestReport) -> tuple[str, str, str]:
        if report.when in ("setup", "teardown") and report.failed:
            return "error", "", ""
        return (report.outcome if report.when == "call" or not report.passed else ""), "", ""
