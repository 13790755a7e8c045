"""What of nbgrader the command line imports, and what is said where the kit's course is missing."""

import ast
import subprocess
import sys

import pytest

from ...support.classes.grading_runs import ROOT
from ...support.command_line import run_here
from ...support.courses import write_course
from ...support.notebooks.nbgrader_courses import ASSIGNMENT

pytestmark = pytest.mark.filterwarnings("ignore")


def test_the_command_line_imports_nothing_of_nbgrader():
    parts = ("nbgrader", "nbformat", "nbconvert", "sqlalchemy", "traitlets")
    code = f"import sys, grader.cli; print([m for m in sys.modules if m.split('.')[0] in {parts!r}])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_course_of_nbgrader_in_this_checkout_passes_the_lint(tmp_path):
    course = write_course(tmp_path / "Ann's \\ course")
    done = run_here("--course", course, "nbgrader", "init", tmp_path / "nb")
    assert done.returncode == 0, done.stderr
    settings = tmp_path / "nb" / "nbgrader_config.py"
    quoted = settings.read_text(encoding="utf-8").partition("KitExporter.course = ")[2].partition("\n")[0]
    assert ast.literal_eval(quoted) == str(course)
    for check in (["check"], ["format", "--check"]):
        command = [sys.executable, "-m", "ruff", *check, "--no-cache", "--config", ROOT / "pyproject.toml", settings]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("left_out", "settings", "words"),
    [
        ("", "c.KitExporter.course = '/nowhere'\n", "is not in a course"),
        ("reports", "", "grade submitted --from nbgrader` first"),
    ],
)
def test_autograde_stops_with_a_sentence_where_course_or_reports_are_gone(graded, tmp_path, left_out, settings, words):
    lesson = graded.copied(tmp_path / "copy", "autograded", left_out)
    with (lesson.root / "nbgrader_config.py").open("a", encoding="utf-8") as file:
        file.write(settings)
    log = lesson.nbgrader("autograde", ASSIGNMENT, code=1)
    assert log.count(words) == 1 and "Traceback" not in log
    assert not (lesson.root / "autograded").exists()
