"""Grades a text by a small suite in this process, as the tests of calls that are made ahead do."""

import textwrap
from types import ModuleType

import pytest

from grader.limits import Limits
from grader.suite.collect import run_suite
from grader.suite.context import CourseSide, active
from grader.suite.run import Run
from grader.suite.unchanged import Unchanged
from grader.workers.clock import Finish
from grader.workers.connection import Connection
from grader.workers.policy import TextReading

from .open_workers import open_session

SUITE = """
import torch
from grader.suite import checks, exercise
first = exercise("first")
second = exercise("second")

def near(x, y):
    checks.close(x, y)

@first.check("value", ko="하나")
def test_one(student, draw):
    '''Doubled.'''
    x = draw.normal(3)
    near(student.first(x), 2 * x)

@first.check("value", ko="둘")
def test_two(student, draw):
    '''Doubled again.'''
    x = draw.normal(4)
    near(student.first(x), 2 * x)

@first.check("value", ko="셋")
def test_three(student, draw):
    '''Doubled once more.'''
    x = draw.normal(5)
    near(student.first(x), 2 * x)

@second.check("value", ko="넷")
def test_four(student):
    '''Two is returned.'''
    assert student.second() == 2
"""
FIRST = ("first.one", "first.two", "first.three")
ALL = (*FIRST, "second.four")
RIGHT = "def first(x): return 2 * x\ndef second(): return 2\n"
COUNTING = (
    "calls = 0\ndef first(x):\n    global calls\n    calls += 1\n    {what}\n    return 2 * x\ndef second(): return 2\n"
)


def solution_of(text):
    """Return a solution as the course would have loaded it."""
    module = ModuleType("solution")
    exec(textwrap.dedent(text), vars(module))
    return module


class Graded:
    """A text that was graded: its verdicts by id, its run, and how many requests went in each exchange."""

    def __init__(
        self,
        folder,
        student,
        suite=SUITE,
        chosen=FIRST,
        seconds=60.0,
        solution=None,
        proves=True,
        reading=None,
        exercises=("first", "second"),
        **limits,
    ):
        file = folder / "hidden" / "test_all.py"
        file.parent.mkdir(exist_ok=True)
        file.write_text(textwrap.dedent(suite), encoding="utf-8")
        self.verdicts, self.exchanges, self.harmless = {}, [], []

        def run(plugin, _):
            unchanged = Unchanged(plugin.roots())
            session = open_session(textwrap.dedent(student), begin=False, **limits)
            finish = Finish(seconds)
            self.finish = finish.at
            self.run = plugin.run = Run(session, "digest", Limits(**limits), finish, self.keep)
            plugin.prefetch.chosen = frozenset(chosen)
            active.text = reading or TextReading()
            for item, following in zip(plugin.items, [*plugin.items[1:], None], strict=True):
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if proves:
                self.harmless = plugin.prefetch.harmless(plugin.run, plugin.course, unchanged)

        usual = Connection.ask_each

        def ask_each(connection, requests, patience):
            self.exchanges.append(len(requests))
            return usual(connection, requests, patience)

        course = CourseSide(
            assignment="01_a",
            module_name="a",
            solution=solution,
            mistakes={},
            forbids={"first": ["softmax"]},
            figures={},
            secret=b"s" * 32,
        )
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Connection, "ask_each", ask_each)
            run_suite(course, list(exercises), [file.parent], folder / "visible", run)

    def keep(self, verdict):
        self.verdicts[verdict.id] = verdict

    @property
    def statuses(self):
        return {name.partition(".")[2]: verdict.status for name, verdict in self.verdicts.items()}


ALL_PASSED = {"one": "passed", "two": "passed", "three": "passed", "four": "passed"}

THIRD = """
@second.check("value", ko="다섯")
def test_five(student):
    '''Two is returned again.'''
    assert student.second() == 2
"""
KEPT = """
kept = []
def first(x):
    kept.append(x)
    {what}
    return 2 * x
def second():
    return 2 if {kept} else 3
"""
