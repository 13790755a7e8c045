"""How long a class waits for its first report, and what a second submission at once brings."""

import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.classes import Answers, members
from benchmarks.errors import BenchmarkError
from benchmarks.figures import slope
from benchmarks.machine import cores
from benchmarks.processes import ROOT, environment, wait_for_orphans
from benchmarks.sides.kit import Kit, reports

GLANCE_S = 0.01
LONGEST_S = 600.0


@dataclass
class Starting:
    """One number a round each.

    Attributes:
        first_s: Seconds from the start of the command to the first report on disk.
        one_job_s: Seconds by the clock of one further submission with one at once.
        two_jobs_s: The same with two at once; empty where there is only one processor.
        one_job_cpu_s: Seconds of processor time of one further submission with one at once.
        two_jobs_cpu_s: The same with two at once.
    """

    first_s: list[float] = field(default_factory=list)
    one_job_s: list[float] = field(default_factory=list)
    two_jobs_s: list[float] = field(default_factory=list)
    one_job_cpu_s: list[float] = field(default_factory=list)
    two_jobs_cpu_s: list[float] = field(default_factory=list)


def first_report(kit: Kit, answers: Answers, place: Path, size: int) -> float:
    """Return the seconds from the start of `grader grade` to the first report.

    Raises:
        BenchmarkError: There was none.
    """
    place.mkdir()
    kit.lay_out(members(answers, size, size), place)
    began = time.perf_counter()
    with subprocess.Popen(
        kit.command(place), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment(), cwd=ROOT
    ) as process:
        found = None
        while found is None and time.perf_counter() - began < LONGEST_S:
            ended = process.poll() is not None
            if any(reports(place).glob(f"student_*/{answers.assignment.id}.json")):
                found = time.perf_counter() - began
            elif ended:
                break
            else:
                time.sleep(GLANCE_S)
        if found is None:
            process.kill()
    wait_for_orphans()
    if found is None:
        raise BenchmarkError("`grader grade` ended without a report, so there is no first one to wait for.")
    return found


def measure(folder: Path, answers: Answers, *, size: int, large: int, rounds: int) -> Starting:
    """Measure both, the numbers of jobs in turn."""
    found = Starting()
    kits = {jobs: Kit(jobs=jobs) for jobs in (1, 2) if jobs <= cores()}
    for jobs, kit in kits.items():
        kit.prepare(folder / f"jobs-{jobs}", answers)
    best = Kit()
    best.prepare(folder / "first", answers)
    for number in range(rounds):
        found.first_s.append(first_report(best, answers, folder / f"first-{number}", size))
        for jobs, kit in kits.items():
            small = kit.grade(members(answers, size, size)).spent
            whole = kit.grade(members(answers, large, size)).spent
            clock, processor = (
                (found.one_job_s, found.one_job_cpu_s) if jobs == 1 else (found.two_jobs_s, found.two_jobs_cpu_s)
            )
            clock.append(slope(small.wall, whole.wall, size, large))
            processor.append(slope(small.cpu, whole.cpu, size, large))
        print(f"  round {number + 1}: first report after {found.first_s[-1]:.2f} s", flush=True)
    return found
