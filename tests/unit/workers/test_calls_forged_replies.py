"""Workers that speak for themselves: whatever bytes they send, none gains anything or holds up the trusted side."""

import select
import time

import msgspec
import pytest
import torch

from grader.inside.protocol.answers import Loaded, RaisedReply, Returned, StatementReached
from grader.inside.protocol.rows import TensorNode
from grader.inside.protocol.wire import PREFIX, pack
from grader.workers.process import clock
from grader.workers.process.failures import StudentFailure

from ...support.workers.open_workers import failure_of, good, scripted_student

X = torch.ones(3)


def forged(nodes, call):
    return body_of({"type": "returned", "nonce": call.nonce, "nodes": nodes, "value": 0})


def body_of(fields):
    body = msgspec.msgpack.encode(fields)
    return PREFIX.pack(len(body), 0) + body


REPLIES = {
    "wrong nonce": lambda call: pack(
        Returned(nonce=bytes(16), nodes=[TensorNode("float32", [1], 0, 4)]), [b"\x00" * 4]
    ),
    "two replies": lambda call: good(call) * 2,
    "huge header": lambda call: PREFIX.pack(2**32 - 1, 0) + b"x" * 100,
    "loaded": lambda call: pack(Loaded(nonce=call.nonce, names=[], problems=[], stand_ins=[])),
    "step": lambda call: pack(StatementReached(nonce=call.nonce, group=0, statement=0)),
    "layer": lambda call: forged([["layer", "Linear", [3, 3], [], [], "float32", "", True]], call),
    "flood": lambda call: forged([[]] * 300_000, call),
    "bool of 2": lambda call: pack(Returned(nonce=call.nonce, nodes=[TensorNode("bool", [1], 0, 1)]), [b"\x02"]),
    "words without an end": lambda call: pack(RaisedReply(nonce=call.nonce, kind="error", text="dtype " * 10_000)),
    "field without an end": lambda call: body_of({"type": "raised", "nonce": call.nonce, "dtype " * 100_000: 1}),
    "value out of range": lambda call: pack(Returned(nonce=call.nonce, nodes=[], value=7)),
    "too many gradients": lambda call: pack(
        Returned(nonce=call.nonce, nodes=[TensorNode("uint8", [1], 0, 1)], gradients=[None] * 9), [b"\x00"]
    ),
}


@pytest.mark.parametrize("name", REPLIES)
def test_forged_reply_gains_nothing_and_the_next_call_is_served(name):
    def script(sock, call):
        sock.sendall(REPLIES[name](call))
        while sock.recv(65536):
            pass

    student, workers = scripted_student(script)
    failure = failure_of(student.f, X)
    assert failure.status == "forbidden" and "not an answer of this kit" in failure.sentence
    assert len(failure.sentence) < 1000
    student._session.begin_check()
    failure_of(student.f, X)
    assert len(workers.pids) == 2


def test_bytes_before_a_request_are_no_answer_to_it():
    def script(sock, call):
        sock.sendall(good(call))
        sock.sendall(b"later")
        while sock.recv(65536):
            pass

    student, _ = scripted_student(script)
    try:
        assert torch.equal(student.f(X), torch.zeros(1))
    except StudentFailure as early:  # the late bytes may come in one piece with the reply
        assert early.status == "forbidden"
        return
    deadline = time.monotonic() + 5
    while student._session._connection.transport.is_silent() and time.monotonic() < deadline:
        time.sleep(0.001)
    assert failure_of(student.f, X).status == "forbidden"


def test_half_a_frame_followed_by_the_end_is_a_crash():
    student, _ = scripted_student(lambda sock, call: sock.sendall(good(call)[:-2]))
    assert failure_of(student.f, X).status == "crash"


@pytest.fixture
def impatient(monkeypatch):
    """Have what uses no processor time waited for half a second."""
    monkeypatch.setattr(clock, "WALL_MORE_S", 0.2)


def test_reply_a_byte_at_a_time_ends_with_the_clock(impatient):
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


def test_worker_that_never_reads_ends_with_the_clock(impatient):
    student, _ = scripted_student(lambda sock, call: wait_for_the_end(sock), check_cpu_s=0.05)
    failure_of(student.f, X)
    student._session.begin_check()
    assert failure_of(student.f, torch.zeros(4_000_000)).status == "timeout"
