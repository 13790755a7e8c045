"""What a class of the first assignment hands in."""

import pytest

from benchmarks.classes import Answers, answers_of

from .class_scores import ASSIGNMENT


@pytest.fixture(scope="module")
def answers() -> Answers:
    """What a class of the first assignment hands in."""
    return answers_of(ASSIGNMENT, 20)
