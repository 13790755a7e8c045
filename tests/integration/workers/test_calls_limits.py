"""A check has one clock for all its calls; what overruns it is killed, and nothing is left behind."""

from pathlib import Path

import pytest
import torch

from grader.workers.process.clock import Deadline
from grader.workers.process.failures import StudentFailure

from ...support.workers.open_workers import close_sessions, ends, failure_of, open_student, shared_workers

X = torch.ones(3)
SOURCE = """
import time, threading
def forever():
    while True: pass
def nap(s):
    time.sleep(s)
    return s
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
"""


def descriptors():
    """Return the open descriptors of this process, the one for looking left out."""
    return sorted(int(entry.name) for entry in Path("/proc/self/fd").iterdir() if entry.is_symlink())


def test_endless_loop_is_killed_and_told():
    student = open_student(SOURCE, check_wall_s=0.4)
    failure = failure_of(student.forever)
    assert failure.status == "timeout" and failure.sentence.startswith("forever did not finish within 0.4 s")
    assert ends(shared_workers().pids[-1])
    student._session.begin_check()
    assert torch.equal(student.fine(X), X)


def test_calls_of_one_check_share_its_time_and_the_next_check_has_its_own():
    student = open_student(SOURCE, check_wall_s=1.0)
    student.nap(0.6)
    assert failure_of(student.nap, 0.6).status == "timeout"
    student._session.begin_check()
    assert student.nap(0.6) == 0.6


def test_used_up_clock_refuses_further_calls_of_the_check():
    student = open_student(SOURCE, check_wall_s=0.3)
    failure_of(student.forever)
    assert failure_of(student.fine, X).status == "timeout"


def test_processor_time_is_limited_over_all_threads():
    student = open_student(SOURCE, check_wall_s=20, check_cpu_s=0.5)
    failure = failure_of(student.threads)
    assert failure.status == "timeout" and "processor time" in failure.sentence


def test_processor_time_adds_up_over_the_calls_of_a_check():
    student = open_student(SOURCE, check_wall_s=20, check_cpu_s=0.5)
    with pytest.raises(StudentFailure, match="processor time"):
        for _ in range(20):
            student.busy(0.1)


def test_sleep_costs_no_processor_time():
    student = open_student(SOURCE, check_wall_s=20, check_cpu_s=0.3)
    assert student.nap(0.7) == 0.7


def test_submission_past_its_own_time_is_told_so():
    student = open_student(SOURCE)
    student.fine(X)
    student._session.begin_check(Deadline(0.3))
    failure = failure_of(student.forever)
    assert failure.limit == "submission" and "whole submission" in failure.sentence
    student._session.begin_check(Deadline(-1.0))
    assert failure_of(student.fine, X).limit == "submission"


def test_nothing_stays_open_after_kills_deaths_and_fresh_workers():
    open_student(SOURCE).fine(X)
    close_sessions()
    before = descriptors()
    student = open_student(SOURCE + "\nimport os\ndef dies(): os._exit(1)\n", check_wall_s=0.3)
    failure_of(student.forever)
    student._session.begin_check()
    failure_of(student.dies)
    student.fine(X)
    student._session.drop_worker()
    student.fine(X)
    pids = shared_workers().pids[-4:]
    student._session.close()
    assert descriptors() == before
    assert all(ends(pid) for pid in pids)
