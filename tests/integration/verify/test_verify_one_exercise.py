"""`grader verify` tells what it does as it goes, and can look at one exercise alone."""

import shutil

import pytest

from grader.course.variants.read_variants import build_submission, load_variants
from grader.verify.trial import grade_texts

from ...support.courses import small_course, write_course
from ...unit.verify.test_verify_command import PROVEN, PROVEN_SOURCE, grader

pytestmark = pytest.mark.usefixtures("kept_jails")


@pytest.fixture(scope="module")
def verified(tmp_path_factory):
    """Return a built course and what `grader verify` said of it."""
    root = write_course(tmp_path_factory.mktemp("verified") / "course", PROVEN)
    assert grader(root, "build").returncode == 0
    return root, grader(root, "verify")


def test_the_standard_output_holds_the_results_alone(verified):
    first, last = verified[1].stdout.splitlines()
    assert first.startswith("01_tiny: 2 exercises, ") and first.endswith(" s.")
    assert last == "Every rule is met by 1 of 1 assignment."


def test_one_exercise_is_looked_at_alone(verified, tmp_path):
    root = shutil.copytree(verified[0], tmp_path / "course")
    source = root / "solutions/01_tiny/tiny.py"
    source.write_text(PROVEN_SOURCE.replace("Hints:", "Notes:", 1), encoding="utf-8")  # a fault of the other exercise
    assert grader(root, "build").returncode == 0
    done = grader(root, "verify", "--exercise", "Shift")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1].endswith("Only the exercise Shift of 01_tiny was looked at.")
    assert "grading 2 variants," in done.stderr and "5 mutants;" in done.stderr


def test_only_the_checks_of_the_one_exercise_are_run(tmp_path):
    course = small_course(tmp_path)
    (assignment,) = course.assignments.values()
    wrong = build_submission(assignment, *load_variants(assignment).mistakes)
    trial = grade_texts(course, assignment, {"ann": wrong}, 1, exercise="Shift")
    assert trial.lost("ann") == {"Shift": ["adds_the_parameter"]}
