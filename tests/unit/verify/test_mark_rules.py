"""Exercises whose mistakes are marked have a mistake of each kind."""

from decimal import Decimal
from types import SimpleNamespace

import pytest

from grader.verify.proof_rules import SOLUTION, STUB, ends_right, kinds_are_there
from grader.verify.text_rules import hints_are_there
from grader.verify.trial import Trial

from ...support.courses import HIDDEN_SHARES, HINT_LEVELS, small_course


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


@pytest.mark.parametrize(
    ("nearly", "wrong"),
    [
        ("This is nearly.", ["Shift"]),
        ("The figures are 0.25, 1, 2, 7.", ["shares", "Shift"]),
        ("The figures are 0.25, 1, 2, 8.", ["Shift"]),
    ],
)
def test_hints_are_asked_for_without_the_numbers_of_a_hidden_check(tmp_path, nearly, wrong):
    figures = HIDDEN_SHARES + "\nFIGURES = [0.25, 1, 2, 7]\n"
    files = {
        "tests/hidden/01_tiny/test_shares.py": figures,
        "solutions/01_tiny/hints.toml": HINT_LEVELS.replace("This is nearly.", nearly),
    }
    (assignment,) = small_course(tmp_path, files).assignments.values()
    assert [finding.exercise for finding in hints_are_there(assignment, ["shares", "Shift"])] == wrong
