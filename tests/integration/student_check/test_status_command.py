"""`grader status`: how far each exercise is, as checks saw it last."""

import shutil

import pytest

from grader.student_check.visible_checks import check_path

from ...support.answering import RIGHT, WRONG, write_answer
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


def test_what_a_check_saw_is_kept_until_the_code_is_another(checked, tmp_path):
    assert status(checked) == ["01_tiny 1 of 2 done", "shares + done", "Shift - not begun"]
    folder = shutil.copytree(checked, tmp_path / "01_tiny")
    write_answer(folder, WRONG)
    assert status(folder)[1] == "shares + done changed since, not checked"


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


def test_a_check_of_a_file_from_elsewhere_leaves_no_trace(handed_out, tmp_path):
    """A teacher looks at what a student handed in."""
    shutil.copytree(handed_out, tmp_path / "01_tiny")
    file = shutil.copy(handed_out / "tiny.py", tmp_path / "tiny.py")
    check_path(file, workers=shared_workers())
    assert sorted(path.name for path in tmp_path.rglob(".grader")) == []
