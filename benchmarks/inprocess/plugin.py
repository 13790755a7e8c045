"""A plugin of pytest (`-p benchmarks.inprocess.plugin`) that gives a suite's checks a student in the same process.

The assignment is named by BENCH_ASSIGNMENT and the submission by BENCH_SUBMISSION.
"""

import hashlib
import os
from pathlib import Path
from types import ModuleType

import pytest

from benchmarks.inprocess.student import LocalStudent
from grader.course.layout import find_course
from grader.course.run_source import load_solution
from grader.suite.core import fixtures
from grader.suite.core.context import AssignmentContext, CheckState, current_check
from grader.suite.core.draw import check_seed
from grader.suite.core.figures import load_figures
from grader.suite.core.manifest import Check, make_manifest

draw, golden, reference = fixtures.draw, fixtures.golden, fixtures.reference


class InProcess:
    """Runs the collected checks on one submission.

    Args:
        name: The assignment's id.
        file: The submission.
    """

    def __init__(self, name: str, file: Path) -> None:
        course = find_course(Path(__file__))
        self.assignment = course.assignment(name)
        self.context = AssignmentContext(
            assignment=name,
            module_name=self.assignment.name,
            solution=load_solution(self.assignment),
            mistakes={},
            forbids={each.id: list(each.forbids) for each in self.assignment.exercises},
            figures=load_figures(self.assignment.golden),
            secret=course.secret(),
        )
        text = file.read_text(encoding="utf-8")
        module = ModuleType(self.assignment.name)
        exec(compile(text, str(file), "exec"), vars(module))
        self.local = LocalStudent(vars(module))
        self.digest = hashlib.sha256(text.encode()).hexdigest()
        self.checks: dict[str, Check] = {}

    @pytest.fixture
    def student(self) -> LocalStudent:
        """The student's functions, called right here."""
        return self.local

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Bring the checks into the order in which the kit runs them."""
        exercises = [each.id for each in self.assignment.exercises]
        manifest, ordered = make_manifest(self.assignment.id, items, exercises, self.assignment.visible, graded=True)
        items[:] = ordered
        self.checks = {check.node: check for check in manifest.checks}

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Let a check draw what the kit lets it draw for the same text."""
        check = self.checks[item.nodeid]
        seed = check_seed(self.context.secret, self.context.assignment, self.digest, check.id)
        current_check.set(CheckState(check, seed, self.context))


def pytest_configure(config: pytest.Config) -> None:
    """Make the plugin for the submission that the environment names."""
    plugin = InProcess(os.environ["BENCH_ASSIGNMENT"], Path(os.environ["BENCH_SUBMISSION"]))
    config.pluginmanager.register(plugin, "in-process")
