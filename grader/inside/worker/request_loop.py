"""The loop of an untrusted process: read a request, run it, answer, until the other end is closed.

What this process says is a claim about one value and nothing more. It does not defend itself against the student's
code, which may patch all of it; it only makes sure that an honest mistake gets an error message instead of silence.
"""

import os
from contextlib import nullcontext
from functools import partial
from typing import Any, NoReturn, Protocol

import msgspec

from ..forbidden import blocking
from ..forbidden.blocking import Blocked
from ..pretended import torch_backend
from ..pretended.device import entered, set_up
from ..pretended.origins import OnTheCpu, explain_place
from ..protocol.answers import OUTPUT_CAP, Analysed, Loaded, RaisedReply, Reply, StatementReached, WorkerMessage
from ..protocol.exceptions import GradientFailed, clean, explain, explain_gradient
from ..protocol.messages import Analyse, Call, Load, ModuleRequest, Request
from ..protocol.rows import PRETENDED
from ..protocol.wire import PREFIX, ProtocolViolation, pack, read_request
from ..source.answered_exercises import absent, stubs
from ..source.duplicate_definitions import ParsedSource, parse_source
from ..source.module_loading import StudentModule
from . import modules, operations
from .output import Streams
from .pack_results import Handles, Refused
from .reset_state import reset

_read, _write, _exit = os.read, os.write, os._exit
CHUNK = 1 << 16  # small enough that malloc does not map fresh memory for each request
MOST_LEFT_OUT = 200


class Closed(Exception):
    """The other end was closed: no request will come."""


class Channel:
    """Frames over one descriptor.

    An answer is sent at once, so that it arrives though a later request of the same group ends the process.
    """

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._buffer = bytearray()

    def _take(self, count: int) -> bytes:
        while len(self._buffer) < count:
            piece = _read(self._fd, CHUNK)
            if not piece:
                raise Closed
            self._buffer += piece
        taken = bytes(self._buffer[:count])
        del self._buffer[:count]
        return taken

    @property
    def is_empty(self) -> bool:
        """Whether all that came was taken: another request of the same group would be here."""
        return not self._buffer

    def receive(self) -> tuple[Request, bytes]:
        """Wait for a request; raises Closed when none will come."""
        header, payload = PREFIX.unpack(self._take(PREFIX.size))
        return read_request(self._take(header)), self._take(payload)

    def send(self, message: WorkerMessage, pieces: list[bytes] | None = None) -> None:
        """Write a whole frame."""
        with memoryview(pack(message, pieces)) as view:
            at = 0
            while at < len(view):
                at += _write(self._fd, view[at:])


class Sends(Protocol):
    """Whatever takes a worker's answers."""

    def send(self, message: WorkerMessage, pieces: list[bytes] | None = None) -> None:
        """Take one message with its tensors."""


class Worker:
    """One student's source and what it left behind between requests."""

    def __init__(self, channel: Sends, settings: dict[str, Any], student: StudentModule | None = None) -> None:
        self.channel = channel
        self.device = str(settings.get("device", "cpu"))
        self.reply_bytes = 1 << 26
        self.student = student or StudentModule()
        self.handles = Handles(self.device)
        self.streams = Streams(1 << 16)
        self._analysed: tuple[Analyse, ParsedSource] | None = None
        self._blocked: Blocked | None = None

    def answer(self, request: Request, payload: bytes, *, is_last: bool = True) -> None:
        """Run one request and send its reply, whatever student code does meanwhile.

        Args:
            is_last: Whether it ends a group of requests, which all block the same operations.
        """
        self.streams.install()
        reply: Reply
        pieces: list[bytes] = []
        try:
            with entered() if self.device == PRETENDED else nullcontext():
                reply, pieces = self._run(request, payload, is_last)
        except Refused as refused:
            reply = RaisedReply(nonce=request.nonce, kind="refused", text=refused.why, values=refused.values)
        except GradientFailed as failed:
            cause = failed.__cause__ or failed
            reply = RaisedReply(nonce=request.nonce, **explain_gradient(cause, self.student.files))
        except OnTheCpu as error:
            reply = RaisedReply(nonce=request.nonce, **explain_place(error, self.student.files))
        except BaseException as error:  # student code raises what it likes, SystemExit too
            reply = RaisedReply(nonce=request.nonce, **explain(error, self.student.files))
        reply.output, reply.dropped = self.streams.sink.drain()
        try:
            self.channel.send(reply, pieces)
        except (ProtocolViolation, msgspec.MsgspecError) as error:
            text = f"the answer could not be sent: {error}"
            self.channel.send(
                RaisedReply(nonce=request.nonce, kind="error", type_name="ValueError", text=clean(text, 2000))
            )

    def _run(self, request: Request, payload: bytes, is_last: bool) -> tuple[Reply, list[bytes]]:
        if isinstance(request, Call):
            return self._call(request, payload, is_last)
        if isinstance(request, ModuleRequest):
            reset(self.device, request.start)
            try:
                return modules.perform(request, payload, self.handles, self.reply_bytes)
            except BaseException:
                if request.told:
                    self.handles.lose(request.handle)
                raise
        if isinstance(request, Load):
            return self._load(request), []
        return self._analyse(request), []

    def _call(self, request: Call, payload: bytes, is_last: bool) -> tuple[Reply, list[bytes]]:
        reset(self.device, request.start)
        if self._blocked is None or self._blocked.forbids != request.forbids:
            self.unblock()
            self._blocked = Blocked(request.forbids, self.student.files).enter()
        blocked, result = self._blocked, None
        blocked.calls_seen.clear()
        try:
            result = operations.perform(
                request, payload, self.student, self.handles, self.reply_bytes, self.device, blocked
            )
        except BaseException:
            if not blocked.calls_seen:
                raise
        if is_last and blocked.is_undone():
            self.unblock()  # so that the next call blocks them anew
            result = None
        if result is None or blocked.calls_seen:
            return operations.forbidden_reply(request, blocked), []
        return result

    def unblock(self) -> None:
        """Let be called again what the last call blocked; until another one blocks something else it stays so."""
        if self._blocked is not None:
            self._blocked.leave()
            self._blocked = None

    def _analyse(self, request: Analyse) -> Analysed:
        text = parse_source(request.cells, request.file_name, request.notebook)
        self._analysed = request, text
        statements = [statement for group in text[0] for statement in group.statements]
        return Analysed(
            nonce=request.nonce,
            stubs=stubs(statements, request.exercises),
            absent=absent(statements, request.exercises),
        )

    def _text(self, request: Load) -> ParsedSource:
        """Return the parsed source, reusing the parse of an Analyse request for the same text."""
        before, self._analysed = self._analysed, None
        wanted = (request.cells, request.file_name, request.notebook)
        if before is not None and (before[0].cells, before[0].file_name, before[0].notebook) == wanted:
            return before[1]
        return parse_source(*wanted)

    def _load(self, request: Load) -> Loaded:
        self.unblock()
        self.streams.sink.limit = min(request.output_bytes, OUTPUT_CAP)
        self.reply_bytes = request.reply_bytes
        reset(self.device)

        def report(group: int, statement: int) -> None:
            if request.steps:
                self.channel.send(StatementReached(nonce=request.nonce, group=group, statement=statement))

        self.student.load(request, partial(self._text, request), report)
        used = self.student.stand_ins.used if self.student.stand_ins else []
        return Loaded(
            nonce=request.nonce,
            names=self.student.names(),
            problems=self.student.problems,
            stand_ins=used[:100],
            left_out=self.student.left_out[:MOST_LEFT_OUT],
            chosen=self.student.chosen,
            again=self.student.again[:MOST_LEFT_OUT],
        )


def register(device: str) -> None:
    """Let this process block library calls and pretend to have a GPU; nothing takes that back."""
    blocking.install()
    if device != "cuda" and torch_backend.is_there():
        set_up()


def serve(fd: int, settings: dict[str, Any]) -> NoReturn:
    """Answer requests on a stream socket until its other end is closed.

    Args:
        settings: `device`, where the worker computes; other keys are ignored.
    """
    try:
        register(str(settings.get("device", "cpu")))
        channel = Channel(fd)
        worker = Worker(channel, settings)
        while True:
            request, payload = channel.receive()
            worker.answer(request, payload, is_last=channel.is_empty)
    except Closed:
        _exit(0)
    except BaseException:  # this is a fork of the zygote: no exception may reach its code
        _exit(70)
