"""The benchmarks without their clocks: the classes, the arithmetic, the refusal of wrong scores, and the page."""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from inspect import signature
from pathlib import Path
from typing import Any

import pytest
import torch

from benchmarks import memory, page
from benchmarks.breakdown import JAIL, Row
from benchmarks.classes import Answers, Member, answers_of, look_at, members, same_scores, write_class
from benchmarks.errors import BenchmarkError
from benchmarks.figures import ratios, slope, spread
from benchmarks.inprocess.direct import DirectSuite
from benchmarks.inprocess.student import LocalFunction
from benchmarks.machine import Machine
from benchmarks.memory import MIB, Memory, Sample, early_and_late, lasting
from benchmarks.page import Measured, asked_of, growth, render
from benchmarks.processes import Spent
from benchmarks.sections import Sections
from benchmarks.side_by_side import Compared, Rounds, compare
from benchmarks.sides import every
from benchmarks.sides.base import Side
from benchmarks.sides.environment import pinned
from benchmarks.starting import Starting
from grader.workers.student import StudentFunction

ASSIGNMENT = "01_simple_attention"


@pytest.fixture(scope="module")
def answers() -> Answers:
    """What a class of the first assignment hands in."""
    return answers_of(ASSIGNMENT)


def right_scores(answers: Answers, group: Sequence[Member]) -> dict[str, dict[str, float]]:
    """Return the scores that an honest side gives."""
    found = {}
    for member in group:
        scores = dict(answers.points) if member.kind != "stub" else dict.fromkeys(answers.points, 0.0)
        if member.kind == "mistake":
            scores[answers.wrong] /= 2
        found[member.name] = scores
    return found


# -- classes -----------------------------------------------------------------------------------------------------------


def test_class_has_its_mix_at_every_size(answers: Answers) -> None:
    """Of every period of members two are wrong, and no two hand in the same text."""
    group = members(answers, 24, 8)
    assert Counter(member.kind for member in group) == {"right": 18, "mistake": 3, "stub": 3}
    assert len({member.text for member in group}) == len({member.name for member in group}) == 24
    assert [member.kind for member in members(answers, 2, 8)] == ["right", "right"]


def test_right_answers_differ_in_a_comment_only(answers: Answers) -> None:
    """What follows the first line is the same for every right answer."""
    texts = {member.text.partition("\n")[2] for member in members(answers, 6, 8) if member.kind == "right"}
    assert texts == {answers.texts["right"]}


def test_class_without_room_for_a_right_answer_is_refused(answers: Answers) -> None:
    """A period of two would hold wrong answers only."""
    with pytest.raises(BenchmarkError, match="no room"):
        members(answers, 4, 2)


def test_class_is_laid_out_as_the_kit_reads_it(answers: Answers, tmp_path: Path) -> None:
    """Each member has a folder of the assignment with its file."""
    group = members(answers, 3, 3)
    write_class(tmp_path / "class", answers.assignment, group)
    for member in group:
        file = tmp_path / "class" / member.name / ASSIGNMENT / "simple_attention.py"
        assert file.read_text(encoding="utf-8") == member.text


def test_suite_called_directly_gives_what_the_answers_are_worth(answers: Answers) -> None:
    """The check functions, called without pytest in one process, tell a right answer, a mistake and a stub apart."""
    suite, found = DirectSuite(ASSIGNMENT), {}
    group = members(answers, 3, 3)
    for member in group:
        names: dict[str, Any] = {}
        exec(compile(member.text, member.name, "exec"), names)
        suite.begin(names, member.text)
        found[member.name] = {exercise: suite.points(exercise) for exercise in suite.cases}
    look_at("the suite", answers, group, found)


def test_student_without_a_process_between_takes_what_the_kits_takes() -> None:
    """A way of asking that only the kit's side knows would fail right answers on the sides that it is held against."""
    for asked in ("observe", "error", "on_each", "observe_each"):
        ours, theirs = (signature(getattr(kind, asked)).parameters for kind in (LocalFunction, StudentFunction))
        assert {name: each.default for name, each in ours.items()} == {
            name: each.default for name, each in theirs.items()
        }, asked


def test_student_without_a_process_between_is_called_twice_with_the_same_tensors() -> None:
    """The first call of two finds what `before` holds, and whoever keeps the answer for the tensor gives that again."""
    kept: dict[int, Any] = {}
    function = LocalFunction("f", lambda x: kept.setdefault(id(x), (x.clone(), x.requires_grad_()))[0])
    seen = function.observe(torch.ones(2), before=(torch.zeros(2),), echo=True)
    assert seen.value.tolist() == [0, 0] and seen.inputs_after[0].tolist() == [1, 1] and seen.followed_after == {0}


# -- scores ------------------------------------------------------------------------------------------------------------


def test_honest_scores_count(answers: Answers) -> None:
    """Full points for right answers, none for stubs, some for a mistake."""
    group = members(answers, 4, 4)
    look_at("a side", answers, group, right_scores(answers, group))


@pytest.mark.parametrize("points", [0.0, 1.0, None], ids=["nothing", "everything", "no score"])
def test_side_with_wrong_or_missing_scores_is_refused(answers: Answers, points: float | None) -> None:
    """A side that gives all the same, or leaves somebody out, does not count."""
    group = members(answers, 4, 4)
    scores = {} if points is None else {
        member.name: {exercise: most * points for exercise, most in answers.points.items()} for member in group
    }  # fmt: skip
    with pytest.raises(BenchmarkError, match="a side does not count"):
        look_at("a side", answers, group, scores)


def test_side_that_leaves_an_exercise_out_is_refused(answers: Answers) -> None:
    """The exercise is named."""
    group = members(answers, 4, 4)
    scores = right_scores(answers, group)
    del scores[group[0].name][answers.wrong]
    with pytest.raises(BenchmarkError, match=answers.wrong):
        look_at("a side", answers, group, scores)


def test_sides_must_agree_but_for_rounding() -> None:
    """Points that differ by more than a hundredth name both sides."""
    same_scores("one", {"ada": {"x": 2.56}}, "other", {"ada": {"x": 2.563}})
    with pytest.raises(BenchmarkError, match=r"other does not count: it gave ada 2\.5 points for x, one 2\.56"):
        same_scores("one", {"ada": {"x": 2.56}}, "other", {"ada": {"x": 2.5}})


class Pretended(Side):
    """A side of the tests' own that takes no time and gives the points that it is told to give."""

    def __init__(self, key: str, share: float) -> None:
        self.key, self.name, self._share = key, key, share
        super().__init__()

    def described(self) -> str:
        """Say nothing much."""
        return "pretends"

    def lay_out(self, group: Sequence[Member], place: Path) -> None:
        """Write nothing."""

    def run(self, group: Sequence[Member], place: Path) -> Spent:
        """Take a second for each member and three for the start."""
        return Spent(3.0 + len(group), 6.0 + 2 * len(group))

    def read(self, group: Sequence[Member], place: Path) -> Mapping[str, Mapping[str, float]]:
        """Give a share of the right points for the mistake."""
        found = right_scores(self.answers, group)
        for member in group:
            if member.kind == "mistake":
                found[member.name][self.answers.wrong] *= self._share
        return found


def compared_sides(folder: Path, *sides: Side) -> Compared:
    """Compare sides over two small rounds."""
    return compare(sides, folder, assignment=ASSIGNMENT, size=4, large=8, rounds=2)


def test_further_submission_is_free_of_the_start(tmp_path: Path) -> None:
    """The whole class has the start in it, the further submission has not."""
    found = compared_sides(tmp_path, Pretended("kit", 1.0), Pretended("other", 1.0)).sides["other"]
    assert found.whole_wall == [7.0, 7.0]
    assert found.further_wall == [1.0, 1.0]
    assert found.further_cpu == [2.0, 2.0]


def test_comparison_fails_when_a_side_disagrees(tmp_path: Path) -> None:
    """A side whose points for the mistake are others than the kit's ends the measurement."""
    with pytest.raises(BenchmarkError, match="other does not count"):
        compared_sides(tmp_path, Pretended("kit", 1.0), Pretended("other", 0.5))


def test_side_that_cannot_be_installed_is_left_out_and_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The others are measured all the same."""
    absent = Pretended("other", 1.0)
    monkeypatch.setattr(absent, "unavailable", lambda: "other 1.0 could not be installed here (found: none).")
    compared = compared_sides(tmp_path, Pretended("kit", 1.0), absent)
    assert list(compared.sides) == ["kit"]
    assert compared.left_out == {"other": "other 1.0 could not be installed here (found: none)."}


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


def test_slope_is_the_cost_of_one_more() -> None:
    """(cost of many - cost of few) / (many - few)."""
    assert slope(5.0, 14.0, 2, 5) == 3.0
    with pytest.raises(BenchmarkError, match="not larger"):
        slope(5.0, 14.0, 5, 5)


def test_sections_book_time_to_the_innermost(monkeypatch: pytest.MonkeyPatch) -> None:
    """What an inner section takes is not counted in the outer one."""
    clock = iter(range(100))
    monkeypatch.setattr("benchmarks.sections.time.perf_counter", lambda: float(next(clock)))
    sections = Sections("base")
    inner = sections.within("inner", lambda: None)
    outer = sections.within("outer", inner)
    outer()
    assert sections.wall == {"base": 1.0, "outer": 2.0, "inner": 1.0}
    sections.enter("load")
    sections.within("inner", lambda: None, unless="load")()
    assert sections.wall["inner"] == 1.0


def test_the_memory_of_a_longer_run_goes_on_the_page_beside_the_other_figures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    longer = Memory(10_000, 640.0, 250.0, 251.0, 260.0, 259.0, 2300.0)
    written: list[Measured] = []
    monkeypatch.setattr(memory, "measure", lambda *asked: longer)
    monkeypatch.setattr(page, "write", written.append)
    monkeypatch.setattr("sys.argv", ["memory", "--size", "10000", "--write"])
    assert memory.main() == 0
    assert written == [replace(page.read(), memory=longer)]


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


# -- the page ----------------------------------------------------------------------------------------------------------


def measured(**changes: Any) -> Measured:
    """Return figures that never were measured."""
    versions = {"nbgrader": "0.9.6"}
    sides = {
        "kit": Rounds("this kit", "grades.", 2, {}, [4.0], [5.0], [0.03], [0.05]),
        "floor": Rounds("the floor", "loops.", 1, {}, [3.0], [3.0], [0.04], [0.04]),
        "nbgrader": Rounds("`nbgrader autograde`", "autogrades.", 2, versions, [16.0], [30.0], [1.5], [2.9]),
    }
    machine = Machine("A processor", 2, 8.0, "Linux 6", "3.11.7", {"torch": "2.13.0"}, 0.1, "2026-11-21")
    whole = Measured(
        machine,
        ASSIGNMENT,
        Compared(sides, {"`otter run`": "otter-grader 7.0.0 could not be installed here (found: none)."}, 8, 80, [0.0]),
        Starting([3.5], [0.05], [0.026], [0.06], [0.052]),
        [Row("pytest", 12.0, 11.0), Row(JAIL, None, 20.0), Row("together", 40.0, 50.0)],
        Memory(2000, 70.0, 100.0, 101.0, 200.0, 201.0, 900.0),
    )
    return replace(whole, **changes)


def test_page_shows_the_figures() -> None:
    """Ratios, milliseconds, versions, what is left out and what is missed stand on the page."""
    text = render(measured())
    assert "at least 60 times (aim: 100) | 50.0 (one round); 58.0 in processor time | missed |" in text
    assert "| processor time against the floor | at most 2 times | 1.25 (one round) | met |" in text
    assert "| two at once against one | at least 1.8 times | 1.92 (one round) | met |" in text
    assert "| 1 | 50.0 | 60.0 | 1.20 (one round) |\n| 2 | 26.0 | 52.0 | 2.00 (one round) |" in text
    assert "| memory over 2000 submissions in one run | growth of at most 5% | +0.7% | met |" in text
    assert "| `nbgrader autograde` | 1500 | 50.0 (one round) | 2900 | 58.0 (one round) | 2 |" in text
    assert "nbgrader 0.9.6" in text
    assert "Left out, since it could not be run: `otter run`. otter-grader 7.0.0 could not be installed" in text
    assert f"| {JAIL} | - | 20.0 |" in text
    assert "small run" in text


def test_page_warns_of_a_busy_machine() -> None:
    """A page that was measured beside other work says so."""
    compared = replace(measured().compared, others=[0.4, 0.5, 0.6])
    assert "Other work took 50 % of the processors" in render(measured(compared=compared))
    assert "Other work" not in render(measured())


def test_what_was_not_measured_is_not_judged() -> None:
    """Without memory, a second processor and the other graders, only the rest is asked."""
    sides = {"kit": measured().compared.sides["kit"]}
    found = asked_of(
        measured(compared=Compared(sides, {}, 8, 80, [0.0]), starting=Starting([3.5], [0.05]), memory=None)
    )
    assert [each.what for each in found] == ["start to first report"]


def test_growth_is_of_parent_and_jail_together() -> None:
    """302 MiB after 300."""
    watched = measured().memory
    assert watched is not None
    assert growth(watched) == pytest.approx(2 / 300)


def test_figures_survive_their_file(tmp_path: Path) -> None:
    """What is written is read again, and the page is made of what was read."""
    page.write(measured(), tmp_path / "page.md", tmp_path / "figures.json")
    assert page.read(tmp_path / "figures.json") == measured()
    assert (tmp_path / "page.md").read_text(encoding="utf-8") == render(measured())


def test_committed_page_is_made_of_the_committed_figures() -> None:
    """No number of docs/performance.md was typed by hand."""
    assert page.PAGE.read_text(encoding="utf-8") == render(page.read())


def test_every_competitor_is_pinned() -> None:
    """Each package that a side needs has a version in requirements.txt, and none stands there for nobody."""
    needed = {name for side in every() for name in side.packages}
    assert needed == set(pinned())
