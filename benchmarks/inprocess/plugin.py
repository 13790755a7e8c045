"""The suite with pytest, in the student's process: the fixtures, the ladder of `needs`, and the student's module.

As a plugin (`-p benchmarks.inprocess.plugin`) it takes the assignment from BENCH_ASSIGNMENT and the submission from
BENCH_SUBMISSION, and pytest does the rest in its usual way. `InProcess.take` changes to another submission, which is
how one warm process grades a whole class.
"""

import os
from collections.abc import Generator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from benchmarks.inprocess.material import Submission, course_side, open_assignment
from benchmarks.inprocess.student import LocalStudent
from grader.suite.core import fixtures
from grader.suite.core.manifest import Check, make_manifest

draw, golden, reference = fixtures.draw, fixtures.golden, fixtures.reference


class InProcess:
    """Runs the collected checks on the submission that was taken last.

    Attributes:
        outcomes: What each check came to, by id.
    """

    def __init__(self, assignment: str) -> None:
        course, self.assignment = open_assignment(assignment)
        self.side = course_side(course, self.assignment)
        self.checks: dict[str, Check] = {}
        self.outcomes: dict[str, str] = {}
        self.student: LocalStudent | None = None
        self.submission = Submission(self.side, "")

    def take(self, file: Path) -> None:
        """Run a student's file as a module, and forget the submission before."""
        text = file.read_text(encoding="utf-8")
        module = ModuleType(self.assignment.name)
        module.__file__ = str(file)
        exec(compile(text, str(file), "exec"), vars(module))
        self.student, self.outcomes = LocalStudent(vars(module)), {}
        self.submission = Submission(self.side, text)

    @pytest.fixture(name="student")
    def student_fixture(self) -> LocalStudent | None:
        """The student's functions, called right here."""
        return self.student

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Bring the checks into the order in which the kit runs them."""
        exercises = [each.id for each in self.assignment.exercises]
        manifest, ordered = make_manifest(self.assignment.id, items, exercises, self.assignment.visible, graded=True)
        items[:] = ordered
        self.checks = {check.node: check for check in manifest.checks}

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Leave a check out that says nothing new."""
        check = self.checks[item.nodeid]
        self.submission.begin(check)
        for need in check.spec.needs:
            if self.outcomes.get(f"{check.spec.exercise}.{need.removeprefix('test_')}") != "passed":
                pytest.skip(f"needs {need}")

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Note what a check came to."""
        report = yield
        check = self.checks[item.nodeid].id
        if report.when == "call" or not report.passed:
            excused = report.skipped and report.when == "call"
            self.outcomes[check] = "excused" if excused else report.outcome
        if report.when == "call":
            details: dict[str, Any] = report.__dict__.setdefault("_json_report_extra", {})
            details["metadata"] = {"check": check}
        return report


def pytest_configure(config: pytest.Config) -> None:
    """Make the plugin for the submission that the environment names."""
    plugin = InProcess(os.environ["BENCH_ASSIGNMENT"])
    config.pluginmanager.register(plugin, "in-process")
    if "BENCH_SUBMISSION" in os.environ:
        plugin.take(Path(os.environ["BENCH_SUBMISSION"]))
