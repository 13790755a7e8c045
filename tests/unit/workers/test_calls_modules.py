"""A student's module stays in its worker, and a suite works with it through a handle."""

import pytest
import torch

from grader.workers.calls.given_layers import GivenLayer, LayerState, state_in
from grader.workers.calls.student import Given, ModuleHandle, Student

from ...support.workers.open_workers import failure_of, open_session, open_student

X = torch.tensor([1.0, 2.0, 4.0])


MODULE = """
import torch
from torch import nn

class Layer(nn.Module):
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
    layer.eval()
    assert torch.equal(layer(X)[0], 2 * X) and layer(X)[1] == 14
    seen = layer.observe(X, cotangent=torch.ones(3))
    assert torch.equal(seen.parameter_gradients["inner.weight"], (2 * X).expand(3, 3))
    assert torch.equal(seen.input_gradients[0], torch.full((3,), 2.0))
    layer.train()
    assert state_in(student.same.observe(layer, layer, echo=True).inputs_after[0]).training
    state = layer.state_dict()
    assert sorted(state) == ["inner.weight", "mask"]
    layer.load_state_dict({**state, "inner.weight": state["inner.weight"] * 3})
    assert torch.equal(layer.parameters()["inner.weight"], 3 * torch.eye(3))
    assert layer.to(dtype=torch.float64).parameters()["inner.weight"].dtype == torch.float64
    assert layer.to(device="meta").facts()["mask"].device == "meta"
    assert "plain tensors" in failure_of(layer.parameters).sentence


COUNTER = """
import torch
from torch import nn

class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.seen = nn.Parameter(torch.zeros(1), requires_grad=False)
        self.register_buffer("last", torch.zeros(3), persistent=False)
    def forward(self, x):
        if self.training:
            self.seen += 1
            self.last = x.clone()
        if x[0] < 0:
            raise ValueError("below zero")
        return x + self.last
"""


def test_what_a_module_keeps_are_its_state_and_buffers_that_stand_in_none():
    counter = open_student(COUNTER).Counter()
    counter(X)
    kept = counter.kept()
    assert sorted(kept) == ["last", "seen"] and kept["seen"] == 1 and torch.equal(kept["last"], X)


def test_modules_are_arguments_too():
    student = open_student(MODULE)
    embedding = student.torch_nn("Embedding", 5, 3)
    embedding.load({"weight": torch.arange(15.0).reshape(5, 3)})
    assert torch.equal(student.apply(embedding, torch.tensor([1])), torch.tensor([[3.0, 4.0, 5.0]]))
    assert student.same(embedding, embedding) is True
    assert failure_of(student.torch_nn("Nothing").parameters).status == "missing"


def test_a_layer_is_built_anew_for_a_call_and_told_of_after_it():
    student = open_student(
        "def left(layer, x): return layer(x)\n"
        "def spoilt(layer, x):\n    layer.zero_grad()\n    layer.weight.data.zero_()\n"
        "    layer.bias.requires_grad_(False)\n    layer.train()\n    return layer(x)\n"
    )
    values = {"weight": torch.eye(3).double() * 2, "bias": torch.ones(3).double()}
    layer = GivenLayer("Linear", (3, 3), values, torch.float64, training=False)
    x = X.double()
    spoilt = student.spoilt.observe(layer, x, echo=True)
    assert torch.equal(spoilt.value, torch.ones(3).double())
    state = state_in(spoilt.inputs_after[0])
    assert not state.tensors["weight"].any() and not state.gradients and state.followed == {"weight"}
    assert state.training and torch.equal(spoilt.inputs_after[1], x)
    seen = student.left.observe(layer, x, cotangent=torch.ones(3), echo=True)
    assert torch.equal(seen.value, layer.built(torch.float64)(x)) and torch.equal(seen.value, 2 * x + 1)
    assert torch.equal(seen.parameter_gradients["0.bias"], torch.ones(3))
    state = state_in(seen.inputs_after[0])
    assert state.followed == set(values) and not state.training
    assert all(torch.equal(state.tensors[name], value) for name, value in values.items())
    assert all(torch.equal(state.gradients[name], value) for name, value in values.items())


@pytest.mark.parametrize("told", [None, [], {"tensors": [1], "gradients": {"weight": 2}, "followed": [3, {}]}])
def test_what_a_worker_does_not_say_of_a_layer_is_not_there(told):
    assert state_in(told) == LayerState({}, {}, frozenset(), False)


@pytest.mark.parametrize(
    ("values", "words"),
    [({"W": torch.eye(3)}, "no parameter or buffer named W; it has: mask, inner.weight"),
     ({"inner.weight": torch.ones(3)}, "has the shape (3, 3), but (3,) is asked for")],
    ids=["name", "shape"],
)  # fmt: skip
def test_load_of_what_does_not_fit_fails_with_a_sentence(values, words):
    layer = open_student(MODULE).Layer(3)
    layer.load(values)
    failure = failure_of(layer, X)
    assert failure.status == "failed" and words in failure.sentence


def test_what_is_told_travels_with_the_next_request():
    session = open_session(MODULE)
    layer = Student(session).Layer.built(3, scale=2.0)
    layer.load({"inner.weight": torch.eye(3)})
    layer.eval()
    assert session.attempt.requests == 0
    assert torch.equal(layer(X)[0], 2 * X) and layer.class_name == "Layer"
    assert session.attempt.requests == 4
    trained, still = layer.in_both_modes(torch.ones(3))
    assert torch.equal(still[0], 2 * torch.ones(3)) and set(trained[0].tolist()) <= {0.0, 4.0}


@pytest.mark.parametrize(
    ("answer", "status", "words"),
    [("def Layer(d): return d", "failed", "is not an nn.Module"),
     ("def Layer(d): raise OSError('no')", "error", "no"),
     ("def layer(d): pass", "missing", "Layer")],
    ids=["a number", "an exception", "nothing"],
)  # fmt: skip
def test_module_that_is_not_made_fails_the_next_request_and_no_later_one(answer, status, words):
    session = open_session(answer + "\ndef other(): return 1\n")
    layer = Student(session).Layer.built(3)
    layer.load({"weight": torch.eye(3)})
    failure = failure_of(layer, X)
    assert failure.status == status and words in failure.sentence
    assert session.attempt.called[0] == "Layer" and session.attempt.called[1].args == (3,)
    assert Student(session).other() == 1


COUNTS = """
import torch
from torch import nn

called = []
class Layer(nn.Linear):
    def forward(self, x):
        called.append(1)
        return super().forward(x)
def count(): return len(called)
"""


def test_no_call_is_made_of_a_module_that_did_not_take_what_it_was_told():
    session = open_session(COUNTS)
    student = Student(session)
    layer = student.Layer.built(3, 3)
    layer.load({"other": torch.eye(3)})
    assert "no parameter or buffer named other" in failure_of(layer, X).sentence
    assert session.attempt.called[0] == "Layer" and session.attempt.called[1].args == (3, 3)
    assert student.count() == 0 and student.Layer(3, 3)(X).shape == (3,) and student.count() == 1


def test_what_is_told_is_done_at_the_end_of_a_check_and_never_in_the_next_one():
    session = open_session(MODULE)
    student = Student(session)
    student.Layer.built("three")
    assert failure_of(session.do_what_was_told).exception_type == "TypeError"
    student.Layer.built("three")
    session.begin_check()
    assert student.Layer(3)(X)[0].shape == (3,)


def test_handle_of_an_earlier_process_is_a_crash_with_a_sentence():
    student = open_student(MODULE)
    layer = student.Layer(3)
    student._session.close()
    student.Layer(3)
    failure = failure_of(layer, X)
    assert failure.status == "crash" and "has ended" in failure.sentence


METHODS = "import torch\nfrom torch import nn\n"


@pytest.mark.parametrize(
    ("body", "misspelt"),
    [
        ("def foward(self, x): return x", "foward"),
        ("def Forward(self, x): return x", "Forward"),
        ("def __call__(self, x): return x", None),
        ("forward = lambda self, x: x", None),
        ("def __init__(self):\n        super().__init__(); self.forward = lambda x: x", None),
    ],
)
def test_method_that_is_misspelt_is_told_by_its_name(body, misspelt):
    module = open_student(f"{METHODS}class A(nn.Module):\n    {body}\n").A()
    if misspelt is None:
        assert torch.equal(module(torch.ones(2)), torch.ones(2))
    else:
        failure = failure_of(module, torch.ones(2))
        text = f"A has no method `forward`; there is `{misspelt}`. Rename it."
        assert (failure.status, failure.sentence) == ("failed", text)
        assert "이름을 `forward`에" in failure.sentence.to("ko")


@pytest.mark.parametrize(
    "source",
    [
        "        def forward(self, x): return x",  # in __init__
        "def forward(self, x): return x",
    ],
)
def test_a_forward_with_a_wrong_indentation_is_no_stub(source):
    made = f"{METHODS}class A(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
    failure = failure_of(open_student(f"{made}{source}\n").A(), torch.ones(2))
    assert (failure.status, failure.code) == ("failed", "no_forward A")


def test_init_that_is_misspelt_is_told_where_it_is_given_something():
    student = open_student(f"{METHODS}class A(nn.Module):\n    def _init_(self, d=1): pass\n    forward = abs\n")
    assert failure_of(student.A, 3).sentence == "A has no method `__init__`; there is `_init_`. Rename it."
    assert student.A().class_name == "A"


def test_module_without_a_forward_inside_another_one_is_an_error():
    student = open_student(
        f"{METHODS}class B(nn.Module): pass\nclass A(nn.Module):\n    def forward(self, x): return B()(x)\n"
    )
    failure = failure_of(student.A(), torch.ones(2))
    assert failure.status == "error" and 'missing the required "forward"' in failure.text


LAZY = f"""{METHODS}class A(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc, self.q = nn.LazyLinear(2), nn.Linear(2, 2)
    def forward(self, x):
        return self.q(self.fc(x))
"""


def test_lazy_layers_take_the_sizes_of_what_is_loaded():
    module = open_student(LAZY).A()
    for ask in (module.parameters, module.facts, module.state_dict):
        failure = failure_of(ask)
        assert "has no size before the first call" in failure.sentence
        assert "크기가 없습니다" in failure.sentence.to("ko")
    module.load({"fc.weight": torch.ones(2, 3), "fc.bias": torch.zeros(2), "q.weight": torch.eye(2)})
    assert module.parameters()["fc.weight"].shape == (2, 3)
    module.load({"q.bias": torch.ones(2)})
    assert torch.equal(module(torch.ones(1, 3)), torch.full((1, 2), 4.0))
    module.load({"q.bias": torch.zeros(2)})
    module.load({"fc.weight": torch.ones(2, 4)})
    failure = failure_of(module.parameters)
    assert "has the shape" in failure.sentence
    assert failure.sentence.to("ko") == "A의 매개변수 fc.weight의 모양이 (2, 3)인데 (2, 4)이어야 합니다."


def test_a_parameter_of_several_names_goes_by_the_shortest():
    layers = "self.parts = nn.ModuleList([nn.Linear(2, 2, bias=False)])\n        self.q, = self.parts"
    text = f"{METHODS}class A(nn.Module):\n    def __init__(self):\n        super().__init__()\n        {layers}\n"
    module = Student(open_session(text + "    def forward(self, x): return self.q(x)\n")).A()
    assert [*module.parameters()] == ["q.weight"]
    seen = module.observe(torch.ones(1, 2), cotangent=torch.ones(1, 2))
    assert [*seen.parameter_gradients] == ["q.weight"]


HELD = {
    "as asked": ("self.q = nn.Linear(2, 2, bias=False)", True),
    "one too many": ("self.q = nn.Linear(2, 2)", False),
    "a buffer": ("self.q = nn.Module(); self.q.register_buffer('weight', torch.eye(2))", False),
    "under two names": ("self.q = self.k = nn.Linear(2, 2, bias=False)", True),
    "under a shorter name, too": ("self.q = nn.Linear(2, 2, bias=False); self.w = self.q.weight", False),
}


@pytest.mark.parametrize(("body", "told"), HELD.values(), ids=HELD)
def test_a_built_module_tells_whether_its_parameters_are_those_that_were_loaded(body, told):
    made = f"{METHODS}class A(nn.Module):\n    def __init__(self):\n        super().__init__(); {body}\n"
    student = open_student(made + "    def forward(self, x): return x\n")
    module = student.A.built(loads={"q.weight": torch.eye(2)})
    module(torch.ones(2))
    assert module.has_all_loaded is told


def test_a_built_module_that_should_have_no_parameters_tells_of_any():
    student = open_student(f"{METHODS}class A(nn.Identity): pass\nclass B(nn.PReLU): pass\n")
    modules = [getattr(student, name).built(loads={}) for name in "AB"]
    for module in modules:
        module(torch.ones(2))
    assert [module.has_all_loaded for module in modules] == [True, False]


def test_a_call_brings_a_module_to_the_state_dtype_and_device_that_it_says():
    session = open_session(MODULE)
    layer = Student(session).Layer
    first = layer(3)
    first.load({"inner.weight": 2 * torch.eye(3)})
    number, _ = first.module_number()
    (second, build), (third, build_another) = (layer.to_build(Given((3,), {})) for _ in range(2))
    wide = second.to_call(Given((X.double(),), {}), mode="eval", turned_to="float64", state_of=number)
    moved = third.to_call(Given((X,), {}), moved_to="meta", device="meta")
    _, _, answer, _ = session.request_each([build, build_another, wide, moved], "Layer")
    assert torch.equal(answer.value[0], 2 * X.double())
    assert {fact.device for fact in third.facts().values()} == {"meta"}
    first.load({"inner.weight": torch.zeros(3, 3)})
    (again,) = session.request_each([second.to_call(Given((X.double(),), {}), state_of=number)], "Layer")
    assert torch.equal(again.value[0], torch.zeros(3, dtype=torch.float64))
