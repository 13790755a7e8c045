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

from benchmarks.errors import BenchmarkError

ROOT = Path(__file__).resolve().parent.parent
SECRET = "the benchmark draws the same inputs in every run"
PR_SET_CHILD_SUBREAPER = 36
LONGEST_SAID = 2000
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
QUIET = {"KINETO_LOG_LEVEL": "99"}  # torch's profiler prints otherwise, and nbgrader gives 0 for a cell that prints so


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
    """Become the parent of descendants that lose theirs, so that their time is counted here."""
    if sys.platform != "linux":
        raise BenchmarkError("Grading needs Linux, and so does this measurement; nothing was measured.")
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise BenchmarkError("This kernel does not let a process adopt orphans, so their time would be lost.")


def wait_for_orphans() -> None:
    """Take the time of every descendant that outlived its parent; nothing of a run stays behind in the next."""
    while True:
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def children_seconds() -> float:
    """Return the processor time of all ended and waited-for descendants, in user and system mode."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def environment(more: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment that every side runs in: one thread for each process, and the same inputs for all."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "PYTHONPATH"))}
    return {**kept, **ONE_THREAD, **QUIET, "GRADER_SECRET": SECRET, **(more or {})}


def run(
    command: Sequence[str],
    *,
    more: Mapping[str, str] | None = None,
    cwd: Path = ROOT,
    fine: Sequence[int] = (0,),
) -> str:
    """Run a command to its end and return what it printed.

    Args:
        command: Program and arguments.
        more: Variables beside those of `environment`.
        cwd: Where it runs.
        fine: The exit codes that are no failure.

    Raises:
        BenchmarkError: It ended with another code.
    """
    try:
        done = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment(more), cwd=cwd, check=False
        )
    except OSError as problem:
        raise BenchmarkError(f"`{command[0]}` could not be started: {problem.strerror}.") from None
    said = done.stdout.decode("utf-8", "replace")
    if done.returncode not in fine:
        name = " ".join(map(str, command))[:200]
        raise BenchmarkError(f"`{name}` ended with {done.returncode} and said:\n{said[-LONGEST_SAID:]}")
    return said


def spent_on(work: Callable[[], object]) -> Spent:
    """Do something and return what it and all its processes cost; nothing else of this process may start any."""
    wait_for_orphans()
    before, began = children_seconds(), time.perf_counter()
    work()
    wall = time.perf_counter() - began
    wait_for_orphans()
    return Spent(wall, children_seconds() - before)
