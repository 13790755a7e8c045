"""What a call is said to have done is read past methods that student code replaced, overrode or left a mode for."""

import pytest
import torch

from ...support.workers.open_workers import open_student

X = torch.arange(6.0).reshape(2, 3)
HEAD = """
import torch
from torch import nn
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode
true_detach, true_clone = torch.Tensor.detach, torch.Tensor.clone
"""
TURNED = "def f(x): return x.t()\n"
CONTIGUITY = {
    "class": "torch.Tensor.is_contiguous = lambda *args, **kwargs: True\n" + TURNED,
    "tensor": "def f(x):\n    y = x.t()\n    y.is_contiguous = lambda *args, **kwargs: True\n    return y\n",
    "mode": "class Mode(TorchFunctionMode):\n    def __torch_function__(self, func, types, args=(), kwargs=None):\n"
    "        return True if 'contiguous' in func.__name__ else func(*args, **(kwargs or {}))\n"
    "Mode().__enter__()\n" + TURNED,
}


@pytest.mark.parametrize("code", CONTIGUITY.values(), ids=CONTIGUITY)
def test_contiguity_is_asked_of_torch_itself(code):
    seen = open_student(HEAD + code).f.observe(X)
    assert torch.equal(seen.value, X.t()) and not seen.facts[0].contiguous


SPOILT = "def f(x):\n    with torch.no_grad(): x.zero_()\n    return torch.ones(2)\n"
PURITY = {
    "detach": "kept = torch.arange(6.0).reshape(2, 3)\n"
    "torch.Tensor.detach = lambda t: kept if tuple(t.shape) == (2, 3) else true_detach(t)\n" + SPOILT,
    "numpy": "kept = torch.arange(6.0).reshape(2, 3).numpy()\ntrue_numpy = torch.Tensor.numpy\n"
    "torch.Tensor.numpy = lambda t: kept if tuple(t.shape) == (2, 3) else true_numpy(t)\n" + SPOILT,
    "dispatch": "kept = torch.arange(6.0).reshape(2, 3)\nclass Mode(TorchDispatchMode):\n"
    "    def __torch_dispatch__(self, func, types, args=(), kwargs=None):\n"
    "        return kept if 'detach' in str(func) else func(*args, **(kwargs or {}))\n"
    "Mode().__enter__()\n" + SPOILT,
}


@pytest.mark.parametrize("code", PURITY.values(), ids=PURITY)
def test_inputs_come_back_as_they_are_and_not_as_a_replaced_method_says(code):
    seen = open_student(HEAD + code).f.observe(X, echo=True)
    assert torch.equal(seen.inputs_after[0], torch.zeros(2, 3))


def test_getter_that_is_replaced_is_not_asked(subtests):
    for name in ["dtype", "shape", "requires_grad", "device", "layout", "is_nested", "is_quantized"]:
        with subtests.test(name=name):
            lies = f"{{'dtype': torch.float64, 'shape': (3, 2)}}.get({name!r}, True)"
            code = f"torch.Tensor.{name} = property(lambda t: {lies})\n"
            seen = open_student(HEAD + code + "def f(x): return x + 1\n").f.observe(X)
            assert torch.equal(seen.value, X + 1) and seen.value.dtype == torch.float32
            assert (seen.facts[0].requires_grad, seen.facts[0].device) == (False, "cpu")


LAYER = """
class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(3, 3, bias=False)
        self.extra = nn.Parameter(torch.ones(3))
        self.register_buffer("mask", torch.ones(2))
        self.made = True
    def forward(self, x): return self.inner(x) + self.extra
"""
HIDING = {
    "own method": "    def named_parameters(self, *args, **kwargs): return iter([])\n"
    "    def named_buffers(self, *args, **kwargs): return iter([])\n"
    "    def state_dict(self, *args, **kwargs): return {'inner.weight': self.inner.weight}\n",
    "members": "    def _named_members(self, *args, **kwargs): return iter([('inner.weight', self.inner.weight)])\n",
    "torch's method": "nn.Module.named_parameters = lambda self, *args, **kwargs: iter([])\n"
    "nn.Module.named_buffers = lambda self, *args, **kwargs: iter([])\n"
    "nn.Module.named_modules = lambda self, *args, **kwargs: iter([])\n",
    "attribute": "    def __getattribute__(self, name):\n"
    "        lies = name == '_parameters' and 'made' in super().__getattribute__('__dict__')\n"
    "        return {} if lies else super().__getattribute__(name)\n",
}


@pytest.mark.parametrize("code", HIDING.values(), ids=HIDING)
def test_parameters_and_buffers_that_a_module_has_cannot_be_left_out(code):
    layer = open_student(HEAD + LAYER + code).Layer()
    assert list(layer.parameters()) == ["extra", "inner.weight"] and list(layer.buffers()) == ["mask"]
    assert sorted(layer.facts()) == ["extra", "inner.weight", "mask"]
    assert torch.equal(layer.observe(X, cotangent=torch.ones(2, 3)).parameter_gradients["extra"], torch.full((3,), 2.0))
    if "'_parameters'" not in code:  # torch's own state_dict asks for the attribute
        assert sorted(layer.state_dict()) == ["extra", "inner.weight", "mask"]


TWO = """
class Two(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(2, 2)
        self.b = nn.Sequential(self.a, nn.BatchNorm1d(2), nn.ReLU())
        self.tied = self.a.weight
        self.register_parameter("none", None)
        self.register_module("nothing", None)
made = Two()
def get(): return made
def names():
    found = made.named_parameters(), made.named_buffers()
    return [[name for name, _ in each] for each in found]
"""


def test_members_come_in_torchs_order_and_shared_ones_once_but_load_under_each_name():
    student = open_student(HEAD + TWO)
    two = student.get()
    assert [list(two.parameters()), list(two.buffers())] == student.names()
    two.load({"b.0.weight": 2 * torch.ones(2, 2)})
    assert torch.equal(two.parameters()["tied"], 2 * torch.ones(2, 2))


def test_module_within_itself_is_read_to_its_end():
    looped = "def looped():\n    layer = Layer()\n    layer.inner.up = layer\n    return layer\n"
    layer = open_student(HEAD + LAYER + looped).looped()
    assert list(layer.parameters()) == ["extra", "inner.weight"]
    layer.load({"extra": torch.zeros(3)})
    assert torch.equal(layer.parameters()["extra"], torch.zeros(3))


def test_scripted_module_is_read_like_any_other():
    student = open_student(HEAD + "def made(): return torch.jit.trace(nn.Linear(3, 2), torch.ones(1, 3))\n")
    layer = student.made()
    assert sorted(layer.parameters()) == ["bias", "weight"]
    layer.load({"weight": torch.zeros(2, 3), "bias": torch.ones(2)})
    assert torch.equal(layer(X), torch.ones(2, 2))
