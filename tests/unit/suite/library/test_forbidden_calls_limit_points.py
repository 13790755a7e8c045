"""A forbidden call limits the points of its exercise, whatever else is wrong, and in whichever check it is made."""

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


def test_a_forbidden_call_leaves_three_tenths_at_most_and_no_other_loss_does():
    checks = [expected("f.shape", weight=40), expected("f.value", weight=60), expected("f.by_hand", weight=0)]
    for statuses, at, points in [
        (("passed", "passed", "passed"), None, "10"),
        (("passed", "passed", "forbidden"), 2, "3"),
        (("passed", "passed", "crash"), None, "10"),
        (("passed", "forbidden", "passed"), None, "4"),
        (("passed", "forbidden", "passed"), 1, "3"),
        (("failed", "failed", "forbidden"), 2, "0"),
    ]:
        verdicts = [
            CheckVerdict(id=check.id, status=status, is_forbidden_call=place == at)
            for place, (check, status) in enumerate(zip(checks, statuses, strict=True))
        ]
        assert score_of(Decimal(10), [*zip(checks, verdicts, strict=True)]) == Decimal(points), statuses


def test_an_author_writes_no_check_that_looks_for_nothing_else():
    with pytest.raises(CourseError, match="unknown category 'policy'"):

        @exercise("first").check("policy", ko="셋")
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
"""


@pytest.mark.parametrize(
    ("answer", "shape", "value"),
    [
        ("x.exp() / x.exp().sum()", "passed", "passed"),
        ("x.exp() / x.exp().sum() / 2", "passed", "failed"),
        ("x.softmax(0)", "forbidden", "forbidden"),
        ("x.softmax(0) / 2", "forbidden", "forbidden"),
        (
            "torch.ones(3) if 'grader' in torch._C._dispatch_dump('aten::_softmax') else x.softmax(0)",
            "passed",
            "failed",
        ),
    ],
)
def test_every_check_sees_a_library_call_beside_a_wrong_answer_too(tmp_path, answer, shape, value):
    solution = SimpleNamespace(first=lambda x: torch.softmax(x, 0), __name__="a")
    student = f"import torch\ndef first(x): return {answer}\n"
    run = SmallRun(tmp_path, student, SUITE, forbids={"first": ["softmax"]}, solution=solution)
    assert run.statuses == {"shape": shape, "value": value}
    assert [verdict.is_forbidden_call for verdict in run.verdicts.values()] == [
        shape == "forbidden",
        value == "forbidden",
    ]
