"""A check for forbidden calls weighs nothing: it limits the points of its exercise, whatever else is wrong."""

from decimal import Decimal

import pytest

from grader.errors import CourseError
from grader.results.scoring import score_of
from grader.results.verdict import CheckVerdict, ManifestCheck
from grader.suite import exercise


def judged(shape, value, policy):
    checks = (("shape", 40, shape), ("value", 60, value), ("policy", 0, policy))
    return [
        (
            ManifestCheck(id=f"f.{name}", exercise="f", category=name, visibility="hidden", weight=weight, sentence="a",
                          sentence_ko="b"),
            CheckVerdict(id=f"f.{name}", status=status),
        )
        for name, weight, status in checks
    ]  # fmt: skip


def test_a_forbidden_call_leaves_three_tenths_at_most(subtests):
    for statuses, points in [
        (("passed", "passed", "passed"), "10"),
        (("passed", "passed", "forbidden"), "3"),
        (("passed", "passed", "failed"), "3"),
        (("passed", "passed", "crash"), "3"),
        (("passed", "failed", "skipped"), "4"),
        (("passed", "failed", "forbidden"), "3"),
        (("failed", "failed", "forbidden"), "0"),
    ]:
        with subtests.test(statuses=statuses, points=points):
            assert score_of(Decimal(10), judged(*statuses)) == Decimal(points)


def test_an_author_cannot_give_it_a_weight():
    with pytest.raises(CourseError, match="is a policy check and has the weight 3"):

        @exercise("first").check("policy", weight=3, ko="셋")
        def test_by_hand(student):
            """It is written by hand."""
