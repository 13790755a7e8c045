"""Several calls in one exchange, one of which does not come back: it costs its check and not the next one."""

import pytest
import torch

from grader.suite.library.checks import given

from ...support.workers.open_workers import failure_of, open_student

SOURCE = """
import os, time
calls = 0
def f(x, end="no"):
    global calls
    calls += 1
    if end == "hang": time.sleep(60)
    if end == "exit": os._exit(3)
    return x * calls
"""
X = torch.ones(2)


@pytest.mark.parametrize(("end", "status"), [("hang", "timeout"), ("exit", "crash")])
def test_call_that_ends_the_worker_costs_the_check_and_not_the_next_one(end, status):
    student = open_student(SOURCE, check_wall_s=0.5)
    assert failure_of(student.f.on_each, [given(X), given(X, end=end), given(X)]).status == status
    student._session.begin_check()
    assert student.f(X).tolist() == [1, 1]
