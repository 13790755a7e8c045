"""The messages between the trusted side and the zygote, and how they travel with descriptors.

One message is one packet of a local SEQPACKET socket, so that a message cannot be half read. Workers never hold such
a socket: the two ends are trusted, and the strict types are there to find the kit's own mistakes.
"""

import array
import socket
from typing import Any

import msgspec

PACKET_BYTES = 65536
MOST_DESCRIPTORS = 2  # with one message


WORKER = "worker.request_loop"
"""The entry of a worker that serves a submission."""


class LeaseRequest(msgspec.Struct, tag=True, frozen=True, forbid_unknown_fields=True):
    """Asks for a worker; the answer is `Leased` with two descriptors: its socket and its pidfd.

    Attributes:
        entry: The module whose `serve` runs in it; `WORKER` comes from the pool, any other is forked for this request.
    """

    entry: str = WORKER


class Adopt(msgspec.Struct, tag=True, frozen=True, forbid_unknown_fields=True):
    """Hands over one end of a further control socket, as the descriptor that comes with this message."""


class ExitStatusRequest(msgspec.Struct, tag=True, frozen=True, forbid_unknown_fields=True):
    """Asks how a worker ended, by its number in `Leased`."""

    pid: int


class Status(msgspec.Struct, tag=True, frozen=True, forbid_unknown_fields=True):
    """Asks for the zygote's state."""


class Ready(msgspec.Struct, tag=True, frozen=True, forbid_unknown_fields=True):
    """Says that torch is imported and workers are available; also the answer to `Status`.

    Attributes:
        pooled: Workers that wait.
        alive: Workers that live, waiting or leased.
        landlock: The version of Landlock that workers are bound by, 0 for none.
    """

    descriptors: int
    pooled: int
    alive: int
    landlock: int


class Leased(msgspec.Struct, tag=True, frozen=True, forbid_unknown_fields=True):
    """Names the worker handed out, by its number among the zygote's children."""

    pid: int


class Adopted(msgspec.Struct, tag=True, frozen=True, forbid_unknown_fields=True):
    """Says that the further control socket is served."""


class ExitStatus(msgspec.Struct, tag=True, frozen=True, forbid_unknown_fields=True):
    """A wait status, in the machine's byte order; None while the worker lives or when it is unknown."""

    status: memoryview | None


class Refused(msgspec.Struct, tag=True, frozen=True, forbid_unknown_fields=True):
    """Says why a request was refused.

    Attributes:
        again: Whether the machine is short of something for the moment, so that asking again may help.
    """

    sentence: str
    again: bool = False


Request = LeaseRequest | Adopt | ExitStatusRequest | Status
Reply = Ready | Leased | Adopted | ExitStatus | Refused

_request = msgspec.msgpack.Decoder(Request)
_reply = msgspec.msgpack.Decoder(Reply)
_encoder = msgspec.msgpack.Encoder()


def send(link: socket.socket, message: Request | Reply, descriptors: list[int] | None = None) -> None:
    """Send one message with its descriptors; a wait status is sent from its own memory and is never copied."""
    rights = array.array("i", descriptors or [])
    ancillary = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)] if rights else []
    status = message.status if isinstance(message, ExitStatus) else None
    if status is None:
        link.sendmsg([_encoder.encode(message)], ancillary)
    else:
        blank = _encoder.encode(ExitStatus(memoryview(bytes(len(status)))))
        link.sendmsg([blank[: -len(status)], status], ancillary)


def _receive(link: socket.socket) -> tuple[bytes, list[int]]:
    room = socket.CMSG_SPACE(MOST_DESCRIPTORS * array.array("i").itemsize)
    data, ancillary, _, _ = link.recvmsg(PACKET_BYTES, room, getattr(socket, "MSG_CMSG_CLOEXEC", 0))
    rights = array.array("i")
    for level, kind, content in ancillary:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            rights.frombytes(content[: len(content) - len(content) % rights.itemsize])
    return data, list(rights)


def receive_request(link: socket.socket) -> tuple[Any, list[int]]:
    """Receive a request with its descriptors; None at the end of the connection."""
    data, rights = _receive(link)
    return (_request.decode(data) if data else None), rights


def receive_reply(link: socket.socket) -> tuple[Any, list[int]]:
    """Receive an answer with its descriptors; None at the end of the connection."""
    data, rights = _receive(link)
    return (_reply.decode(data) if data else None), rights
