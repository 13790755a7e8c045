"""The pytest plugin: what pytest asks while it collects a suite, and while an item has its turn."""

from collections.abc import Callable, Generator
from typing import Any

import pytest

from grader.errors import CourseError

from .submission_run import BodyResult
from .suite_errors import collection_error

GradeItem = Callable[[pytest.Item, pytest.Item | None], list[pytest.TestReport]]
GRADE_ITEM: pytest.StashKey[GradeItem] = pytest.StashKey()
"""In a session's stash: grades the submission by an item, given the one after it, and returns the item's reports."""
BODY_RESULT: pytest.StashKey[BodyResult] = pytest.StashKey()
"""In an item's: what came of its body that has run already, as long as pytest takes it through its stages."""
ERROR: pytest.StashKey[BaseException | None] = pytest.StashKey()
"""In an item's: its first exception in the try that runs or ran last."""


class GradingPlugin:
    """Takes part in collecting the suite and in each of its items."""

    def __init__(self) -> None:
        self.error: CourseError | None = None

    @pytest.hookimpl(tryfirst=True)
    def pytest_configure(self, config: pytest.Config) -> None:
        """Set what others read of the terminal's options, since the terminal itself does not take part."""
        for name, value in {"tbstyle": "native", "verbose": 0, "showlocals": False, "fulltrace": False}.items():
            if not hasattr(config.option, name):
                setattr(config.option, name, value)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed and self.error is None:
            self.error = collection_error(report)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> bool:
        for report in item.session.stash[GRADE_ITEM](item, nextitem):
            item.ihook.pytest_runtest_logreport(report=report)
        return True

    @pytest.hookimpl(tryfirst=True)
    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> bool | None:
        """End a check whose body has run already as that one ended; pytest runs any other."""
        result = pyfuncitem.stash.get(BODY_RESULT, None)
        if result is None:
            return None
        if result.error is not None:
            raise result.error
        return True

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        if call.excinfo is not None and item.stash[ERROR] is None:
            item.stash[ERROR] = call.excinfo.value
        return (yield)

    @pytest.hookimpl(tryfirst=True, optionalhook=True)
    def pytest_json_runtest_stage(self, report: pytest.TestReport) -> dict[str, Any] | None:
        """Give a passed stage as pytest-json-report writes it; one that has more to tell is left to that plugin."""
        if report.outcome != "passed" or report.longrepr is not None or report.sections:
            return None
        return {"duration": report.duration, "outcome": report.outcome}

    def pytest_report_teststatus(self, report: pytest.TestReport) -> tuple[str, str, str]:
        if report.when in ("setup", "teardown") and report.failed:
            return "error", "", ""
        return (report.outcome if report.when == "call" or not report.passed else ""), "", ""
