"""`grader grade` on a tiny course: what is said and how it ends when the course, the numbers or the moment are bad."""

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
from ...support.courses import HIDDEN_SHARES, hand_in, small_course, write_course
from ...unit.grading.test_grade_out_of_step import CHANGED, WARNING

pytestmark = pytest.mark.usefixtures("kept_jails")


def graded(folder: Path, *options: str, before=(), replaced=None, text=RIGHT, student="ann", env=None):
    """Grade one submission with the tiny course; returns how it ended, with `env` in a process of its own."""
    write_course(folder / "course", {"tests/golden/N0.json": "[]", **(replaced or {})})
    hand_in(folder / "class", student, text)
    places = ("--course", folder / "course", "grade", folder / "class", "--output", folder / "out")
    arguments = [*before, *places, "--no-pages", *options]
    if env is None:
        return run_here(*arguments)
    command = [sys.executable, "-m", "grader", *arguments]
    return subprocess.run(command, capture_output=True, encoding="utf-8", env={**os.environ, **env}, check=False)


def ends_with_a_sentence(done, code, *words):
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert "INTERNALERROR" not in done.stderr
    for word in words:
        assert word in done.stderr
    assert len(done.stderr.strip().splitlines()) <= 4


def test_a_right_answer_has_its_points_and_a_missing_one_none(tmp_path):
    done = graded(tmp_path, env={})
    assert done.returncode == 0, done.stderr
    report = json.loads((tmp_path / "out" / "ann" / "01_tiny.json").read_text(encoding="utf-8"))
    assert {exercise["id"]: exercise["score"] for exercise in report["exercises"]} == {"shares": 2, "Shift": 0}


def test_a_solution_that_fails_its_own_suite_stops_the_run(tmp_path):
    failing = HIDDEN_SHARES.replace("+ 0.5)", "+ 0.5, k=1)")
    done = graded(tmp_path, replaced={"tests/hidden/01_tiny/test_shares.py": failing})
    ends_with_a_sentence(done, 2, "ends with TypeError", "argument 'k'")
    assert not (tmp_path / "out" / "ann").exists()


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
