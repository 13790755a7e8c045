"""What a text says about which exercises it answers, and what becomes of answers put into stubs as it runs."""

import importlib.util
from pathlib import Path

import pytest

from grader.inside.protocol.messages import Cell
from grader.inside.source.answered_exercises import absent, stubs
from grader.inside.source.duplicate_definitions import parse_source
from grader.suite.runner.outcomes import LATE
from grader.workers.process.connection import Connection
from grader.workers.process.failures import OutOfTime, WorkerDied
from grader.workers.source_loading import TextReading

from ...support.exercises.small_suites import HEAD, SmallRun, check
from ...support.workers.open_workers import open_session

STUB = "def f(x):\n    '''Do it.'''\n    # YOUR CODE HERE\n    raise NotImplementedError\n"
CHECKED = "from grader import check\n" + STUB + "check('f')\n"
LAYER = "class f(nn.Module):\n    def forward(self, x):\n        raise NotImplementedError()\n"
WRITTEN = [
    "def f(x):\n    if x.dim():\n        return x\n    raise NotImplementedError\n",
    STUB + "f = lambda x: x\n",
    STUB + "globals()['f'] = lambda x: x\n",
    STUB + "from math import *\n",
    CHECKED + "check('f', 1)\n",
    CHECKED.replace("check('f')", "def check(name): globals()[name] = abs\ncheck('f')"),
    CHECKED.replace("from grader import", "from answers import"),
    "def f(x):\n    yield x\n    raise NotImplementedError\n",
    "class f(nn.Module):\n    def forward(self, x): return x\n    def extra(self): raise NotImplementedError\n",
    LAYER + "f.forward = lambda self, x: x\n",
    LAYER + "    def __init__(self):\n        super().__init__()\n        self.forward = lambda x: x\n",
]


def statements(text):
    groups, _ = parse_source([Cell(1, text)], "x.py", False)
    return [statement for group in groups for statement in group.statements]


@pytest.mark.parametrize(
    "text", [STUB, CHECKED, LAYER, "g = 1\n" + STUB + "def other(x):\n    global f\n    f = torch.exp\n"]
)
def test_stub_is_one_whatever_functions_put_in_its_place(text):
    assert stubs(statements(text), ["f"]) == ["f"] and absent(statements(text), ["f"]) == []


def test_what_may_answer_is_no_stub(subtests):
    for text in WRITTEN:
        with subtests.test(text=text):
            assert stubs(statements(text), ["f"]) == [] and absent(statements(text), ["f"]) == []


def test_exercise_that_only_runs_into_being_is_absent_from_the_text():
    text = statements("exec('def f(x): return x')\n")
    assert absent(text, ["f"]) == ["f"] and stubs(text, ["f"]) == []


@pytest.mark.parametrize("module", ["test_grammar", "test_patma", "test_unpack_ex", "test_scope", "test_with"])
def test_every_form_of_python_can_be_read(module):
    """A form that the reading stumbles over would leave every check of an honest answer unread."""
    place = importlib.util.find_spec(f"test.{module}")
    if place is None:
        pytest.skip("this Python was installed without its own tests")
    text = statements(Path(place.origin).read_text(encoding="utf-8"))
    assert absent(text, ["unittest"]) == stubs(text, ["unittest"]) == []


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
    return SmallRun(folder, student, SUITE).verdicts


def test_answer_that_another_exercise_installs_counts_for_nothing(tmp_path):
    verdicts = graded(tmp_path, INSTALLS)
    assert verdicts["one"].status == "passed"
    assert verdicts["two"].status in ("failed", "missing")


def test_answer_that_the_loading_installs_counts_for_nothing(tmp_path):
    verdict = graded(tmp_path, INSTALLS + "first()\n")["two"]
    assert verdict.status == "failed" and (verdict.advice, verdict.advice_ko) == (LATE, LATE.to("ko"))


def test_answer_below_its_stub_counts(tmp_path):
    written = graded(tmp_path, INSTALLS + "def second(): return 2\n")
    assert {verdict.status for verdict in written.values()} == {"passed"}


@pytest.mark.parametrize("end", [OutOfTime("check"), WorkerDied()], ids=["takes too long", "kills its reader"])
def test_text_whose_reading_ends_so_is_unread(monkeypatch, end):
    session = open_session("def f(x): return x\n")

    def ends(*_):
        raise end

    monkeypatch.setattr(Connection, "ask", ends)
    assert session.analyse(["f"]) == TextReading()
    (note,) = session.notes()
    assert note == session.record.unread and session.notes("ko") != [note]


def test_text_that_was_read_says_what_stands_in_it():
    session = open_session("import torch\ndef f(x): return torch.exp(x)\ndef g(x): raise NotImplementedError\n")
    assert session.analyse(["f", "g", "h"]) == TextReading(frozenset({"g"}), frozenset({"h"}))
