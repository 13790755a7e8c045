"""Several calls in one exchange: each is answered as if it stood alone, and the worker's faults cost what they cost."""

import pytest
import torch

from grader.suite.library.checks import given
from grader.workers.calls.student import Student

from ...support.exercises.small_suites import in_a_check
from ...support.workers.open_workers import failure_of, open_session

COUNTS = """
import os, time
calls = 0
def f(x, plus=0):
    global calls
    calls += 1
    print("call", calls)
    if plus == "raise": raise KeyError("no")
    if plus == "hang": time.sleep(60)
    if plus == "end": os._exit(3)
    return x * calls + plus
"""
X = torch.ones(2)


@pytest.fixture(autouse=True)
def graded():
    in_a_check({"double": {"square": lambda x, times=2: x * x}}, {"double": []})


@pytest.mark.parametrize(("plus", "status"), [("hang", "timeout"), ("end", "crash")])
def test_call_that_ends_the_worker_costs_the_check_and_not_the_next_one(plus, status):
    session = open_session(COUNTS, check_wall_s=0.5)
    student = Student(session)
    assert failure_of(student.f.on_each, [given(X), given(X, plus=plus), given(X)]).status == status
    session.begin_check()
    assert student.f(X).tolist() == [1, 1]
