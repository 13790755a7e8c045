"""A suite calls student code as if it were here and gets plain values, gradients, traces and facts."""

import pytest
import torch

from grader.errors import CourseError
from grader.workers.failures import StudentFailure
from grader.workers.student import Foreign, ModuleHandle, Student

from .open_workers import close_sessions, open_session, open_student

X = torch.tensor([1.0, 2.0, 4.0])


@pytest.fixture(autouse=True)
def sessions_are_closed():
    yield
    close_sessions()


def failure_of(call, *args, **kwargs):
    with pytest.raises(StudentFailure) as caught:
        call(*args, **kwargs)
    return caught.value


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        3,
        -(2**80),
        2.5,
        float("inf"),
        "é",
        [1, "a"],
        (1, (2.0,)),
        {"a": [None]},
        torch.eye(2, dtype=torch.bool),
    ],
    ids=repr,
)
def test_values_go_there_and_back(value):
    back = open_student("def f(x): return x\n").f(value)
    assert (
        torch.equal(back, value) if isinstance(value, torch.Tensor) else (back == value and type(back) is type(value))
    )


def test_positions_and_keywords_arrive_as_such():
    student = open_student("def f(*args, **kwargs): return args, kwargs\n")
    assert student.f(1, 2, dim=-1) == ((1, 2), {"dim": -1})


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


def test_gradient_of_a_later_output():
    seen = open_student("def f(x): return x * 5, x * 7\n").f.observe(X, cotangent=torch.ones(3), output=1)
    assert torch.equal(seen.input_gradients[0], torch.full((3,), 7.0))


@pytest.mark.parametrize(
    "body", ["y = x.exp(); y += 1; return y", "y = x.sigmoid(); z = y * 2; y.mul_(2); return z + y"]
)
def test_tensor_overwritten_in_place_is_named_as_the_cause(body):
    student = open_student(f"def f(x):\n    {body}\n")
    assert student.f(X).shape == (3,)
    failure = failure_of(student.f.observe, X, cotangent=torch.ones(3))
    assert (failure.status, failure.exception_type) == ("error", "RuntimeError")
    assert failure.sentence == (
        "The gradient could not be computed: a tensor was overwritten in place after it was needed "
        "(look for +=, /=, exp_(), masked_fill_())."
    )


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
    [("None", "the result is None"), ("x[:2]", "shape (2,)"), ("[x.tolist()]", "type list"), ("()", "only 0")],
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
    assert torch.equal(student.f.seeded(5), student.f.observe(seed=5).value)
    torch.manual_seed(5)
    assert torch.equal(student.f.seeded(5), torch.rand(3))
    assert not torch.equal(student.f(), student.f())


def test_global_state_is_set_anew_for_each_check_and_kept_within_it():
    student = open_student(
        "import torch, random, numpy, sys\n"
        "def spoil():\n"
        "    torch.set_default_dtype(torch.float64); torch.set_grad_enabled(False); torch.set_num_threads(2)\n"
        "    torch.use_deterministic_algorithms(True); torch.autograd.set_detect_anomaly(True)\n"
        "    torch.set_default_device('meta'); sys.setrecursionlimit(123); torch.set_autocast_enabled('cpu', True)\n"
        "def state():\n"
        "    return (str(torch.get_default_dtype()), torch.is_grad_enabled(), torch.get_num_threads(),\n"
        "            torch.are_deterministic_algorithms_enabled(), torch.is_anomaly_enabled(),\n"
        "            str(torch.get_default_device()), sys.getrecursionlimit(), torch.is_autocast_enabled('cpu'))\n"
        "def draws(): return torch.rand(1).item(), random.random(), float(numpy.random.rand())\n"
    )
    clean, draws = student.state(), student.draws()
    assert clean == ("torch.float32", True, 1, False, False, "cpu", 1000, False)
    student.spoil()
    assert student.state() != clean
    student._session.begin_check()
    assert student.state() == clean
    student._session.begin_check()
    student.state()
    assert student.draws() == draws


def test_inference_mode_left_on_does_not_reach_the_call():
    student = open_student("import torch\ntorch.inference_mode().__enter__()\ndef f(x): return x * 2\n")
    assert torch.equal(student.f.observe(X, cotangent=torch.ones(3)).input_gradients[0], torch.full((3,), 2.0))


def test_exception_is_data_with_its_bases_and_line():
    student = open_student("class Odd(ValueError): pass\ndef f(x):\n    if x:\n        raise Odd('no')\n    return x\n")
    raised = student.f.error(True)
    assert (raised.type_name, raised.bases[0], raised.text, raised.line) == ("Odd", "ValueError", "no", 4)
    assert student.f.error(False) is None


def test_students_own_line_is_the_last_one_of_theirs_and_not_torchs():
    failure = failure_of(
        open_student("import torch\ndef f(x):\n    y = x\n    return torch.einsum('i,ij->k', y, y)\n").f, X
    )
    assert (failure.status, failure.line, failure.exception_type) == ("error", 4, "RuntimeError")
    assert failure.line_text.startswith("return torch.einsum") and failure.cell is None


def test_stub_is_missing_and_torchs_own_notimplementederror_is_not():
    student = open_student(
        "import torch\n"
        "def stub(x):\n    raise NotImplementedError('stub is not written yet')\n"
        "def torchs(x):\n    return torch.sparse_coo_tensor([[0]], [1.0], (3,)).storage()\n"
        "class M(torch.nn.Module): pass\n"
    )
    assert failure_of(student.stub, X).status == "missing"
    assert failure_of(student.stub.error, X).status == "missing"
    assert failure_of(student.torchs, X).status == "error"
    assert failure_of(student.M(), X).status == "missing"


@pytest.mark.parametrize(
    "raised", ["SystemExit(0)", "KeyboardInterrupt", "GeneratorExit", "BaseException('x')", "StopIteration"]
)
def test_exceptions_that_end_programs_are_data(raised):
    student = open_student(f"def f(): raise {raised}\n")
    failure = failure_of(student.f)
    assert failure.status == "error" and failure.exception_type == raised.split("(")[0]
    assert student.f.error().type_name == failure.exception_type


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ("raise MemoryError", "memory"),
        ("import torch; torch.empty(2**50)", "memory"),
        ("bytearray(2**50)", "memory"),
        ("raise PermissionError(13, 'denied')", "forbidden"),
        ("raise OSError(30, 'read-only')", "forbidden"),
        ("open('/nowhere')", "error"),
    ],
)
def test_kinds_of_exceptions_have_their_status(body, status):
    assert failure_of(open_student(f"def f():\n    {body}\n").f).status == status


def test_trace_names_functions_and_counts_operations():
    student = open_student(
        "import torch\ndef f(x):\n    for row in range(x.shape[0]):\n        y = torch.softmax(x, 0)\n    return y\n"
    )
    short, long = student.f.observe(torch.ones(2), trace=True), student.f.observe(torch.ones(9), trace=True)
    assert "torch.softmax" in short.calls
    assert short.operations["aten._softmax"] == 2 and long.operations["aten._softmax"] == 9
    assert student.f.observe(X).operations == {}


MODULE = """
import torch
from torch import nn

class Base(nn.Module): pass

class Layer(Base):
    def __init__(self, d, scale=1.0):
        super().__init__()
        self.inner = nn.Linear(d, d, bias=False)
        self.register_buffer("mask", torch.ones(d, dtype=torch.bool))
        self.scale = scale
        self.drop = nn.Dropout(0.5)
    def forward(self, x, other=None):
        y = self.drop(self.inner(x)) * self.scale
        return y, y.sum()

def apply(module, x): return module(x)
def same(a, b): return a is b
"""


def test_module_stays_there_and_is_worked_through_its_handle():
    student = open_student(MODULE)
    layer = student.Layer(3, scale=2.0)
    assert isinstance(layer, ModuleHandle) and layer.class_name == "Layer" and layer.name == "Layer"
    assert layer.built_with == ((3,), {"scale": 2.0})
    assert layer.parameters()["inner.weight"].shape == (3, 3)
    assert layer.buffers()["mask"].dtype == torch.bool
    layer.load({"inner.weight": torch.eye(3)})
    assert layer.is_training() and layer.eval() is False and layer.is_training() is False
    assert torch.equal(layer(X)[0], 2 * X) and layer(X)[1] == 14
    seen = layer.observe(X, cotangent=torch.ones(3))
    assert torch.equal(seen.parameter_gradients["inner.weight"], (2 * X).expand(3, 3))
    assert torch.equal(seen.input_gradients[0], torch.full((3,), 2.0))
    assert layer.train() is True
    state = layer.state_dict()
    assert sorted(state) == ["inner.weight", "mask"]
    layer.load_state_dict({**state, "inner.weight": state["inner.weight"] * 3})
    assert torch.equal(layer.parameters()["inner.weight"], 3 * torch.eye(3))
    assert layer.to(dtype=torch.float64).parameters()["inner.weight"].dtype == torch.float64
    assert layer.submodules() == {"": "Layer", "inner": "Linear", "drop": "Dropout"}
    assert layer.lineages()[""][:3] == ("Layer", "Base", "Module")
    assert layer.to(device="meta").facts()["mask"].device == "meta"
    assert "plain tensors" in failure_of(layer.parameters).sentence


def test_modules_are_arguments_too():
    student = open_student(MODULE)
    embedding = student.torch_nn("Embedding", 5, 3)
    embedding.load({"weight": torch.arange(15.0).reshape(5, 3)})
    assert torch.equal(student.apply(embedding, torch.tensor([1])), torch.tensor([[3.0, 4.0, 5.0]]))
    assert student.same(embedding, embedding) is True
    assert failure_of(student.torch_nn, "Nothing").status == "missing"


def test_module_returned_twice_is_one_module():
    student = open_student(MODULE + "\nkept = Layer(2)\ndef get(): return kept\n")
    first, second = student.get(), student.get()
    first.load({"inner.weight": torch.zeros(2, 2)})
    assert torch.equal(second.parameters()["inner.weight"], torch.zeros(2, 2))


@pytest.mark.parametrize(
    ("values", "words"),
    [({"W": torch.eye(3)}, "no parameter or buffer named W; it has: mask, inner.weight"),
     ({"inner.weight": torch.ones(3)}, "has the shape (3, 3), but (3,) is asked for")],
    ids=["name", "shape"],
)  # fmt: skip
def test_load_of_what_does_not_fit_fails_with_a_sentence(values, words):
    failure = failure_of(open_student(MODULE).Layer(3).load, values)
    assert failure.status == "failed" and words in failure.sentence


def test_errors_of_modules_are_data():
    student = open_student(MODULE)
    assert student.Layer.error("three").type_name == "TypeError"
    assert student.Layer(3).error(torch.ones(4)).type_name == "RuntimeError"


def test_handle_of_an_earlier_process_is_a_crash_with_a_sentence():
    student = open_student(MODULE)
    layer = student.Layer(3)
    student._session.fresh_worker()
    student.Layer(3)
    failure = failure_of(layer, X)
    assert failure.status == "crash" and "has ended" in failure.sentence


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


def test_worker_counts_as_used_once_another_check_ran_on_it():
    session = open_session("def f(): return 1\n")
    student = Student(session)
    assert not session.worker_is_used
    student.f()
    session.begin_check()
    assert session.worker_is_used
    session.fresh_worker()
    assert not session.worker_is_used
    student.f()
    session.begin_check()
    assert session.worker_is_used
