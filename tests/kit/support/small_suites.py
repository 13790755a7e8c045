"""Grades a text by a small suite in this process, as the tests of checks that ask together do."""

import textwrap

import pytest

from grader.inside.protocol.messages import Call, ModuleRequest
from grader.limits import Limits
from grader.suite.core.context import AssignmentContext
from grader.suite.runner.collect import collected
from grader.suite.runner.submission_run import Run
from grader.workers.process.clock import Deadline
from grader.workers.process.connection import Connection

from .open_workers import open_session

HEAD = """
import torch
from grader.suite import checks, exercise
first = exercise("first")
second = exercise("second")
"""
SUITE = f"""{HEAD}
def doubled(student, x):
    assert torch.equal(student.first(x), 2 * x), "not doubled"

@first.check("value", ko="하나")
def test_one(student, draw):
    '''Doubled.'''
    doubled(student, draw.normal(3))

@first.check("value", ko="둘")
def test_two(student, draw):
    '''Doubled again.'''
    doubled(student, draw.normal(4))

@first.check("value", ko="셋")
def test_three(student, draw):
    '''Doubled once more.'''
    doubled(student, draw.normal(5))

@second.check("value", ko="넷")
def test_four(student):
    '''Two is returned.'''
    assert student.second() == 2
"""
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


class SmallRun:
    """A text that was graded by a small suite: its verdicts by id, and how many requests went in each exchange."""

    def __init__(self, folder, student, suite=SUITE, *, together=True, seconds=60.0, reading=None, forbids=None,
                 solution=None, exercises=None, **limits):  # fmt: skip
        file = folder / "hidden" / "test_all.py"
        file.parent.mkdir(exist_ok=True)
        file.write_text(textwrap.dedent(suite), encoding="utf-8")
        self.verdicts, self.exchanges = {}, []

        usual = Connection.ask

        def ask(connection, requests, *rest):
            if requests and isinstance(requests[0][0], Call | ModuleRequest):
                self.exchanges.append(len(requests))
            return usual(connection, requests, *rest)

        course = AssignmentContext(
            assignment="01_a",
            module_name="a",
            solution=solution,
            mistakes={},
            forbids=forbids or {},
            figures={},
            secret=b"s" * 32,
        )
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Connection, "ask", ask)
            asked = exercises or [name for name in ("first", "second") if f"@{name}.check" in suite]
            with collected(course, asked, [file.parent], folder / "visible", together=together) as checks:
                self.session = open_session(textwrap.dedent(student), begin=False, **limits)
                deadline = Deadline(seconds)
                self.run = Run(
                    course,
                    self.session,
                    "digest",
                    Limits(**limits),
                    deadline,
                    self._keep,
                    text=reading or self.session.analyse(asked),
                )
                checks.grade(self.run)

    def _keep(self, verdict):
        name = verdict.id.partition(".")[2]
        assert name not in self.verdicts
        self.verdicts[name] = verdict

    @property
    def statuses(self):
        return {name: verdict.status for name, verdict in self.verdicts.items()}
