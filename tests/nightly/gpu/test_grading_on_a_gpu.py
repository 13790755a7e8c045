"""Grading with `--device cuda`, on machines that have an NVIDIA GPU; elsewhere skipped, never passed."""

import pytest

from grader.course.handed_out.stub import without_markers

from ...support.classes.grading_runs import ASSIGNMENT, SECOND, Graded, grade, timeless
from ...support.courses import SOURCE, hand_in
from ...support.frozen_students import ANSWERS, POINTS, RIGHT, SOFTMAX, file_of
from ...support.needed import NEEDS_GPU

STUDENTS = ("ada_solution", "ben_untouched_stub", "farid_no_exponential", "quinn_own_style", "jun_endless_loop")

pytestmark = NEEDS_GPU


@pytest.fixture(scope="module")
def classroom(tmp_path_factory: pytest.TempPathFactory):
    """A class in which one student has all of both assignments right."""
    folder = tmp_path_factory.mktemp("class")
    for student in STUDENTS:
        hand_in(folder, student, file_of(ANSWERS[student]), assignment=ASSIGNMENT)
    hand_in(folder, "ada_solution", without_markers(SOURCE), assignment=SECOND)
    return folder


@pytest.fixture(scope="module")
def runs(classroom, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Graded]:
    """The same submissions on both devices, one at a time."""
    folder = tmp_path_factory.mktemp("devices")
    return {device: grade(folder / device, "--device", device, "--jobs", "1", classroom) for device in ("cpu", "cuda")}


@pytest.mark.parametrize("student", STUDENTS)
def test_a_gpu_gives_the_points_that_the_processor_gives(runs: dict[str, Graded], student: str) -> None:
    assert runs["cuda"].code == 0, runs["cuda"].stderr
    assert runs["cuda"].points(student) == runs["cpu"].points(student)


def test_right_work_has_full_marks_on_a_gpu(runs: dict[str, Graded]) -> None:
    for student in ("ada_solution", "quinn_own_style"):
        assert runs["cuda"].points(student) == POINTS
    report = runs["cuda"].report("ada_solution", SECOND)
    assert report["score"] == report["max_score"]


def test_the_report_says_which_device_and_what_its_jail_cannot_promise(runs: dict[str, Graded]) -> None:
    on_gpu, on_cpu = (runs[device].report("ada_solution") for device in ("cuda", "cpu"))
    assert (on_gpu["device"], on_cpu["device"]) == ("cuda", "cpu")
    assert on_gpu["isolation"] != on_cpu["isolation"]


def test_the_same_submission_on_the_same_gpu_has_the_same_report(classroom, runs, tmp_path) -> None:
    again = grade(
        tmp_path / "again", "--device", "cuda", "--jobs", "1", classroom / "ada_solution", "--student", "ada_solution"
    )
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
    claim = f"import os\n_right = {SOFTMAX}\ndef {SOFTMAX}(scores):\n    return _right(scores) * {expression}\n"
    hand_in(tmp_path / "class", "ann", f"{file_of(RIGHT)}\n\n{claim}", assignment=ASSIGNMENT)
    graded = grade(tmp_path / "reports", "--device", "cuda", "--jobs", "1", tmp_path / "class")
    assert SOFTMAX in graded.points("ann"), what
