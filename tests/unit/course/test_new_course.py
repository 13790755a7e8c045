"""`grader new` writes a course that is proven from the start, adds to it, and never overwrites a file."""

import pytest

from grader.course.scaffold.draft import joined

from ...support.command_line import printed_by, run_here
from ...support.courses import SOURCE, contents, write_course


def test_what_an_author_wrote_is_still_there_when_an_exercise_is_added(tmp_path):
    root = write_course(tmp_path)
    before = contents(root)
    printed_by("--course", root, "new", "exercise", "smooth_maximum", "--no-verify")
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
        (["assignment", "masks"], "test_masks.py is there already."),
    ],
)
def test_what_is_refused_leaves_the_course_as_it_was(tmp_path, arguments, words):
    root = write_course(tmp_path, {"tests/visible/test_masks.py": '"""Written before its assignment."""\n'})
    before = contents(root)
    done = run_here("--course", root, "new", *arguments)
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
    assert done.returncode == 2 and "README.md is a file." in done.stderr


def test_outside_of_a_course_the_way_into_one_is_said(tmp_path):
    done = run_here("--course", tmp_path, "new", "exercise", "mean_token")
    assert done.returncode == 2
    assert "is not in a course" in done.stderr and "grader new course" in done.stderr


def test_where_a_course_has_several_assignments_the_folder_or_the_option_says_which(tmp_path, monkeypatch):
    root = write_course(tmp_path)
    printed_by("--course", root, "new", "assignment", "masks", "--no-verify")
    done = run_here("--course", root, "new", "exercise", "mean_token")
    assert done.returncode == 2 and "`--assignment 02_masks`" in done.stderr
    monkeypatch.chdir(root / "solutions" / "01_tiny")
    assert "added to: solutions/01_tiny/tiny.py" in printed_by("new", "exercise", "mean_token", "--no-verify")


def test_imports_that_a_file_has_are_not_written_twice(tmp_path):
    before = '"""Checks."""\n\nimport torch\n\nX = torch.ones(1)\n'
    added = "import math\n\nimport torch\n\n\n@mark\ndef f(): ...\n"
    whole = '"""Checks."""\n\nimport torch\nimport math\n\nX = torch.ones(1)\n\n\n@mark\ndef f(): ...\n'
    assert joined(before, added, tmp_path) == whole
