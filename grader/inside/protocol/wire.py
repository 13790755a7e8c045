"""Frames between the trusted side and a worker, written and read by both.

A frame is `u32 header length | u64 payload length | header | payload`. The header is MessagePack of exactly one
message; the payload is raw tensor bytes. Nothing in it is open: fields, kinds and lengths are fixed by type, and both
lengths are checked before the rest is read. So a hostile reply costs its reader at most one pass over one mebibyte.
"""

import struct

import msgspec

from .answers import Answer, WorkerMessage
from .messages import Message, Request
from .rows import LONGEST_NAME

HEADER_CAP = 1 << 20
REQUEST_CAP = 1 << 26  # sources travel in the header of a request, and their own limit can be raised
PREFIX = struct.Struct(">IQ")


class ProtocolViolation(Exception):
    """A worker sent bytes that break a rule of the protocol; the message names the rule."""


_encode = msgspec.msgpack.Encoder().encode
_request_decoder = msgspec.msgpack.Decoder(Request)
_answer_decoder = msgspec.msgpack.Decoder(Answer)


def pack(message: Message | WorkerMessage, payload: list[bytes] | None = None, cap: int = HEADER_CAP) -> bytes:
    """Return the frame of a message.

    Args:
        payload: Pieces of tensor bytes, in the order of their offsets.
        cap: The longest header in bytes.

    Raises:
        ProtocolViolation: The header is larger than a reader accepts.
    """
    header = _encode(message)
    if len(header) > cap:
        raise ProtocolViolation(f"The header is {len(header):,} bytes long, more than the {cap:,} that are read.")
    pieces = payload or []
    return b"".join((PREFIX.pack(len(header), sum(map(len, pieces))), header, *pieces))


def lengths(prefix: bytes, payload_cap: int) -> tuple[int, int]:
    """Read the two lengths of a frame and check them against their caps, before anything else is read."""
    header, payload = PREFIX.unpack(prefix)
    if not 0 < header <= HEADER_CAP:
        raise ProtocolViolation(f"A header of {header:,} bytes was announced; from 1 to {HEADER_CAP:,} are read.")
    if payload > payload_cap:
        raise ProtocolViolation(f"A payload of {payload:,} bytes was announced; at most {payload_cap:,} are read.")
    return header, payload


def read_request(header: bytes) -> Request:
    """Decode the header of a request; the trusted side wrote it, so errors are not handled."""
    request: Request = _request_decoder.decode(header)
    return request


def read_answer(header: bytes, nonce: bytes) -> Answer:
    """Decode the header of a reply, within all bounds, and check that it answers the request with this nonce."""
    try:
        answer: Answer = _answer_decoder.decode(header)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, OverflowError) as error:
        reason = str(error)[:LONGEST_NAME]  # it repeats the name of an unknown field, however long
        raise ProtocolViolation(f"The header is not one of the known messages: {reason}.") from None
    if answer.nonce != nonce:
        raise ProtocolViolation("The reply answers a request that was not made.")
    return answer
