"""Which of several definitions counts, and that what is read for forbidden calls is the one that is graded."""

import ast
import time

import torch

from grader.inside.source.duplicate_definitions import choose_definitions
from grader.inside.source.statement_groups import Group
from grader.workers.calls.student import Student

from ...support.open_workers import open_session

STUB = "def f(x):\n    '''Text.'''\n    raise NotImplementedError('f is not written yet')\n"
ONE = "def f(x):\n    return x + 1\n"


def test_an_endless_statement_of_a_cell_that_is_gone_on_with_is_left_there():
    session = open_session(["later\nwhile True: pass\nlost = 1", "later = 1", ONE], check_wall_s=1.0, check_cpu_s=1.0)
    assert torch.equal(Student(session).f(torch.zeros(1)), torch.ones(1))
    assert any("Line 2 of cell 1 was not run any further" in note for note in session.notes())


def test_twenty_thousand_stubs_of_one_name_are_left_out_in_time():
    """To leave one out takes no longer where there are many, so the time of a load is not used up by it."""
    groups = [Group(1, "a.py", [], ast.parse(ONE + STUB * 20_000).body)]
    started = time.process_time()
    choose_definitions(groups)
    assert time.process_time() - started < 1
    assert len(groups[0].statements) == 1
