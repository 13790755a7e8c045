"""A suite calls student code as if it were here and gets plain values, gradients, counts and facts."""

import pytest
import torch

from grader.errors import CourseError
from grader.workers.calls.student import Foreign

from ...support.workers.open_workers import failure_of, open_student

X = torch.tensor([1.0, 2.0, 4.0])


def test_gradients_come_for_every_float_input_and_none_elsewhere():
    student = open_student("def f(a, b, n, unused, *, k): return (a * b).cumsum(0) * k, a\n")
    weigher = torch.tensor([1.0, -2.0, 3.0])
    k = torch.tensor([2.0, 2.0, 2.0])
    seen = student.f.observe(X, X * 2, torch.arange(3), torch.ones(2), k=k, cotangent=weigher)
    a, b, c = X.clone().requires_grad_(), (X * 2).requires_grad_(), k.clone().requires_grad_()
    (((a * b).cumsum(0) * c) * weigher).sum().backward()
    assert torch.equal(seen.input_gradients[0], a.grad) and torch.equal(seen.input_gradients[1], b.grad)
    assert seen.input_gradients[2] is None and seen.input_gradients[3] is None
    assert torch.equal(seen.keyword_gradients["k"], c.grad)


@pytest.mark.parametrize(
    ("body", "gradient", "followed"),
    [
        ("x * 5, x * 7", 19.0, [True, True]),
        ("x * 5, (x * 7).detach()", 5.0, [True, False]),
        ("(x * 5).detach(), x * 7", 14.0, [False, True]),
        ("x * 5", 5.0, [True]),
        ("x * 5, x * 7, None", 19.0, [True, True, False]),
    ],
)
def test_gradients_are_those_of_all_results_that_are_followed(body, gradient, followed):
    weighers = [torch.ones(3), torch.full((3,), 2.0)]
    seen = open_student(f"def f(x): return {body}\n").f.observe(X, cotangent=weighers)
    assert torch.equal(seen.input_gradients[0], torch.full((3,), gradient))
    assert [fact.requires_grad for fact in seen.facts] == followed


def test_backward_of_the_students_own_that_raises_is_told_with_its_line():
    student = open_student(
        "import torch\nclass Twice(torch.autograd.Function):\n"
        "    @staticmethod\n    def forward(ctx, x): return x * 2\n"
        "    @staticmethod\n    def backward(ctx, g):\n        raise ValueError('no way back')\n"
        "def f(x): return Twice.apply(x)\n"
    )
    failure = failure_of(student.f.observe, X, cotangent=torch.ones(3))
    assert failure.sentence == "The gradient could not be computed: no way back."
    assert (failure.status, failure.exception_type, failure.line) == ("error", "ValueError", 7)


def test_detached_result_has_no_gradients_and_is_no_failure():
    seen = open_student("def f(x): return (x * 2).detach()\n").f.observe(X, cotangent=torch.ones(3))
    assert seen.input_gradients == [None] and not seen.facts[0].requires_grad


@pytest.mark.parametrize(
    ("body", "words"),
    [("None", "the result is None"), ("[x.tolist()]", "type list")],
)
def test_gradient_of_what_has_none_fails_with_a_sentence(body, words):
    failure = failure_of(open_student(f"def f(x): return {body}\n").f.observe, X, cotangent=torch.ones(3))
    assert failure.status == "failed" and words in failure.sentence


def test_inputs_come_back_as_the_call_left_them_and_the_suites_own_stay():
    student = open_student("def f(x, y, w=None):\n    x += 1\n    w.mul_(0)\n    return y\n")
    mine = X.clone()
    seen = student.f.observe(mine, "text", w=X, echo=True)
    assert torch.equal(seen.inputs_after[0], X + 1) and seen.inputs_after[1] == "text"
    assert torch.equal(seen.keywords_after["w"], X * 0) and torch.equal(mine, X)


def test_facts_tell_views_and_contiguity():
    seen = open_student("def f(x): return x.T, x.T.contiguous(), x + 1, 'text'\n").f.observe(torch.ones(2, 3))
    view, copy, fresh, text = seen.facts
    assert view.shares_input and not view.contiguous
    assert copy.contiguous and not copy.shares_input and not fresh.shares_input and fresh.device == "cpu"
    assert text.device == "" and not text.contiguous


def test_seed_decides_the_draw():
    student = open_student("import torch\ndef f(): return torch.rand(3)\n")
    torch.manual_seed(5)
    assert torch.equal(student.f.observe(seed=5).value, torch.rand(3))
    assert not torch.equal(student.f(), student.f())


def test_global_state_is_set_anew_for_each_call_and_random_numbers_differ_from_call_to_call():
    student = open_student(
        "import torch, random, numpy, sys\n"
        "def spoil():\n"
        "    torch.set_default_dtype(torch.float64); torch.set_grad_enabled(False); torch.set_num_threads(2)\n"
        "    torch.use_deterministic_algorithms(True); torch.autograd.set_detect_anomaly(True)\n"
        "    torch.set_default_device('meta'); sys.setrecursionlimit(123); torch.set_autocast_enabled('cpu', True)\n"
        "    torch.set_float32_matmul_precision('medium'); torch.set_flush_denormal(True)\n"
        "def state():\n"
        "    return (str(torch.get_default_dtype()), torch.is_grad_enabled(), torch.get_num_threads(),\n"
        "            torch.are_deterministic_algorithms_enabled(), torch.is_anomaly_enabled(),\n"
        "            str(torch.get_default_device()), sys.getrecursionlimit(), torch.is_autocast_enabled('cpu'),\n"
        "            torch.get_float32_matmul_precision(), (torch.tensor(1e-30, device='cpu') * 1e-10).item() > 0)\n"
        "def draws(): return torch.rand(1).item(), random.random(), float(numpy.random.rand())\n"
    )
    clean, draws = student.state(), student.draws()
    assert clean == ("torch.float32", True, 1, False, False, "cpu", 1000, False, "highest", True)
    student.spoil()
    assert student.state() == clean
    student._session.begin_check()
    student.state()
    assert student.draws() == draws
    assert student.draws() != draws


def test_call_may_be_made_under_no_grad():
    student = open_student("import torch\ndef follows(x):\n    return torch.is_grad_enabled()\n")
    assert student.follows.observe(X, no_grad=True).value is False
    assert student.follows.observe(X).value is True


def test_inference_mode_left_on_does_not_reach_the_call():
    student = open_student("import torch\ntorch.inference_mode().__enter__()\ndef f(x): return x * 2\n")
    assert torch.equal(student.f.observe(X, cotangent=torch.ones(3)).input_gradients[0], torch.full((3,), 2.0))


def test_suite_that_passes_nonsense_is_the_courses_fault():
    with pytest.raises(CourseError, match="cannot be sent"):
        open_student("def f(x): return x\n").f(object())


def test_foreign_values_are_named():
    student = open_student(
        "import numpy as np\n"
        "def array(): return np.zeros((2, 3), dtype='float32')\n"
        "def scalar(): return np.float64(1)\n"
        "def mixed(): return 1, {2, 3}, (i for i in [1])\n"
    )
    array = student.array()
    assert array == Foreign("numpy.ndarray", "a NumPy array of shape (2, 3) and dtype float32")
    assert student.scalar().type_name == "numpy.float64"
    assert [getattr(item, "type_name", item) for item in student.mixed()] == [1, "set", "generator"]
