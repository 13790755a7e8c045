"""`grader new` never overwrites a file, and refuses a name that is none, is taken or is easily taken for another."""

import pytest

from grader.course.scaffold.names import check_exercise_name, new_assignment_id, one_slip_apart
from grader.errors import UsageError

from ...support.command_line import run_here
from ...support.courses import contents, small_course, write_course


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


def test_an_exercise_is_refused_a_bad_name_with_what_to_try(subtests, tmp_path, refuses):
    course = small_course(tmp_path)
    taken, taken_for_another = ("shares",), ("share", "SHARES", "sahres")
    for name in (*taken, *taken_for_another, "class", "mean-token", "../up", "_hidden", "평균", "", "student"):
        with subtests.test(name=name), refuses(UsageError):
            check_exercise_name(course, name)


def test_an_assignment_is_refused_a_bad_name_with_what_to_try(subtests, tmp_path, refuses):
    course = small_course(tmp_path)
    for name in ("tiny", "tinny", "02_masks", "Masks", "lambda", "torch", "random"):
        with subtests.test(name=name), refuses(UsageError):
            new_assignment_id(course, name)


def test_a_new_assignment_has_the_number_after_the_last(tmp_path):
    assert new_assignment_id(small_course(tmp_path), "masks") == "02_masks"


@pytest.mark.parametrize(("first", "second"), [("shares", "mean_token"), ("layer_v1", "layer_v2"), ("mask1", "mask")])
def test_names_that_differ_by_a_number_or_by_more_than_a_slip_are_both_allowed(first, second):
    assert not one_slip_apart(first, second)
    assert not one_slip_apart(second, first)
