"""Tensors arrive with the strides they have here, and an answer has to be right whatever these are."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.inside.protocol.rows import TensorNode
from grader.inside.protocol.values import DTYPES, MOST_SPREAD, reach
from grader.inside.protocol.wire import ProtocolViolation
from grader.inside.worker.pack_results import ArgumentUnpacker, Handles
from grader.suite import checks
from grader.suite.core.draw import Draw
from grader.suite.core.failures import CheckFailed
from grader.suite.library.layouts import LAYOUTS
from grader.workers.calls.value_rows import ArgumentPacker, ResultUnpacker
from grader.workers.process.failures import StudentFailure

from ....support.exercises.small_solutions import HEAD, solution
from ....support.workers.open_workers import open_student

SPLIT = "def split(x):\n    return x.reshape(len(x), -1, 2)\n"
IN_PLACE = SPLIT.replace("    return", "    x += 0\n    return")
LAYER = """
class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(4, 4)
    def forward(self, x):
        return self.inner(x).sum(0) + x.reshape(-1)[:4]
"""
X = Draw(1).normal(3, 4)


def arrived(tensor, plainly=False):
    packer = ArgumentPacker(1 << 20, "cpu", plainly)
    row = packer.argument(tensor)
    return ArgumentUnpacker(packer.nodes, b"".join(packer.pieces), [row], Handles()).values[row]


@st.composite
def views(draw):
    """Return a view of some tensor by a few of torch's ways to make one."""
    name = draw(st.sampled_from(sorted(DTYPES)))
    shape = draw(st.lists(st.integers(1, 4), min_size=1, max_size=4))
    x = (torch.randn(shape, generator=torch.Generator().manual_seed(draw(st.integers(0, 99)))) * 9).to(DTYPES[name])
    for _ in range(draw(st.integers(0, 4))):
        dim = draw(st.integers(0, x.dim() - 1))
        match draw(st.sampled_from(["transpose", "gaps", "narrow", "select", "expand", "unfold"])):
            case "transpose":
                x = x.transpose(dim, draw(st.integers(0, x.dim() - 1)))
            case "gaps":
                x = x[(slice(None),) * dim + (slice(None, None, 2),)]
            case "narrow":
                x = x.narrow(dim, 0, draw(st.integers(0, x.shape[dim])))
            case "select" if x.dim() > 1 and x.shape[dim]:
                x = x.select(dim, 0)
            case "expand":
                x = x.unsqueeze(dim).expand(*x.shape[:dim], 3, *x.shape[dim:])
            case "unfold" if x.shape[dim] > 1:
                x = x.unfold(dim, 2, 1)
    return x


@settings(max_examples=200)
@given(views())
def test_view_arrives_with_its_numbers_and_its_strides(x):
    back = arrived(x)
    assert back.dtype == x.dtype and back.shape == x.shape and torch.equal(back, x.resolve_conj())
    if x.numel() and reach(x.shape, x.stride()) <= MOST_SPREAD * x.numel():
        assert back.is_contiguous() == x.is_contiguous()
        assert x.is_contiguous() or back.stride() == x.stride()
    else:
        assert back.is_contiguous()
    assert arrived(x, plainly=True).is_contiguous()


@pytest.mark.parametrize(
    "strides", [[1], [1, 3, 1], [3, MOST_SPREAD * 12], [2**62, 2**62], [0, 2**63 - 1]], ids=str
)  # fmt: skip
def test_strides_take_no_more_memory_than_the_numbers_allow(strides):
    node = TensorNode("float32", [3, 4], 0, 48, strides=strides)
    with pytest.raises(ProtocolViolation, match="cannot have the strides"):
        ArgumentUnpacker([node], bytes(48), [0], Handles())


def test_no_answer_has_strides():
    node = TensorNode("float32", [3, 4], 0, 48, strides=[1, 3])
    with pytest.raises(ProtocolViolation, match="came back with strides"):
        ResultUnpacker([node], bytes(48), [0], lambda *_: None)


def test_views_in_a_call_behave_as_in_torch():
    student = open_student(
        "def strides(x): return x.stride()\ndef same(x): return x\ndef twice(x): return x * 2\n"
        "def change(x):\n    x += 1\n    return x\n"
    )
    expanded = X[:1].expand(3, 4)
    assert student.strides(X.T) == (1, 4) and student.strides(expanded) == (0, 1)
    seen = student.same.observe(X.T, echo=True)
    assert seen.facts[0].shares_input and not seen.facts[0].contiguous and torch.equal(seen.inputs_after[0], X.T)
    assert seen.value.is_contiguous() and seen.inputs_after[0].is_contiguous()
    for x in (X.T, expanded, X[:, ::2]):
        gradients = student.twice.observe(x, cotangent=torch.ones(x.shape)).input_gradients
        assert torch.equal(gradients[0], torch.full(x.shape, 2.0))
        assert torch.equal(student.twice.observe(x, before=[x + 1]).value, 2 * x)
    assert torch.equal(student.change.observe(X.T, echo=True).inputs_after[0], X.T + 1)
    with pytest.raises(StudentFailure, match="single memory location"):
        student.change(expanded)


def test_each_layout_is_what_it_is_called():
    for x in (X, Draw(2).normal(2, 3, 4), X > 0):
        made = {layout: checks.laid_out(x, layout) for layout in LAYOUTS}
        assert all(each.shape == x.shape and not each.is_contiguous() for each in made.values())
        assert torch.equal(made["transposed"], x) and torch.equal(made["sliced"], x)
        assert torch.equal(made["expanded"], x[:1].expand(x.shape)) and made["expanded"].stride(0) == 0
        with pytest.raises(RuntimeError, match="not compatible"):
            made["sliced"].view(-1)
    assert not checks.laid_out(X[0], "sliced").is_contiguous()
    assert all(torch.equal(checks.laid_out(each, layout), each) for each in (X[0], X[0, 0]) for layout in LAYOUTS)


@pytest.mark.parametrize(
    ("code", "words", "advice"),
    [
        (SPLIT, "", ""),
        (SPLIT.replace("x.reshape", "x.contiguous().view"), "", ""),
        (SPLIT.replace("reshape(len(x), -1, 2)", "view(-1).view(len(x), -1, 2)"),
         "With a transposed view .* as input: your code raised RuntimeError: view", "your code raises an exception"),
        ("import torch\ndef split(x):\n    return torch.as_strided(x, (len(x), 2, 2), (4, 2, 1))\n",
         "With a transposed view .* as input: ", "the answer is another one"),
        (IN_PLACE, "With an expanded view .* single memory location", "your code raises an exception"),
        ("def split(x): return x\n", "^The result has the shape", ""),
    ],
)  # fmt: skip
def test_function_is_asked_in_each_layout(code, words, advice):
    student = open_student(code)
    if not words:
        checks.any_layout(student, solution(SPLIT), "split", X)
        return
    with pytest.raises(CheckFailed, match=words) as caught:
        checks.any_layout(student, solution(SPLIT), "split", X)
    assert advice in caught.value.advice[0] and "view size" not in caught.value.advice[0]


def test_layouts_can_be_left_out():
    student = open_student(IN_PLACE)
    checks.any_layout(student, solution(SPLIT), "split", X, layouts=("transposed", "sliced"))


def test_module_is_asked_in_each_layout():
    reference = solution(LAYER)
    checks.module_any_layout(*checks.twin(open_student(HEAD + LAYER), reference, Draw(1), "Layer"), X)
    student = open_student(HEAD + LAYER.replace("reshape(-1)", "view(-1)"))
    handle, module = checks.twin(student, reference, Draw(1), "Layer")
    checks.module_matches(handle, module, X)
    with pytest.raises(CheckFailed, match="With a transposed view"):
        checks.module_any_layout(handle, module, X)
