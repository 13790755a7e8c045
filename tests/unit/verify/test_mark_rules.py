"""Exercises whose mistakes are marked have a mistake of each kind."""

from decimal import Decimal
from types import SimpleNamespace

import pytest

from grader.verify.proof_rules import SOLUTION, STUB, ends_right, kinds_are_there
from grader.verify.trial import Trial

from ...support.courses import small_course


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    (assignment,) = small_course(tmp_path_factory.mktemp("marks")).assignments.values()
    return assignment


def test_a_stub_that_earns_a_part_of_the_points_is_named(tiny):
    whole = {"id": "shares", "score": 2, "max_score": 2, "status": "passed", "checks": []}
    part = {"id": "shares", "score": Decimal("0.2"), "max_score": 2, "status": "partial", "checks": []}
    trial = Trial({SOLUTION: {"exercises": [whole]}, STUB: {"exercises": [part]}})
    assert [(finding.exercise, "0.2" in finding.found) for finding in ends_right(tiny, trial)] == [("shares", True)]


def test_a_kind_of_mistake_that_no_mistake_has_is_named(tiny):
    marks = [SimpleNamespace(exercise=name, marks=kind) for name, kind in [("shares", "slip"), ("Shift", "point")]]
    lacking = [finding.rule for finding in kinds_are_there(tiny, ["shares"], marks)]
    assert [rule.partition('="')[2].partition('"')[0] for rule in lacking] == ["point", "trivial", "library"]
