"""A student's own check ends a loop without end, after the seconds that grading gives a check too."""

import pytest

from ...support.command_line import run_here
from ...support.courses import student_folder

STUB = 'raise NotImplementedError("shares is not written yet")'


@pytest.mark.usefixtures("warm_workers")
def test_a_loop_without_end_is_told_as_such(tmp_path):
    file = student_folder(tmp_path / "course") / "tiny.py"
    file.write_text(file.read_text(encoding="utf-8").replace(STUB, "while True: pass"), encoding="utf-8")
    done = run_here("--language", "ko", "check", file, "--exercise", "shares")
    assert done.returncode == 1
    assert "5초 안에 끝나지 않았습니다" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr
