"""`grader check`: a student's own run, from the folder that students get."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from grader.cli import status
from grader.course.layout import find_course

COURSE = find_course(Path(__file__))
NAME = "01_simple_attention"


@pytest.fixture
def folder(tmp_path):
    """The released folder of the first assignment, alone, as a student has it."""
    shutil.copytree(COURSE.assignments[NAME].released, tmp_path / NAME)
    return tmp_path / NAME


def write(folder, exercise, body):
    """Replace the unwritten body of an exercise in the student's file."""
    file = folder / "simple_attention.py"
    text = file.read_text(encoding="utf-8")
    start = text.index("raise NotImplementedError", text.index(f"def {exercise}("))
    end = text.index("\n", start)
    file.write_text(text[:start] + body + text[end:], encoding="utf-8")
    return file


def test_an_unwritten_exercise_is_told_as_such(folder, capsys):
    assert status(["check", str(folder / "simple_attention.py"), "--exercise", "softmax_naive"]) == 1
    printed = capsys.readouterr().out
    assert "softmax_naive is not written yet" in printed
    assert "Traceback" not in printed


def test_a_right_answer_passes_and_ends_with_0(folder, capsys):
    file = write(folder, "softmax_naive", "return torch.exp(x) / torch.exp(x).sum()")
    assert status(["check", str(file), "--exercise", "softmax_naive"]) == 0
    assert "2 / 2 visible checks passed" in capsys.readouterr().out


def test_a_wrong_answer_shows_expected_and_found(folder, capsys):
    file = write(folder, "normalize_scores", "return scores / scores.max()")
    assert status(["check", str(file), "--exercise", "normalize_scores"]) == 1
    assert "the result is 0.2, expected 0.125" in capsys.readouterr().out


@pytest.mark.parametrize(("language", "said"), [("en", "Not there in grading: pandas"), ("ko", "없는 패키지: pandas")])
def test_a_package_that_grading_lacks_is_named(folder, capsys, language, said):
    file = write(folder, "softmax_naive", "return torch.exp(x) / torch.exp(x).sum()\n    import pandas, einops, tqdm")
    assert status(["check", str(file), "--exercise", "softmax_naive", "--language", language]) == 0
    assert f"{said}." in capsys.readouterr().out


def test_an_exception_shows_the_students_own_line_and_what_was_printed(folder, capsys):
    file = write(folder, "context_vector", 'print("so far"); return weights @ inputz')
    assert status(["check", str(file), "--exercise", "context_vector"]) == 1
    printed = capsys.readouterr().out
    assert "NameError" in printed
    assert "return weights @ inputz" in printed
    assert "so far" in printed


def test_the_words_can_be_korean(folder, capsys):
    write(folder, "normalize_scores", "return scores / scores.max()")
    file = folder / "simple_attention.py"
    status(["check", str(file), "--exercise", "normalize_scores", "--language", "ko"])
    assert "기대값은 0.125입니다" in capsys.readouterr().out


def test_a_syntax_error_is_told_with_its_line(folder, capsys):
    file = write(folder, "softmax_naive", "return (torch.exp(x)")
    assert status(["check", str(file), "--exercise", "softmax_naive"]) == 1
    printed = capsys.readouterr().out
    assert "SyntaxError" in printed
    assert "return (torch.exp(x)" in printed


def test_a_misspelt_exercise_is_named_with_the_nearest(folder, capsys):
    assert status(["check", str(folder), "--exercise", "softmax_niave"]) == 2
    assert "Did you mean `softmax_naive`?" in capsys.readouterr().err


def test_a_missing_path_is_one_sentence(tmp_path, capsys):
    assert status(["check", str(tmp_path / "nothing.py")]) == 2
    assert "there is no such file or folder" in capsys.readouterr().err


def test_a_notebook_is_checked_like_a_file(folder, capsys):
    file = folder / "simple_attention.ipynb"
    notebook = json.loads(file.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        if "def softmax_naive" in "".join(cell["source"]):
            cell["source"] = "import torch\ndef softmax_naive(x):\n    return x.exp() / x.exp().sum()\n"
    notebook["cells"].insert(0, {"cell_type": "code", "id": "magic", "metadata": {}, "outputs": [],
                                 "execution_count": 1, "source": "%matplotlib inline\n!pip list"})  # fmt: skip
    file.write_text(json.dumps(notebook), encoding="utf-8")
    assert status(["check", str(file), "--exercise", "softmax_naive"]) == 0


def test_check_inside_a_script_checks_the_script(folder):
    file = write(folder, "softmax_naive", "return torch.exp(x) / torch.exp(x).sum()")
    text = file.read_text(encoding="utf-8")
    file.write_text("".join(line for line in text.splitlines(keepends=True)
                            if not line.startswith("check(") or "softmax_naive" in line), encoding="utf-8")  # fmt: skip
    done = subprocess.run(
        [sys.executable, str(file)], capture_output=True, text=True, env={**os.environ, "NO_COLOR": "1"}, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "2 / 2 visible checks passed" in done.stdout


def test_check_needs_no_course_and_no_jail(folder):
    code = "import sys, torch; sys.platform = 'darwin'; from grader.cli import status; sys.exit(status(sys.argv[1:]))"
    file = write(folder, "normalize_scores", "return scores / scores.sum()")
    command = [sys.executable, "-c", code, "check", str(file), "--exercise", "normalize_scores"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder.parent, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


LIBRARY = "return torch.softmax(x, dim=-1)"


def test_a_forbidden_call_is_said_on_the_spot(folder, capsys):
    file = write(folder, "softmax_naive", LIBRARY)
    assert status(["check", str(file), "--exercise", "softmax_naive"]) == 1
    printed = capsys.readouterr().out
    assert "softmax_naive  not yet  (1 of 2)" in printed
    assert "torch's softmax was called while softmax_naive ran; this exercise asks you to write" in printed
    assert LIBRARY in printed


def test_a_forbidden_call_is_said_in_korean(folder, capsys):
    file = write(folder, "softmax_naive", LIBRARY)
    assert status(["check", str(file), "--exercise", "softmax_naive", "--language", "ko"]) == 1
    printed = capsys.readouterr().out
    assert "softmax_naive 실행 중에 금지된 호출이 있었습니다" in printed and "was called" not in printed


def test_a_library_call_where_none_is_forbidden_passes(folder):
    file = write(folder, "attention_weights", "return torch.softmax(scores, dim=-1)")
    assert status(["check", str(file), "--exercise", "attention_weights"]) == 0
