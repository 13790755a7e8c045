"""A student's own run gives the hint of a known mistake at once, and names it nowhere."""

import shutil

import pytest

from grader.cli import status
from grader.suite.examples.model import NAME

from ...support.courses import write_course
from ...support.workers.answering import write_answer
from ...unit.verify.test_verify_command import PROVEN, grader

pytestmark = pytest.mark.usefixtures("kept_jails", "warm_workers")
SUITE = "tests/hidden/01_tiny/test_shares.py"
CONTRACT = """
from grader.suite import exercise

shares = exercise("shares")
shares.contract(x="n", result="n", draws={"x": lambda draw, *shape, dtype: draw.uniform(*shape, dtype=dtype) + 0.5})
"""
LARGEST = "Divide by the sum, not by the largest entry."


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    """Return the folder that students get of a course with a contract."""
    root = write_course(tmp_path_factory.mktemp("hints") / "course", PROVEN | {SUITE: CONTRACT})
    assert grader(root, "build").returncode == 0
    assert grader(root, "verify").returncode == 0
    return root / "assignments/01_tiny"


def checked(released, folder, body, language="en"):
    """Return the exit code of a check of `shares` with this body, in a folder of the student's own."""
    file = write_answer(shutil.copytree(released, folder / "01_tiny"), body)
    return status(["--language", language, "check", str(file), "--exercise", "shares"])


ANSWERS = {
    "a known mistake": ("return x / max(x)", "en", 1, f"      hint: {LARGEST}\n", ""),
    "the same, in Korean": ("return x / max(x)", "ko", 1, "      힌트: 가장 큰 값이 아니라 합으로 나누세요.\n", ""),
    "an unknown mistake": ("return x * 0.3", "en", 1, "", "hint"),
    "a right answer": ("return x / x.sum()", "en", 0, "", "hint"),
    "the entries that differ most": ("return x / x.max()", "en", 1, "      Index | Yours    | Expected\n", ""),
    "a table in Korean": ("return x / x.max()", "ko", 1, "      위치 | 결과     | 기대값\n", ""),
}


@pytest.mark.parametrize(("body", "language", "code", "expected", "unexpected"), ANSWERS.values(), ids=ANSWERS)
def test_an_answer_gets_the_hint_and_the_table_that_it_needs(
    released, tmp_path, capsys, body, language, code, expected, unexpected
):
    assert checked(released, tmp_path, body, language) == code
    printed = capsys.readouterr().out
    assert expected in printed
    assert not unexpected or unexpected not in printed


def test_a_file_of_examples_that_is_missing_is_told(released, tmp_path, capsys):
    bare = shutil.copytree(released, tmp_path / "bare" / "01_tiny")
    (bare / NAME).unlink()
    assert checked(bare, tmp_path, "return x / x.sum()") == 0
    printed = capsys.readouterr().out
    assert NAME in printed and "1 / 1 visible check passed." in printed


def test_a_solution_that_ends_on_an_example_is_named_with_its_line(tmp_path):
    source = PROVEN["solutions/01_tiny/tiny.py"].replace("return x / whole", "raise ValueError('oops')")
    root = write_course(tmp_path, PROVEN | {SUITE: CONTRACT, "solutions/01_tiny/tiny.py": source})
    done = grader(root, "build")
    assert done.returncode == 2 and "tiny.py, line " in done.stderr and "oops" in done.stderr
