"""An answer has to compute where its input is, and a student learns which line keeps it on the CPU."""

import pytest
import torch

from grader.inside.pretended import torch_backend
from grader.suite import checks
from grader.suite.core.draw import Draw
from grader.suite.core.failures import CheckFailed
from grader.suite.diagnosis.by_message import FAULTS
from grader.workers.calls.student import Student
from grader.workers.process.failures import StudentFailure

from ...support.open_workers import open_session

HEAD = "import math\nimport numpy as np\nimport torch\nfrom torch import nn\nfrom torch.nn import functional as F\n"
X = Draw(1).normal(2, 3, 3)
RIGHT = {
    "input": "def f(x):\n    return x * torch.ones(3, 3, device=x.device).tril()",
    "like": "def f(x):\n    return x.masked_fill(torch.ones_like(x).triu(1) > 0, -9.0).softmax(-1)",
    "new": "def f(x):\n    return x @ x.new_ones(3, 3) + x.new_tensor(2.0)",
    "moved": "def f(x):\n    return x + torch.arange(3).to(x.device)",
    "number": "def f(x):\n    return x * torch.tensor(0.5) / math.sqrt(float(x.shape[-1]))",
    "read": "def f(x):\n    return x * x.max().item() if x.sum() > 0 else x * 2",
    "loop": "def f(x):\n    return torch.stack([row / row.sum() for row in x])",
    "whole": "def f(x):\n    return (x > 0).long()",
    "drawn": "def f(x):\n    return F.dropout(x, 0.5) + torch.rand_like(x)",
    "in place": "def f(x):\n    out = torch.empty_like(x)\n    out[...] = x\n    return out.mul_(2)",
    "filled": "def f(x):\n    out = torch.empty(x.shape)\n    out[0], out[1] = x[0], x[1]\n    return out",
    "filled and scaled": "def f(x):\n    out = torch.zeros(x.shape)\n    out[:] = x\n    return out.softmax(-1)",
    "normed": "def f(x):\n    return nn.utils.parametrizations.weight_norm(nn.Linear(3, 3)).to(x.device)(x) * 0 + x",
    "packed": "def f(x):\n    rows = nn.utils.rnn.pack_padded_sequence(x, [3, 2], batch_first=True)\n"
    "    return nn.utils.rnn.pad_packed_sequence(nn.GRU(3, 3).to(x.device)(rows)[0], batch_first=True)[0] * 0 + x",
    "nested": "def f(x):\n    return torch.nested.nested_tensor([x[0], x[1]]).to_padded_tensor(0.0)",
    "sparse": "def f(x):\n    return torch.eye(3).to_sparse().to_dense().to(x.device) @ x",
    "mapped": "def f(x):\n    return torch.vmap(lambda row: row.softmax(-1))(x)",
    "several": "def f(x):\n    return [x + 1, x * 2]",
    "accelerator": "A = torch.accelerator.current_accelerator()\ndef f(x):\n    return x.new_zeros(3, device=A) + x",
}
WRONG = {
    "made": (
        "made_on_the_cpu",
        "ones = torch.ones",
        "def f(x):\n    ones = torch.ones(3, 3)\n    low = ones.tril()\n    return x * low",
    ),
    "result": ("made_on_the_cpu", "torch.tensor(x.tolist", "def f(x):\n    return torch.tensor(x.tolist())"),
    "filled and used": (
        "made_on_the_cpu",
        "out = torch.zeros",
        "def f(x):\n    out = torch.zeros(x.shape)\n    out[0] = x[0]\n    return out + x",
    ),
    "in a list": (
        "made_on_the_cpu",
        "zeros = torch.zeros",
        "def f(x):\n    zeros = torch.zeros(2, 3, 1)\n    return torch.cat([x, zeros], -1)",
    ),
    "brought": ("moved_to_the_cpu", "rows = x.cpu()", "def f(x):\n    rows = x.cpu()\n    return x + rows"),
    "to": ("moved_to_the_cpu", ".to('cpu')", "def f(x):\n    return x.softmax(-1).to('cpu')"),
    "loaded": ("loaded_on_the_cpu", "return x * LOW", "LOW = torch.ones(3, 3).tril()\ndef f(x):\n    return x * LOW"),
    "table": (
        "loaded_on_the_cpu",
        "return ROWS[",
        "ROWS = torch.ones(9, 3)\ndef f(x):\n    return ROWS[(x > 0).long()]",
    ),
    "filled from the CPU": (
        "made_on_the_cpu",
        "torch.zeros(3, 3)",
        "def f(x):\n    return torch.zeros(3, 3) + torch.tensor(x.tolist())",
    ),
    "moved one by one": (
        "moved_to_the_cpu",
        "row.max().cpu()",
        "def f(x):\n    out = [row.max().cpu() for row in x]\n    return torch.stack(out)",
    ),
    "made like it": (
        "made_on_the_cpu",
        "zeros_like(x",
        "def f(x):\n    return x + torch.zeros_like(x, device='cpu')",
    ),
    "loaded and changed": (
        "loaded_on_the_cpu",
        "return x *",
        "ONES = torch.ones(3)\ndef f(x):\n    return x * (ONES / 2)",
    ),
    "one of two": (
        "moved_to_the_cpu",
        "x.cpu()",
        "def f(x):\n    out = torch.empty(2)\n    out[0] = out[1] = x.max()\n    return out, x.cpu()",
    ),
    "numpy": ("numpy_of_a_gpu", ".numpy()", "def f(x):\n    return x * float(x.detach().numpy().max())"),
    "np": ("numpy_of_a_gpu", "np.abs(x", "def f(x):\n    return x * np.abs(x.detach())"),
    "old": ("devices_mixed", "torch.FloatTensor", "def f(x):\n    return x * torch.FloatTensor([1, 2, 3])"),
}
OTHER = {
    "fails": "def f(x):\n    return x[9]",
    "twice": "def f(x):\n    return x * (1 if x.device.type == 'cpu' else 2)",
    "cut": "def f(x):\n    return x if x.device.type == 'cpu' else x.detach() + 0 * x",
    "detached": "def f(x):\n    return x.detach() * 2",
    "given": "def f(x, inner):\n    return inner(x)",
    "first": "def f(x):\n    return x.to(0)",
    "zero": "def f(x):\n    return x + torch.ones(3, device=0)",
    "lacks": "def f(x):\n    if x.device.type != 'cpu':\n        raise RuntimeError('not supported')\n    return x",
    "counts": "def f(x):\n    return torch.full_like(x, torch.accelerator.device_count())",
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
    "buffer": (
        "self.register_buffer('low', torch.ones(d, d).tril())",
        "return self.dropout(self.inner(x)) @ self.low + self.seen",
    ),
    "made at the first call": (
        "self.low = None",
        "self.low = x.new_ones(3, 3) if self.low is None else self.low; return self.inner(x) @ self.low",
    ),
    "list": ("self.more = nn.ModuleList([nn.LayerNorm(d)])", "return self.more[0](self.inner(x))"),
}
WRONG_MODULES = {
    "attribute": ("left_on_the_cpu", "self.low = torch.ones(d, d).tril()", "return self.inner(x) @ self.low"),
    "in training": ("made_on_the_cpu", "pass", "return x * (torch.rand(x.shape) > 0.5 if self.training else 1)"),
    "in evaluation": ("made_on_the_cpu", "pass", "return self.inner(x) * (1 if self.training else torch.ones(3))"),
    "statistics": ("left_on_the_cpu", "del self.seen; self.seen = torch.zeros(d)", "return self.inner(x) + self.seen"),
    "lazily": ("made_on_the_cpu", "self.low = None", "self.low = torch.ones(3, 3); return self.inner(x) @ self.low"),
    "plain list": ("devices_mixed", "self.more = [nn.Linear(d, d)]", "return self.more[0](self.inner(x))"),
}  # fmt: skip
pytestmark = pytest.mark.skipif(not torch_backend.is_there(), reason="this torch cannot carry a device of Python")


def fault_of(text):
    """Return the name of the fault that a failed check's words say."""
    return next(fault.name for fault in FAULTS if fault.words.search(text))


@pytest.fixture(scope="module")
def student():
    """All answers in one file, as `f_NAME` and `Layer_NAME`."""
    functions = RIGHT | {name: text for name, (_, _, text) in WRONG.items()} | OTHER
    texts = [text.replace("def f(", f"def {called('f', name)}(") for name, text in functions.items()]
    modules = RIGHT_MODULES | {name: body for name, (_, *body) in WRONG_MODULES.items()}
    for name, (init, forward) in modules.items():
        texts.append(MODULE.format(init=init, forward=forward).replace("Layer(nn", f"{called('Layer', name)}(nn"))
    answers = Student(open_session("\n".join([HEAD, *texts]), begin=False))
    yield answers
    answers._session.close()


@pytest.fixture(autouse=True)
def _begun(student):
    student._session.begin_check()


def called(kind, name):
    """Return the name of an answer in the file."""
    return f"{kind}_{name.replace(' ', '_')}"


@pytest.mark.parametrize("name", RIGHT)
def test_an_answer_that_computes_where_its_input_is_passes(student, name):
    checks.on_another_device(student, called("f", name), X)


@pytest.mark.parametrize("name", WRONG)
def test_an_answer_that_leaves_the_device_is_named_with_the_line_to_mend(student, name):
    fault, line, _ = WRONG[name]
    with pytest.raises(StudentFailure) as raised:
        checks.on_another_device(student, called("f", name), X)
    assert fault_of(raised.value.text) == fault and line in raised.value.line_text, raised.value.text


def test_what_goes_wrong_on_the_cpu_already_is_not_said_of_the_device(student):
    with pytest.raises(StudentFailure, match="IndexError"):
        checks.on_another_device(student, "f_fails", X)


@pytest.mark.parametrize("name", ["f_twice", "f_cut"])
def test_another_answer_or_gradient_there_is_told_as_such(student, name):
    with pytest.raises(CheckFailed) as raised:
        checks.on_another_device(student, name, X)
    assert raised.value.english.startswith("On another device than the CPU") and "장치에서" in raised.value.korean


def test_a_detached_answer_is_as_detached_there(student):
    checks.on_another_device(student, "f_detached", X)


def test_modules_among_the_arguments_are_moved_too(student):
    inner = student.torch_nn("Linear", 3, 3)
    checks.on_another_device(student, "f_given", X, inner, moves=[inner])


@pytest.mark.parametrize("name", RIGHT_MODULES)
def test_a_module_that_follows_to_passes_in_training_and_in_evaluation(student, name):
    checks.module_on_another_device(student, called("Layer", name), (3,), X)


@pytest.mark.parametrize("name", WRONG_MODULES)
def test_a_module_that_does_not_follow_to_is_named(student, name):
    with pytest.raises(StudentFailure) as raised:
        checks.module_on_another_device(student, called("Layer", name), (3,), X, options={"p": 0.2})
    assert fault_of(raised.value.text) == WRONG_MODULES[name][0], raised.value.text


def test_a_worker_on_the_cpu_has_no_accelerator(student):
    assert torch.equal(student.f_counts(X), torch.zeros_like(X))
    student.f_counts.observe(X, device="pretended")
    assert torch.equal(student.f_counts(X), torch.zeros_like(X))


@pytest.mark.parametrize("name", ["f_first", "f_zero"])
def test_a_device_by_number_is_refused_on_the_cpu_as_before(student, name):
    with pytest.raises(StudentFailure, match="none is available"):
        getattr(student, name)(X)


def test_a_refusal_of_the_students_own_is_not_taken_for_torchs(student):
    with pytest.raises(StudentFailure, match="not supported"):
        checks.on_another_device(student, "f_lacks", X)


def test_an_older_torch_skips_the_check_with_the_reason(student, monkeypatch):
    monkeypatch.setattr(torch_backend, "is_there", lambda: False)
    with pytest.raises(pytest.skip.Exception, match="cannot pretend to have a GPU"):
        checks.on_another_device(student, "f_like", X)
