"""`grader check`: a student's own run, from the folder that students get."""

import os
import re
import subprocess
import sys

import pytest

from grader.cli import status

from ...support.workers.answering import STUB, write_answer

pytestmark = pytest.mark.usefixtures("warm_workers")


LIBRARY = "return torch.softmax(x.log(), dim=-1)"
PACKAGES = "return x / x.sum()\n    import pandas, einops, tqdm"
ANSWERS = {
    "unwritten": (STUB, "en", 1, ["shares is not written yet"]),
    "right": ("return x / x.sum()", "en", 0, ["2 / 2 visible checks passed"]),
    "wrong": ("return x / x.max()", "en", 1, ["the result is 0.5, expected 0.25"]),
    "a package that grading lacks": (PACKAGES, "en", 0, ["Not installed where your work is graded: pandas."]),
    "an exception, with the line and what was printed": (
        'print("so far"); return x / inputz', "en", 1, ["NameError", "return x / inputz", "so far"],
    ),
    "a forbidden call": (
        LIBRARY, "en", 1,
        ["shares  not yet  (0 of 2)", LIBRARY,
         "torch's softmax was called while shares ran; this exercise asks you to write"],
    ),
    "a forbidden call, in Korean": (LIBRARY, "ko", 1, ["shares 실행 중에 금지된 호출이 있었습니다"]),
}  # fmt: skip


@pytest.mark.parametrize(("body", "language", "code", "expected"), ANSWERS.values(), ids=ANSWERS)
def test_an_answer_is_told_what_came_of_it(folder, capsys, body, language, code, expected):
    file = write_answer(folder, body)
    assert status(["--language", language, "check", str(file), "--exercise", "shares"]) == code
    printed = capsys.readouterr().out
    assert [words for words in expected if words not in printed] == []
    assert "Traceback" not in printed
    assert language == "en" or "was called" not in printed


@pytest.mark.parametrize("command", [("check", "nowhere.py"), ("watch", "nowhere.py"), ("hint", "nothing")])
def test_what_cannot_be_done_is_said_in_the_asked_language(capsys, command):
    for language, words in (("ko", "[가-힣]"), ("en", "There is no")):
        assert status(["--language", language, *command]) == 2
        assert re.search(words, capsys.readouterr().err)


def test_a_forbidden_call_is_told_of_a_file_without_the_cells_that_came(folder, capsys):
    (folder / "tiny.py").write_text(f"import torch\ndef shares(x):\n    {LIBRARY}\n", encoding="utf-8")
    (folder / "tiny.ipynb").unlink()
    assert status(["check", str(folder), "--exercise", "shares"]) == 1
    assert "torch's softmax was called" in capsys.readouterr().out


def test_check_inside_a_script_checks_the_script(folder):
    file = write_answer(folder, "return x / x.sum()")
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
    file = write_answer(folder, "return x / x.sum()")
    command = [sys.executable, "-c", code, "check", str(file), "--exercise", "shares"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder.parent, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
