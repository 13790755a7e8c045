"""What a text says about which exercises it answers, and what becomes of answers put into stubs as it runs."""

import pytest

from grader.suite.runner.outcomes import LATE
from grader.workers.process.connection import Connection
from grader.workers.process.failures import StudentFailure, WorkerDied
from grader.workers.source_loading import TextReading

from ...support.open_workers import open_session
from ...support.small_suites import HEAD, SmallRun, check

SUITE = HEAD + check("one", "assert student.first() == 1") + check("two", "assert student.second() == 2", "second")
INSTALLS = """
def first():
    global second
    second = lambda: 2
    return 1


def second():
    raise NotImplementedError
"""


def graded(folder, student):
    return SmallRun(folder, student, SUITE, together=False).verdicts


def test_answer_that_another_exercise_installs_counts_for_nothing(tmp_path):
    verdicts = graded(tmp_path, INSTALLS)
    assert verdicts["one"].status == "passed"
    assert verdicts["two"].status in ("failed", "missing")


def test_answer_that_the_loading_installs_counts_for_nothing(tmp_path):
    verdict = graded(tmp_path, INSTALLS + "first()\n")["two"]
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
    reading = session.analyse(["f"])
    assert reading == TextReading()
    assert session.notes() == [f"The text of your file could not be read through {unit}."]


def test_text_that_kills_its_reader_is_unread(monkeypatch):
    session = open_session("def f(x): return x\n")

    def dies(*_):
        raise WorkerDied

    monkeypatch.setattr(Connection, "ask", dies)
    assert session.analyse(["f"]) == TextReading() and session.notes()


def test_text_that_was_read_says_what_stands_in_it():
    session = open_session("import torch\ndef f(x): return torch.exp(x)\ndef g(x): raise NotImplementedError\n")
    assert session.analyse(["f", "g", "h"]) == TextReading(frozenset({"g"}), frozenset({"h"}))
