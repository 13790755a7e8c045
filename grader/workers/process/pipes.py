"""How bytes reach a worker that is an ordinary child process, on any system: pipes, each with a thread of its own."""

import os
import queue
import subprocess
import threading

from .failures import WorkerDied
from .transport import CHUNK, REAP_S, Patience, Transport

MOST_CHUNKS = 256


class PipeTransport(Transport):
    """One such worker.

    Args:
        process: Its input and output are pipes.
    """

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        super().__init__(process.pid)
        self._process = process
        self._incoming: queue.Queue[bytes] = queue.Queue(MOST_CHUNKS)
        self._outgoing: queue.Queue[bytes | None] = queue.Queue()
        for pump in (self._pump_in, self._pump_out):
            threading.Thread(target=pump, daemon=True).start()

    def _pump_in(self) -> None:
        stream = self._process.stdout
        assert stream is not None
        with stream:
            while True:
                data = os.read(stream.fileno(), CHUNK)
                self._incoming.put(data)
                if not data:
                    return

    def _pump_out(self) -> None:
        stream = self._process.stdin
        assert stream is not None
        try:
            with stream:
                while (data := self._outgoing.get()) is not None:
                    stream.write(data)
                    stream.flush()
        except OSError:  # the worker is gone, which the reading side sees as well
            return

    def send(self, data: bytes, patience: Patience) -> None:
        patience.left()
        self._outgoing.put(data)

    def receive(self, patience: Patience) -> bytes:
        while True:
            try:
                data = self._incoming.get(timeout=patience.left())
            except queue.Empty:
                patience.waited()
                patience.tick()
                continue
            patience.waited()
            if not data:
                self._incoming.put(data)
                raise WorkerDied
            return data

    def is_silent(self) -> bool:
        if self._incoming.empty():
            return True
        data = self._incoming.get()
        if not data:
            self._incoming.put(data)
            raise WorkerDied
        return False

    def unpin(self) -> None:
        """Do nothing: such a worker is not pinned to a processor."""

    def exit_status(self) -> int | None:
        try:
            code = self._process.wait(REAP_S)
        except subprocess.TimeoutExpired:
            return None
        return -code if code < 0 else (code & 0xFF) << 8

    def end(self) -> None:
        self._process.kill()
        self._outgoing.put(None)
        self.exit_status()
        while not self._incoming.empty():
            self._incoming.get()
