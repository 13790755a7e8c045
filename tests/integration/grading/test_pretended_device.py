"""`--device pretended`: what works on a GPU keeps its points, and what only works on the CPU is named with its line."""

import pytest

from ...support.classes.grading_runs import Graded
from ...support.command_line import run_here
from ...support.courses import ASSIGNMENT as TINY
from ...support.courses import hand_in, write_course

pytestmark = pytest.mark.usefixtures("kept_jails")

HEAD = "import numpy as np\nimport torch\nfrom torch import nn\n"
SHIFT = """
class Shift(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.beta = nn.Parameter(torch.zeros(d))
    def forward(self, x):
        return x + self.beta
"""
RIGHT = {
    "followed": "def shares(x):\n    return x / torch.ones(len(x), device=x.device).mul(x).sum()\n",
    "like": "def shares(x):\n    return torch.zeros_like(x) + x / x.sum()\n",
    "number": "def shares(x):\n    return x / x.sum().item()\n",
    "loop": "def shares(x):\n    return torch.stack([entry / x.sum() for entry in x])\n",
}
WRONG = {
    "table": "def shares(x):\n    ones = torch.ones(len(x))\n    return x / (ones * x).sum()\n",
    "array": "def shares(x):\n    return x / float(x.detach().numpy().sum())\n",
    "filled": "def shares(x):\n    whole = torch.zeros(len(x))\n    whole += x.sum()\n    return x / whole\n",
}

NAMED = {
    "table": ("made_on_the_cpu", "ones = torch.ones(len(x))"),
    "array": ("numpy_of_a_gpu", "numpy()"),
    "filled": ("made_on_the_cpu", "whole = torch.zeros(len(x))"),
}


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """The class graded on both devices."""
    folder = tmp_path_factory.mktemp("pretended")
    write_course(folder / "course")
    for student, text in (RIGHT | WRONG).items():
        hand_in(folder / "class", student, HEAD + text + SHIFT)
    graded = {}
    for device in ("cpu", "pretended"):
        arguments = ("--course", folder / "course", "grade", folder / "class", "--output", folder / device)
        done = run_here(*arguments, "--device", device)
        assert done.returncode == 0, done.stderr
        graded[device] = Graded(0, done.stdout, done.stderr, folder / device)
    return graded


@pytest.mark.parametrize("student", RIGHT)
def test_what_follows_the_device_of_its_input_has_full_marks(runs, student):
    for device in ("cpu", "pretended"):
        report = runs[device].report(student, TINY)
        assert report["score"] == report["max_score"] and report["device"] == device


@pytest.mark.parametrize("student", WRONG)
def test_what_is_made_on_the_cpu_loses_points_off_it_and_is_named_with_its_line(runs, student):
    on_cpu, away = runs["cpu"].report(student, TINY), runs["pretended"].report(student, TINY)
    assert on_cpu["score"] == on_cpu["max_score"] and away["score"] < away["max_score"]
    (failed,) = [each for each in away["exercises"][0]["checks"] if each["id"] == "shares.random_shares"]
    name, line = NAMED[student]
    assert failed["status"] == "error" and failed["diagnosis"]["mistakes"] == [name]
    assert line in failed["line"]["text"]
