"""Which of several definitions counts, and that what is read for forbidden calls is the one that is graded."""

import ast

import torch

from grader.inside.source.duplicate_definitions import choose_definitions
from grader.inside.source.statement_groups import Group
from grader.workers.calls.student import Student

from ...support.workers.open_workers import open_session

STUB = "def f(x):\n    '''Text.'''\n    raise NotImplementedError('f is not written yet')\n"
ONE = "def f(x):\n    return x + 1\n"


def test_an_endless_statement_of_a_cell_that_is_gone_on_with_is_left_there():
    session = open_session(["later\nwhile True: pass\nlost = 1", "later = 1", ONE], check_cpu_s=1.0)
    assert torch.equal(Student(session).f(torch.zeros(1)), torch.ones(1))
    assert any("Line 2 of cell 1 was not run any further" in note for note in session.notes())


class Watched(list):
    """Counts how often it is looked through."""

    looks = 0

    def __iter__(self):
        self.looks += 1
        return super().__iter__()

    def remove(self, value):
        self.looks += 1
        super().remove(value)

    def index(self, *values):
        self.looks += 1
        return super().index(*values)

    def __contains__(self, value):
        self.looks += 1
        return super().__contains__(value)


def test_many_stubs_of_one_name_are_left_out_without_looking_through_the_cell_for_each():
    """To leave one out takes no longer where there are many, so the time of a load is not used up by it."""
    statements = Watched(ast.parse(ONE + STUB * 500).body)
    groups = [Group(1, "a.py", [], statements)]
    choose_definitions(groups)
    assert len(groups[0].statements) == 1
    assert 0 < statements.looks < 10
