"""An exercise stays what its own cell makes of it, whatever other cells do; slow and failing cells cost nothing."""

import torch

from grader.workers.calls.student import Student

from ...support.workers.open_workers import open_session

ONE = "def f(x):\n    return x + 1\n"
OWN = "f"
SLOW = "import time\nend = time.process_time() + 0.2\nwhile time.process_time() < end: pass\n"


def value(session):
    return float(Student(session).f(torch.zeros(1)))


def test_cells_that_are_slow_together_cost_nothing():
    cells = [SLOW] * 12
    session = open_session(["import torch", *cells[:6], (ONE, OWN), *cells[6:]], check_cpu_s=0.5)
    assert value(session) == 1
    notes = session.notes()
    assert any("the cells together took too long, so only what defines something was run here" in n for n in notes)


def test_many_cells_that_end_the_process_cost_nothing():
    session = open_session(["import torch", (ONE, OWN), *["import os\nos._exit(1)\n"] * 8])
    assert value(session) == 1


def test_an_endless_statement_of_the_own_cell_leaves_its_definitions():
    cell = "while True: pass\n" + ONE
    session = open_session(["import torch", (cell, OWN)], check_cpu_s=0.5)
    assert value(session) == 1
