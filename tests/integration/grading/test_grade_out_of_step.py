"""A class that may have been given other stubs than the sources make now is told of once, and graded all the same."""

from grader.release.build import build

from ...support.courses import small_course
from ...unit.grading.test_grade_out_of_step import CHANGED, WARNING
from .test_grade_command import graded


def test_the_warning_changes_neither_the_grade_nor_the_exit_code(tmp_path):
    build(small_course(tmp_path / "course", {"tests/golden/N0.json": "[]"}))
    done = graded(tmp_path, replaced={"solutions/01_tiny/tiny.py": CHANGED})
    assert done.returncode == 0, done.stderr
    assert [line for line in done.stdout.splitlines() if line.startswith(WARNING)]
    assert done.stdout.splitlines()[2].split() == ["ann", "2", "2"]
