"""Grading with `--device cuda`, on machines that have an NVIDIA GPU; elsewhere skipped, never passed."""

import json
import os
import subprocess
import sys

import pytest

from grader.grading.options import ONE_THREAD
from grader.system.devices import why_no_cuda

from ..support.grading_runs import ROOT, Graded, grade, timeless

EXAMPLES = ROOT / "examples" / "submissions"
STUDENTS = ("ada_solution", "ben_untouched_stub", "dmitri_no_scaling", "quinn_own_style", "jun_endless_loop")
COMPARE = """\
import json, sys
from pathlib import Path
from grader.course.content.settings import drawn_from
from grader.course.layout import find_course
from grader.course.variants.read_variants import load_variants
from grader.verify.compare_devices import compare_devices
course = find_course(Path.cwd())
assignment = course.assignments[sys.argv[1]]
with drawn_from("the same inputs on both"):
    compared = compare_devices(course, assignment, load_variants(assignment), sys.argv[2:], jobs=2)
print(json.dumps({f"{each.exercise} {each.name}": each.differences for each in compared.answers}))
"""


def torch_finds_a_gpu() -> bool:
    """Ask in a process of its own: other tests fork graders here, and what has looked for a GPU must not fork."""
    ask = "import sys, torch; sys.exit(not torch.cuda.is_available())"
    return why_no_cuda() is None and subprocess.run([sys.executable, "-c", ask], check=False).returncode == 0


pytestmark = pytest.mark.skipif(
    not torch_finds_a_gpu(), reason="this machine has no NVIDIA GPU that the installed torch can use"
)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Graded]:
    """The same submissions on both devices, one at a time."""
    folder = tmp_path_factory.mktemp("devices")
    paths = [EXAMPLES / student for student in STUDENTS]
    return {device: grade(folder / device, "--device", device, "--jobs", "1", *paths) for device in ("cpu", "cuda")}


@pytest.mark.parametrize("student", STUDENTS)
def test_a_gpu_gives_the_points_that_the_processor_gives(runs: dict[str, Graded], student: str) -> None:
    assert runs["cuda"].code == 0, runs["cuda"].stderr
    assert runs["cuda"].points(student) == runs["cpu"].points(student)


@pytest.mark.parametrize("assignment", ["01_simple_attention", "04_multi_head_attention"])
def test_the_pretended_device_gives_the_verdict_of_a_gpu_on_every_check(assignment: str) -> None:
    """For all right variants and mistakes of an assignment of functions and of one of classes."""
    command = [sys.executable, "-c", COMPARE, assignment, "pretended", "cuda"]
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, **ONE_THREAD}, capture_output=True, check=True)
    differences = json.loads(done.stdout)
    assert differences and not any(differences.values()), differences


def test_right_work_has_full_marks_on_a_gpu(runs: dict[str, Graded]) -> None:
    for student in ("ada_solution", "quinn_own_style"):
        for assignment in ("01_simple_attention", "04_multi_head_attention"):
            report = runs["cuda"].report(student, assignment)
            assert report["score"] == report["max_score"]


def test_the_report_says_which_device_and_what_its_jail_cannot_promise(runs: dict[str, Graded]) -> None:
    on_gpu, on_cpu = (runs[device].report("ada_solution") for device in ("cuda", "cpu"))
    assert (on_gpu["device"], on_cpu["device"]) == ("cuda", "cpu")
    assert on_gpu["isolation"] != on_cpu["isolation"]


def test_the_same_submission_on_the_same_gpu_has_the_same_report(runs: dict[str, Graded], tmp_path) -> None:
    again = grade(tmp_path / "again", "--device", "cuda", "--jobs", "1", EXAMPLES / "ada_solution")
    assert timeless(again.report("ada_solution")) == timeless(runs["cuda"].report("ada_solution"))


@pytest.mark.parametrize(
    ("what", "expression"),
    [
        ("tensors arrive on the GPU", "float(scores.is_cuda)"),
        ("products of float32 are whole", "float(not torch.backends.cuda.matmul.allow_tf32)"),
        ("the host's files stay out of reach", "float(not os.path.exists('/etc/passwd'))"),
    ],
)
def test_a_worker_with_a_gpu(tmp_path, what: str, expression: str) -> None:
    """An answer that is right only where the claim holds earns what the solution earns."""
    text = (ROOT / "solutions" / "01_simple_attention" / "simple_attention.py").read_text(encoding="utf-8")
    claim = (
        f"\nimport os\n_right = softmax_naive\ndef softmax_naive(scores):\n    return _right(scores) * {expression}\n"
    )
    folder = tmp_path / "class" / "ann" / "01_simple_attention"
    folder.mkdir(parents=True)
    (folder / "simple_attention.py").write_text(text + claim, encoding="utf-8")
    graded = grade(tmp_path / "reports", "--device", "cuda", "--jobs", "1", tmp_path / "class")
    assert "softmax_naive" in graded.points("ann"), what
