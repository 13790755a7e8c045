"""`grader grade` on a tiny course: in which language it speaks, what it warns of, and how a stopped run ends."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from grader.release.build import build

from ...support.classes.class_runs import RIGHT
from ...support.command_line import run_here
from ...support.courses import hand_in, small_course, write_course
from ...unit.grading.test_grade_out_of_step import CHANGED, WARNING

pytestmark = pytest.mark.usefixtures("kept_jails")


def graded(folder: Path, before=(), replaced=None, text=RIGHT):
    """Grade one submission with the tiny course; returns how it ended."""
    write_course(folder / "course", {"tests/golden/N0.json": "[]", **(replaced or {})})
    hand_in(folder / "class", "ann", text)
    places = ("--course", folder / "course", "grade", folder / "class", "--output", folder / "out")
    return run_here(*before, *places, "--no-pages")


def test_notes_on_how_a_file_was_run_are_in_the_asked_language(tmp_path):
    done = graded(tmp_path, before=("--language", "ko"), text=RIGHT + "1 / 0\n")
    assert done.returncode == 0, done.stderr
    (note,) = json.loads((tmp_path / "out" / "ann" / "01_tiny.json").read_text(encoding="utf-8"))["notes"]
    assert note == "4번째 줄에서 예외로 멈췄습니다. ZeroDivisionError: division by zero."


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_run_that_is_stopped_leaves_nothing_behind(tmp_path, number):
    limits = "[limits]\ncheck_cpu_s = 60.0\n"
    write_course(tmp_path / "course", {"tests/golden/N0.json": "[]", "course.toml": limits})
    for student in ("ann", "ben"):
        hand_in(tmp_path / "class", student, RIGHT if student == "ann" else "def shares(x):\n    while True: pass\n")
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    finished = tmp_path / "out" / "ann" / "01_tiny.json"
    with subprocess.Popen(
        [sys.executable, "-m", "grader", "--course", str(tmp_path / "course"), "grade", str(tmp_path / "class"),
         "--output", str(tmp_path / "out"), "--jobs", "1"],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env={**os.environ, "TMPDIR": str(temporary)},
    ) as process:  # fmt: skip
        try:
            until = time.monotonic() + 90
            while not finished.exists() and time.monotonic() < until:
                time.sleep(0.05)  # the report is the event: nothing else tells that the first submission is done
            process.send_signal(number)
            _, errors = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 130, errors
    assert "stopped. What was finished is kept" in errors
    assert "Traceback" not in errors
    assert finished.is_file()
    assert list(temporary.iterdir()) == []


def test_a_warning_of_other_stubs_changes_neither_the_grade_nor_the_exit_code(tmp_path):
    build(small_course(tmp_path / "course", {"tests/golden/N0.json": "[]"}))
    done = graded(tmp_path, replaced={"solutions/01_tiny/tiny.py": CHANGED})
    assert done.returncode == 0, done.stderr
    assert [line for line in done.stdout.splitlines() if line.startswith(WARNING)]
    assert done.stdout.splitlines()[2].split() == ["ann", "2", "2"]
