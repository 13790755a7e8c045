"""Tensors arrive with the strides they have here."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.inside.protocol.rows import TensorNode
from grader.inside.protocol.values import DTYPES, MOST_SPREAD, reach
from grader.inside.protocol.wire import ProtocolViolation
from grader.inside.worker.pack_results import Handles
from grader.inside.worker.unpack_arguments import ArgumentUnpacker
from grader.suite.core.draw import Draw
from grader.suite.rules.calls import expanded, strided
from grader.workers.calls.value_rows import ArgumentPacker, ResultUnpacker
from grader.workers.process.failures import StudentFailure

from ....support.workers.open_workers import open_student

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
        repeated, spread = expanded(x), strided(x)
        assert all(view.shape == x.shape and not view.is_contiguous() for view in (repeated, spread))
        assert torch.equal(spread, x) and 1 not in spread.stride()
        assert torch.equal(repeated, x[:1].expand(x.shape)) and repeated.stride(0) == 0
        with pytest.raises(RuntimeError, match="not compatible"):
            spread.view(-1)
    assert not strided(X[0]).is_contiguous()
    assert all(torch.equal(layout(x), x) for x in (X[0], X[0, 0]) for layout in (expanded, strided))
