"""The expected scores of the example class name the submissions that are there."""

import json
from typing import Any

from ...support.classes.grading_runs import ROOT

EXAMPLES = ROOT / "examples" / "submissions"
EXPECTED: dict[str, dict[str, Any]] = json.loads((ROOT / "examples" / "expected_scores.json").read_text())


def test_every_example_is_expected():
    """The file of expected scores names the submissions that are there, at least fifteen students."""
    submissions = {(path.parent.name, path.name) for path in EXAMPLES.glob("*/*") if path.is_dir()}
    assert submissions == {(student, assignment) for student, work in EXPECTED.items() for assignment in work}
    assert len(EXPECTED) >= 15
