"""Values go over the wire and come back the same, and rows that break a rule are refused with a sentence."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.inside.protocol.rows import DictNode, ListNode, NoneNode, TensorNode, TupleNode
from grader.inside.protocol.values import DTYPES, Packer, TooMuch, Unpacker
from grader.inside.protocol.wire import ProtocolViolation

LIMIT = 1 << 20
quick = settings(max_examples=150)


def round_trip(value):
    packer = Packer(LIMIT)
    root = packer.add(value)
    return Unpacker(packer.nodes, b"".join(packer.pieces), [root]).values[root]


def same(a, b):
    """Compare by type and value, NaN equal to itself and tensors by bits."""
    if type(a) is not type(b):
        return False
    if isinstance(a, torch.Tensor):
        return a.dtype == b.dtype and a.shape == b.shape and bool(torch.all((a == b) | ((a != a) & (b != b))))
    if isinstance(a, float):
        return (a == b and math.copysign(1, a) == math.copysign(1, b)) or (a != a and b != b)
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, dict):
        return list(a) == list(b) and all(same(a[key], b[key]) for key in a)
    return a == b


tensors = st.builds(
    lambda name, shape, seed: (
        torch.randint(0, 2, shape, generator=torch.Generator().manual_seed(seed)).to(DTYPES[name])
        if name in ("bool", "uint8")
        else (torch.randn(shape, generator=torch.Generator().manual_seed(seed)) * 9).to(DTYPES[name])
    ),
    st.sampled_from(sorted(DTYPES)),
    st.lists(st.integers(0, 4), max_size=4),
    st.integers(0, 1000),
)
leaves = (
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats()
    | st.text(st.characters(exclude_categories=("Cs",)), max_size=20)
    | tensors
)
values = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(st.text("abcé", max_size=5), inner, max_size=4)
    ),
    max_leaves=12,
)


@quick
@given(values)
def test_value_comes_back_the_same(value):
    assert same(round_trip(value), value)


def test_every_dtype_comes_back_with_its_bits(subtests):
    for name in sorted(DTYPES):
        with subtests.test(name=name):
            tensor = torch.tensor([[0, 1], [1, 1]]).to(DTYPES[name])
            assert same(round_trip(tensor), tensor)


@pytest.mark.parametrize("shape", [(), (0,), (3, 0, 2), (1,) * 16])
def test_odd_shapes_come_back(shape):
    assert round_trip(torch.zeros(shape)).shape == shape


def test_views_come_back_contiguous_as_plain_numbers():
    base, complex_numbers = torch.arange(12.0).reshape(3, 4), torch.tensor([1 + 2j, 3 - 1j])
    back = round_trip(base.T)
    assert back.is_contiguous() and torch.equal(back, base.T)
    assert torch.equal(round_trip(torch.ones(1).expand(5)), torch.ones(5))
    assert torch.equal(round_trip(complex_numbers.conj()), complex_numbers.conj().resolve_conj())
    assert torch.equal(round_trip(complex_numbers.conj().imag), torch.tensor([-2.0, 1.0]))


def test_what_comes_back_has_its_own_memory():
    packer = Packer(LIMIT)
    root = packer.add(torch.zeros(4))
    payload = b"".join(packer.pieces)
    first = Unpacker(packer.nodes, payload, [root]).values[root]
    first += 1
    assert torch.equal(Unpacker(packer.nodes, payload, [root]).values[root], torch.zeros(4))


def test_packer_refuses_what_does_not_travel(subtests):
    for value in [object(), {1: 2}, 1j, b"bytes", {"a": {2, 3}}, torch.ones]:
        with subtests.test(value=value), pytest.raises(TypeError, match="cannot be sent"):
            Packer(LIMIT).add(value)


def loop():
    value = []
    value.append(value)
    return value


def nested(depth):
    value = []
    for _ in range(depth):
        value = [value]
    return value


def test_packer_says_why_a_value_is_too_much(subtests):
    for value, words in [
        (loop(), "contains itself"),
        (nested(40), "levels deep"),
        ([0] * 5000, "more than 4,096 values"),
        (2**5000, "bits"),
        ("x" * 70_000, "characters"),
        (torch.zeros(1).expand(10**12), "numbers"),
        (torch.zeros((1,) * 17), "dimensions"),
    ]:
        with subtests.test(value=value, words=words), pytest.raises(TooMuch, match=words):
            Packer(LIMIT).add(value)


def refuse(nodes, payload=b"", roots=(0,)):
    with pytest.raises(ProtocolViolation) as caught:
        Unpacker(nodes, payload, list(roots))
    assert str(caught.value).endswith(".")
    return str(caught.value)


def test_rows_that_form_no_tree_are_refused(subtests):
    for nodes in [
        [ListNode([0])], [ListNode([1]), ListNode([0])], [ListNode([1]), ListNode([1])],
        [ListNode([1, 1]), NoneNode()], [TupleNode([1, 2]), ListNode([2]), NoneNode()], [ListNode([5])],
        [DictNode(["a"], [0])],
    ]:  # fmt: skip
        with subtests.test(nodes=nodes):
            assert "Row" in refuse(nodes)


def test_row_that_nothing_uses_is_refused():
    assert "belongs to no value" in refuse([NoneNode(), NoneNode()])


def test_root_beyond_the_table_or_used_twice_is_refused():
    refuse([NoneNode()], roots=[1])
    refuse([NoneNode()], roots=[0, 0])


def test_chain_deeper_than_allowed_is_refused_without_recursion():
    assert "levels deep" in refuse([*(ListNode([at + 1]) for at in range(4000)), NoneNode()])


def test_keys_must_be_distinct_and_as_many_as_values():
    refuse([DictNode(["a", "a"], [1, 2]), NoneNode(), NoneNode()])
    refuse([DictNode(["a"], [1, 2]), NoneNode(), NoneNode()])


FOUR_BYTES = b"\x00" * 4


def test_tensor_row_that_does_not_fit_its_bytes_is_refused(subtests):
    for row, payload in [
        (TensorNode("float32", [2], 0, 4), FOUR_BYTES),
        (TensorNode("float32", [1], 0, 8), FOUR_BYTES * 2),
        (TensorNode("float32", [1], 4, 4), FOUR_BYTES),
        (TensorNode("float32", [1], 0, 4), b"\x00" * 3),
        (TensorNode("float32", [1], 0, 4), b"\x00" * 5),
        (TensorNode("float32", [1], 2**63 - 4, 4), FOUR_BYTES),
        (TensorNode("int8", [2**32, 2**32], 0, 0), b""),
        (TensorNode("float32", [2**62, 0], 0, 0), b""),
        (TensorNode("float32", [10**12], 0, 4 * 10**12), FOUR_BYTES),
    ]:
        with subtests.test(row=row, payload=payload):
            refuse([row], payload)


def test_tensors_may_not_share_bytes():
    refuse([ListNode([1, 2]), TensorNode("uint8", [4], 0, 4), TensorNode("uint8", [4], 0, 4)], FOUR_BYTES)
