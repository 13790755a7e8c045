"""`make bench`: its table, and that only right scores are counted."""

import subprocess
import sys

import pytest

from benchmarks.__main__ import Figures, graded, table
from benchmarks.processes import ROOT, Spent, spent_on
from grader.course.layout import find_course
from grader.course.variants.read_variants import solution_submission
from grader.errors import UsageError
from grader.release.build import released_files


@pytest.fixture(scope="module")
def assignment():
    return find_course(ROOT).assignment("01_simple_attention")


@pytest.fixture
def stub(assignment):
    """The file as it is handed out."""
    return next(text for path, text in released_files(assignment) if path.name == f"{assignment.name}.py")


def test_the_table_has_a_row_for_each_assignment_and_the_mean_of_their_times() -> None:
    figures = [Figures("01", Spent(0.1, 0.2)), Figures("02", Spent(0.3, 0.4))]
    assert table(figures).splitlines()[2:] == [
        "| `01` | 200 | 10.0 |",
        "| `02` | 400 | 3.3 |",
        "| mean | 300 | 5.0 |",
    ]


def test_a_right_answer_counts(assignment, tmp_path) -> None:
    assert graded(tmp_path, assignment, solution_submission(assignment), 1).cpu > 0


def test_a_process_that_was_there_before_is_not_waited_for() -> None:
    """One that never ends once held up a whole nightly run."""
    other = subprocess.Popen(["sleep", "600"])
    try:
        assert spent_on(lambda: subprocess.run([sys.executable, "-c", "sum(range(10**6))"], check=True)).cpu > 0
        assert other.poll() is None
    finally:
        other.kill()
        other.wait()


def test_what_does_not_get_all_points_does_not_count(assignment, stub, tmp_path) -> None:
    with pytest.raises(UsageError):
        graded(tmp_path, assignment, stub, 1)
