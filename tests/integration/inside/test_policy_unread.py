"""What a text says about which exercises it answers, and what becomes of answers put into stubs as it runs."""

from grader.workers.process.connection import Connection
from grader.workers.process.failures import WorkerDied
from grader.workers.source_loading import TextReading

from ...support.workers.open_workers import open_session


def test_text_that_kills_its_reader_is_unread(monkeypatch):
    session = open_session("def f(x): return x\n")

    def dies(*_):
        raise WorkerDied

    monkeypatch.setattr(Connection, "ask", dies)
    assert session.analyse(["f"]) == TextReading() and session.notes()
