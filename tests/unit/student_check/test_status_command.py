"""`grader status`: how far each exercise is, as checks saw it last."""

import shutil

import pytest

from grader.student_check.visible_checks import check_path

from ...support.answering import RIGHT, seen, write_answer
from ...support.command_line import run_here
from ...support.open_workers import shared_workers


@pytest.fixture(scope="module")
def checked(handed_out, tmp_path_factory):
    """A folder with a right answer to `shares` that was checked, beside the untouched stub of `Shift`."""
    folder = shutil.copytree(handed_out, tmp_path_factory.mktemp("checked") / "01_tiny")
    write_answer(folder, RIGHT)
    checked = check_path(folder, workers=shared_workers())
    assert checked.notes == []
    return folder


def status(*arguments):
    """Return the lines that the command prints, without the spaces of the table."""
    done = run_here("status", *arguments)
    assert done.returncode == 0, done.stderr
    return [" ".join(line.split()) for line in done.stdout.splitlines()]


def test_nothing_is_begun_in_a_folder_as_it_was_handed_out(folder):
    assert status(folder) == ["01_tiny 0 of 2 done", "shares - not begun", "Shift - not begun"]
    assert status(folder, "--language", "ko")[1] == "shares - 시작 전"
    assert not seen(folder).exists()


def test_an_answer_that_was_never_checked_is_begun(folder):
    write_answer(folder, RIGHT)
    assert status(folder)[1] == "shares x begun changed since, not checked"


def test_a_folder_without_assignments_is_a_sentence(tmp_path):
    done = run_here("status", tmp_path)
    assert (done.returncode, "An assignment was looked for" in done.stderr) == (2, True)


def test_a_hint_that_was_asked_for_is_no_check(at_home):
    run_here("hint", "shares")
    assert status(at_home)[1] == "shares - not begun"
    write_answer(at_home, RIGHT)
    assert status(at_home)[1] == "shares x begun changed since, not checked"
