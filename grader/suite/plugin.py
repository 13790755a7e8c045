"""The pytest plugin: decides when a check is run, on which worker, and what became of it.

pytest collects the suite once. For each submission the plugin is pointed at a `Run`, and every item then goes through
`pytest_runtest_protocol` here: the ladder (`needs`), the clock of the submission, and as many tries as it may have
(`tries.py`).
"""

import time
from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from _pytest.reports import TestReport

from grader.errors import CourseError, GraderError, UsageError
from grader.results.verdict import CheckVerdict, Visibility
from grader.suite import shortcuts
from grader.suite.broken import unreadable
from grader.suite.context import CourseSide, active
from grader.suite.manifest import Check, Manifest, make_manifest, only_with_needs, shuffled
from grader.suite.outcomes import not_run
from grader.suite.overtime import Overtime
from grader.suite.run import Run, may_still_run, reason_not_to_run
from grader.suite.stages import leave_module, report_of_refusal
from grader.suite.together import Body, body_of, run_together
from grader.suite.tries import BODY, ERROR, Tries


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
        together: Whether checks pause at their questions and ask together.
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
        together: bool = False,
    ) -> None:
        self.course = course
        self.exercises = exercises
        self.visible_root = visible_root
        self.on_collected = on_collected
        self.graded = graded
        self.shuffle = shuffle
        self.only = only
        self.together = together
        self.manifest: Manifest | None = None
        self.items: list[pytest.Item] = []
        self.checks: dict[str, Check] = {}
        self._by_stem: dict[str, list[Check]] = {}
        self._ready: dict[str, dict[str, Callable[[], Any]]] = {}
        self._bodies: dict[Visibility, list[tuple[Check, Body]]] = {}
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
            self.error = unreadable(report)

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
        shortcuts.spare_stages(config)
        for item in items if self.together else ():
            body = body_of(item, self._ready[item.nodeid]) if shortcuts.is_run_plainly(item, self) else None
            if body is not None:
                check = self.checks[item.nodeid]
                self._bodies.setdefault(check.visibility, []).append((check, body))

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
        refused = reason_not_to_run(run, check, self._by_stem)
        if refused is None:
            try:
                verdict, reports = self._run_check(run, check, item, nextitem)
            except Overtime:
                refused = not_run(check.id, "timeout", "overtime", seconds=run.limits.submission_wall_s)
        if refused is not None:
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
        """Run a check, as often as it may be tried."""
        active.session = run.session
        with run.overseer.may_end():
            self._run_bodies(run, check.visibility)
        tries = Tries(run, self.course, check, item, nextitem, self._ready[item.nodeid])
        with run.overseer.may_end():
            verdict, reports = tries.result()
        if verdict.status == "missing":
            run.missing.add(check.spec.exercise)
        run.hangs[check.spec.exercise] += verdict.status == "timeout"
        output, dropped = run.session.take_output()
        attempts = 2 if tries.repeated and verdict.status == "passed" else 1
        seed = run.seed_of(self.course, check.id)
        return msgspec.structs.replace(
            verdict, output=output, output_dropped=dropped, attempts=attempts, input_seed=f"{seed:032x}"
        ), reports

    def _run_bodies(self, run: Run, visibility: Visibility) -> None:
        """Run the checks of one visibility together, before the first of them has its turn.

        What the student's code prints in a visible check is shown to the student, so no input of a later kind may have
        been in its process by then.
        """
        if visibility in run.ran_together or run.asks_singly:
            return
        run.ran_together.add(visibility)
        run.tries_again = ""
        worth = [
            (check, body)
            for check, body in self._bodies.get(visibility, [])
            if may_still_run(run, check, self._by_stem) and not active.text.is_unwritten(check.spec.exercise)
        ]
        run_together(run, lambda check: run.seed_of(self.course, check.id), worth)

    @pytest.hookimpl(tryfirst=True)
    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> bool | None:
        """End a check whose body has run already as that one ended; pytest runs any other."""
        body = pyfuncitem.stash.get(BODY, None)
        if body is None:
            return None
        if body.error is not None:
            raise body.error
        return True

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
