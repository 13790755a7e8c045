"""What lies by its type or its size, or dies, gains nothing and breaks nothing on the trusted side."""

import pytest
import torch

from grader.workers.calls.student import Foreign, Student

from ...support.workers.open_workers import failure_of, open_session, open_student

X = torch.ones(3)


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


DIES = {
    "os._exit(0)": ("crash", "exit status 0"),
    "os._exit(3)": ("crash", "exit status 3"),
    "os.kill(os.getpid(), signal.SIGSEGV)": ("crash", "SIGSEGV"),
    "os.kill(os.getpid(), signal.SIGSYS)": ("forbidden", "SIGSYS"),
    "os.kill(os.getpid(), signal.SIGXCPU)": ("timeout", "SIGXCPU"),
    "os.kill(os.getpid(), signal.SIGKILL)": ("crash", "SIGKILL"),
}


@pytest.mark.parametrize("body", DIES)
def test_death_costs_its_check_and_is_told_by_its_kind(body):
    status, words = DIES[body]
    student = open_student(f"import os, signal\ndef f():\n    {body}\ndef g(): return 1\n")
    failure = failure_of(student.f)
    assert failure.status == status and words in failure.sentence
    assert student.g() == 1


def test_what_was_told_and_failed_is_said_even_where_the_next_call_ends_the_process():
    student = open_student("import os\ndef Layer(d): return d\ndef end(): os._exit(4)\n")
    student.Layer.built(3)
    assert "is not an nn.Module" in failure_of(student.end).sentence
    assert failure_of(student.end).status == "crash"


CLOSED = """
import os
def closed():
    for fd in range(3, 64):
        try: os.close(fd)
        except OSError: pass
    return 1
def fine(): return 1
"""


def test_closed_descriptors_end_the_worker_and_the_next_call_has_another():
    student = open_student(CLOSED)
    assert failure_of(student.closed).status == "crash"
    assert student.fine() == 1
