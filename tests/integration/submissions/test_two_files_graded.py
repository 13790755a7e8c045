"""Where a `.py` and a notebook both hold answers, the report says what counted in the language of the run."""

import json

import pytest

from ...support.classes.downloads import notebook
from ...support.command_line import run_here
from ...support.courses import hand_in, write_course

pytestmark = pytest.mark.usefixtures("kept_jails")
SHARES = "import torch\n\ndef shares(x):\n    return x / x.sum()\n"
SHIFT = (
    "import torch\nfrom torch import nn\n\nclass Shift(nn.Module):\n    def __init__(self, d):\n"
    "        super().__init__()\n        self.beta = nn.Parameter(torch.zeros(d))\n\n"
    "    def forward(self, x):\n        return x + self.beta\n"
)


def test_an_answer_in_either_file_counts_and_the_note_is_in_the_language_of_the_run(tmp_path):
    root = write_course(tmp_path / "course")
    hand_in(tmp_path / "class", "ann", SHARES)
    hand_in(tmp_path / "class", "ann", notebook(SHIFT).decode(), suffix=".ipynb")
    done = run_here("--course", root, "--language", "ko", "grade", tmp_path / "class", "--output", tmp_path / "out")
    assert done.returncode == 0, done.stdout + done.stderr
    report = json.loads((tmp_path / "out/ann/01_tiny.json").read_text(encoding="utf-8"))
    assert report["score"] == report["max_score"]
    assert any("모두 답이 있습니다" in note for note in report["notes"])
