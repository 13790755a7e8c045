"""`grader new` writes a course that is proven from the start, adds to it, and never overwrites a file."""

import json

import pytest

from grader.course.layout import find_course
from grader.course.scaffold.draft import joined
from grader.course.variants.read_variants import solution_submission

from ..support.command_line import run_here
from ..support.courses import SOURCE, contents, hand_in, write_course

pytestmark = pytest.mark.usefixtures("kept_jails")

FIRST = "01_first_steps"


def fine(*arguments):
    """Run a command that must succeed and return what it printed."""
    done = run_here(*arguments)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Return a course that `grader new course` wrote into an empty folder, and what the command said."""
    root = tmp_path_factory.mktemp("made") / "attention"
    return root, fine("new", "course", root)


def test_a_new_course_is_proven_as_it_is_written(made):
    assert "Every rule is met by 1 of 1 assignment." in made[1]
    assert f"written: solutions/{FIRST}/first_steps.py" in made[1]
    assert "Every rule is met" in fine("verify", "--course", made[0])
    assert "is in step" in fine("build", "--check", "--course", made[0])


def test_the_solution_of_a_new_course_has_full_points_and_its_stub_none(made, tmp_path):
    assignment = find_course(made[0]).assignments[FIRST]
    hand_in(tmp_path / "class", "ada", solution_submission(assignment), assignment=FIRST)
    stub = (assignment.released / "first_steps.py").read_text(encoding="utf-8")
    hand_in(tmp_path / "class", "ben", stub, assignment=FIRST)
    fine("grade", tmp_path / "class", "--course", made[0], "--output", tmp_path / "out")
    reports = [json.loads((tmp_path / "out" / name / f"{FIRST}.json").read_bytes()) for name in ("ada", "ben")]
    assert [(each["score"], each["max_score"]) for each in reports] == [(10, 10), (0, 10)]


def test_a_student_can_check_the_stub_of_a_new_course(made):
    done = run_here("check", made[0] / "assignments" / FIRST / "first_steps.py")
    assert done.returncode == 1
    assert "0 / 3 visible checks passed." in done.stdout


def test_a_new_course_has_a_function_a_module_every_kind_of_mistake_and_keeps_its_secret_from_git(made):
    assert [each.kind for each in find_course(made[0]).assignments[FIRST].exercises] == ["function", "class"]
    mistakes = "".join(path.read_text(encoding="utf-8") for path in (made[0] / "solutions").rglob("*.py"))
    for mark in ('marks="slip"', 'marks="library"', 'marks="trivial"', "@right("):
        assert mark in mistakes
    assert ".grader/" in (made[0] / ".gitignore").read_text(encoding="utf-8").splitlines()


def test_an_added_exercise_and_an_added_assignment_verify(tmp_path):
    root = write_course(tmp_path / "course")
    said = fine("new", "exercise", "FeatureSlope", "--module", "--course", root)
    assert "added to: solutions/01_tiny/tiny.py" in said and "Only the exercise FeatureSlope of 01_tiny" in said
    assert "Every rule is met by what was looked at." in fine("verify", "--exercise", "FeatureSlope", "--course", root)
    said = fine("new", "assignment", "masks", "--course", root)
    assert "written: solutions/02_masks/masks.py" in said
    assert [each.id for each in find_course(root).assignments["02_masks"].exercises] == ["example_of_masks"]


def test_what_an_author_wrote_is_still_there_when_an_exercise_is_added(tmp_path):
    root = write_course(tmp_path)
    before = contents(root)
    fine("new", "exercise", "smooth_maximum", "--no-verify", "--course", root)
    after = contents(root)
    for path, text in before.items():
        assert set(text.splitlines()) <= set(after[path].splitlines()), path
    assert (root / "solutions/01_tiny/tiny.py").read_text(encoding="utf-8").startswith(SOURCE)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["exercise", "shares"], "exists already"),
        (["exercise", "mean_token", "--assignment", "tinny"], "Did you mean `01_tiny`?"),
        (["assignment", "tiny"], "exists already"),
        (["assignment", "masks"], "test_masks.py is there already, and nothing is overwritten."),
    ],
)
def test_what_is_refused_leaves_the_course_as_it_was(tmp_path, arguments, words):
    root = write_course(tmp_path, {"tests/visible/test_masks.py": '"""Written before its assignment."""\n'})
    before = contents(root)
    done = run_here("new", *arguments, "--course", root)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr and done.stderr.count("\n") == 1
    assert contents(root) == before


def test_a_new_course_overwrites_nothing_and_is_not_made_in_another(tmp_path):
    (tmp_path / "README.md").write_text("mine", encoding="utf-8")
    done = run_here("new", "course", tmp_path)
    assert done.returncode == 2 and "README.md is there already" in done.stderr
    assert contents(tmp_path) == {(tmp_path / "README.md").relative_to(tmp_path): b"mine"}
    done = run_here("new", "course", write_course(tmp_path / "course") / "inner")
    assert done.returncode == 2 and "grader new assignment NAME" in done.stderr
    done = run_here("new", "course", tmp_path / "README.md")
    assert done.returncode == 2 and "That is a file." in done.stderr


def test_outside_of_a_course_the_way_into_one_is_said(tmp_path):
    done = run_here("new", "exercise", "mean_token", "--course", tmp_path)
    assert done.returncode == 2
    assert "No course was found" in done.stderr and "grader new course" in done.stderr


def test_where_a_course_has_several_assignments_the_folder_or_the_option_says_which(tmp_path, monkeypatch):
    root = write_course(tmp_path)
    fine("new", "assignment", "masks", "--no-verify", "--course", root)
    done = run_here("new", "exercise", "mean_token", "--course", root)
    assert done.returncode == 2 and "`--assignment 02_masks`" in done.stderr
    monkeypatch.chdir(root / "solutions" / "01_tiny")
    assert "added to: solutions/01_tiny/tiny.py" in fine("new", "exercise", "mean_token", "--no-verify")


def test_imports_that_a_file_has_are_not_written_twice(tmp_path):
    before = '"""Checks."""\n\nimport torch\n\nX = torch.ones(1)\n'
    added = "import math\n\nimport torch\n\n\n@mark\ndef f(): ...\n"
    whole = '"""Checks."""\n\nimport torch\nimport math\n\nX = torch.ones(1)\n\n\n@mark\ndef f(): ...\n'
    assert joined(before, added, tmp_path) == whole
