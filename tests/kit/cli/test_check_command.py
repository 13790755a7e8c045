"""`grader check`: a student's own run, from the folder that students get."""

import json
import os
import shutil
import subprocess
import sys

import pytest

from grader.cli import status

from ..support.courses import ASSIGNMENT, student_folder


@pytest.fixture
def folder(tmp_path):
    """The released folder of an assignment, alone, as a student has it."""
    shutil.copytree(student_folder(tmp_path / "course"), tmp_path / ASSIGNMENT)
    shutil.rmtree(tmp_path / "course")
    return tmp_path / ASSIGNMENT


def write(folder, exercise, body):
    """Replace the unwritten body of an exercise in the student's file."""
    file = folder / "tiny.py"
    text = file.read_text(encoding="utf-8")
    start = text.index("raise NotImplementedError", text.index(f"def {exercise}("))
    end = text.index("\n", start)
    file.write_text(text[:start] + body + text[end:], encoding="utf-8")
    return file


def test_an_unwritten_exercise_is_told_as_such(folder, capsys):
    assert status(["check", str(folder / "tiny.py"), "--exercise", "shares"]) == 1
    printed = capsys.readouterr().out
    assert "shares is not written yet" in printed
    assert "Traceback" not in printed


def test_a_right_answer_passes_and_ends_with_0(folder, capsys):
    file = write(folder, "shares", "return x / x.sum()")
    assert status(["check", str(file), "--exercise", "shares"]) == 0
    assert "2 / 2 visible checks passed" in capsys.readouterr().out


def test_a_wrong_answer_shows_expected_and_found(folder, capsys):
    file = write(folder, "shares", "return x / x.max()")
    assert status(["check", str(file), "--exercise", "shares"]) == 1
    assert "the result is 0.5, expected 0.25" in capsys.readouterr().out


@pytest.mark.parametrize(("language", "said"), [("en", "Not there in grading: pandas"), ("ko", "없는 패키지: pandas")])
def test_a_package_that_grading_lacks_is_named(folder, capsys, language, said):
    file = write(folder, "shares", "return x / x.sum()\n    import pandas, einops, tqdm")
    assert status(["check", str(file), "--exercise", "shares", "--language", language]) == 0
    assert f"{said}." in capsys.readouterr().out


def test_an_exception_shows_the_students_own_line_and_what_was_printed(folder, capsys):
    file = write(folder, "shares", 'print("so far"); return x / inputz')
    assert status(["check", str(file), "--exercise", "shares"]) == 1
    printed = capsys.readouterr().out
    assert "NameError" in printed
    assert "return x / inputz" in printed
    assert "so far" in printed


def test_the_words_can_be_korean(folder, capsys):
    write(folder, "shares", "return x / x.max()")
    file = folder / "tiny.py"
    status(["check", str(file), "--exercise", "shares", "--language", "ko"])
    assert "기대값은 0.25입니다" in capsys.readouterr().out


def test_a_syntax_error_is_told_with_its_line(folder, capsys):
    file = write(folder, "shares", "return (torch.exp(x)")
    assert status(["check", str(file), "--exercise", "shares"]) == 1
    printed = capsys.readouterr().out
    assert "SyntaxError" in printed
    assert "return (torch.exp(x)" in printed


def test_a_misspelt_exercise_is_named_with_the_nearest(folder, capsys):
    assert status(["check", str(folder), "--exercise", "sharse"]) == 2
    assert "Did you mean `shares`?" in capsys.readouterr().err


def test_a_missing_path_is_one_sentence(tmp_path, capsys):
    assert status(["check", str(tmp_path / "nothing.py")]) == 2
    assert "there is no such file or folder" in capsys.readouterr().err


def test_a_notebook_is_checked_like_a_file(folder, capsys):
    file = folder / "tiny.ipynb"
    notebook = json.loads(file.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        if "def shares" in "".join(cell["source"]):
            cell["source"] = "import torch\ndef shares(x):\n    return x / x.sum()\n"
    notebook["cells"].insert(0, {"cell_type": "code", "id": "magic", "metadata": {}, "outputs": [],
                                 "execution_count": 1, "source": "%matplotlib inline\n!pip list"})  # fmt: skip
    file.write_text(json.dumps(notebook), encoding="utf-8")
    assert status(["check", str(file), "--exercise", "shares"]) == 0


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


def test_check_needs_no_course_and_no_jail(folder):
    code = "import sys, torch; sys.platform = 'darwin'; from grader.cli import status; sys.exit(status(sys.argv[1:]))"
    file = write(folder, "shares", "return x / x.sum()")
    command = [sys.executable, "-c", code, "check", str(file), "--exercise", "shares"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder.parent, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


LIBRARY = "return torch.softmax(x.log(), dim=-1)"


def test_a_forbidden_call_is_said_on_the_spot(folder, capsys):
    file = write(folder, "shares", LIBRARY)
    assert status(["check", str(file), "--exercise", "shares"]) == 1
    printed = capsys.readouterr().out
    assert "shares  not yet  (1 of 2)" in printed
    assert "torch's softmax was called while shares ran; this exercise asks you to write" in printed
    assert LIBRARY in printed


def test_a_forbidden_call_is_said_in_korean(folder, capsys):
    file = write(folder, "shares", LIBRARY)
    assert status(["check", str(file), "--exercise", "shares", "--language", "ko"]) == 1
    printed = capsys.readouterr().out
    assert "shares 실행 중에 금지된 호출이 있었습니다" in printed and "was called" not in printed


SHIFT_BY_LIBRARY = """\
import torch
from torch import nn
class Shift(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.beta = nn.Parameter(torch.zeros(d))
    def forward(self, x):
        return x + self.beta * torch.softmax(x, dim=-1).sum()
"""


def test_a_library_call_where_none_is_forbidden_passes(folder):
    file = folder / "tiny.py"
    file.write_text(SHIFT_BY_LIBRARY, encoding="utf-8")
    assert status(["check", str(file), "--exercise", "Shift"]) == 0
