"""An exercise that is wrong because its answer calls another exercise, which is wrong, says so."""

import json

import pytest

from ....support.command_line import printed_by
from ....support.courses import hand_in, write_course
from ....support.workers.pretended_engine import RIGHT_SHIFT

pytestmark = pytest.mark.usefixtures("kept_jails")
CALLS = RIGHT_SHIFT.replace("x + self.beta", "shares(x.flatten()).view(x.shape) * x.sum() + self.beta")


@pytest.mark.parametrize(("shares", "more", "named"), [("x / x.max() / 3", "", True), ("x / x.sum()", " + 1", False)])
def test_a_graded_report_names_the_exercise_to_look_at_first(tmp_path, shares, more, named):
    root = write_course(tmp_path / "course")
    text = f"import torch\nfrom torch import nn\ndef shares(x):\n    return {shares}\n{CALLS.rstrip()}{more}\n"
    hand_in(tmp_path / "class", "ann", text)
    printed_by("--course", root, "grade", tmp_path / "class", "--output", tmp_path / "out", "--no-pages")
    report = json.loads((tmp_path / "out/ann/01_tiny.json").read_text(encoding="utf-8"))
    hints = [check["diagnosis"]["hint"] for check in report["exercises"][1]["checks"] if check["diagnosis"]]
    assert report["exercises"][1]["score"] < report["exercises"][1]["max_score"]
    assert [("`shares`, which does not pass" in hint) for hint in hints] == [True] * named
