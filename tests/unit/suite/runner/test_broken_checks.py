"""A check that is itself broken is named with its file, its line and what to try; the solution is not blamed."""

import pytest

from grader.errors import CourseError
from grader.suite.core.exercise_decorator import exercise
from grader.suite.runner.suite_errors import exception_sentence


@pytest.mark.parametrize(
    "given",
    [{"weight": 2}, {"category": "valeu", "ko": "값"}, {"category": "value", "ko": "값", "weight": "2"}],
    ids=["no category", "unknown category", "weight as text"],
)
def test_wrong_arguments_of_check_are_told_in_words_of_their_own(given, refuses):
    with refuses(CourseError):

        @exercise("e").check(**given)
        def test_something():
            """It is asked."""


def test_the_words_of_an_exception_are_its_first_line():
    assert exception_sentence(ValueError("one\ntwo")) == "ValueError: one."
    assert exception_sentence(KeyError()) == "KeyError."
