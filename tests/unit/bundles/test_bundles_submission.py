"""What a platform hands over is laid out as a class, and says for itself what is wrong with it."""

import os

import pytest

from grader.bundles.submission import lay_out
from grader.limits import DEFAULT_LIMITS
from grader.submissions.finding.find import find_submissions
from grader.submissions.reading.read import StubTexts, read_submission

from ...support.courses import ASSIGNMENT, SOURCE, small_course
from ...support.submission_folders import put

if not hasattr(os, "mkfifo"):
    pytest.skip("bundles run on Linux", allow_module_level=True)


@pytest.fixture
def read(tmp_path):
    """Return a function that lays out what was handed in and reads it as a run does."""
    course = small_course(tmp_path / "course")
    assignment = course.assignments[ASSIGNMENT]

    def of(handed_in, stub=""):
        lay_out(handed_in, tmp_path / "class" / "submission" / ASSIGNMENT, assignment, DEFAULT_LIMITS)
        found = find_submissions([tmp_path / "class"], assignments={ASSIGNMENT: "tiny"})
        (submission,) = found.submissions
        return read_submission(submission, StubTexts(py=stub, ipynb=""), DEFAULT_LIMITS)

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


@pytest.mark.parametrize("kind", ["link", "folder", "pipe"])
def test_no_link_is_followed_and_no_pipe_waited_for(read, handed_in, tmp_path, kind):
    put(tmp_path, "elsewhere/tiny.py", text=SOURCE)
    if kind == "link":
        (handed_in / "tiny.py").symlink_to(tmp_path / "elsewhere" / "tiny.py")
    elif kind == "folder":
        (handed_in / ASSIGNMENT).symlink_to(tmp_path / "elsewhere")
    else:
        os.mkfifo(handed_in / "tiny.py")
    said = {"link": "symbolic link", "folder": "", "pipe": "named pipe"}
    problem = read(handed_in).problem
    assert problem is not None and said[kind] in problem


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


STUB = "def shares(x):\n    raise NotImplementedError\n"
ANSWER = "def shares(x):\n    return x / x.sum()\n"
BESIDE = ["hw.zip", "과제.rar", "tiny.py.txt", "final/tiny.py", "a/b/c/tiny_final.py"]


@pytest.mark.parametrize("folder", ["", f"{ASSIGNMENT}/", f"assignments/{ASSIGNMENT}/"])
@pytest.mark.parametrize("at_root", [True, False])
@pytest.mark.parametrize("name", BESIDE)
def test_what_may_be_the_work_beside_a_stub_is_named_and_not_0(read, handed_in, folder, at_root, name):
    put(handed_in, f"{folder}tiny.py", text=STUB)
    place = name if at_root else f"{folder}{name}"
    put(handed_in, place, "README.md", ".github/workflows/x.yml", "02_other/other.py", text="(")
    if not folder:
        (handed_in / "02_other" / "other.py").unlink()
    problem = read(handed_in, STUB).problem
    assert problem is not None and name.partition("/")[0] in problem


@pytest.mark.parametrize("folder", ["", f"{ASSIGNMENT}/", f"assignments/{ASSIGNMENT}/"])
def test_what_is_of_other_assignments_or_of_tools_is_no_work(read, handed_in, folder):
    put(handed_in, f"{folder}tiny.py", text=STUB)
    put(handed_in, "README.md", ".github/workflows/x.yml", "docs/a.png", "tests/test_tiny.py", ".git/hooks/tiny.py")
    if folder:
        put(handed_in, "02_other/other.py", "assignments/02_other/other.ipynb", "src/own.py")
    assert read(handed_in, STUB).problem is None


@pytest.mark.parametrize("inside", ["tiny.py", "README.md"])
def test_a_stub_or_nothing_in_the_assignments_folder_loses_to_the_answer_beside_it(read, handed_in, inside):
    put(handed_in, f"{ASSIGNMENT}/{inside}", text=STUB)
    put(handed_in, "tiny.py", text=ANSWER)
    assert read(handed_in, STUB).cells[0].source == ANSWER


def test_a_very_large_folder_beside_the_file_is_laid_down_in_part(read, handed_in, tmp_path):
    put(handed_in, "tiny.py", text=ANSWER)
    put(handed_in, *(f"many/{number % 7}/{number}.py" for number in range(1500)), text="")
    (handed_in / "many" / "loop").symlink_to(handed_in)
    source = read(handed_in, STUB)
    assert source.notes == ("Not graded, though handed in beside it: 'many'.",)
    assert len(list((tmp_path / "class").rglob("*"))) < 1100
