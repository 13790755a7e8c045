"""Whether memory stays flat over a long class: samples the processes that live as long as the run does.

The trusted parent is the command's own process; the jail's are the others that live all along, above all the zygote.
"""

import contextlib
import os
import statistics
import subprocess
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.classes import Answers, look_at, members
from benchmarks.errors import BenchmarkError
from benchmarks.processes import ROOT, environment, wait_for_orphans
from benchmarks.sides.kit import Kit, reports

PERIOD = 20  # two wrong answers among so many, one of them a stub
GLANCE_S = 0.25
MOST_OF_THE_RUN = 0.8
MIB = 2**20


@dataclass(frozen=True)
class Sample:
    """A glance at the run: seconds since its start, and the resident bytes of each process by number."""

    at: float
    resident: dict[int, int]


@dataclass(frozen=True)
class Memory:
    """What a long run came to, in MiB.

    Attributes:
        size: Submissions.
        seconds: The whole run by the clock.
        parent_early: The trusted parent in the first tenth of the run, from the first report on.
        parent_late: The same in the last tenth.
        jail_early: The jail's lasting processes together in the first tenth.
        jail_late: The same in the last tenth.
        most: All processes together at most, shared pages counted in each.
    """

    size: int
    seconds: float
    parent_early: float
    parent_late: float
    jail_early: float
    jail_late: float
    most: float


def family(root: int) -> list[int]:
    """Return a process and all its descendants; what has ended meanwhile is left out."""
    found, waiting = [], [root]
    while waiting:
        pid = waiting.pop()
        found.append(pid)
        waiting += children_of(pid)
    return found


def children_of(pid: int) -> list[int]:
    """Return a process's children; process and threads may end at any moment of this."""
    found: list[int] = []
    with contextlib.suppress(OSError):
        for task in list(Path(f"/proc/{pid}/task").iterdir()):
            with contextlib.suppress(OSError):
                found += map(int, (task / "children").read_text(encoding="ascii").split())
    return found


def resident(pid: int) -> int:
    """Return the resident bytes of a process; 0 for one that has ended."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0


def early_and_late(samples: Sequence[Sample], pids: Sequence[int]) -> tuple[float, float]:
    """Return the mean MiB of some processes in the first and in the last tenth of the samples."""
    tenth = max(1, len(samples) // 10)

    def mean(part: Sequence[Sample]) -> float:
        return statistics.fmean(sum(sample.resident.get(pid, 0) for pid in pids) for sample in part) / MIB

    return mean(samples[:tenth]), mean(samples[-tenth:])


def lasting(samples: Sequence[Sample], root: int) -> list[int]:
    """Return the processes beside the first that live for most of the run."""
    seen = Counter(pid for sample in samples for pid in sample.resident)
    return [pid for pid, times in seen.items() if pid != root and times >= MOST_OF_THE_RUN * len(samples)]


def measure(folder: Path, answers: Answers, size: int) -> Memory:
    """Grade a class of that size and watch.

    Raises:
        BenchmarkError: The run failed, or was too short to be looked at.
    """
    kit = Kit()
    kit.prepare(folder / "kit", answers)
    mix = [*[answers.right] * (PERIOD - 2), answers.slip, answers.stub]
    place, group = folder / "run", members([mix[number % PERIOD] for number in range(size)])
    place.mkdir()
    kit.lay_out(group, place)
    began, first = time.perf_counter(), None
    samples: list[Sample] = []
    said = folder / "said"
    with (
        said.open("wb") as out,
        subprocess.Popen(kit.command(place), stdout=out, stderr=out, env=environment(), cwd=ROOT) as process,
    ):
        try:
            while process.poll() is None:
                if first is None and any(reports(place).glob("student_*")):
                    first = len(samples)
                seen = {pid: resident(pid) for pid in family(process.pid)}
                samples.append(Sample(time.perf_counter() - began, seen))
                time.sleep(GLANCE_S)
        finally:
            process.terminate()
    seconds = time.perf_counter() - began
    wait_for_orphans()
    if process.returncode != 0:
        raise BenchmarkError(
            f"`grader grade` ended with {process.returncode}: {said.read_text(encoding='utf-8')[-1000:]}"
        )
    look_at(kit.name, answers, group, kit.read(group, place))
    steady = samples[first:] if first is not None else []
    if len(steady) < 20:
        raise BenchmarkError(f"A class of {size} is graded too fast to be watched; take a larger one.")
    others = lasting(steady, process.pid)
    if not others:
        raise BenchmarkError("This kernel does not list a process's children, so the jail cannot be watched.")
    parent, jail = early_and_late(steady, [process.pid]), early_and_late(steady, others)
    most = max(sum(sample.resident.values()) for sample in samples) / MIB
    return Memory(size, seconds, *parent, *jail, most)
