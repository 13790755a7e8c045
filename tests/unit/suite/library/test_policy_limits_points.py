"""A check for forbidden calls weighs nothing: it limits the points of its exercise, whatever else is wrong."""

from decimal import Decimal
from types import SimpleNamespace

import pytest
import torch

from grader.errors import CourseError
from grader.results.scoring import score_of
from grader.results.verdict import CheckVerdict
from grader.suite import exercise

from ....support.exercises.small_suites import HEAD, SmallRun
from ....support.reports.report_parts import expected


def judged(shape, value, policy):
    checks = (("shape", 40, shape), ("value", 60, value), ("policy", 0, policy))
    return [
        (expected(f"f.{name}", category=name, weight=weight), CheckVerdict(id=f"f.{name}", status=status))
        for name, weight, status in checks
    ]


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


def test_a_forbidden_call_in_any_check_limits_the_points_and_no_other_end_does():
    (shape, passed), (value, _), by_hand = judged("passed", "passed", "passed")
    for library, points in ((True, "3"), (False, "4")):
        ended = CheckVerdict(id=value.id, status="forbidden", is_forbidden_call=library)
        assert score_of(Decimal(10), [(shape, passed), (value, ended), by_hand]) == Decimal(points)


def test_an_author_cannot_give_it_a_weight():
    with pytest.raises(CourseError, match="is a policy check and has the weight 3"):

        @exercise("first").check("policy", weight=3, ko="셋")
        def test_by_hand(student):
            """It is written by hand."""


SUITE = f"""{HEAD}
@first.check("shape", weight=40, ko="하나")
def test_shape(student):
    '''It has the shape of its input.'''
    checks.has_shape(student.first(torch.ones(3)), (3,))

@first.check("value", weight=60, ko="둘")
def test_value(student, reference, draw):
    '''The softmax is right.'''
    checks.matches(student.first, reference.first, draw.normal(3))

@first.check("policy", needs="test_value", ko="셋")
def test_by_hand(student, reference, draw):
    '''It is written by hand.'''
    checks.matches(student.first, reference.first, draw.normal(3))
"""
BY_HAND = "import torch\ndef first(x): return x.exp() / x.exp().sum()\n"
SLIP_BY_HAND = "import torch\ndef first(x): return x.exp() / x.exp().sum() / 2\n"
LIBRARY = "import torch\ndef first(x): return x.softmax(0)\n"
SLIP_WITH_LIBRARY = "import torch\ndef first(x): return x.softmax(0) / 2\n"
NOTHING_RIGHT = "import torch\ndef first(x): return x.softmax(0).sum()\n"


def graded(folder, student):
    solution = SimpleNamespace(first=lambda x: torch.softmax(x, 0), __name__="a")
    return SmallRun(folder, student, SUITE, forbids={"first": ["softmax"]}, solution=solution)


@pytest.mark.parametrize(
    ("student", "shape", "value", "policy"),
    [
        (BY_HAND, "passed", "passed", "passed"),
        (SLIP_BY_HAND, "passed", "failed", "skipped"),
        (LIBRARY, "forbidden", "forbidden", "forbidden"),
        (SLIP_WITH_LIBRARY, "forbidden", "forbidden", "forbidden"),
        (NOTHING_RIGHT, "forbidden", "forbidden", "forbidden"),
    ],
)
def test_a_library_call_is_found_beside_a_wrong_answer_too(tmp_path, student, shape, value, policy):
    run = graded(tmp_path, student)
    assert run.statuses == {"shape": shape, "value": value, "by_hand": policy}
    if policy == "skipped":
        assert "The softmax is right." in run.verdicts["by_hand"].reason


@pytest.mark.parametrize("watched", ["torch.ones(3)", "None", "x.exp() / x.exp().sum() + 0.01"])
def test_answer_that_is_wrong_only_while_it_is_watched_does_not_pass(tmp_path, watched):
    notices = "'grader' in torch._C._dispatch_dump('aten::_softmax')"
    run = graded(tmp_path, f"import torch\ndef first(x): return {watched} if {notices} else x.softmax(0)\n")
    assert run.statuses["value"] == "failed" and run.statuses["by_hand"] == "skipped"


def test_an_answer_that_hangs_on_the_draw_passes_no_policy_check_by_luck(tmp_path):
    right_once = SLIP_BY_HAND.replace("/ 2", "/ (1 if calls.append(0) or len(calls) > 2 else 2)")
    run = graded(tmp_path, "calls = []\n" + right_once)
    assert run.statuses["value"] == "failed" and run.statuses["by_hand"] == "skipped"
