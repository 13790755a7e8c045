"""A student's module stays in its worker, and a suite works with it through a handle."""

import pytest
import torch

from grader.workers.student import ModuleHandle

from .open_workers import close_sessions, failure_of, open_student

X = torch.tensor([1.0, 2.0, 4.0])


@pytest.fixture(autouse=True)
def sessions_are_closed():
    yield
    close_sessions()


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


def test_a_history_of_calls_gives_each_value_and_what_is_kept_by_then():
    steps = [("train", X), ("eval", X + 1), ("eval", X), ("train", -X), ("train", X)]
    told = open_student(COUNTER).Counter().history(steps, keeps=True)
    for value, seen, last in ((2 * X, 1, X), (2 * X + 1, 1, X), (2 * X, 1, X)):
        answer, kept = next(told)
        assert torch.equal(answer, value) and kept["seen"] == seen and torch.equal(kept["last"], last)
    assert "below zero" in failure_of(lambda: next(told)).sentence


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
    student._session.drop_worker()
    student.Layer(3)
    failure = failure_of(layer, X)
    assert failure.status == "crash" and "has ended" in failure.sentence
