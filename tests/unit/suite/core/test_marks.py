"""The decorator that makes a pytest function a check."""

import pytest

from grader.errors import CourseError
from grader.suite.core.course_faults import exception_sentence
from grader.suite.core.exercise_decorator import exercise, spec_of


def test_a_check_carries_what_its_author_said() -> None:
    @exercise("softmax_naive").check("value", weight=2, ko="합", needs=("test_a",))
    def test_b() -> None:
        """Rows sum
        to one.

        A second paragraph is for the author.
        """

    spec = spec_of(test_b)
    assert spec is not None
    assert (spec.exercise, spec.category, spec.weight, spec.needs) == ("softmax_naive", "value", 2, ("test_a",))
    assert spec.sentence == "Rows sum to one."
    assert spec.sentence_ko == "합"


def sums() -> None:
    """Rows sum to one."""


@pytest.mark.parametrize(("without", "gate"), [({}, ("test_uses_inputs",)), ({"uses_inputs": "It draws."}, ())])
@pytest.mark.parametrize(("needs", "needed"), [((), ()), ("test_a", ("test_a",)), (("test_a", "test_b"),) * 2])
def test_a_check_below_a_contract_needs_its_gate_first(without, gate, needs, needed) -> None:
    mix = exercise("mix")
    mix.contract(x="T", result="T", without=without)
    spec = spec_of(mix.check("value", needs=needs)(sums))
    assert spec is not None and spec.needs == (*gate, *needed)


def test_a_contract_below_a_check_is_refused() -> None:
    mix = exercise("mix")
    mix.check("value")(sums)
    with pytest.raises(CourseError, match="stands below a check"):
        mix.contract(x="T", result="T")


def test_a_check_without_a_sentence_is_refused() -> None:
    with pytest.raises(CourseError, match="has no docstring"):

        @exercise("e").check("value", ko="문장")
        def test_silent() -> None: ...


@pytest.mark.parametrize("weight", [0, -1, 1.5])
def test_a_weight_that_is_no_positive_whole_number_is_refused(weight: float) -> None:
    with pytest.raises(CourseError, match="whole number"):

        @exercise("e").check("value", weight=weight, ko="문장")  # type: ignore[arg-type]
        def test_weight() -> None:
            """It weighs."""


@pytest.mark.parametrize(
    "given",
    [{"category": "valeu", "ko": "값"}, {"category": "value", "ko": "값", "weight": "2"}],
    ids=["unknown category", "weight as text"],
)
def test_wrong_arguments_of_check_are_told_in_words_of_their_own(given, refuses):
    with refuses(CourseError):

        @exercise("e").check(**given)
        def test_something():
            """It is asked."""


def test_the_words_of_an_exception_are_its_first_line():
    assert exception_sentence(ValueError("one\ntwo")) == "ValueError: one."
    assert exception_sentence(KeyError()) == "KeyError."
