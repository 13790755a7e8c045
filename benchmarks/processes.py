"""Runs commands and adds up the processor time of everything that they start, orphans included; Linux only."""

import ctypes
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.errors import UsageError
from grader.grading.options import ONE_THREAD

ROOT = Path(__file__).resolve().parent.parent
SECRET = "the benchmark draws the same inputs in every run"
PR_SET_CHILD_SUBREAPER = 36
LONGEST_SAID = 2000


@dataclass(frozen=True)
class Spent:
    """What something cost.

    Attributes:
        wall: Seconds by the clock.
        cpu: Seconds of processor time, user and system, of all processes that took part.
    """

    wall: float
    cpu: float


def adopt_orphans() -> None:
    """Become the parent of descendants that lose theirs, so that their time is counted here.

    Raises:
        UsageError: This system cannot do that.
    """
    if sys.platform != "linux" or ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise UsageError("Processor time of orphans cannot be counted here, so nothing was measured.")


def run(command: Sequence[str], more: Mapping[str, str] | None = None) -> None:
    """Run a command to its end, with one thread a process and the same inputs each time.

    Args:
        command: Program and arguments.
        more: Further variables.

    Raises:
        UsageError: It did not end with 0.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    surroundings = {**kept, **ONE_THREAD, "PYTHONPATH": str(ROOT), "GRADER_SECRET": SECRET, **(more or {})}
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=surroundings, cwd=ROOT, check=False
    )
    if done.returncode:
        output = done.stdout.decode("utf-8", "replace")[-LONGEST_SAID:]
        raise UsageError(f"`{' '.join(command)[:200]}` ended with {done.returncode} and said:\n{output}")


def spent_on(work: Callable[[], object]) -> Spent:
    """Do something and return what all its processes cost; nothing else of this process may start any."""
    there, before, began = _children(), _children_seconds(), time.perf_counter()
    work()
    wall = time.perf_counter() - began
    while left := _children() - there:  # orphans come one after the other; what was there before may stay for ever
        os.waitpid(left.pop(), 0)
    return Spent(wall, _children_seconds() - before)


def _children() -> set[int]:
    lists = [task / "children" for task in Path("/proc/self/task").iterdir()]
    return {int(number) for children in lists for number in children.read_text(encoding="utf-8").split()}


def _children_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
