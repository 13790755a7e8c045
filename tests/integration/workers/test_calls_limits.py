"""A check has one clock for all its calls; what overruns it is killed, and nothing is left behind."""

from pathlib import Path

import pytest
import torch

from grader.suite.library.checks import given

from ...support.workers.open_workers import close_sessions, ends, failure_of, open_student, shared_workers

X = torch.ones(3)
SOURCE = """
import os, time, threading
calls = 0
def forever():
    while True: pass
def busy(s):
    end = time.process_time() + s
    while time.process_time() < end: pass
    return s
def threads():
    import hashlib
    def work():
        data = bytes(10 ** 7)
        while True: hashlib.sha256(data).digest()
    for _ in range(4): threading.Thread(target=work, daemon=True).start()
    time.sleep(30)
def fine(x): return x
def dies(): os._exit(1)
def counts(x, end="no"):
    global calls
    calls += 1
    if end == "hang": forever()
    if end == "exit": os._exit(3)
    return x * calls
"""


def descriptors():
    """Return the open descriptors of this process, the one for looking left out."""
    return sorted(int(entry.name) for entry in Path("/proc/self/fd").iterdir() if entry.is_symlink())


def test_an_endless_loop_is_killed_and_told():
    student = open_student(SOURCE, check_cpu_s=0.3)
    failure = failure_of(student.forever)
    assert (failure.status, failure.name) == ("timeout", "forever")
    assert ends(shared_workers().pids[-1])
    student._session.begin_check()
    assert torch.equal(student.fine(X), X)


def test_the_calls_of_a_check_share_its_time_and_the_next_check_has_its_own():
    student = open_student(SOURCE, check_cpu_s=0.5)
    student.busy(0.3)
    assert failure_of(student.busy, 0.3).status == "timeout"
    assert failure_of(student.fine, X).status == "timeout"
    student._session.begin_check()
    assert student.busy(0.3) == 0.3


def test_processor_time_is_limited_over_all_threads():
    assert failure_of(open_student(SOURCE, check_cpu_s=0.5).threads).status == "timeout"


def test_a_constructor_that_hangs_is_named_and_not_what_was_asked_of_the_module():
    student = open_student("def Layer(d):\n    while True: pass\n", check_cpu_s=0.3)
    failure = failure_of(student.Layer.built(3).facts)
    assert failure.status == "timeout" and failure.sentence.startswith("Layer did not finish")


@pytest.mark.parametrize(("end", "status"), [("hang", "timeout"), ("exit", "crash")])
def test_one_of_several_calls_that_does_not_come_back_costs_its_check_and_not_the_next_one(end, status):
    student = open_student(SOURCE, check_cpu_s=0.3)
    assert failure_of(student.counts.on_each, [given(X), given(X, end=end), given(X)]).status == status
    student._session.begin_check()
    assert student.counts(X).tolist() == [1, 1, 1]


def test_nothing_stays_open_after_kills_deaths_and_fresh_workers():
    open_student(SOURCE).fine(X)
    close_sessions()
    before = descriptors()
    student = open_student(SOURCE, check_cpu_s=0.3)
    failure_of(student.forever)
    student._session.begin_check()
    failure_of(student.dies)
    student.fine(X)
    student._session.close()
    student.fine(X)
    pids = shared_workers().pids[-4:]
    student._session.close()
    assert descriptors() == before
    assert all(ends(pid) for pid in pids)
