"""`grader build` writes what students get, once, and its check says what is out of step without writing."""

import os

import pytest
from click.testing import CliRunner

from grader.cli import main
from grader.errors import CourseError, OutputError
from grader.release.build import build

from ...support.courses import FILES, VISIBLE, contents, small_course

MADE = ["README.ko.md", "README.md", "examples.json", "test_tiny.py", "tiny.ipynb", "tiny.py"]


def run(root, *arguments):
    """Run `grader build` and return what it prints; its error, if there is one, is raised."""
    result = CliRunner().invoke(main, ["--course", str(root), "build", *arguments], catch_exceptions=False)
    return result.output


def test_first_build_makes_the_six_files_of_an_assignment_and_the_second_touches_none(tmp_path):
    course = small_course(tmp_path)
    assert sorted(path.name for path in build(course).changed) == MADE
    assert sorted(path.name for path in (tmp_path / "assignments" / "01_tiny").iterdir()) == MADE
    assert (tmp_path / "assignments/01_tiny/test_tiny.py").read_text(encoding="utf-8") == VISIBLE
    times = {path: path.stat().st_mtime_ns for path in (tmp_path / "assignments").rglob("*")}
    built = build(course)
    assert (built.changed, len(built.files)) == ([], 6)
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "assignments").rglob("*")} == times


def test_check_writes_nothing_and_a_build_under_assignments_alone(tmp_path):
    course = small_course(tmp_path)
    before = contents(tmp_path)
    assert len(build(course, check=True).changed) == 6
    assert contents(tmp_path) == before
    build(course)
    after = contents(tmp_path)
    assert {path: after[path] for path in before} == before
    assert {path.parts[0] for path in after if path not in before} == {"assignments"}


@pytest.mark.parametrize("name", ["examples.json", "tiny.py"])
def test_changed_file_is_out_of_step_until_it_is_built_again(tmp_path, name):
    course = small_course(tmp_path)
    build(course)
    path = tmp_path / "assignments" / "01_tiny" / name
    right = path.read_bytes()
    path.write_bytes(right + b"\n")
    assert build(course, check=True).changed == [path]
    assert build(course).changed == [path]
    assert path.read_bytes() == right


def test_folder_in_place_of_a_file_gets_a_sentence_and_leaves_no_draft(tmp_path, refuses):
    course = small_course(tmp_path)
    (tmp_path / "assignments/01_tiny/tiny.py/inside").mkdir(parents=True)
    with refuses(OutputError):
        build(course)
    assert [path.name for path in (tmp_path / "assignments/01_tiny").iterdir()] == ["tiny.py"]


def test_broken_source_stops_the_build_before_anything_is_written(tmp_path, refuses):
    text = FILES["solutions/01_tiny/tiny.py"].replace("    ### END SOLUTION\n\n\n# %%", "\n\n# %%", 1)
    course = small_course(tmp_path, {"solutions/01_tiny/tiny.py": text})
    with refuses(CourseError):
        build(course)
    assert not (tmp_path / "assignments").exists()


def test_command_says_what_it_wrote_and_then_that_all_is_in_step(tmp_path):
    small_course(tmp_path)
    assert run(tmp_path).split("\n")[0] == "written: assignments/01_tiny/tiny.py"
    assert run(tmp_path) == "assignments/ is in step: 6 files of 1 assignment.\n"
    assert run(tmp_path, "--check") == "assignments/ is in step: 6 files of 1 assignment.\n"


def test_files_that_students_get_can_be_read_by_everybody(tmp_path):
    old = os.umask(0o077)
    try:
        build(small_course(tmp_path))
    finally:
        os.umask(old)
    assert (tmp_path / "assignments/01_tiny/tiny.py").stat().st_mode & 0o777 == 0o644
