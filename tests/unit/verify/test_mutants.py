"""Of the mutants of a solution those are graded that the examples do not show."""

from pathlib import Path

import pytest

from grader.course.layout import find_course
from grader.verify import mutants
from grader.verify.mutants import Mutant

from ...support.courses import small_course

HERE = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def simple_attention():
    return find_course(HERE).assignment("01_simple_attention")


def test_a_mutant_that_is_wrong_on_an_example_is_not_graded(simple_attention):
    made = mutants.mutants_of_exercises(simple_attention, ["softmax_stable"])
    left = mutants.right_on_examples(simple_attention, made)
    assert 0 < len(left) < len(made) / 2
    assert all("max" in mutant.line for mutant in left)


@pytest.mark.parametrize(
    ("assignment", "exercise"), [("02_trainable_attention", "SelfAttention_v1"), ("03_causal_attention", "causal_mask")]
)
def test_a_mutant_that_answers_as_the_solution_does_is_graded(assignment, exercise):
    chosen = find_course(HERE).assignment(assignment)
    text = chosen.source.read_text(encoding="utf-8")
    same = Mutant("same", exercise, "", "", mutants.cut(text, mutants.span_of(chosen, exercise, text)))
    assert mutants.right_on_examples(chosen, [same]) == [same]


def test_a_mutant_that_goes_on_for_ever_is_wrong(simple_attention, monkeypatch):
    monkeypatch.setattr(mutants, "LATE_S", 1)
    endless = Mutant("endless", "softmax_naive", "", "", "def softmax_naive(x):\n    while True:\n        pass\n")
    assert mutants.right_on_examples(simple_attention, [endless]) == []


def test_where_there_are_no_examples_every_mutant_is_graded(tmp_path):
    (assignment,) = small_course(tmp_path).assignments.values()
    made = mutants.mutants_of_exercises(assignment, ["shares", "Shift"])
    assert made and mutants.right_on_examples(assignment, made) == made
