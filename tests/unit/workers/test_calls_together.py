"""Several calls in one exchange: each is answered as if it stood alone, and the worker's faults cost what they cost."""

from types import SimpleNamespace

import pytest
import torch

from grader.errors import CourseError
from grader.suite import checks
from grader.suite.core.failures import CheckFailed
from grader.suite.core.reference import Reference
from grader.suite.library.checks import given
from grader.workers.calls.student import Student
from grader.workers.process.connection import MOST_TOGETHER
from grader.workers.process.failures import StudentFailure
from grader.workers.process.transport import SocketTransport

from ...support.exercises.small_suites import in_a_check
from ...support.workers.open_workers import ScriptedWorkers, failure_of, good, honest_load, open_session, open_student

COUNTS = """
calls = 0
def f(x, plus=0):
    global calls
    calls += 1
    print("call", calls)
    if plus == "raise": raise KeyError("no")
    return x * calls + plus
"""
X = torch.ones(2)
DOUBLE = Reference(SimpleNamespace(double=lambda x, times=2: times * x, __name__="it"))


@pytest.fixture(autouse=True)
def graded():
    in_a_check({"double": {"square": lambda x, times=2: x * x}}, {"double": []})


def test_calls_are_made_in_their_order_in_one_worker():
    student = open_student(COUNTS)
    answers = student.f.on_each([given(X), given(10 * X, plus=5), given(X)])
    assert [answer.tolist() for answer in answers] == [[1, 1], [25, 25], [3, 3]]
    assert student.f(X).tolist() == [4, 4]


def test_the_answers_before_a_call_that_ends_the_process_arrive():
    code = "import os\ncalls = []\ndef f(x):\n    calls.append(1)\n    if len(calls) == 3: os._exit(1)\n    return x\n"
    f = open_student(code).f
    outcomes, end = f.ask_until_end([f.to_call(given(X))] * 5)
    assert len(outcomes) == 2 and end.status == "crash"


def test_large_calls_are_answered_as_small_ones_are():
    large = torch.ones(MOST_TOGETHER // 4)
    answers = open_student(COUNTS).f.on_each([given(large), given(large), given(X)])
    assert [float(answer.mean()) for answer in answers] == [1, 2, 3]


def test_answers_of_many_numbers_come_back_whole():
    student = open_student("def f(n): return torch.full((n,), 2.0)\nimport torch\n")
    answers = student.f.on_each([given(400_000)] * 4)
    assert [float(answer.sum()) for answer in answers] == [800_000] * 4


def test_answers_carry_together_what_one_alone_may():
    student = open_student("import torch\ndef f(n): return torch.zeros(n)\n", reply_bytes=1 << 20)
    assert len(student.f.on_each([given(100_000), given(100_000)])) == 2
    first, second, failure, small = student.f.on_each([*[given(100_000)] * 3, given(5)])
    assert len(first) == len(second) == 100_000 and len(small) == 5
    assert failure.status == "failed"
    assert failure.sentence.startswith("The results of the calls of one check together hold more than the 1,048,576")


def test_call_that_raises_costs_itself_alone():
    student = open_student(COUNTS)
    first, failure, third = student.f.on_each([given(X), given(X, plus="raise"), given(X)])
    assert (first.tolist(), third.tolist()) == ([1, 1], [3, 3])
    assert isinstance(failure, StudentFailure) and failure.exception_type == "KeyError"


def test_everything_that_the_calls_print_is_kept():
    session = open_session(COUNTS)
    Student(session).f.on_each([given(X), given(X)])
    assert session.take_output() == ("call 1\ncall 2\n", 0)


@pytest.mark.parametrize("forge", ["swapped", "one too many", "twice the first"])
def test_answers_that_do_not_fit_their_requests_are_refused(forge):
    def script(sock):
        asked = honest_load(sock)
        first, second = next(asked), next(asked)
        answers = {
            "swapped": [good(second), good(first)],
            "one too many": [good(first), good(second), good(second)],
            "twice the first": [good(first), good(first)],
        }
        sock.sendall(b"".join(answers[forge]))
        sock.recv(1)

    student = open_student(COUNTS, workers=ScriptedWorkers(script))
    assert failure_of(student.f.on_each, [given(X), given(X)]).status == "forbidden"


# -- the check that is built on it --------------------------------------------------------------------------------


def test_right_answers_pass_and_come_back():
    student = open_student("def double(x, times=2): return times * x\n")
    cases = [given(X), given(3 * X), given(X, times=5)]
    answers = checks.matches(student.double, DOUBLE.double, *cases)
    assert [answer.tolist() for answer in answers] == [[2, 2], [6, 6], [5, 5]]


def test_first_answer_that_differs_is_told_with_its_mistake():
    student = open_student("def double(x): return x * x\n")
    with pytest.raises(CheckFailed) as caught:
        checks.matches(student.double, DOUBLE.double, given(2 * X), given(3 * X), given(5 * X))
    assert "the result is 9, expected 6" in str(caught.value)
    assert caught.value.diagnosis is not None and caught.value.diagnosis.mistakes == ["square"]


def test_wrong_answer_above_one_that_raises_is_told_first():
    student = open_student("def double(x):\n    if x[0] > 2: raise ValueError('large')\n    return x\n")
    with pytest.raises(CheckFailed, match="the result is 1, expected 2"):
        checks.matches(student.double, DOUBLE.double, given(X), given(3 * X))
    with pytest.raises(StudentFailure, match="large"):
        checks.matches(student.double, DOUBLE.double, given(3 * X), given(X))


def test_check_that_asks_for_nothing_is_the_course_s_fault():
    with pytest.raises(CourseError, match="compares nothing"):
        checks.matches(open_student(COUNTS).double, DOUBLE.double)


def test_a_watched_call_never_waits_beside_one_that_is_not(monkeypatch):
    """Or code could read what waits, and answer it while the operations are there."""
    sent = []
    usual = SocketTransport.send
    student = open_student(COUNTS)
    student.f(X)
    monkeypatch.setattr(
        SocketTransport, "send", lambda self, data, *rest: sent.append(len(data)) or usual(self, data, *rest)
    )
    session = student._session
    asked = [student.f._call_request((X,), {}, forbids=forbids) for forbids in ([], ["softmax"], ["softmax"], [], [])]
    outcomes = session.request_each([(request.make, request.read) for request in asked], "f")
    assert [seen.value.tolist() for seen in outcomes] == [[n, n] for n in range(2, 7)]
    assert len(sent) == 3


@pytest.mark.parametrize(
    "source",
    [
        "def f(x): return torch.softmax(x, -1) if x[0] == 2 else x",
        "class Passes(torch.autograd.Function):\n    forward = staticmethod(lambda ctx, x: x.clone())\n"
        "    backward = staticmethod(lambda ctx, grad: torch.softmax(grad, -1) if grad[0] == 2 else grad)\n"
        "f = Passes.apply",
    ],
)
def test_what_a_watched_call_uses_costs_that_call_alone(source):
    f = open_student(f"import torch\n{source}\n").f
    asked = [f._call_request((k * X,), {}, cotangent=k * X, forbids=["softmax"]) for k in (1, 2, 3)]
    outcomes = f._session.request_each([(request.make, request.read) for request in asked], "f")
    assert [getattr(outcome, "status", "passed") for outcome in outcomes] == ["passed", "forbidden", "passed"]
    assert f(2 * X).tolist() in ([0.5, 0.5], [2, 2])  # and nothing stays blocked
