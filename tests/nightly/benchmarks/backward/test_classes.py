"""The classes that are graded, the suites called directly, and the refusal of wrong scores."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

from benchmarks.classes import Agreed, Answers, answers_of, look_at, members, write_class
from benchmarks.errors import BenchmarkError
from benchmarks.inprocess.direct import DirectSuite
from benchmarks.inprocess.student import LocalFunction, LocalStudent
from grader.workers.calls.student import Foreign, Given, ModuleHandle
from grader.workers.process.failures import StudentFailure

from ..class_scores import ASSIGNMENT, EVERY, group_of, right_scores

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
    assert built.facts()["weight"].shape == (1, 2)
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
