"""The expected scores of the example class: whose they are, and the pages that show one."""

import json
from decimal import Decimal
from typing import Any

import pytest

from ...support.grading_runs import ROOT

EXAMPLES = ROOT / "examples" / "submissions"
EXPECTED: dict[str, dict[str, Any]] = json.loads((ROOT / "examples" / "expected_scores.json").read_text())


@pytest.mark.parametrize(
    ("page", "words"),
    [
        ("reports", ['"score": {},\n  "max_score": 30', '"emma_softmax_over_columns","{}"', "**{} of 30 points**"]),
        ("lms", [",emma,S1,{},", '"scoreGiven": {},', '"comment": "{} of 30', '"scoreboard":[{}]']),
        ("push", ["01_simple_attention: {} of 30 points"]),
        ("due-dates", ["({})"]),
    ],
)
def test_a_page_shows_the_score_of_the_example_class(page, words):
    """Where a page shows what one student of the class got, it is what she gets."""
    score = sum(map(Decimal, EXPECTED["emma_softmax_over_columns"]["01_simple_attention"].values()))
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    assert [each for each in words if each.format(score) not in text] == []


def test_every_example_is_expected():
    """The file of expected scores names the submissions that are there, at least fifteen students."""
    found = {(path.parent.name, path.name) for path in EXAMPLES.glob("*/*") if path.is_dir()}
    assert found == {(student, assignment) for student, work in EXPECTED.items() for assignment in work}
    assert len(EXPECTED) >= 15
