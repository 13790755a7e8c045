"""The processes that run a student's checks, as their parent sees them: what they tell, their clock and their end."""

import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO

import msgspec

from grader.workers.process.clock import Patience
from grader.workers.process.failures import WorkerDied
from grader.workers.process.transport import process_seconds

from .steps import Step

SURROUNDINGS = {"OMP_NUM_THREADS": "1", "OMP_THREAD_LIMIT": "1", "MKL_NUM_THREADS": "1", "MPLBACKEND": "Agg"}
CODE = "import gc; gc.disable(); from grader.student_check.own_run import main; main()"
HOME = Path(__file__).resolve().parents[2]
DECODER = msgspec.json.Decoder(Step)
KILL = getattr(signal, "SIGKILL", signal.SIGTERM)


class Child:
    """One such process.

    Args:
        wait: Waits for its end; returns its exit code, which is negative for a signal.
        lines: What it tells.

    Attributes:
        words: The last of its lines that tells no step.
    """

    def __init__(self, pid: int, wait: Callable[[], int], lines: IO[bytes]) -> None:
        self.words = ""
        self._pid, self._wait = pid, wait
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        threading.Thread(target=self._pump, args=(lines,), daemon=True).start()

    def _pump(self, lines: IO[bytes]) -> None:
        with lines:
            for line in lines:
                self._lines.put(line)
        self._lines.put(b"")

    def next(self, patience: Patience) -> Step:
        """Wait for the next step; raises OutOfTime, or WorkerDied where none will come."""
        while True:
            try:
                line = self._lines.get(timeout=patience.tick_s)
            except queue.Empty:
                patience.look()
                continue
            if not line:
                raise WorkerDied
            try:
                step: Step = DECODER.decode(line)
                return step
            except msgspec.MsgspecError:
                self.words = line.decode("utf-8", "replace").strip() or self.words

    def cpu_seconds(self) -> float | None:
        """Return the processor time used so far, None where it cannot be read."""
        return process_seconds(self._pid)

    def end(self) -> int:
        """End it if it lives; returns its wait status."""
        with suppress(OSError):
            os.kill(self._pid, KILL)
        code = self._wait()
        return -code if code < 0 else (code & 0xFF) << 8


class Interpreters:
    """Starts a Python for each run, the first at once: it imports torch and the kit while its parent reads files."""

    def __init__(self) -> None:
        self._next: subprocess.Popen[bytes] | None = interpreter()

    def prepare(self) -> None:
        """Start the next one, so that it is ready when it is asked."""
        self._next = self._next or interpreter()

    def start(self, request: msgspec.Struct) -> Child:
        process, self._next = self._next or interpreter(), None
        assert process.stdin is not None and process.stdout is not None
        with suppress(OSError), process.stdin:  # one that is gone is seen by its missing lines
            process.stdin.write(msgspec.json.encode(request, enc_hook=str))
        return Child(process.pid, process.wait, process.stdout)

    def close(self) -> None:
        """End the one that was not asked."""
        if self._next is not None:
            self._next.kill()
            self._next.communicate()


def interpreter() -> "subprocess.Popen[bytes]":
    """Start a Python that waits to be asked; it finds no module in the student's folder, as in grading."""
    surroundings = {**os.environ, **SURROUNDINGS}
    if HOME.name not in ("site-packages", "dist-packages"):  # a checkout
        surroundings["PYTHONPATH"] = os.pathsep.join(filter(None, [str(HOME), os.environ.get("PYTHONPATH")]))
    return subprocess.Popen(
        [sys.executable, "-P", "-c", CODE],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=surroundings,
        creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),  # Windows: interrupts are for its parent
    )
