"""`grader status`: how far each exercise is, as checks saw it last."""

import shutil

import pytest

from grader.student_check.visible_checks import check_path

from ..support.command_line import run_here
from ..support.open_workers import shared_workers
from .answering import RIGHT, WRONG, seen, write_answer


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


def test_what_a_check_saw_is_kept_until_the_code_is_another(checked, tmp_path):
    assert status(checked) == ["01_tiny 1 of 2 done", "shares + done", "Shift - not begun"]
    folder = shutil.copytree(checked, tmp_path / "01_tiny")
    write_answer(folder, WRONG)
    assert status(folder)[1] == "shares + done changed since, not checked"


def test_an_answer_that_was_never_checked_is_begun(folder):
    write_answer(folder, RIGHT)
    assert status(folder)[1] == "shares x begun changed since, not checked"


def test_several_assignments_are_counted_together(checked, handed_out, tmp_path):
    shutil.copytree(checked, tmp_path / "assignments/01_tiny")
    second = shutil.copytree(handed_out, tmp_path / "assignments/02_tiny")
    assert status(tmp_path)[0::3] == ["01_tiny 1 of 2 done", "02_tiny 0 of 2 done", ""]
    assert status(tmp_path)[-1] == "1 of 4 done"
    assert status(second)[0] == "02_tiny 0 of 2 done"


def test_a_lost_file_costs_no_table(checked, tmp_path):
    folder = shutil.copytree(checked, tmp_path / "01_tiny")
    (folder / "tiny.py").unlink()
    (folder / "tiny.ipynb").unlink()
    assert status(folder)[1] == "shares + done changed since, not checked"


def test_a_folder_without_assignments_is_a_sentence(tmp_path):
    done = run_here("status", tmp_path)
    assert (done.returncode, "An assignment was looked for" in done.stderr) == (2, True)


def test_a_check_of_a_file_from_elsewhere_leaves_no_trace(handed_out, tmp_path):
    """A teacher looks at what a student handed in."""
    shutil.copytree(handed_out, tmp_path / "01_tiny")
    file = shutil.copy(handed_out / "tiny.py", tmp_path / "tiny.py")
    check_path(file, workers=shared_workers())
    assert sorted(path.name for path in tmp_path.rglob(".grader")) == []


def test_a_hint_that_was_asked_for_is_no_check(at_home):
    run_here("hint", "shares")
    assert status(at_home)[1] == "shares - not begun"
    write_answer(at_home, RIGHT)
    assert status(at_home)[1] == "shares x begun changed since, not checked"
