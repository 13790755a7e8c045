"""What lies by its type, its size or its bytes gains nothing and breaks nothing on the trusted side."""

import os
import time

import msgspec
import pytest
import torch

from grader.inside.messages import Loaded, Raised, Reached, Returned
from grader.inside.rows import TensorNode
from grader.inside.wire import PREFIX, pack, read_request
from grader.workers.failures import StudentFailure
from grader.workers.student import Foreign, Student

from .open_workers import ScriptedWorkers, close_sessions, open_session, open_student

X = torch.ones(3)


@pytest.fixture(autouse=True)
def sessions_are_closed():
    yield
    close_sessions()


def failure_of(call, *args, **kwargs):
    with pytest.raises(StudentFailure) as caught:
        call(*args, **kwargs)
    return caught.value


LIARS = """
import torch, math
from torch import nn

class Always(float):
    def __eq__(self, other): return True
    def __sub__(self, other): return 0.0
    __hash__ = float.__hash__

class Sub(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return True

class Wrapper(torch.Tensor):
    @staticmethod
    def __new__(cls):
        return torch.Tensor._make_wrapper_subclass(cls, (3,))
    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        return torch.zeros(3)

class Liar:
    __class__ = torch.Tensor
    shape = (3,)
    dtype = torch.float32
    def __repr__(self): raise SystemExit

class Meta(type):
    __name__ = property(lambda self: 1 / 0)
    def __instancecheck__(self, other): return True
    def mro(self): return super().mro()

class Metal(metaclass=Meta): pass

class Texty(Exception):
    def __str__(self): raise SystemExit
    def __repr__(self): raise SystemExit

def always(): return Always(7)
def sub(): return torch.arange(3.0).as_subclass(Sub)
def wrapper(): return Wrapper()
def liar(): return Liar()
def metal(): return Metal()
def texty(): raise Texty
def meta(): return torch.empty(3, device="meta")
def sparse(): return torch.eye(3).to_sparse()
def nested(): return torch.nested.nested_tensor([torch.ones(2), torch.ones(3)])
def quantised(): return torch.quantize_per_tensor(torch.ones(3), 0.1, 0, torch.qint8)
def fake():
    from torch._subclasses.fake_tensor import FakeTensorMode
    with FakeTensorMode(): return torch.empty(3)
def giant(): return torch.ones(1).expand(10 ** 12)
def large(): return torch.zeros(3 * 2 ** 20)
def loop():
    x = []; x.append(x); return x
def endless():
    x = {}; x["a"] = [x]; return x
def deep():
    x = None
    for _ in range(100000): x = [x]
    return x
def many(): return [0] * 10 ** 5
def shared():
    x = [1]
    for _ in range(25): x = [x] * 10
    return x
def generator(): yield 1
def text(): return "x" * 10 ** 7
def keys(): return {1: 2}
def strange(): return "\\ud800\\x1b[31m"
def integer(): return 10 ** 10000
def recursion(): return recursion()
def parameter(): return nn.Parameter(torch.ones(3))
def bits(): return torch.ones(3).half(), torch.view_as_real(torch.ones(2, dtype=torch.complex64))
def names(): return torch.max(torch.eye(2), 0)
def closed():
    import os
    for fd in range(3, 64):
        try: os.close(fd)
        except OSError: pass
    return 1
def grabs_modules():
    import sys
    return sorted(name for name in sys.modules if name.split(".")[0] in ("runtime", "pytest"))
def fine(x): return x
"""

FOREIGN = {
    "always": "Always", "liar": "Liar", "metal": "Metal", "meta": "torch.Tensor", "sparse": "torch.Tensor",
    "nested": "torch.Tensor", "quantised": "torch.Tensor", "giant": "torch.Tensor", "large": "torch.Tensor",
    "endless": "dict", "deep": "list", "many": "list", "shared": "list", "generator": "generator",
    "text": "str", "keys": "dict", "integer": "int",
}  # fmt: skip


@pytest.fixture(scope="module")
def liars():
    student = Student(open_session(LIARS, reply_bytes=1 << 20, begin=False))
    yield student
    student._session.close()


@pytest.mark.parametrize("name", FOREIGN)
def test_value_that_is_no_plain_one_is_named_and_not_believed(liars, name):
    liars._session.begin_check()
    value = getattr(liars, name)()
    assert type(value) is Foreign and value.type_name == FOREIGN[name]
    assert torch.equal(liars.fine(X), X)


def test_list_that_holds_itself_is_said_to(liars):
    assert liars.loop() == Foreign("list", "it contains itself")


def test_giant_expanded_tensor_is_refused_before_it_is_copied(liars):
    started = time.monotonic()
    assert "1,000,000,000,000 numbers" in liars.giant().note
    assert time.monotonic() - started < 2


def test_tensor_subclass_arrives_as_its_plain_numbers(liars):
    value = liars.sub()
    assert type(value) is torch.Tensor and torch.equal(value, torch.arange(3.0))
    assert type(liars.parameter()) is torch.Tensor


@pytest.mark.parametrize("name", ["wrapper", "fake"])
def test_tensor_without_numbers_never_arrives_as_a_subclass(liars, name):
    assert type(getattr(liars, name)()) in (torch.Tensor, Foreign)


def test_structseq_and_complex_views_arrive_plain(liars):
    assert type(liars.names()) is tuple
    half, pairs = liars.bits()
    assert half.dtype == torch.float16 and pairs.shape == (2, 2)


def test_exception_whose_words_cannot_be_made_is_still_data(liars):
    raised = liars.texty.error()
    assert raised.type_name == "Texty" and "could not be made" in raised.text


def test_endless_recursion_is_an_exception_and_not_the_end(liars):
    assert liars.recursion.error().type_name == "RecursionError"
    assert torch.equal(liars.fine(X), X)


def test_strange_text_arrives_encoded(liars):
    assert liars.strange() == "?\x1b[31m"


def test_source_with_half_a_character_is_read_all_the_same():
    student = open_student(["x = '\ud800'", "def f(v): return v"])
    assert torch.equal(student.f(X), X)


def test_neither_the_kit_nor_pytest_can_be_seen_in_the_modules(liars):
    assert liars.grabs_modules() == []


def test_closed_descriptors_end_the_worker_and_the_next_call_has_another():
    student = open_student(LIARS)
    assert failure_of(student.closed).status == "crash"
    assert torch.equal(student.fine(X), X)


DIES = {
    "os._exit(0)": ("crash", "exit status 0"),
    "os._exit(3)": ("crash", "exit status 3"),
    "os.kill(os.getpid(), signal.SIGSEGV)": ("crash", "SIGSEGV"),
    "os.kill(os.getpid(), signal.SIGSYS)": ("forbidden", "SIGSYS"),
    "os.kill(os.getpid(), signal.SIGXCPU)": ("timeout", "SIGXCPU"),
    "os.kill(os.getpid(), signal.SIGKILL)": ("memory", "SIGKILL"),
    "threading.Thread(target=lambda: os._exit(4)).start(); time.sleep(9)": ("crash", "exit status 4"),
}


@pytest.mark.parametrize("body", DIES)
def test_death_costs_its_check_and_is_told_by_its_kind(body):
    status, words = DIES[body]
    student = open_student(f"import os, signal, threading, time\ndef f():\n    {body}\ndef g(): return 1\n")
    failure = failure_of(student.f)
    assert failure.status == status and words in failure.sentence
    assert student.g() == 1


# -- workers that speak for themselves ---------------------------------------------------------------------------------


def receive(sock):
    """Read one request."""
    data = b""
    while len(data) < PREFIX.size:
        data += sock.recv(65536)
    header, payload = PREFIX.unpack(data[: PREFIX.size])
    while len(data) < PREFIX.size + header + payload:
        data += sock.recv(65536)
    return read_request(data[PREFIX.size : PREFIX.size + header])


def honest_load(sock):
    """Answer the load as a worker does, and return the call that follows."""
    load = receive(sock)
    sock.sendall(pack(Reached(nonce=load.nonce, group=0, statement=0)))
    sock.sendall(pack(Loaded(nonce=load.nonce, names=[], problems=[], stand_ins=[])))
    return receive(sock)


def good(call):
    return pack(Returned(nonce=call.nonce, nodes=[TensorNode("float32", [1], 0, 4)]), [b"\x00" * 4])


def forged(nodes, call):
    body = msgspec.msgpack.encode({"type": "returned", "nonce": call.nonce, "nodes": nodes, "value": 0})
    return PREFIX.pack(len(body), 0) + body


REPLIES = {
    "wrong nonce": lambda call: pack(
        Returned(nonce=bytes(16), nodes=[TensorNode("float32", [1], 0, 4)]), [b"\x00" * 4]
    ),
    "two replies": lambda call: good(call) * 2,
    "trailing byte": lambda call: good(call) + b"x",
    "huge header": lambda call: PREFIX.pack(2**32 - 1, 0) + b"x" * 100,
    "huge payload": lambda call: PREFIX.pack(10, 2**63) + b"x" * 100,
    "no header": lambda call: PREFIX.pack(0, 0),
    "noise": lambda call: os.urandom(500),
    "json": lambda call: b'{"status": "passed", "score": 100}\n',
    "loaded": lambda call: pack(Loaded(nonce=call.nonce, names=[], problems=[], stand_ins=[])),
    "step": lambda call: pack(Reached(nonce=call.nonce, group=0, statement=0)),
    "cycle": lambda call: forged([["list", [1]], ["list", [0]]], call),
    "flood": lambda call: forged([[]] * 300_000, call),
    "bool of 2": lambda call: pack(Returned(nonce=call.nonce, nodes=[TensorNode("bool", [1], 0, 1)]), [b"\x02"]),
    "unused payload": lambda call: pack(
        Returned(nonce=call.nonce, nodes=[TensorNode("uint8", [1], 0, 1)]), [b"\x00" * 9]
    ),
    "value out of range": lambda call: pack(Returned(nonce=call.nonce, nodes=[], value=7)),
    "too many gradients": lambda call: pack(
        Returned(nonce=call.nonce, nodes=[TensorNode("uint8", [1], 0, 1)], gradients=[None] * 9), [b"\x00"]
    ),
}


@pytest.mark.parametrize("name", REPLIES)
def test_forged_reply_gains_nothing_and_the_next_call_is_served(name):
    def script(sock):
        call = honest_load(sock)
        sock.sendall(REPLIES[name](call))
        while sock.recv(65536):
            pass

    workers = ScriptedWorkers(script)
    student = open_student("", workers=workers)
    failure = failure_of(student.f, X)
    assert failure.status == "forbidden" and "not an answer of this kit" in failure.sentence
    student._session.begin_check()
    failure_of(student.f, X)
    assert workers.leased == 2


def test_bytes_before_a_request_are_no_answer_to_it():
    def script(sock):
        call = honest_load(sock)
        sock.sendall(good(call))
        sock.sendall(b"later")
        while sock.recv(65536):
            pass

    student = open_student("", workers=ScriptedWorkers(script))
    try:
        assert torch.equal(student.f(X), torch.zeros(1))
    except StudentFailure as early:  # the late bytes may come in one piece with the reply
        assert early.status == "forbidden"
        return
    deadline = time.monotonic() + 5
    while student._session._connection.transport.quiet() and time.monotonic() < deadline:
        time.sleep(0.001)
    assert failure_of(student.f, X).status == "forbidden"


def test_half_a_frame_followed_by_the_end_is_a_crash():
    def script(sock):
        call = honest_load(sock)
        sock.sendall(good(call)[:-2])

    assert failure_of(open_student("", workers=ScriptedWorkers(script)).f, X).status == "crash"


def test_reply_a_byte_at_a_time_ends_with_the_clock():
    def script(sock):
        call = honest_load(sock)
        for byte in good(call):
            sock.sendall(bytes([byte]))
            time.sleep(0.05)

    started = time.monotonic()
    student = open_student("", workers=ScriptedWorkers(script), check_wall_s=0.5)
    assert failure_of(student.f, X).status == "timeout"
    assert time.monotonic() - started < 3


def test_worker_that_never_reads_ends_with_the_clock():
    def script(sock):
        honest_load(sock)
        time.sleep(60)

    student = open_student("", workers=ScriptedWorkers(script), check_wall_s=0.5)
    failure_of(student.f, X)
    student._session.begin_check()
    assert failure_of(student.f, torch.zeros(4_000_000)).status == "timeout"


def test_claimed_error_is_only_an_error():
    def script(sock):
        call = honest_load(sock)
        sock.sendall(pack(Raised(nonce=call.nonce, kind="error", type_name="ValueError", text="claimed")))
        sock.recv(1)

    assert failure_of(open_student("", workers=ScriptedWorkers(script)).f, X).text == "claimed"
