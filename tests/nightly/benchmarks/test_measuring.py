"""How sides are compared, what is measured, and the arithmetic of it, without clocks."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import pytest

from benchmarks import memory
from benchmarks.__main__ import FULL, SECTIONS, read_options
from benchmarks.classes import Answers, Member, answers_of
from benchmarks.errors import BenchmarkError
from benchmarks.figures import ratios, spread
from benchmarks.measure import FIRST_REPORT, Compared, Lane, compare
from benchmarks.memory import MIB, Sample, early_and_late, lasting
from benchmarks.processes import Spent
from benchmarks.sides.base import Side

from .class_scores import ASSIGNMENT, EVERY, right_scores


class Pretended(Side):
    """A side of the tests' own that takes no time and gives the points that it is told to give."""

    def __init__(self, name: str = "kit", share: float = 1.0, starts_with: int = 1, wrong_s: float = 1.5) -> None:
        self.name, self.starts_with, self._share, self._wrong_s = name, starts_with, share, wrong_s
        super().__init__()

    def described(self) -> str:
        """Say nothing much."""
        return "pretends"

    def lay_out(self, group: Sequence[Member], place: Path) -> None:
        """Write nothing."""

    def run(self, group: Sequence[Member], place: Path) -> Spent:
        """Take three seconds for the start, one for each member, and more for one with a mistake."""
        seconds = sum(self._wrong_s if member.answer.wrong else 1.0 for member in group)
        return Spent(3.0 * bool(self.starts_with) + seconds, 6.0 + 2 * seconds)

    def read(self, group: Sequence[Member], place: Path) -> Mapping[str, Mapping[str, float]]:
        """Give a share of the right points for the mistake."""
        found = right_scores(self.answers, group)
        for member in group:
            if member.answer.wrong:
                found[member.name][member.answer.wrong] *= self._share
        return found

    def first_report_s(self, place: Path) -> float | None:
        """Say that it came after the start."""
        return 3.5 if self.name == "kit" else None


def compared(folder: Path, answers: Answers, *lanes: Lane) -> Compared:
    """Compare sides over two small rounds."""
    return compare(lanes, folder, [answers], further=4, rounds=2)


def test_further_submission_is_free_of_the_start(answers: Answers, tmp_path: Path) -> None:
    """A side that starts anew pays it with each submission."""
    lanes = [Lane("kit", Pretended, ("right", "wrong")), Lane("pytest", partial(Pretended, "pytest", starts_with=0))]
    found = compared(tmp_path, answers, *lanes).figures
    costs = {(each.side, each.what): (each.wall, each.cpu) for each in found if each.round == 1}
    assert costs == {
        ("kit", FIRST_REPORT): (3.5, 8.0),
        ("kit", "right"): (1.0, 2.0),
        ("kit", "wrong"): (1.5, 3.0),
        ("pytest", "right"): (1.0, 3.5),
    }


def test_slow_side_takes_part_in_its_rounds_and_assignments_only(answers: Answers, tmp_path: Path) -> None:
    slow = Lane("slow", partial(Pretended, "slow"), everywhere=False, rounds=1)
    other = answers_of("06_seq2seq_attention")
    found = compare([Lane("kit", Pretended), slow], tmp_path, [answers, other], further=2, rounds=2).figures
    assert [(each.assignment, each.round) for each in found if each.side == "slow"] == [(ASSIGNMENT, 0)]
    assert len([each for each in found if each.side == "kit" and each.what == "right"]) == 4


def test_comparison_fails_when_a_side_disagrees(answers: Answers, tmp_path: Path) -> None:
    """A side whose points for the mistake are others than the kit's ends the measurement."""
    with pytest.raises(BenchmarkError, match="other does not count"):
        compared(tmp_path, answers, Lane("kit", Pretended), Lane("other", partial(Pretended, "other", 0.5)))


def test_what_is_lost_in_the_noise_is_measured_again_and_then_given_up(
    answers: Answers, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lane = Lane("kit", partial(Pretended, wrong_s=-1.0), ("wrong",))
    with pytest.raises(BenchmarkError, match="kit: further submissions took no time"):
        compared(tmp_path, answers, lane)
    assert capsys.readouterr().out.count("once more") == 3


def test_side_that_cannot_be_installed_is_left_out_and_named(
    answers: Answers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others are measured all the same."""
    absent = Pretended("other")
    monkeypatch.setattr(absent, "unavailable", lambda: "other 1.0 could not be installed here (found: none).")
    found = compared(tmp_path, answers, Lane("kit", Pretended), Lane("other", lambda: absent))
    assert {each.side for each in found.figures} == {"kit"}
    assert found.left_out == {"other": "other 1.0 could not be installed here (found: none)."}


# -- the command -------------------------------------------------------------------------------------------------------


def test_everything_is_measured_and_written_unless_asked_otherwise() -> None:
    whole = read_options([])
    assert (whole.only, whole.assignments, whole.rounds, whole.is_whole) == (SECTIONS, EVERY, FULL["rounds"], True)


def test_a_section_of_all_assignments_may_be_measured_again_and_written() -> None:
    again = read_options(["--only", "memory", "--memory", "10000"])
    assert (again.only, again.memory, again.is_whole) == (["memory"], 10_000, True)


@pytest.mark.parametrize("given", [["--quick"], ["--assignments", ASSIGNMENT]], ids=["quick", "some"])
def test_a_part_of_the_course_is_for_a_look_only(given: list[str]) -> None:
    assert not read_options(given).is_whole


# -- numbers -----------------------------------------------------------------------------------------------------------


def test_spread_is_median_and_range() -> None:
    """Of an even number of rounds the median lies between the middle ones."""
    found = spread([3.0, 1.0, 2.0, 10.0])
    assert (found.median, found.low, found.high, found.rounds) == (2.5, 1.0, 10.0, 4)
    with pytest.raises(BenchmarkError, match="no rounds"):
        spread([])


def test_ratios_are_taken_round_by_round() -> None:
    """A round that was slow for both sides keeps its ratio."""
    assert ratios([6.0, 60.0], [2.0, 20.0]) == [3.0, 3.0]
    with pytest.raises(BenchmarkError, match="cannot be held against"):
        ratios([1.0], [1.0, 2.0])
    with pytest.raises(BenchmarkError, match="no time at all"):
        ratios([1.0], [0.0])


def test_the_children_of_a_process_are_found_and_one_that_has_ended_has_none() -> None:
    if not Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").exists():
        pytest.skip("this kernel does not list a process's children")
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        assert child.pid in memory.children_of(os.getpid())
        child.communicate(b"\n")
    assert memory.children_of(child.pid) == []


def test_memory_compares_the_first_tenth_with_the_last() -> None:
    """The trusted parent grows by 9 MiB here; a process that lives for a moment only is nobody's."""
    samples = [Sample(float(at), {1: (100 + at // 10) * MIB, 2: 50 * MIB, 1000 + at: MIB}) for at in range(100)]
    assert early_and_late(samples, [1]) == (100.0, 109.0)
    assert lasting(samples, 1) == [2]
