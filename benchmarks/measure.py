"""Lets several sides grade the same submissions in turn, assignment after assignment, round after round.

A further submission is what a class costs beyond its start: for a side that starts once, the difference of two classes
by the difference of their sizes; for one that starts anew for each submission, everything. So a start, some seconds, is
counted only where every submission pays it. A side whose scores are wrong ends the whole measurement.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchmarks.classes import Agreed, Answer, Answers, members
from benchmarks.errors import BenchmarkError
from benchmarks.processes import Spent
from benchmarks.sides.base import Graded, Side
from benchmarks.sides.floor import Floor
from benchmarks.sides.kit import Kit
from benchmarks.sides.kit_in_nbgrader import KitInNbgrader
from benchmarks.sides.nbgrader import Nbgrader
from benchmarks.sides.otter import Otter
from benchmarks.sides.single_pytest import SinglePytest

TRIES = 3
ONE_JOB = "one job"
FIRST_REPORT = "first report"


@dataclass(frozen=True)
class Figure:
    """One measured thing, in seconds.

    Attributes:
        assignment: Whose suite.
        side: Who did it.
        what: `right` or `wrong` for a further submission that is so, or something else that the side did.
        round: In which round; what is compared with each other is of one round.
        wall: By the clock.
        cpu: Processor time of all processes that took part.
    """

    assignment: str
    side: str
    what: str
    round: int
    wall: float
    cpu: float


@dataclass(frozen=True)
class Lane:
    """A side's part in a comparison.

    Attributes:
        side: What figures call it.
        make: Makes one.
        asked: The kinds of further submissions that it is measured with.
        everywhere: Whether it takes part in all assignments, or in the first only.
        rounds: The most rounds that it takes part in; the slow ones vary little.
    """

    side: str
    make: Callable[[], Side]
    asked: Sequence[str] = ("right",)
    everywhere: bool = True
    rounds: int = 1000


LANES = {
    "kit": (Lane("kit", Kit, ("right", "wrong")), Lane(ONE_JOB, partial(Kit, jobs=1)), Lane("floor", Floor)),
    "others": (
        Lane("kit", Kit, rounds=2),
        Lane("pytest", SinglePytest, rounds=2),
        Lane("nbgrader", Nbgrader, rounds=2),
        Lane("otter", Otter, everywhere=False, rounds=2),
        Lane("kit in nbgrader", KitInNbgrader, everywhere=False, rounds=2),
    ),
}


@dataclass(frozen=True)
class Compared:
    """What a comparison came to.

    Attributes:
        figures: All that was measured.
        left_out: A sentence for each side that could not be run.
        versions: By side, the versions of what it needs beside the kit's packages.
    """

    figures: list[Figure]
    left_out: dict[str, str]
    versions: dict[str, dict[str, str]]


def compare(
    lanes: Sequence[Lane], folder: Path, every: Sequence[Answers], *, further: int, rounds: int, rare: bool = True
) -> Compared:
    """Run the rounds.

    Args:
        lanes: Who takes part; the first is the one whose scores the others' are held against.
        folder: An empty folder.
        every: What is handed in, for each assignment.
        further: Further submissions for the fast sides.
        rounds: How often.
        rare: Whether those take part that are not everywhere.

    Raises:
        BenchmarkError: A side that is installed failed, or gave a score that an answer is not worth.
    """
    compared, agreed = Compared([], {}, {}), Agreed()
    able = [lane for lane in lanes if (rare or lane.everywhere) and is_able(lane, compared)]
    ready = {}
    for answers in every:
        for lane in able:
            if answers is every[0] or lane.everywhere:
                print(f"  {answers.assignment.id:<27}{lane.side:<16}gets ready", flush=True)
                ready[answers.assignment.id, lane.side] = made_ready(lane, folder, answers, agreed)
    for number in range(rounds):
        turned = [*able[number % len(able) :], *able[: number % len(able)]]
        for answers in every:
            for lane in turned:
                side = ready.get((answers.assignment.id, lane.side))
                if side is not None and number < lane.rounds:
                    compared.figures.extend(one_round(lane, side, number, further, agreed))
    return compared


def is_able(lane: Lane, compared: Compared) -> bool:
    """Set up what a side needs, and note its versions, or why it is left out."""
    side = lane.make()
    if problem := side.unavailable():
        compared.left_out[lane.side] = problem
        print(f"  {side.name} is left out: {problem}", flush=True)
        return False
    compared.versions[lane.side] = {name: side.environment.installed[name] for name in side.packages}
    return True


def made_ready(lane: Lane, folder: Path, answers: Answers, agreed: Agreed) -> Side:
    """Return a side that is prepared, has filled its caches, and was seen to give the points that the kit gives."""
    side = lane.make()
    side.prepare(folder / f"{answers.assignment.id}-{lane.side}", answers)
    if lane.side != ONE_JOB:  # it is the kit once more
        graded(side, [answers.right, answers.slip, answers.stub], agreed)
    return side


def one_round(lane: Lane, side: Side, number: int, further: int, agreed: Agreed) -> list[Figure]:
    """Return what a side's further submissions of each kind cost.

    Raises:
        BenchmarkError: Each time a difference of two classes was nothing or less, so it was lost in the noise.
    """
    for _ in range(TRIES):
        figures = figures_of(lane, side, number, further, agreed)
        if all(each.wall > 0 and each.cpu > 0 for each in figures):
            return figures
        print("  That was lost in the noise; once more.", flush=True)
    raise BenchmarkError(f"{side.name}: further submissions took no time; take more of them, or a quieter time.")


def figures_of(lane: Lane, side: Side, number: int, further: int, agreed: Agreed) -> list[Figure]:
    """Return the same, as it comes out."""
    answers, figures = side.answers, []
    put = partial(Figure, answers.assignment.id, lane.side, round=number)
    started, more = [answers.right] * side.starts_with, side.further or further
    base = graded(side, started, agreed) if started else Graded(Spent(0.0, 0.0), {})
    if base.first_report_s is not None:
        figures.append(put(FIRST_REPORT, wall=base.first_report_s, cpu=base.spent.cpu))
    for what in lane.asked:
        kinds: Sequence[Answer] = answers.wrong if what == "wrong" else [answers.right]
        whole = graded(side, [*started, *(kinds[place % len(kinds)] for place in range(more))], agreed)
        wall, cpu = (whole.spent.wall - base.spent.wall) / more, (whole.spent.cpu - base.spent.cpu) / more
        figures.append(put(what, wall=wall, cpu=cpu))
        told = f"{wall * 1000:8.1f} ms by the clock, {cpu * 1000:8.1f} ms of processor time"
        print(f"  {number + 1}  {answers.assignment.id:<24}{lane.side:<16}{what:<6}{told}", flush=True)
    return figures


def graded(side: Side, handed_in: Sequence[Answer], agreed: Agreed) -> Graded:
    """Let a side grade a class, and see that it gives the points that everybody gives."""
    group = members(handed_in)
    found = side.grade(group)
    agreed.compare(side.name, side.answers.assignment.id, group, found.scores)
    return found


def described() -> Mapping[str, tuple[str, str]]:
    """Return for each side its name and what exactly it does."""
    sides = {lane.side: lane.make() for lanes in LANES.values() for lane in lanes if lane.side != ONE_JOB}
    return {key: (side.name, side.described()) for key, side in sides.items()}
