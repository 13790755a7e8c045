"""Grades a text by a small suite in this process."""

import json
import textwrap
from types import SimpleNamespace

import pytest

from grader.source_cells import Source
from grader.suite.core.context import AssignmentContext, CheckState, current_check
from grader.suite.core.manifest import in_order
from grader.suite.runner.collect import Collection
from grader.suite.runner.outcomes import verdict_of
from grader.suite.runner.submission_run import Run
from grader.suite.runner.tries import Ended, Job, Tries
from grader.suite.runner.undocumented import end_in_fork
from grader.workers.process.clock import Allowance
from grader.workers.process.failures import NotGraded
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


def doubled(name, size):
    """Return the text of a check of `first` that draws so many numbers."""
    body = f'assert torch.equal(student.first(x := draw.normal({size})), 2 * x), "not doubled"'
    return check(name, body, given="student, draw")


ONE_TO_THREE = doubled("one", 3), doubled("two", 4), doubled("three", 5)
SUITE = "".join([HEAD, *ONE_TO_THREE, check("four", "assert student.second() == 2", "second")])
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


def verdict_left_by(error):
    """Return the verdict of a check that an exception has left."""
    return verdict_of("f.one", error)


@pytest.fixture(autouse=True)
def nothing_stays():
    """Give every test a check of its own, of a course that knows no mistakes, and leave no worker open."""
    in_a_check()
    yield
    close_sessions()


class SmallRun:
    """A text that went through a small suite, and what lost something once more: its verdicts by id.

    Attributes:
        tries: What counts of the ways through the checks, each of which had a worker of its own.
        ran: The exercise of each way, None for the first, with the names of its checks.
    """

    def __init__(
        self, folder, student, suite=SUITE, *, visible="", conftest="", reading=None, forbids=None, solution=None,
        exercises=None,
    ):  # fmt: skip
        file = folder / "hidden" / "test_all.py"
        file.parent.mkdir(exist_ok=True)
        file.write_text(suite, encoding="utf-8")
        file.with_name("conftest.py").write_text(textwrap.dedent(conftest), encoding="utf-8")
        self.ran = []
        asked = exercises or [name for name in ("first", "second") if f"@{name}.check" in suite + visible]
        course = AssignmentContext(assignment="01_a", module_name="a", exercises=asked, solution=solution, mistakes={},
                                   forbids=forbids or {}, figures={}, secret=b"s" * 32)  # fmt: skip

        def go(checks, job):
            ended = Ended(exercise=job.exercise)
            stops = job.first.stops if job.first else {}
            self.session = open_session(textwrap.dedent(student), begin=False, left=job.left, stops=stops)
            ended.text = reading or (job.first and job.first.text) or self.session.analyse(asked)
            run = Run(course, checks, self.session, job, ended.text)
            try:
                for check in [check for check in in_order(checks) if job.exercise in (None, check.spec.exercise)]:
                    ended.verdicts.append(run.take(check))
            except NotGraded as error:
                ended.early = error.why
            ended.stops = self.session.stops
            self.ran.append((job.exercise, [verdict.id.partition(".")[2] for verdict in ended.verdicts]))
            self.tries.ended.append(ended)

        def use(checks):
            of_exercise = {}
            for check in checks:
                of_exercise.setdefault(check.spec.exercise, set()).add(check.id)
            self.tries = Tries(Job(Source(), Allowance()), of_exercise)
            while (job := self.tries.next_job()) is not None:
                go(checks, job)
                if len(self.ran) == 1:
                    self._raw = end_in_fork(checks[0].item.session)

        (folder / "visible").mkdir(exist_ok=True)
        (folder / "visible" / "test_visible.py").write_text(visible, encoding="utf-8")
        Collection(course, folder / "visible", file.parent, use).run()
        self.verdicts = {id.partition(".")[2]: verdict for id, verdict in self.tries.verdicts.items()}

    @property
    def raw(self):
        """What the raw report says of each check."""
        return json.loads(self._raw)["tests"]

    @property
    def statuses(self):
        return {name: verdict.status for name, verdict in self.verdicts.items()}


@pytest.fixture
def graded(tmp_path):
    """Return what grades a text by a suite of the exercises `first` and `second`, and gives the verdicts by id."""

    def grade(suite, student, folder=tmp_path):
        run = SmallRun(folder, student, HEAD + suite, exercises=["first", "second"], reading=TextReading())
        return {verdict.id: verdict for verdict in run.verdicts.values()}

    return grade
