"""Which of several definitions counts, and that what is read for forbidden calls is the one that is graded."""

import torch

from grader.workers.calls.student import Student

from ...support.workers.open_workers import open_session

ONE = "def f(x):\n    return x + 1\n"


def test_an_endless_statement_of_a_cell_that_is_gone_on_with_is_left_there():
    session = open_session(["later\nwhile True: pass\nlost = 1", "later = 1", ONE], check_cpu_s=1.0)
    assert torch.equal(Student(session).f(torch.zeros(1)), torch.ones(1))
    assert any("Line 2 of cell 1 was not run any further" in note for note in session.notes())
