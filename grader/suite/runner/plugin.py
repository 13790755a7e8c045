"""The pytest plugin: what is read while pytest collects a suite, and what is noted of each check that it runs."""

from collections.abc import Callable, Generator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from grader.errors import CourseError
from grader.suite.core.context import AssignmentContext
from grader.suite.core.contract import Contract
from grader.suite.core.exercise_decorator import exercise
from grader.suite.core.manifest import Check
from grader.suite.examples.checks import example_items
from grader.suite.examples.make import make_examples
from grader.suite.examples.model import ExerciseExamples
from grader.suite.rules.items import rule_items

from .submission_run import NotRun, Run
from .suite_errors import collection_error, solution_error


class GradingPlugin:
    """Takes part in collecting the suite and in each of its items.

    Args:
        use: Called with the session once everything is collected; what it raises is kept in `error`.
        course: What the assignment brings to its checks.
        examples: Those of each exercise in a student's own run; None to make them of contracts and the solution.

    Attributes:
        contracts: Those of the exercises that have one.
        was_used: Whether pytest came that far.
    """

    def __init__(
        self, use: Callable[[pytest.Session], None], course: AssignmentContext,
        examples: Mapping[str, ExerciseExamples] | None = None,
    ) -> None:  # fmt: skip
        self._course, self._given = course, examples
        self.contracts: dict[str, Contract] = {}
        self.error: BaseException | None = None
        self.was_used = False
        self._use = use
        self._run: Run | None = None
        self._checks: Mapping[str, Check] = {}
        self._needed: Mapping[str, Sequence[Check]] = {}
        self._raised: BaseException | None = None
        self._reports: list[pytest.TestReport] = []

    def grades(self, run: Run, checks: Mapping[str, Check], needed: Mapping[str, Sequence[Check]]) -> None:
        """Grade a submission by each item that runs from now on.

        Args:
            checks: The checks by the id of their item.
            needed: The checks that have to pass before a check, by its id.
        """
        self._run, self._checks, self._needed = run, checks, needed

    # -- collecting --------------------------------------------------------------------------------------------------

    @pytest.hookimpl(trylast=True)
    def pytest_configure(self, config: pytest.Config) -> None:
        """Take away what writes to the terminal."""
        config.pluginmanager.unregister(name="terminalreporter")

    def pytest_pycollect_makeitem(self, collector: pytest.Collector, obj: object) -> list[pytest.Item] | None:
        if not isinstance(obj, exercise):
            return None
        items: list[pytest.Item] = []
        known = None if self._given is None else self._given.get(obj.name)
        known = known if known is not None and known.examples else None
        if obj.declared is not None:
            self.contracts[obj.name] = obj.declared
            items = rule_items(collector, obj, self._course.forbids.get(obj.name, []))
            if self._course.solution is not None and self.error is None:
                try:
                    known = make_examples(obj.name, obj.declared, self._course.solution)
                except Exception as problem:  # the course's solution raises what it likes
                    self.error = solution_error(obj.name, Path(str(self._course.solution.__file__)), problem)
        if known is not None:
            items += example_items(collector, obj.name, known, graded=self._given is None)
        return items or None

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed and self.error is None:
            self.error = collection_error(report)

    def pytest_internalerror(self, excinfo: pytest.ExceptionInfo[BaseException]) -> bool:
        self.error = self.error or CourseError(f"pytest stopped: {excinfo.typename}: {excinfo.value}.")
        return True

    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        self.error = self.error or CourseError(f"pytest was stopped while it read the suite: {excinfo.value!r}.")

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.was_used = True
        if self.error is None:
            try:
                self._use(session)
            except BaseException as error:  # pytest would tell of it in its own way
                self.error = error
        return True

    # -- running -----------------------------------------------------------------------------------------------------

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Function) -> Generator[None, Any, Any]:
        assert self._run is not None
        check = self._checks[item.nodeid]
        self._raised, self._reports = None, []
        self._run.begin(check)
        done = yield
        self._run.end(check, item, self._raised, self._reports, self._needed[check.id])
        return done

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Function) -> None:
        assert self._run is not None
        check = self._checks[item.nodeid]
        if (refusal := self._run.refusal(check, self._needed[check.id])) is not None:
            raise NotRun(refusal)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_call(self) -> Generator[None, Any, Any]:
        assert self._run is not None
        done = yield
        self._run.session.do_what_was_told()
        return done

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(
        self, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        if call.excinfo is not None and self._raised is None:
            self._raised = call.excinfo.value
        self._reports.append(report)
        return report

    @pytest.hookimpl(optionalhook=True)  # a student's own run makes no such report
    def pytest_json_runtest_metadata(self, item: pytest.Function) -> dict[str, str]:
        return {"check": self._checks[item.nodeid].id}
