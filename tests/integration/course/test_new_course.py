"""`grader new` writes a course that meets every rule, adds to it, and never overwrites a file."""

import pytest

from grader.course.layout import find_course

from ...support.command_line import printed_by, run_here
from ...support.courses import SOURCE, contents, write_course

pytestmark = pytest.mark.usefixtures("kept_jails")

FIRST = "01_first_steps"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Return a course that `grader new course` wrote into an empty folder, and what the command said."""
    root = tmp_path_factory.mktemp("made") / "attention"
    return root, printed_by("new", "course", root)


def test_a_new_course_meets_every_rule_as_it_is_written(made):
    assert f"written: solutions/{FIRST}/first_steps.py" in made[1]
    assert "Every rule is met by 1 of 1 assignment." in printed_by("--course", made[0], "verify")
    assert "is in step" in printed_by("--course", made[0], "build", "--check")


def test_a_new_course_keeps_its_secret_from_git(made):
    assert ".grader/" in (made[0] / ".gitignore").read_text(encoding="utf-8").splitlines()


def test_an_added_exercise_and_an_added_assignment_verify(tmp_path):
    root = write_course(tmp_path / "course")
    printed = printed_by("--course", root, "new", "exercise", "FeatureSlope", "--module")
    assert "added to: solutions/01_tiny/tiny.py" in printed
    printed = printed_by("--course", root, "new", "assignment", "masks")
    assert "written: solutions/02_masks/masks.py" in printed
    for exercise in ("FeatureSlope", "example_of_masks"):
        proof = printed_by("--course", root, "verify", "--exercise", exercise)
        assert "Every rule is met by what was looked at." in proof
    assert [exercise.id for exercise in find_course(root).assignments["02_masks"].exercises] == ["example_of_masks"]


def test_what_an_author_wrote_is_still_there_when_an_exercise_is_added(tmp_path):
    root = write_course(tmp_path)
    before = contents(root)
    printed_by("--course", root, "new", "exercise", "smooth_maximum")
    after = contents(root)
    for path, text in before.items():
        assert set(text.splitlines()) <= set(after[path].splitlines()), path
    assert (root / "solutions/01_tiny/tiny.py").read_text(encoding="utf-8").startswith(SOURCE)


def test_where_a_course_has_several_assignments_the_option_says_which(tmp_path):
    root = write_course(tmp_path)
    printed_by("--course", root, "new", "assignment", "masks")
    done = run_here("--course", root, "new", "exercise", "mean_token")
    assert done.returncode == 2 and "--assignment" in done.stderr and "02_masks" in done.stderr
    made = printed_by("--course", root, "new", "exercise", "mean_token", "--assignment", "01_tiny")
    assert "added to: solutions/01_tiny/tiny.py" in made
