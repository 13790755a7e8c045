"""A process that grades one submission: forked from the collected session, and ended by `os._exit`."""

import contextlib
import gc
import os
import signal
import time
import traceback
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

import msgspec

from grader.jail import Branch
from grader.limits import JUDGING_BYTES, Limits
from grader.suite.runner.suite import Suite
from grader.system.memory import bound_memory
from grader.system.processors import keep_to
from grader.system.stopping import held_back

from .child_report import CHILD_REPORT, Job
from .grade_submission import grade


@dataclass
class Child:
    """A running child, as its parent sees it.

    Attributes:
        processor: The number of the one that it is kept to; None for any.
        seconds: How long it took, once it has ended.
    """

    job: Job
    pid: int
    pidfd: int
    processor: int | None
    since: float = field(default_factory=time.monotonic)
    seconds: float = 0.0

    def kill(self) -> None:
        """End it wherever it is."""
        signal.pidfd_send_signal(self.pidfd, signal.SIGKILL)

    def wait(self) -> None:
        """Wait for its end."""
        os.waitpid(self.pid, 0)
        os.close(self.pidfd)


def fork(job: Job, processor: int | None) -> Child | None:
    """Fork a child for a job, kept to a processor; returns it to the parent, and None to itself.

    Raises:
        OSError: There is no room for one.
    """
    with held_back():
        pid = os.fork()
    if pid == 0:
        return None
    try:
        return Child(job, pid, os.pidfd_open(pid), processor)
    except OSError:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        raise


def grade_and_leave(
    job: Job, folder: Path, branch: Branch, limits: Limits, suite: Suite, processor: int | None
) -> NoReturn:
    """Grade a submission and end this process at once; the interpreter's usual end takes 200 ms with torch loaded."""
    try:
        if processor is not None:
            keep_to([processor])
        gc.disable()  # the child is gone before it could collect anything worth the time
        bound_memory(JUDGING_BYTES)
        child_report = grade(job, folder, branch, limits, suite)
        (folder / "child_report.tmp").write_bytes(msgspec.json.encode(child_report))
        (folder / "child_report.tmp").rename(folder / CHILD_REPORT)
    except BaseException:  # this process must not return into the parent's code, whatever it is
        with contextlib.suppress(OSError):
            (folder / "error.txt").write_text(traceback.format_exc(), encoding="utf-8")
    finally:
        os._exit(0)
