"""A check that is itself broken is named with its file, its line and what to try; the solution is not blamed."""

import pytest

from grader.errors import CourseError
from grader.suite.core.exercise_decorator import exercise
from grader.suite.runner.suite_errors import exception_sentence


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"weight": 2}, "Python says: missing a required argument: 'category'"),
        ({"category": "valeu", "ko": "값"}, "'valeu'. Did you mean `value`?"),
        ({"category": "value", "ko": "값", "weight": "2"}, "the weight '2'. Give a whole number"),
    ],
)
def test_wrong_arguments_of_check_are_told_in_words_of_their_own(given, words):
    with pytest.raises(CourseError) as caught:

        @exercise("e").check(**given)
        def test_something():
            """It is asked."""

    assert words in str(caught.value)


def test_the_words_of_an_exception_are_its_first_line():
    assert exception_sentence(ValueError("one\ntwo")) == "ValueError: one."
    assert exception_sentence(KeyError()) == "KeyError."
