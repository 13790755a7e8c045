"""Workers that are plain processes: for a student's own run on Linux, macOS and Windows, never for grades.

One process is kept for a whole run, since importing torch takes seconds; it is replaced when it hangs or dies. It gets
the same code and speaks the same frames as a jailed one, over its standard input and output.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from typing import Any

from grader.errors import UsageError
from grader.jail.bootstrap import bundle, library_path, start_command
from grader.limits import DEFAULT_LIMITS, Limits

from .failures import OutOfTime, WorkerDied
from .pipes import PipeTransport
from .transport import Patience

START_S = 180.0
GREETING = b"\x06"
NEW_PROCESS_GROUP = 0x200  # Windows: an interrupt at the terminal is for the grader, not for the worker
ENVIRONMENT = {"OMP_NUM_THREADS": "1", "OMP_THREAD_LIMIT": "1", "MKL_NUM_THREADS": "1", "MPLBACKEND": "Agg"}


class LocalWorkers:
    """Starts a worker process ahead of its use and hands out the one that lives.

    The first imports torch while this process does the same, so whoever waits for a check should make it first.

    Args:
        limits: How much memory the worker may take, where the system can hold it to that.
        device: Where they compute: `cpu` or `pretended`.
        path: Folders that the worker imports from; the one that torch is installed in if not given.
    """

    def __init__(self, limits: Limits = DEFAULT_LIMITS, device: str = "cpu", path: Sequence[str] | None = None) -> None:
        self._path = list(path) if path is not None else [library_path()]
        self._config = {"memory_bytes": limits.memory_bytes, "device": device}
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the worker
        self._next: PipeTransport | None = self._start()
        self._current: PipeTransport | None = None

    def __enter__(self) -> "LocalWorkers":
        return self

    def __exit__(self, *details: object) -> None:
        self.close()

    def _start(self) -> PipeTransport:
        options: dict[str, Any] = {"start_new_session": True}
        if sys.platform == "win32":
            options = {"creationflags": NEW_PROCESS_GROUP}
        process: subprocess.Popen[bytes] = subprocess.Popen(
            start_command(sys.executable, 0),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env={**os.environ, **ENVIRONMENT},
            bufsize=0,
            **options,
        )
        transport = PipeTransport(process)
        transport.send(
            bundle("worker.local_entry", self._config, self._path), Patience(time.monotonic() + START_S, lambda: None)
        )
        return transport

    def transport(self) -> PipeTransport:
        """Return a worker that is ready, a new one each time."""
        transport, self._next = self._next or self._start(), None
        self._current = transport
        try:
            greeting = transport.receive(Patience(time.monotonic() + START_S, lambda: None))
        except (OutOfTime, WorkerDied):
            greeting = b""
        if greeting != GREETING:
            transport.end()
            raise UsageError(
                f"A Python process for your code could not be started: {self._last_words()}",
                "Try `python -c 'import torch'` with the same Python.",
            )
        return transport

    def prepare(self) -> None:
        """Start the next worker now, so that it is ready when it is asked for."""
        self._next = self._next or self._start()

    def _last_words(self) -> str:
        self._errors.seek(0)
        lines = self._errors.read()[-2000:].decode("utf-8", "replace").strip().splitlines()
        return f"{lines[-1]}." if lines else "it ended without a word."

    def close(self) -> None:
        """End every process that was started."""
        for transport in (self._next, self._current):
            if transport is not None:
                transport.end()
        self._next = self._current = None
        self._errors.close()
