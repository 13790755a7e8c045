"""An answer has to compute where its input is, and a student learns which line keeps it on the CPU."""

import pytest
import torch

from grader.inside.pretended import torch_backend
from grader.suite.core.draw import Draw
from grader.suite.core.failures import CheckFailed
from grader.suite.core.gradients import uneven
from grader.suite.diagnosis.by_torch import meaning_of
from grader.suite.library.other_device import SEED, require_same, same_elsewhere
from grader.workers.calls.student import Given
from grader.workers.process.failures import StudentFailure

from ....support.workers.open_workers import open_student

HEAD = "import math\nimport numpy as np\nimport torch\nfrom torch import nn\nfrom torch.nn import functional as F\n"
X = Draw(1).normal(2, 3, 3)
RIGHT = {
    "gradients forward": "from torch.func import jvp; return jvp(lambda t: t - x, (x,), (x,))[1]",
    "input": "return x * torch.ones(3, 3, device=x.device).tril()",
    "like": "return x.masked_fill(torch.ones_like(x).triu(1) > 0, -9.0).softmax(-1)",
    "new": "return x @ x.new_ones(3, 3) + x.new_tensor(2.0)",
    "moved": "return x + torch.arange(3).to(x.device)",
    "number": "return x * torch.tensor(0.5) / math.sqrt(float(x.shape[-1]))",
    "read": "return x * x.max().item() if x.sum() > 0 else x * 2",
    "loop": "return torch.stack([row / row.sum() for row in x])",
    "whole": "return (x > 0).long()",
    "drawn": "return F.dropout(x, 0.5) + torch.rand_like(x)",
    "in place": "out = torch.empty_like(x); out[...] = x; return out.mul_(2)",
    "filled": "out = torch.empty(x.shape, device=x.device); out[0], out[1] = x[0], x[1]; return out",
    "normed": "return nn.utils.parametrizations.weight_norm(nn.Linear(3, 3)).to(x.device)(x) * 0 + x",
    "packed": "rows = nn.utils.rnn.pack_padded_sequence(x, [3, 2], batch_first=True); "
    "return nn.utils.rnn.pad_packed_sequence(nn.GRU(3, 3).to(x.device)(rows)[0], batch_first=True)[0] * 0 + x",
    "nested": "return torch.nested.nested_tensor([x[0], x[1]]).to_padded_tensor(0.0)",
    "sparse": "return torch.eye(3).to_sparse().to_dense().to(x.device) @ x",
    "mapped": "return torch.vmap(lambda row: row.softmax(-1))(x)",
    "several": "return [x + 1, x * 2]",
    "accelerator": "A = torch.accelerator.current_accelerator()\ndef f(x):\n    return x.new_zeros(3, device=A) + x",
}
MADE, MOVED = "made a tensor on the CPU", "moved a tensor to the CPU"
LOADED = "made on the CPU when the file was loaded"
KEPT, MIXED, NUMPY = "is not a buffer", "to be on the same device", "device type tensor to numpy"
WRONG = {
    "made": (MADE, "ones = torch.ones", "ones = torch.ones(3, 3); low = ones.tril(); return x * low"),
    "result": (MADE, "torch.tensor(x.tolist", "return torch.tensor(x.tolist())"),
    "filled": (MADE, "out = torch.empty", "out = torch.empty(x.shape); out[0], out[1] = x[0], x[1]; return out"),
    "filled and used": (MADE, "out = torch.zeros", "out = torch.zeros(x.shape); out[0] = x[0]; return out + x"),
    "in a list": (MADE, "zeros = torch.zeros", "zeros = torch.zeros(2, 3, 1); return torch.cat([x, zeros], -1)"),
    "brought": (MOVED, "rows = x.cpu()", "rows = x.cpu(); return x + rows"),
    "to": (MOVED, ".to('cpu')", "return x.softmax(-1).to('cpu')"),
    "loaded": (LOADED, "return x * LOW", "LOW = torch.ones(3, 3).tril()\ndef f(x):\n    return x * LOW"),
    "table": (LOADED, "return ROWS[", "ROWS = torch.ones(9, 3)\ndef f(x):\n    return ROWS[(x > 0).long()]"),
    "filled from the CPU": (MADE, "torch.zeros(3, 3)", "return torch.zeros(3, 3) + torch.tensor(x.tolist())"),
    "moved one by one": (MOVED, "row.max().cpu()", "out = [row.max().cpu() for row in x]; return torch.stack(out)"),
    "made like it": (MADE, "zeros_like(x", "return x + torch.zeros_like(x, device='cpu')"),
    "loaded and changed": (LOADED, "return x *", "ONES = torch.ones(3)\ndef f(x):\n    return x * (ONES / 2)"),
    "one of two": (MOVED, "x.cpu()", "out = x.new_empty(2); out[0] = out[1] = x.max(); return out, x.cpu()"),
    "numpy": (NUMPY, ".numpy()", "return x * float(x.detach().numpy().max())"),
    "np": (NUMPY, "np.abs(x", "return x * np.abs(x.detach())"),
    "old": (MIXED, "torch.FloatTensor", "return x * torch.FloatTensor([1, 2, 3])"),
}
MODULE = """
class Layer(nn.Module):
    def __init__(self, d, p=0.5):
        super().__init__()
        self.inner, self.dropout = nn.Linear(d, d), nn.Dropout(p)
        self.register_buffer("seen", torch.zeros(d))
        {init}
    def forward(self, x):
        if self.training:
            self.seen += x.mean((0, 1)).detach()
        {forward}
"""
RIGHT_MODULES = {
    "buffer": ("self.register_buffer('low', torch.ones(d, d).tril())",
               "return self.dropout(self.inner(x)) @ self.low + self.seen"),
    "made at the first call": ("self.low = None", "self.low = x.new_ones(3, 3) if self.low is None else self.low; "
                               "return self.inner(x) @ self.low"),
    "list": ("self.more = nn.ModuleList([nn.LayerNorm(d)])", "return self.more[0](self.inner(x))"),
}  # fmt: skip
WRONG_MODULES = {
    "attribute": (KEPT, "self.low = torch.ones(d, d).tril()", "return self.inner(x) @ self.low"),
    "in training": (MADE, "pass", "return x * (torch.rand(x.shape) > 0.5 if self.training else 1)"),
    "in evaluation": (MADE, "pass", "return self.inner(x) * (1 if self.training else torch.ones(3))"),
    "statistics": (KEPT, "del self.seen; self.seen = torch.zeros(d)", "return self.inner(x) + self.seen"),
    "lazily": (MADE, "self.low = None", "self.low = torch.ones(3, 3); return self.inner(x) @ self.low"),
    "plain list": (MIXED, "self.more = [nn.Linear(d, d)]", "return self.more[0](self.inner(x))"),
}  # fmt: skip
pytestmark = pytest.mark.skipif(not torch_backend.is_there(), reason="this torch does not support a device of Python")


def written(text, name="f"):
    """Return the answer of a text, which may be given as the statements of the body of `f` alone."""
    text = text if f" {name}(" in text else "def f(x):\n    " + text.replace("; ", "\n    ")
    return getattr(open_student(HEAD + text), name)


def on_another_device(function, *args):
    same_elsewhere(function, function, Given(args, {}))


def module_on_another_device(init, forward, **options):
    made = written(MODULE.format(init=init, forward=forward), "Layer")
    stays, moved = (made.built(3, **options) for _ in range(2))
    moved.load(stays.kept())
    for switch in ("train", "eval"):
        stays.tell(switch)
        moved.tell(switch)
        same_elsewhere(stays, moved, Given((X,), {}))


def with_gradients(function):
    options = {"cotangent": uneven(X.shape).float(), "seed": SEED}
    here, there = (function.observe(X, device=place, **options) for place in ("", "pretended"))
    require_same(here, there, {"x": X})


def test_an_answer_that_computes_where_its_input_is_passes(subtests):
    for name, text in RIGHT.items():
        with subtests.test(name=name):
            on_another_device(written(text), X)


def test_an_answer_that_leaves_the_device_is_named_with_the_line_to_mend(subtests):
    for name, (words, line, text) in WRONG.items():
        with subtests.test(name=name):
            with pytest.raises(StudentFailure) as raised:
                on_another_device(written(text), X)
            assert words in raised.value.text and line in raised.value.line_text
            assert words == NUMPY or meaning_of(raised.value.text).mistakes == ["left_on_the_cpu"]


def test_an_exception_that_speaks_of_a_crash_is_none():
    with pytest.raises(StudentFailure):
        on_another_device(written("if x.device.type != 'cpu': raise ValueError('SIGSEGV'); return x"), X)


def test_what_goes_wrong_on_the_cpu_already_is_not_said_of_the_device():
    with pytest.raises(StudentFailure, match="IndexError"):
        on_another_device(written("return x[9]"), X)


@pytest.mark.parametrize("elsewhere", ["x * 2", "x.detach() + 0 * x"])
def test_another_answer_or_gradient_there_is_told_as_such(elsewhere):
    with pytest.raises(CheckFailed) as raised:
        with_gradients(written(f"return x if x.device.type == 'cpu' else {elsewhere}"))
    assert raised.value.found.startswith("On another device than the CPU") and "장치에서" in raised.value.found.to("ko")
    assert not raised.value.advice or raised.value.advice.startswith("On another device than the CPU")


def test_a_detached_answer_is_as_detached_there():
    with_gradients(written("return x.detach() * 2"))


@pytest.mark.parametrize("name", RIGHT_MODULES)
def test_a_module_that_follows_to_passes_in_training_and_in_evaluation(name):
    module_on_another_device(*RIGHT_MODULES[name])


def test_a_module_that_does_not_follow_to_is_named(subtests):
    for name, (words, *body) in WRONG_MODULES.items():
        with subtests.test(name=name):
            with pytest.raises(StudentFailure) as raised:
                module_on_another_device(*body, p=0.2)
            assert words in raised.value.text and meaning_of(raised.value.text).mistakes == ["left_on_the_cpu"]


def test_a_worker_on_the_cpu_has_no_accelerator():
    counts = written("return torch.full_like(x, torch.accelerator.device_count())")
    assert torch.equal(counts(X), torch.zeros_like(X))
    counts.observe(X, device="pretended")
    assert torch.equal(counts(X), torch.zeros_like(X))


def test_a_backward_may_make_tensors_on_the_device_as_well():
    twice = written(
        "class Twice(torch.autograd.Function):\n"
        "    forward = staticmethod(lambda ctx, x: 2 * x)\n"
        "    backward = staticmethod(lambda ctx, grad: torch.full((3,), 2.0, device=grad.device) * grad)\n"
        "def f(x):\n    return Twice.apply(x)"
    )
    (gradient,) = twice.observe(X, cotangent=torch.ones_like(X), device="pretended").input_gradients
    assert torch.equal(gradient, torch.full_like(X, 2.0))


@pytest.mark.parametrize("text", ["return x.to(0)", "return x + torch.ones(3, device=0)"])
def test_a_device_by_number_is_refused_on_the_cpu_as_before(text):
    with pytest.raises(StudentFailure, match="none is available"):
        written(text)(X)


def test_a_refusal_of_the_students_own_is_not_taken_for_torchs():
    with pytest.raises(StudentFailure, match="not supported"):
        on_another_device(written("if x.device.type != 'cpu': raise RuntimeError('not supported'); return x"), X)


def test_an_older_torch_skips_the_check_with_the_reason(monkeypatch):
    monkeypatch.setattr(torch_backend, "is_there", lambda: False)
    with pytest.raises(pytest.skip.Exception, match="No GPU is pretended"):
        on_another_device(written(RIGHT["like"]), X)
