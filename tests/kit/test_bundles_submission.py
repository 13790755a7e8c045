"""What a platform hands over is laid out as a class, and says for itself what is wrong with it."""

import os

import pytest

from grader.bundles.submission import lay_out
from grader.limits import DEFAULT_LIMITS
from grader.submissions.find import find_submissions
from grader.submissions.read import StubTexts, read_submission

from .courses import ASSIGNMENT, SOURCE, small_course

if not hasattr(os, "mkfifo"):
    pytest.skip("bundles run on Linux", allow_module_level=True)


@pytest.fixture
def read(tmp_path):
    """Return a function that lays out what was handed in and reads it as a run does."""
    course = small_course(tmp_path / "course")
    assignment = course.assignments[ASSIGNMENT]

    def of(handed_in):
        lay_out(handed_in, tmp_path / "class" / "submission" / ASSIGNMENT, assignment, DEFAULT_LIMITS)
        found = find_submissions([tmp_path / "class"], assignments={ASSIGNMENT: "tiny"})
        (submission,) = found.submissions
        return read_submission(submission, StubTexts(py="", ipynb=""), DEFAULT_LIMITS)

    return of


@pytest.fixture
def handed_in(tmp_path):
    (tmp_path / "handed-in").mkdir()
    return tmp_path / "handed-in"


@pytest.mark.parametrize("folder", ["", ASSIGNMENT, f"assignments/{ASSIGNMENT}"])
def test_a_submission_lies_in_the_folder_or_in_that_of_the_assignment(read, handed_in, folder):
    (handed_in / folder).mkdir(parents=True, exist_ok=True)
    (handed_in / folder / "tiny.py").write_text(SOURCE)
    (handed_in / ".git").mkdir()
    source = read(handed_in)
    assert source.problem is None and source.file_name == "tiny.py"


@pytest.mark.parametrize("what", ["nothing", "missing", "only_hidden", "other_file"])
def test_an_empty_submission_is_one_with_a_reason(read, handed_in, what):
    if what == "missing":
        handed_in.rmdir()
    if what == "only_hidden":
        (handed_in / ".git").mkdir()
    if what == "other_file":
        (handed_in / "homework.docx").write_bytes(b"PK")
    assert "tiny.py" in read(handed_in).problem


def test_a_link_is_not_followed(read, handed_in, tmp_path):
    (tmp_path / "answers.py").write_text(SOURCE)
    (handed_in / "tiny.py").symlink_to(tmp_path / "answers.py")
    assert "symbolic link" in read(handed_in).problem


def test_a_folder_that_is_a_link_is_not_followed(read, handed_in, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "tiny.py").write_text(SOURCE)
    (handed_in / ASSIGNMENT).symlink_to(tmp_path / "elsewhere")
    assert read(handed_in).problem is not None


def test_a_pipe_is_not_waited_for(read, handed_in):
    os.mkfifo(handed_in / "tiny.py")
    assert "named pipe" in read(handed_in).problem


def test_a_giant_is_refused_without_being_copied(read, handed_in, tmp_path):
    with (handed_in / "tiny.py").open("wb") as file:
        file.truncate(1 << 40)
    assert "at most 1,048,576 are read" in read(handed_in).problem
    copy = tmp_path / "class" / "submission" / ASSIGNMENT / "tiny.py"
    assert copy.stat().st_blocks == 0


def test_of_very_many_files_the_submission_is_still_found(read, handed_in):
    for number in range(1500):
        (handed_in / f"a{number}.txt").touch()
    (handed_in / "tiny.py").write_text(SOURCE)
    assert read(handed_in).problem is None
