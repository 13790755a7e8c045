"""The benchmarks without their clocks: the classes, the arithmetic, the refusal of wrong scores, and the page."""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

from benchmarks import memory, page
from benchmarks.__main__ import FULL, SECTIONS, read_options
from benchmarks.classes import Agreed, Answers, Member, answers_of, look_at, members, write_class
from benchmarks.errors import BenchmarkError
from benchmarks.figures import ratios, spread
from benchmarks.inprocess.direct import DirectSuite
from benchmarks.inprocess.student import LocalFunction, LocalStudent
from benchmarks.machine import Machine
from benchmarks.measure import FIRST_REPORT, LANES, Compared, Figure, Lane, compare
from benchmarks.memory import MIB, Memory, Sample, early_and_late, lasting
from benchmarks.page import TARGETS, Section, asked_of, growth, render
from benchmarks.processes import ROOT, Spent
from benchmarks.sides.base import Side
from benchmarks.sides.environment import pinned
from grader.course.layout import find_course
from grader.workers.calls.student import Foreign, Given, ModuleHandle
from grader.workers.process.failures import StudentFailure

ASSIGNMENT = "01_simple_attention"
EVERY = list(find_course(ROOT).assignments)


@pytest.fixture(scope="module")
def answers() -> Answers:
    """What a class of the first assignment hands in."""
    return answers_of(ASSIGNMENT, 20)


def group_of(answers: Answers) -> list[Member]:
    """Return a class with an answer of each kind."""
    return members([answers.right, answers.right, answers.slip, answers.stub])


def right_scores(answers: Answers, group: Sequence[Member]) -> dict[str, dict[str, float]]:
    """Return the scores that an honest side gives."""
    found = {}
    for member in group:
        scores = dict.fromkeys(answers.points, 0.0) if member.answer.kind == "stub" else dict(answers.points)
        if member.answer.wrong:
            scores[member.answer.wrong] /= 2
        found[member.name] = scores
    return found


# -- classes -----------------------------------------------------------------------------------------------------------


def test_wrong_answers_are_of_all_exercises_alike_and_no_two_are_the_same(answers: Answers) -> None:
    counted = Counter(answer.wrong for answer in answers.wrong)
    assert set(counted) == set(answers.points)
    assert set(counted.values()) == {2, 3}
    assert len({answer.kind for answer in answers.wrong}) == len(answers.wrong)


def test_copies_of_an_answer_differ_in_a_comment_only(answers: Answers) -> None:
    group = members([answers.right] * 6)
    assert len({member.text for member in group}) == len({member.name for member in group}) == 6
    assert {member.text.partition("\n")[2] for member in group} == {answers.right.text}


def test_class_is_laid_out_as_the_kit_reads_it(answers: Answers, tmp_path: Path) -> None:
    """Each member has a folder of the assignment with its file."""
    group = group_of(answers)
    write_class(tmp_path / "class", answers.assignment, group)
    for member in group:
        file = tmp_path / "class" / member.name / ASSIGNMENT / "simple_attention.py"
        assert file.read_text(encoding="utf-8") == member.text


# -- the student without a process between -----------------------------------------------------------------------------


@pytest.fixture
def one_thread() -> Iterator[None]:
    """Compute with one thread, as every process of a benchmark does."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.mark.usefixtures("one_thread")
@pytest.mark.parametrize("name", EVERY)
def test_suite_called_directly_gives_what_the_answers_are_worth(name: str) -> None:
    """The check functions, called without pytest in one process, tell a right answer, a mistake and a stub apart."""
    answers, found = answers_of(name), {}
    suite, group = DirectSuite(name), members([answers.right, answers.slip, answers.stub])
    for member in group:
        names: dict[str, Any] = {"__name__": "student"}
        exec(compile(member.text, member.name, "exec"), names)
        suite.begin(names, member.text)
        found[member.name] = {exercise: suite.points(exercise) for exercise in suite.cases}
    look_at("the suite", answers, group, found)


def test_function_is_called_twice_with_the_same_tensors() -> None:
    """The first call of two finds what `before` holds, and whoever keeps the answer for the tensor gives that again."""
    kept: dict[int, Any] = {}
    function = LocalFunction("f", lambda x: kept.setdefault(id(x), (x.clone(), x.requires_grad_()))[0])
    seen = function.observe(torch.ones(2), before=(torch.zeros(2),), echo=True)
    assert seen.value.tolist() == [0, 0] and seen.inputs_after[0].tolist() == [1, 1] and seen.followed_after == {0}


def test_module_is_built_loaded_called_and_looked_at() -> None:
    """A suite may do with it what it may do with one in the student's process."""
    built = LocalStudent({"Layer": nn.Linear}).Layer.seeded(3, 2, 1, bias=False)
    assert isinstance(built, ModuleHandle) and built.built_with == ((2, 1), {"bias": False})
    assert built.lineages()[""][:2] == ("Linear", "Module") and built.facts()["weight"].shape == (1, 2)
    before = built.parameters()["weight"]
    torch.manual_seed(3)
    assert torch.equal(before, nn.Linear(2, 1, bias=False).weight.detach())
    settings = [{"weight": torch.full((1, 2), float(number))} for number in (2, 3)]
    assert [each.item() for each in built.call_with_each(settings, torch.ones(2))] == [4, 6]
    seen = built.observe(torch.tensor([5.0, 7.0]), cotangent=torch.ones(1))
    assert seen.parameter_gradients["weight"] is not None and seen.input_gradients[0] is not None
    assert seen.parameter_gradients["weight"].tolist() == [[5, 7]] and seen.input_gradients[0].tolist() == [3, 3]
    assert (built.eval(), built.train(), built.is_training()) == (False, True, True)
    assert built.to(dtype=torch.float64).state_dict()["weight"].dtype is torch.float64
    assert not torch.equal(before.double(), built.parameters()["weight"])


def test_module_that_is_handed_over_arrives_as_it_is_and_its_gradients_have_its_place() -> None:
    student = LocalStudent({"call": lambda x, layer: layer(x)})
    layer = student.torch_nn("Linear", 2, 1, bias=False)
    seen = student.call.observe(torch.ones(2), layer, cotangent=torch.ones(1))
    assert list(seen.parameter_gradients) == ["1.weight"]


def test_failures_are_those_that_the_kit_has() -> None:
    def fails(x: Any) -> Any:
        raise KeyError("no") if x else NotImplementedError

    student = LocalStudent({"fails": fails, "numbers": lambda: {1, 2}})
    raised = student.fails.error(1)
    assert raised is not None and (raised.type_name, raised.bases[0]) == ("KeyError", "LookupError")
    outcomes = student.fails.on_each([Given((1,), {}), Given((0,), {})])
    assert [isinstance(each, StudentFailure) and each.status for each in outcomes] == ["error", "missing"]
    with pytest.raises(StudentFailure, match="not defined"):
        student.absent(1)
    assert student.numbers() == Foreign("set")


# -- scores ------------------------------------------------------------------------------------------------------------


def test_honest_scores_count(answers: Answers) -> None:
    """Full points for right answers, none for stubs, less than all for a mistake."""
    group = group_of(answers)
    look_at("a side", answers, group, right_scores(answers, group))


@pytest.mark.parametrize("points", [0.0, 1.0, None], ids=["nothing", "everything", "no score"])
def test_side_with_wrong_or_missing_scores_is_refused(answers: Answers, points: float | None) -> None:
    """A side that gives all the same, or leaves somebody out, does not count."""
    group = group_of(answers)
    scores = {} if points is None else {
        member.name: {exercise: most * points for exercise, most in answers.points.items()} for member in group
    }  # fmt: skip
    with pytest.raises(BenchmarkError, match="a side does not count"):
        look_at("a side", answers, group, scores)


def test_side_that_leaves_an_exercise_out_is_refused(answers: Answers) -> None:
    """The exercise is named."""
    group = group_of(answers)
    scores = right_scores(answers, group)
    del scores[group[0].name][answers.slip.wrong]
    with pytest.raises(BenchmarkError, match=answers.slip.wrong):
        look_at("a side", answers, group, scores)


def test_sides_must_agree_but_for_rounding(answers: Answers) -> None:
    """Points for one text that differ by more than a tenth name both sides."""
    agreed, group = Agreed(), members([answers.right])
    agreed.compare("one", ASSIGNMENT, group, {group[0].name: {"x": 2.56}})
    agreed.compare("other", ASSIGNMENT, group, {group[0].name: {"x": 2.5}})
    with pytest.raises(BenchmarkError, match=r"other does not count: it gave .* 2\.4 points for x, one 2\.56"):
        agreed.compare("other", ASSIGNMENT, group, {group[0].name: {"x": 2.4}})


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


# -- the page ----------------------------------------------------------------------------------------------------------

MACHINE = Machine("A processor", 2, 8.0, "Linux 6", "3.11.7", "torch 2.13.0", "2026-11-21")
SECOND = "02_trainable_attention"


def measured() -> dict[str, Section]:
    """Return figures that never were measured: the second assignment costs three times the first, rounds vary."""
    kit, others = [], []
    for name, much in ((ASSIGNMENT, 1.0), (SECOND, 3.0)):
        for number, slow in enumerate((1.0, 2.0, 1.5)):
            put = partial(Figure, name, round=number)
            ours = put("kit", "right", wall=0.03 * much * slow, cpu=0.05 * much * slow)
            kit += [
                ours,
                put("kit", "wrong", wall=0.06 * slow, cpu=0.1 * slow),
                put("kit", FIRST_REPORT, wall=2.0 + much, cpu=9.0),
                put("one job", "right", wall=0.06 * much * slow, cpu=0.05 * much),
                put("floor", "right", wall=0.04 * slow, cpu=0.04 * slow),
            ]
            if number < 2:
                others += [ours, put("pytest", "right", wall=0.6 * slow, cpu=0.5 * slow)]
    left_out = {"otter": "otter-grader 7.0.0 could not be installed here (found: none)."}
    versions = {"pytest": {"pytest-json-report": "1.5.0"}}
    return {
        "kit": Section(MACHINE, 0.0, kit),
        "others": Section(MACHINE, 0.02, others, left_out, versions),
        "memory": Section(MACHINE, 0.0, memory=Memory(2000, 70.0, 100.0, 101.0, 200.0, 201.0, 900.0)),
    }


def asked(what: str) -> list[tuple[str, str]]:
    """Return what was found of a target, and the verdict."""
    return [(each.found, each.verdict) for each in asked_of(measured()) if what in each.what]


def test_mean_is_of_the_assignments_and_its_range_of_the_rounds() -> None:
    """(50 + 150) / 2 in the first round, twice that in the second."""
    assert asked("of a right submission, mean") == [("150 ms (100 to 200)", "met")]


def test_what_is_asked_in_each_assignment_is_shown_for_the_worst() -> None:
    assert asked("against the floor") == [(f"3.75 (3.75 to 3.75) in {SECOND}", "missed")]
    assert asked("a wrong submission against") == [(f"2.00 (2.00 to 2.00) in {ASSIGNMENT}", "missed")]
    assert asked("first report") == [(f"5.00 s (5.00 to 5.00) in {SECOND}", "missed")]


def test_ratio_over_all_is_of_the_times_together() -> None:
    """1.2 s against 0.12 s, and not the mean of 20 and 6.67."""
    assert asked("against one pytest process") == [(f"6.67 (6.67 to 6.67) in {SECOND}", "missed")]
    assert asked("the same over all")[0] == ("10.0 (10.0 to 10.0)", "missed")


def test_what_was_not_measured_is_not_judged() -> None:
    assert asked("`nbgrader autograde`") == asked("`grader check`") == [("-", "not measured")]
    assert {each.verdict for each in asked_of({})} == {"not measured"}


def test_page_has_a_row_for_each_assignment() -> None:
    """Times, ratios, versions, memory and what is left out stand on the page."""
    text = render(measured())
    assert f"| `{ASSIGNMENT}` | 75.0 | 45.0 | 150 | 90.0 | 2.00 | 2.00 | 60.0 | 1.25 |" in text
    assert f"| `{SECOND}` | 225 | 135 | 150 | 90.0 | 0.67 | 2.00 | 60.0 | 3.75 |" in text
    assert f"| `{ASSIGNMENT}` | 45.0 | 900 | 20.0 | 10.0 | - | - | - |" in text
    assert "(pytest-json-report 1.5.0): `pytest` is started anew" in text
    assert "Left out, since it could not be run: otter. otter-grader 7.0.0 could not be installed" in text
    assert "| memory over 2000 submissions in one run | growth of at most 5% | +0.7% | met |" in text


def test_page_warns_of_a_busy_machine() -> None:
    """A section that was measured beside other work is named."""
    busy = measured() | {"others": replace(measured()["others"], others=0.5)}
    assert "Other work took 50 % of the processors while section others was measured" in render(busy)
    assert "Other work" not in render(measured())


def test_page_says_where_each_section_was_measured_if_not_in_one_place() -> None:
    moved = replace(measured()["memory"], machine=replace(MACHINE, date="2026-12-01"))
    assert "Sections memory:\nMeasured on 2026-12-01" in render(measured() | {"memory": moved})
    assert "Sections" not in render(measured())


def test_page_without_figures_says_so() -> None:
    assert "Nothing has been measured" in render({})


def test_growth_is_of_parent_and_jail_together() -> None:
    """302 MiB after 300."""
    watched = measured()["memory"].memory
    assert watched is not None
    assert growth(watched) == pytest.approx(2 / 300)


def test_figures_survive_their_file(tmp_path: Path) -> None:
    """What is written is read again, and the page is made of what was read."""
    figures, written = page.places(tmp_path)
    page.write(measured(), figures, written)
    assert page.read(figures) == measured()
    assert written.read_text(encoding="utf-8") == render(measured())


def test_committed_page_is_made_of_the_committed_figures() -> None:
    """No number of docs/performance.md was typed by hand."""
    figures, written = page.places(page.HOME)
    assert written.read_text(encoding="utf-8") == render(page.read(figures))


def test_every_target_is_about_a_section_that_is_measured() -> None:
    assert {target.column.section for target in TARGETS} <= set(SECTIONS)


def test_every_competitor_is_pinned() -> None:
    """Each package that a side needs has a version in requirements.txt, and none stands there for nobody."""
    needed = {name for lanes in LANES.values() for lane in lanes for name in lane.make().packages}
    assert needed == set(pinned())
