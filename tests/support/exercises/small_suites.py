"""Grades a text by a small suite in this process, as the tests of checks that ask together do."""

import json
import textwrap
from types import SimpleNamespace

import pytest

from grader.inside.protocol.messages import Call, ModuleRequest
from grader.limits import Limits
from grader.suite.core.context import AssignmentContext, CheckState, current_check
from grader.suite.process.child_report import write_raw_report
from grader.suite.runner.collect import collected
from grader.suite.runner.submission_run import Run
from grader.workers.process.clock import Deadline
from grader.workers.process.connection import Connection
from grader.workers.source_loading import TextReading

from ..workers.open_workers import close_sessions, open_session

HEAD = """
import torch
from grader.suite import checks, exercise
first = exercise("first")
second = exercise("second")
"""


def check(name, body, of="first", *, given="student", says="It is asked.", marks=""):
    """Return the text of a check of an exercise: its body, what it is `given`, what else `check` takes as `marks`."""
    head = f'@{of}.check("value", ko="하나"{marks})'
    return f"{head}\ndef test_{name}({given}):\n    '''{says}'''\n    {body}\n\n"


def suite_with(**marks):
    """Return a suite of three checks of `first` and one of `second`, with marks for those of some names."""
    doubled = 'assert torch.equal(student.first(x := draw.normal({})), 2 * x), "not doubled"'
    drawing = [
        check(name, doubled.format(size), given="student, draw", marks=marks.get(name, ""))
        for name, size in (("one", 3), ("two", 4), ("three", 5))
    ]
    return "".join([HEAD, *drawing, check("four", "assert student.second() == 2", "second")])


SUITE = suite_with()
RIGHT = "def first(x): return 2 * x\ndef second(): return 2\n"
COUNTING = """
import os, time
calls = 0
def first(x):
    global calls
    calls += 1
    {what}
    return 2 * x
def second(): return 2
"""
ALL_PASSED = {"one": "passed", "two": "passed", "three": "passed", "four": "passed"}
ONE = "assert student.first() == 1"
SECOND = check("second", "assert student.second() == 2", "second")
ONE_EACH = check("first", ONE) + SECOND


def in_a_check(mistakes=None, forbids=None):
    """Let a check run, of a course that knows mistakes: by exercise a dictionary of functions by name."""
    known = {
        exercise: [
            SimpleNamespace(name=name, exercise=exercise, hint=name, ko=name, make=makes[name]) for name in makes
        ]
        for exercise, makes in (mistakes or {}).items()
    }
    current_check.set(CheckState(course=SimpleNamespace(mistakes=known, forbids=forbids or {}, device="cpu")))


@pytest.fixture(autouse=True)
def nothing_stays():
    """Give every test a check of its own, of a course that knows no mistakes, and leave no worker open."""
    in_a_check()
    yield
    close_sessions()


class SmallRun:
    """A text that was graded by a small suite: its verdicts by id, and how many requests went in each exchange."""

    def __init__(self, folder, student, suite=SUITE, *, conftest="", together=True, seconds=60.0, reading=None,
                 forbids=None, solution=None, exercises=None, **limits):  # fmt: skip
        file = folder / "hidden" / "test_all.py"
        file.parent.mkdir(exist_ok=True)
        file.write_text(suite, encoding="utf-8")
        file.with_name("conftest.py").write_text(textwrap.dedent(conftest), encoding="utf-8")
        self._folder, self.verdicts, self.exchanges = folder, {}, []

        usual = Connection.ask

        def ask(connection, requests, *rest):
            if requests and isinstance(requests[0][0], Call | ModuleRequest):
                self.exchanges.append(len(requests))
            return usual(connection, requests, *rest)

        course = AssignmentContext(assignment="01_a", module_name="a", solution=solution, mistakes={},
                                   forbids=forbids or {}, figures={}, secret=b"s" * 32)  # fmt: skip
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Connection, "ask", ask)
            asked = exercises or [name for name in ("first", "second") if f"@{name}.check" in suite]
            with collected(course, asked, [file.parent], folder / "visible", together=together) as checks:
                self.session = open_session(textwrap.dedent(student), begin=False, **limits)
                deadline = Deadline(seconds)
                self.run = Run(course, self.session, "digest", Limits(**limits), deadline, self._keep,
                               text=reading or self.session.analyse(asked))  # fmt: skip
                self.skipping = checks.pytest_session.config.pluginmanager.has_plugin("skipping")
                checks.warm()
                checks.grade(self.run)
                write_raw_report(checks.pytest_session, folder / "raw.json")

    def _keep(self, verdict):
        name = verdict.id.partition(".")[2]
        assert name not in self.verdicts
        self.verdicts[name] = verdict

    @property
    def raw(self):
        """What the raw report says of each check."""
        return json.loads((self._folder / "raw.json").read_bytes())["tests"]

    @property
    def statuses(self):
        return {name: verdict.status for name, verdict in self.verdicts.items()}


@pytest.fixture(params=[True, False], ids=["together", "alone"])
def together(request):
    """Whether the checks of a test ask together or each by itself: it is run both ways."""
    return request.param


@pytest.fixture
def graded(together, tmp_path):
    """Return what grades a text by a suite of the exercises `first` and `second`, and gives the verdicts by id."""

    def grade(suite, student, folder=tmp_path, **options):
        options |= {"together": together, "exercises": ["first", "second"], "reading": TextReading()}
        return {verdict.id: verdict for verdict in SmallRun(folder, student, HEAD + suite, **options).verdicts.values()}

    return grade
