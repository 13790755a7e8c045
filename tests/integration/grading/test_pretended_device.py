"""`--device pretended`: what works on a GPU keeps its points, and what only works on the CPU is named with its line."""

import pytest

from ...support.classes.grading_runs import Graded
from ...support.command_line import run_here
from ...support.courses import ASSIGNMENT as TINY
from ...support.courses import hand_in, write_course
from ...support.workers.pretended_engine import RIGHT_SHIFT as SHIFT

pytestmark = pytest.mark.usefixtures("kept_jails")

HEAD = "import numpy as np\nimport torch\nfrom torch import nn\n"
RIGHT = "def shares(x):\n    return x / torch.ones(len(x), device=x.device).mul(x).sum()\n"
LINES = {"made_on_the_cpu": "    ones = torch.ones(len(x))", "numpy_of_a_gpu": "    ones = 1 + 0 * x.detach().numpy()"}


def test_what_is_made_on_the_cpu_loses_points_off_it_alone_and_is_named_with_its_line(tmp_path):
    write_course(tmp_path / "course")
    hand_in(tmp_path / "class", "right", HEAD + RIGHT + SHIFT)
    for name, line in LINES.items():
        text = f"def shares(x):\n{line}\n    return x / (torch.as_tensor(ones) * x).sum()\n"
        hand_in(tmp_path / "class", name, HEAD + text + SHIFT)
    graded = {}
    for device in ("cpu", "pretended"):
        arguments = ("--course", tmp_path / "course", "grade", tmp_path / "class", "--output", tmp_path / device)
        done = run_here(*arguments, "--device", device)
        assert done.returncode == 0, done.stderr
        graded[device] = Graded(0, done.stdout, done.stderr, tmp_path / device)
        for student in ("right", *LINES):
            report = graded[device].report(student, TINY)
            whole = device == "cpu" or student == "right"
            assert (report["score"] == report["max_score"], report["device"]) == (whole, device)
    for name, line in LINES.items():
        checks = graded["pretended"].checks(name, "shares", TINY)
        (failed,) = [check for check in checks if check["id"] == "shares.random_shares"]
        assert (failed["status"], failed["line"]["text"]) == ("error", line)
