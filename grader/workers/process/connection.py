"""One worker: sends a request and reads the one reply that belongs to it.

A reply is read into a bounded buffer and checked against the request's nonce and kind. Unrequested bytes, before a
request or after a reply, mean that student code has taken over the connection; the worker is then ended.
"""

import os
from collections.abc import Callable, Iterator

from grader.inside.protocol.answers import Answer, RaisedReply, StatementReached
from grader.inside.protocol.messages import NONCE_BYTES, Call, Message
from grader.inside.protocol.wire import PREFIX, REQUEST_CAP, ProtocolViolation, lengths, pack, read_answer

from .clock import Patience
from .transport import SocketTransport

MOST_STEPS = 20_000
MOST_TOGETHER = 1 << 15  # bytes that a socket takes at once, so that neither side waits for the other to read
OnStep = Callable[[StatementReached], None]


def new_nonce() -> bytes:
    return os.urandom(NONCE_BYTES)


class Connection:
    """The frames of one worker.

    Args:
        reply_bytes: The largest payload that is read.
    """

    def __init__(self, transport: SocketTransport, reply_bytes: int) -> None:
        self.transport = transport
        self.reply_bytes = reply_bytes
        self._buffer = bytearray()

    def ask(
        self, requests: list[tuple[Message, list[bytes]]], patience: Patience, progress: OnStep | None = None
    ) -> Iterator[tuple[Answer, bytes]]:
        """Send requests and yield their replies as they come, in the same order.

        Small requests are sent together, which saves a process switch for each. All replies together may carry as much
        as one reply alone, since they are in memory at once: a reply beyond that is read and dropped, and counts as a
        refused request.

        Args:
            requests: The requests with their tensors.
            patience: How long all replies may take.
            progress: Called with each step of a load; any other request has no steps.

        Raises:
            ProtocolViolation: The bytes are not one reply to each request.
            OutOfTime: They did not come in time.
            WorkerDied: They will not come.
        """
        room = self.reply_bytes
        for group in group_requests(requests):
            if self._buffer or not self.transport.is_silent():
                raise ProtocolViolation("Bytes came from the worker before it was asked.")
            self.transport.send(b"".join(frame for _, frame in group), patience)
            for nonce, _ in group:
                answer, payload = self._read(nonce, patience, progress)
                if len(payload) > room:
                    most = f"{self.reply_bytes:,}"
                    answer = RaisedReply(nonce=nonce, kind="refused", text="too_much_together", values=[most])
                    payload = b""
                yield answer, payload
                room -= len(payload)
            if self._buffer:
                raise ProtocolViolation("More bytes came from the worker than its replies.")

    def _read(self, nonce: bytes, patience: Patience, progress: OnStep | None) -> tuple[Answer, bytes]:
        for _ in range(MOST_STEPS):
            header, size = lengths(self._take(PREFIX.size, patience), self.reply_bytes)
            answer, payload = read_answer(self._take(header, patience), nonce), self._take(size, patience)
            if not isinstance(answer, StatementReached):
                return answer, payload
            if progress is None or payload:
                raise ProtocolViolation("The worker told of steps where there are none.")
            progress(answer)
        raise ProtocolViolation("The worker told of more steps than any source has.")

    def _take(self, count: int, patience: Patience) -> bytes:
        while len(self._buffer) < count:
            self._buffer += self.transport.receive(patience)
        taken = bytes(self._buffer[:count])
        del self._buffer[:count]
        return taken


def group_requests(requests: list[tuple[Message, list[bytes]]]) -> list[list[tuple[bytes, bytes]]]:
    """Split requests into groups that a socket takes at once, each request as its nonce and its frame.

    A large request is a group of its own, and all requests of a group block the same operations: student code may read
    a request while an earlier one of its group runs, and could otherwise answer it by these operations.
    """
    groups: list[list[tuple[bytes, bytes]]] = []
    size, before = 0, list[str]()
    for request, pieces in requests:
        frame = pack(request, pieces, REQUEST_CAP)
        blocked = request.forbids if isinstance(request, Call) else []
        size += len(frame)
        if not groups or blocked != before or size > MOST_TOGETHER:
            groups.append([])
            size = len(frame)
        groups[-1].append((request.nonce, frame))
        before = blocked
    return groups
