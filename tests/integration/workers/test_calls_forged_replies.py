"""Workers that speak for themselves: whatever bytes they send, none gains anything or holds up the trusted side."""

import select
import time

import pytest
import torch

from grader.workers.process import clock

from ...support.workers.open_workers import failure_of, good
from ...support.workers.thread_workers import scripted_student

X = torch.ones(3)


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    """Have what uses no processor time waited for half a second."""
    monkeypatch.setattr(clock, "WALL_MORE_S", 0.2)


def test_reply_a_byte_at_a_time_ends_with_the_clock():
    def script(sock, call):
        for byte in good(call):
            sock.sendall(bytes([byte]))
            time.sleep(0.05)

    student, _ = scripted_student(script, check_cpu_s=0.05)
    assert failure_of(student.f, X).status == "timeout"


def wait_for_the_end(sock):
    hung_up = select.poll()
    hung_up.register(sock, 0)
    hung_up.poll()


def test_worker_that_never_reads_ends_with_the_clock():
    student, _ = scripted_student(lambda sock, call: wait_for_the_end(sock), check_cpu_s=0.05)
    failure_of(student.f, X)
    student._session.begin_check()
    assert failure_of(student.f, torch.zeros(4_000_000)).status == "timeout"
