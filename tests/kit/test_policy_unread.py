"""What becomes of a submission whose text was not read through, and of one that puts answers into stubs as it runs."""

import textwrap
from pathlib import Path

import pytest

from grader.limits import Limits
from grader.suite.collect import run_suite
from grader.suite.context import CourseSide, active
from grader.suite.late_installs import LATE
from grader.suite.run import Run
from grader.workers.clock import Finish
from grader.workers.connection import Connection
from grader.workers.failures import StudentFailure, WorkerDied
from grader.workers.policy import TextReading

from .open_workers import close_sessions, open_session

SUITE = """
from grader.suite import checks, exercise
first = exercise("first")
second = exercise("second")


@first.check("value", ko="하나")
def test_first(student):
    '''One is returned.'''
    checks.is_true(student.first() == 1, "no", "아니요")


@second.check("value", ko="둘")
def test_second(student):
    '''Two is returned.'''
    checks.is_true(student.second() == 2, "no", "아니요")
"""
INSTALLS = """
def first():
    global second
    second = lambda: 2
    return 1


def second():
    raise NotImplementedError
"""


@pytest.fixture(autouse=True)
def nothing_stays(monkeypatch):
    monkeypatch.setattr(active, "text", TextReading())
    yield
    close_sessions()


def graded(folder: Path, student: str):
    file = folder / "hidden" / "test_all.py"
    file.parent.mkdir()
    file.write_text(textwrap.dedent(SUITE), encoding="utf-8")
    verdicts = []

    def run(plugin, _):
        session = open_session(student, begin=False)
        active.text = session.analyse({"first": [], "second": []})
        plugin.run = Run(session, "digest", Limits(), Finish(60.0), verdicts.append)
        for item, following in zip(plugin.items, [*plugin.items[1:], None], strict=True):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)

    course = CourseSide(
        assignment="01_a", module_name="a", solution=None, mistakes={}, forbids={}, figures={}, secret=b"s" * 32
    )
    run_suite(course, ["first", "second"], [file.parent], folder / "visible", run)
    return {verdict.id: verdict for verdict in verdicts}


def test_answer_that_another_exercise_installs_counts_for_nothing(tmp_path):
    verdicts = graded(tmp_path, INSTALLS)
    assert verdicts["first.first"].status == "passed"
    assert verdicts["second.second"].status in ("failed", "missing")


def test_answer_that_the_loading_installs_counts_for_nothing(tmp_path):
    verdict = graded(tmp_path, INSTALLS + "first()\n")["second.second"]
    assert verdict.status == "failed" and (verdict.advice, verdict.advice_ko) == LATE


def test_answer_below_its_stub_counts(tmp_path):
    written = graded(tmp_path, INSTALLS + "def second(): return 2\n")
    assert {verdict.status for verdict in written.values()} == {"passed"}


@pytest.mark.parametrize(("limit", "unit"), [("wall", "within 0.5 s"), ("cpu", "within 0.25 s")])
def test_text_whose_reading_takes_too_long_is_unread(monkeypatch, limit, unit):
    session = open_session("def f(x): return x\n", check_wall_s=0.5, check_cpu_s=0.25)

    def ends(*_):
        raise StudentFailure("timeout", "It did not finish.", limit=limit)

    monkeypatch.setattr(session, "_exchange", ends)
    reading = session.analyse({"f": ["softmax"]})
    assert reading.findings == {} and reading.unread == f"The text of your file could not be read through {unit}."
    assert session.notes() == [reading.unread]


def test_text_that_kills_its_reader_is_unread(monkeypatch):
    session = open_session("def f(x): return x\n")

    def dies(*_):
        raise WorkerDied

    monkeypatch.setattr(Connection, "ask", dies)
    assert session.analyse({"f": ["softmax"]}).unread


def test_text_that_was_read_says_what_stands_in_it():
    session = open_session("import torch\ndef f(x): return torch.exp(x)\ndef g(x): raise NotImplementedError\n")
    reading = session.analyse({"f": ["softmax"], "g": ["softmax"], "h": []})
    assert reading == TextReading({}, "", frozenset({"g"}), frozenset({"h"}))
