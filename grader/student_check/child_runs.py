"""Has a student's checks run by processes of their own, and ends one that hangs.

What a check was at when its process hung or died costs that check, and where it hung the rest of its exercise; another
process runs what is left. A statement of the source is left out in the next process, a few times at most.
"""

import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

import msgspec

from grader.errors import CourseError, UsageError
from grader.inside.protocol.answers import StatementReached
from grader.language import translation
from grader.results.verdict import CheckVerdict, ManifestCheck, timeout_verdict
from grader.workers.process.clock import Allowance, Patience
from grader.workers.process.end_messages import failure_of
from grader.workers.process.failures import OutOfTime, StudentFailure, WorkerDied
from grader.workers.process.transport import process_seconds
from grader.workers.source_loading import SourceLoading
from grader.workers.source_notes import SourceRecord

from .messages import Asked, Begun, Collected, Ended, Judged, SourceLoaded, Step, from_line

START_S, REAP_S = 180.0, 2.0
SURROUNDINGS = {"OMP_NUM_THREADS": "1", "OMP_THREAD_LIMIT": "1", "MKL_NUM_THREADS": "1", "MPLBACKEND": "Agg"}
CODE = "import gc; gc.disable(); from grader.student_check.own_run import main; main()"
NEW_PROCESS_GROUP = 0x200  # Windows: an interrupt at the terminal is for the grader, not for this process
HOME = Path(__file__).resolve().parents[2]
LOST = ("timeout", "crash")
KILL = getattr(signal, "SIGKILL", signal.SIGTERM)


class Child:
    """A process that runs checks, as its parent sees it.

    Args:
        poll: Returns how it ended, a signal as a negative number; None while it lives.
        lines: What it tells.
        asking: Where a request goes, if it needs one.

    Attributes:
        words: The last of its lines that tells no step.
    """

    def __init__(
        self, pid: int, poll: Callable[[], int | None], lines: IO[bytes], asking: IO[bytes] | None = None,
        request: bytes = b"",
    ) -> None:  # fmt: skip
        self.words = ""
        self._pid, self._poll = pid, poll
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        threading.Thread(target=self._pump, args=(lines, asking, request), daemon=True).start()

    def _pump(self, lines: IO[bytes], asking: IO[bytes] | None, request: bytes) -> None:
        with lines:
            if asking is not None:
                with suppress(OSError), asking:  # a process that is gone is seen by its missing lines
                    asking.write(request)
            for line in lines:
                self._lines.put(line)
        self._lines.put(b"")

    def next(self, patience: Patience) -> Step:
        """Wait for the next step; raises OutOfTime, or WorkerDied where none will come."""
        while True:
            is_dead = self._poll() is not None  # and a process that it started may hold the pipe open
            try:
                line = self._lines.get(timeout=patience.tick_s)
            except queue.Empty:
                if not is_dead:
                    patience.look()
                    continue
                line = b""
            if not line:
                raise WorkerDied
            try:
                return from_line(line)
            except msgspec.MsgspecError:
                self.words = line.decode("utf-8", "replace").strip() or self.words

    def cpu_seconds(self) -> float | None:
        """Return the processor time used so far, None where it cannot be read."""
        return process_seconds(self._pid)

    def wait_status(self) -> int | None:
        """Wait a moment for its end; returns its wait status, None if it still lives."""
        until = time.monotonic() + REAP_S
        while (code := self._poll()) is None and time.monotonic() < until:
            time.sleep(0.005)
        return code if code is None else -code if code < 0 else (code & 0xFF) << 8

    def end(self) -> None:
        """End it."""
        if self._poll() is None:
            os.kill(self._pid, KILL)
            self.wait_status()


class Interpreters:
    """Starts a Python for each run, the first at once: it imports torch and the kit while its parent reads files."""

    def __init__(self) -> None:
        self._next: subprocess.Popen[bytes] | None = None
        self.prepare()

    def close(self) -> None:
        """End the one that was not asked."""
        if self._next is not None:
            self._child(self._next).end()

    def prepare(self) -> None:
        """Start the next one, so that it is ready when it is asked."""
        self._next = self._next or interpreter()

    def run(self, own: "OwnRun") -> None:
        """Run checks in Pythons of their own."""
        own.in_children(self._start)

    def _start(self, asked: Asked) -> Child:
        process, self._next = self._next or interpreter(), None
        return self._child(process, msgspec.json.encode(asked))

    def _child(self, process: "subprocess.Popen[bytes]", request: bytes = b"") -> Child:
        assert process.stdout is not None
        return Child(process.pid, process.poll, process.stdout, process.stdin, request)


def interpreter() -> "subprocess.Popen[bytes]":
    """Start a Python that waits to be asked; it finds no module in the student's folder, as in grading."""
    surroundings = {**os.environ, **SURROUNDINGS}
    if HOME.name not in ("site-packages", "dist-packages"):  # a checkout
        surroundings["PYTHONPATH"] = os.pathsep.join(filter(None, [str(HOME), os.environ.get("PYTHONPATH")]))
    options: dict[str, Any] = {"start_new_session": True}
    if sys.platform == "win32":
        options = {"creationflags": NEW_PROCESS_GROUP}
    return subprocess.Popen(
        [sys.executable, "-P", "-c", CODE],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=surroundings,
        **options,
    )


class OwnRun:
    """A run of a student's checks, in as many processes as it takes.

    Attributes:
        checks: The checks that were asked for.
        verdicts: What came of them, by id.
        notes: What is to be known of the source.
    """

    def __init__(self, asked: Asked) -> None:
        self.asked, self.notes = asked, list[str]()
        self.checks: Sequence[ManifestCheck] = ()
        self.verdicts: dict[str, CheckVerdict] = {}
        self._tried: list[str] = []
        self._at: Step | None = None
        record = SourceRecord(asked.source.file_name, asked.source.kind == "ipynb")
        self._loading = SourceLoading(asked.source.cells, asked.module_name, record, asked.limits, steps=True)

    def take(self, step: Step) -> None:
        """Enter a step."""
        if isinstance(step, Judged):
            self.verdicts[step.verdict.id] = step.verdict
            return
        self._at = step
        match step:
            case Collected():
                self.checks = step.checks
            case SourceLoaded():
                self.notes = step.notes
            case Begun(again=True):
                self._tried += [check.exercise for check in self.checks if check.id == step.check]
            case Ended(error="UsageError"):
                raise UsageError(step.problem, step.hint)
            case Ended(error="CourseError"):
                raise CourseError(step.problem, step.hint)
            case Ended() if step.error:
                raise RuntimeError(f"{step.error}: {step.problem}")

    def in_children(self, start: Callable[[Asked], Child]) -> None:
        """Run the checks in one process after the other, until one comes to its end."""
        while not isinstance(self._at, Ended):
            known, stops = [*self.verdicts.values()], self._loading.stops
            child = start(msgspec.structs.replace(self.asked, known=known, tried=self._tried, stops=stops))
            self._at, patience = None, Patience(child, Allowance(wall_s=START_S))
            try:
                while not isinstance(self._at, Ended):
                    self.take(step := child.next(patience))
                    if not isinstance(step, StatementReached):  # all of them together have the time of a check
                        patience = Patience(child, Allowance.of(self.asked.limits.check_cpu_s))
            except (OutOfTime, WorkerDied) as error:
                self._lose(error, child)
            finally:
                child.end()

    def _lose(self, error: Exception, child: Child) -> None:
        """Enter what it means that a process hung or died at the last step."""
        at, lost = self._at, [check for check in self.checks if check.id not in self.verdicts]
        status = child.wait_status() if isinstance(error, WorkerDied) else None
        _ = translation(self.asked.language).gettext
        if at is None:
            sentence = _("A Python process for your code could not be started: {words}.")
            hint = _("Try `python -c 'import torch'` with the same Python.")
            raise UsageError(sentence.format(words=child.words.rstrip(".") or type(error).__name__), hint)
        if isinstance(at, Collected | StatementReached):
            failure = failure_of(error, status, "Your file")
            if self.asked.language == "ko":
                failure.sentence = failure.sentence_ko
            try:
                self._loading.note_failure(failure, at if isinstance(at, StatementReached) else None)
            except StudentFailure:  # nothing more can be left out
                self._fail(lost, failure)
                self.notes, self._at = [failure.sentence], Ended()
        elif not isinstance(at, Begun) or not at.again:
            running = [each for each in lost if isinstance(at, Begun) and each.id == at.check]
            for check in running or lost[:1]:
                failure = failure_of(error, status, check.exercise)
                self._fail([check], failure)
                if failure.status == "timeout":
                    others = [each.id for each in lost if each.exercise == check.exercise and each is not check]
                    self.verdicts |= {id: timeout_verdict(id) for id in others}
            if not lost or all(getattr(self.verdicts.get(each.id), "status", "") in LOST for each in self.checks):
                self._at = Ended()  # nothing is left to be run or explained

    def _fail(self, checks: Sequence[ManifestCheck], failure: StudentFailure) -> None:
        for id in (check.id for check in checks):
            self.verdicts[id] = CheckVerdict(
                id=id, status=failure.status, found=failure.sentence, found_ko=failure.sentence_ko
            )
