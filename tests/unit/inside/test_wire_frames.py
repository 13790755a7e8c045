"""Frames are read within fixed bounds, and whatever is no known message is refused."""

import msgspec
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.inside.protocol.answers import Returned
from grader.inside.protocol.rows import TensorNode
from grader.inside.protocol.wire import HEADER_CAP, PREFIX, ProtocolViolation, lengths, pack, read_answer

NONCE = bytes(range(16))


def header_of(frame):
    size, _ = PREFIX.unpack(frame[: PREFIX.size])
    return frame[PREFIX.size : PREFIX.size + size]


@pytest.mark.parametrize("sizes", [(0, 0), (HEADER_CAP + 1, 0), (2**32 - 1, 0), (1, 101), (1, 2**64 - 1)])
def test_lengths_beyond_the_caps_are_refused_before_anything_is_read(sizes):
    with pytest.raises(ProtocolViolation, match="announced"):
        lengths(PREFIX.pack(*sizes), 100)


def raw(**fields):
    return msgspec.msgpack.encode({"type": "raised", "nonce": NONCE, "kind": "error", **fields})


def test_header_that_is_no_known_message_is_refused(subtests):
    for header in [
        raw(extra=1), raw(kind="passed"), raw(nonce=b"short"), raw(nonce="x" * 16), raw(line=-1), raw(line=2**63),
        raw(type="verdict"), raw(text="x" * 70_000), raw(bases=["x"] * 100), raw(output=b"bytes"), raw(dropped=1.5),
        b"\xc1", b"\x91" * 100_000, b"\x81" * 100_000, raw() + b"\x00", b"", msgspec.msgpack.encode([1, 2, 3]),
        msgspec.msgpack.encode({"type": "call", "nonce": NONCE, "target": 1, "nodes": [], "args": [], "kwargs": {}}),
    ]:  # fmt: skip
        with subtests.test(header=header), pytest.raises(ProtocolViolation, match="not one of the known messages"):
            read_answer(header, NONCE)


def returned_with(nodes):
    return msgspec.msgpack.encode({"type": "returned", "nonce": NONCE, "nodes": nodes, "value": 0})


def test_row_that_breaks_a_bound_is_refused(subtests):
    for row in [
        ["tensor", "object", [1], 0, 4], ["tensor", "float32", [-1], 0, 4], ["tensor", "float32", [1] * 17, 0, 4],
        ["tensor", "float32", [1.0], 0, 4], ["tensor", "float32", [1], -4, 4], ["list", [4096]], ["list", [-1]],
        ["int", 2**63], ["big", "0x" + "f" * 2000], ["big", "0xzz"], ["bool", 2], ["none", 1], ["pickle", "gASV"],
        ["str", "x" * 70_000], ["handle", -1, "M"], {"type": "none"}, [],
    ]:  # fmt: skip
        with subtests.test(row=row), pytest.raises(ProtocolViolation):
            read_answer(returned_with([row]), NONCE)


def test_table_of_too_many_rows_is_refused():
    assert len(read_answer(returned_with([["none"]] * 4096), NONCE).nodes) == 4096
    with pytest.raises(ProtocolViolation, match="length <= 4096"):
        read_answer(returned_with([["none"]] * 4097), NONCE)


def test_header_larger_than_a_reader_takes_is_not_written():
    reply = Returned(nonce=NONCE, nodes=[], names={"": ["x" * 300] * 4000})
    with pytest.raises(ProtocolViolation, match="header"):
        pack(reply)


@settings(max_examples=300)
@given(st.binary(max_size=200))
def test_random_bytes_are_refused_and_never_anything_worse(data):
    with pytest.raises(ProtocolViolation):
        read_answer(data, NONCE)


@settings(max_examples=300)
@given(st.data())
def test_flipped_bytes_of_an_honest_reply_never_give_more_than_a_refusal(data):
    honest = bytearray(header_of(pack(Returned(nonce=NONCE, nodes=[TensorNode("float32", [2, 3], 0, 24)]))))
    for _ in range(data.draw(st.integers(1, 4))):
        honest[data.draw(st.integers(0, len(honest) - 1))] = data.draw(st.integers(0, 255))
    try:
        answer = read_answer(bytes(honest), NONCE)
    except ProtocolViolation:
        return
    assert isinstance(answer, Returned) and answer.nonce == NONCE
    assert all(torch.Size(node.shape).numel() >= 0 for node in answer.nodes if isinstance(node, TensorNode))
