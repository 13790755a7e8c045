"""No command writes into the course that it is made from: its next run would take that for its own files."""

import re

import pytest

from grader.course.output_place import refuse_place
from grader.errors import UsageError

from ...support.command_line import run_here
from ...support.courses import hand_in, write_course
from ...support.reports.lms_reports import report_of, write_class

FOLDERS = [
    "solutions",
    "tests",
    "tests/hidden/new",
    "assignments/x",
    "examples/out",
    "grader",
    ".grader/kept",
    ".git/x",
]


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A course, a class and reports beside it."""
    write_course(tmp_path / "course")
    hand_in(tmp_path / "class", "ann", "def shares(x):\n    return x\n")
    write_class(tmp_path / "reports", [report_of()])
    monkeypatch.chdir(tmp_path)
    return tmp_path


def names(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


@pytest.mark.parametrize(
    "command",
    [
        "--course course grade class --output {}",
        "--course course grade class --output elsewhere --keep-raw {}",
        "--course course release --output {}",
        "export junit reports --student ann --output {}/junit.xml",
    ],
)
@pytest.mark.parametrize("folder", ["course/solutions", "course/tests/new", "link/assignments", "into_tests/new"])
def test_every_command_refuses_to_write_into_a_folder_of_the_course(place, command, folder):
    (place / "link").symlink_to(place / "course")
    (place / "into_tests").symlink_to(place / "course/tests")
    before = names(place / "course")
    done = run_here(*command.format(folder).split())
    assert done.returncode == 2
    assert "which belongs to the course" in done.stderr or "belongs to the course." in done.stderr
    assert names(place / "course") == before


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_folder_of_a_course_is_its_own(place, monkeypatch, folder, refuses):
    with refuses(UsageError):
        refuse_place(place / "course" / folder)
    monkeypatch.chdir(place / "course/tests")
    with refuses(UsageError):
        refuse_place(place / "course/tests" / ".." / folder)


def test_the_course_itself_is_no_place_for_reports_and_its_settings_no_file_to_write(place, refuses):
    with refuses(UsageError):
        refuse_place(place / "course")
    with refuses(UsageError):
        refuse_place(place / "course/course.toml", folder=False)


@pytest.mark.parametrize("name", ["reports", "dist", "my tests", "out/tests", "Solutions2"])
def test_beside_its_own_folders_a_course_may_hold_what_is_written(place, name):
    refuse_place(place / "course" / name)
    refuse_place(place / "course", folder=False)


@pytest.mark.parametrize("text", ["", " ", "\t"])
@pytest.mark.parametrize(("order", "what"), [(["grade"], "PATH"), (["grade", ".", "--output"], "--output")])
def test_an_empty_path_is_not_the_current_folder(text, order, what):
    done = run_here(*order, text)
    assert done.returncode == 2
    assert re.match(rf"grader: {what} is empty", done.stderr)
