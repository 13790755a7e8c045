"""A worker that is this process: it answers by plain calls, for a student's own run and never for grades.

Whoever started the process ends it where the code hangs or crashes. Between two requests the trusted side finds its
streams, switches and generators as it left them, and its own package `grader` in the place of the student's stand-in.
"""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext

from grader.inside.protocol.answers import Answer, StatementReached, WorkerMessage
from grader.inside.protocol.messages import Message
from grader.inside.protocol.wire import PREFIX, REQUEST_CAP, pack, read_answer, read_request
from grader.inside.source.module_loading import StudentModule
from grader.inside.worker.request_loop import Worker
from grader.inside.worker.reset_state import unchanged

from .clock import Patience
from .connection import OnStep

KIT = "grader"
Watching = Callable[[Patience], AbstractContextManager[object]]


class InProcess:
    """What a session asks in place of a leased worker; it is never ended.

    Args:
        device: Where tensors are put before the student's code gets them.
        student: What is there already in the place of a source; None where one is loaded.
        on_step: Called with each statement that is reached while the source is loaded.
        watching: Makes what is entered around each answer, of the time that it may take, where nobody else can end it.
            An interrupt that comes meanwhile is a person's, and goes on; elsewhere the code raised it.
    """

    def __init__(
        self,
        device: str,
        student: StudentModule | None = None,
        on_step: OnStep = lambda _: None,
        watching: Watching | None = None,
    ) -> None:
        self._worker = Worker(self, {"device": device}, student)
        self._on_step, self._watching = on_step, watching
        self._stand_in = sys.modules[KIT]
        self._answers: list[tuple[Answer, bytes]] = []
        self.transport = self

    def ask(
        self, requests: list[tuple[Message, list[bytes]]], patience: Patience, progress: OnStep | None = None
    ) -> Iterator[tuple[Answer, bytes]]:
        """Have requests answered one after the other, as `Connection.ask` does."""
        kit = sys.modules[KIT]
        for message, pieces in requests:
            self._answers = []
            request = read_request(pack(message, cap=REQUEST_CAP)[PREFIX.size :])
            with unchanged(), self._watching(patience) if self._watching else nullcontext():
                sys.modules[KIT] = self._stand_in
                try:
                    self._worker.answer(request, b"".join(pieces))
                finally:
                    self._worker.unblock()
                    self._stand_in, sys.modules[KIT] = sys.modules[KIT], kit
            patience.look()
            if self._watching and getattr(self._answers[-1][0], "type_name", "") == "KeyboardInterrupt":
                raise KeyboardInterrupt
            yield self._answers[-1]

    def send(self, message: WorkerMessage, pieces: list[bytes] | None = None) -> None:
        """Take what the worker says, within the bounds of the wire."""
        answer = read_answer(pack(message)[PREFIX.size :], message.nonce)
        if isinstance(answer, StatementReached):
            self._on_step(answer)
        else:
            self._answers.append((answer, b"".join(pieces or [])))

    def cpu_seconds(self) -> float:
        return time.process_time()

    def exit_status(self) -> None:
        """Return nothing: whoever asks is alive."""
