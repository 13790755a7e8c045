"""`grader check`: a student's own run, from the folder that students get."""

import os
import shutil
import subprocess
import sys

import pytest

from grader.cli import status

from ...support.courses import ASSIGNMENT, student_folder

pytestmark = pytest.mark.usefixtures("warm_workers")


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    """The folder that students get of an assignment."""
    return student_folder(tmp_path_factory.mktemp("course"))


@pytest.fixture
def folder(released, tmp_path):
    """A copy of it, alone, as a student has it."""
    return shutil.copytree(released, tmp_path / ASSIGNMENT)


def write(folder, exercise, body):
    """Replace the unwritten body of an exercise in the student's file."""
    file = folder / "tiny.py"
    text = file.read_text(encoding="utf-8")
    start = text.index("raise NotImplementedError", text.index(f"def {exercise}("))
    end = text.index("\n", start)
    file.write_text(text[:start] + body + text[end:], encoding="utf-8")
    return file


def test_check_inside_a_script_checks_the_script(folder):
    file = write(folder, "shares", "return x / x.sum()")
    text = file.read_text(encoding="utf-8")
    file.write_text("".join(line for line in text.splitlines(keepends=True)
                            if not line.startswith("check(") or "shares" in line), encoding="utf-8")  # fmt: skip
    done = subprocess.run(
        [sys.executable, str(file)], capture_output=True, text=True, env={**os.environ, "NO_COLOR": "1"}, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "2 / 2 visible checks passed" in done.stdout
    assert "<div" not in done.stdout


def test_check_needs_no_course_and_no_jail(folder):
    code = "import sys, torch; sys.platform = 'darwin'; from grader.cli import status; sys.exit(status(sys.argv[1:]))"
    file = write(folder, "shares", "return x / x.sum()")
    command = [sys.executable, "-c", code, "check", str(file), "--exercise", "shares"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder.parent, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_loop_without_end_is_stopped_and_told_in_the_asked_language(folder, capsys):
    file = write(folder, "shares", "while True: pass")
    assert status(["--language", "ko", "check", str(file), "--exercise", "shares"]) == 1
    assert "5초 안에 끝나지 않았습니다" in capsys.readouterr().out
