"""Grades the same submissions by every side in turn, round after round, and compares the sides within each round.

A further submission is what a class costs beyond its start: for a side that starts once, the difference of two classes
by the difference of their sizes; for one that starts anew for each submission, everything. So the others' start, some
seconds a run, is counted only where every submission pays it. A side whose scores are wrong ends the whole measurement.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.classes import Answers, answers_of, members, same_scores
from benchmarks.errors import BenchmarkError
from benchmarks.figures import slope
from benchmarks.machine import Others
from benchmarks.processes import Spent
from benchmarks.sides.base import Graded, Side


@dataclass
class Rounds:
    """What the rounds of one side came to, in seconds.

    Attributes:
        name: What the page calls the side.
        described: What exactly it does.
        at_once: Submissions at once.
        versions: The versions of what it needs beside the kit's packages.
        whole_wall: A class of the common size by the clock, start included; one number a round.
        whole_cpu: The same in processor time.
        further_wall: One further submission by the clock.
        further_cpu: The same in processor time.
    """

    name: str
    described: str
    at_once: int
    versions: dict[str, str]
    whole_wall: list[float] = field(default_factory=list)
    whole_cpu: list[float] = field(default_factory=list)
    further_wall: list[float] = field(default_factory=list)
    further_cpu: list[float] = field(default_factory=list)


@dataclass
class Compared:
    """Every side's rounds.

    Attributes:
        sides: By key; the kit is one of them.
        left_out: A sentence for each side that could not be run, by name.
        size: Members of the class that every side graded.
        large: Members of the class that the fast sides graded as well.
        others: The share of the processors that other work took, one number a round.
    """

    sides: dict[str, Rounds]
    left_out: dict[str, str]
    size: int
    large: int
    others: list[float] = field(default_factory=list)


def compare(sides: Sequence[Side], folder: Path, *, assignment: str, size: int, large: int, rounds: int) -> Compared:
    """Run the rounds.

    Args:
        sides: The sides; the first is the one whose scores the others' are held against.
        folder: An empty folder.
        assignment: Whose suite.
        size: Members of the class that every side grades.
        large: Members of the class that the fast sides grade as well.
        rounds: How often.

    Raises:
        BenchmarkError: A side that is installed failed, or gave a score that an answer is not worth.
    """
    answers = answers_of(assignment)
    compared = Compared({}, {}, size, large)
    able = []
    for side in sides:
        if problem := side.unavailable():
            compared.left_out[side.name] = problem
            print(f"  {side.name} is left out: {problem}", flush=True)
            continue
        able.append(side)
        found = {name: side.environment.installed[name] for name in side.packages}
        compared.sides[side.key] = Rounds(side.name, side.described(), side.at_once, found)
        side.prepare(folder / side.key, answers)
        side.grade(
            members(answers, max(side.smallest(), 1), size)
        )  # unmeasured: fills the caches of files and bytecode
    for number in range(rounds):
        turned = able[number % len(able) :] + able[: number % len(able)]
        compared.others.append(one_round(turned, compared, answers, f"round {number + 1}"))
    return compared


def one_round(sides: Sequence[Side], compared: Compared, answers: Answers, title: str) -> float:
    """Let every side grade its classes once; returns the share of the processors that other work took."""
    others, own = Others(), 0.0
    graded: dict[str, Graded] = {}
    for side in sides:
        rounds = compared.sides[side.key]
        whole = graded[side.name] = side.grade(members(answers, compared.size, compared.size))
        runs, further = further_submission(side, answers, compared, whole)
        own += sum(spent.cpu for spent in runs)
        rounds.whole_wall.append(whole.spent.wall)
        rounds.whole_cpu.append(whole.spent.cpu)
        rounds.further_wall.append(further.wall)
        rounds.further_cpu.append(further.cpu)
        told = f"{further.wall * 1000:8.1f} ms by the clock, {further.cpu * 1000:8.1f} ms of processor time"
        print(f"  {title}, {side.name:<42} {told}", flush=True)
    first, *rest = graded
    for name in rest:
        same_scores(first, graded[first].scores, name, graded[name].scores)
    return others.share(own)


def further_submission(side: Side, answers: Answers, compared: Compared, whole: Graded) -> tuple[list[Spent], Spent]:
    """Return all that was run, and what one further submission cost.

    Raises:
        BenchmarkError: The difference of the two classes is nothing or less, so it was lost in the noise.
    """
    if not side.starts_once:
        return [whole.spent], Spent(whole.spent.wall / compared.size, whole.spent.cpu / compared.size)
    other = compared.large if side.large else min(side.smallest(), compared.size - 1)
    second = side.grade(members(answers, other, compared.size))
    pairs = sorted([(compared.size, whole.spent), (other, second.spent)], key=lambda pair: pair[0])
    (fewer, small), (more, large) = pairs
    further = Spent(slope(small.wall, large.wall, fewer, more), slope(small.cpu, large.cpu, fewer, more))
    if further.wall <= 0 or further.cpu <= 0:
        raise BenchmarkError(
            f"{side.name}: a class of {more} took no longer than one of {fewer}; take larger classes or a quieter time."
        )
    return [whole.spent, second.spent], further
