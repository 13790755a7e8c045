"""`make bench`: its table, and that only right scores are counted."""

import pytest

from benchmarks.__main__ import Figures, graded, looped, table
from benchmarks.processes import ROOT, Spent
from grader.course.handed_out.build import released_files
from grader.course.layout import find_course
from grader.course.variants.read_variants import solution_submission
from grader.errors import UsageError


@pytest.fixture(scope="module")
def assignment():
    """The first assignment of this course."""
    return find_course(ROOT).assignment("01_simple_attention")


@pytest.fixture
def stub(assignment):
    """The file as it is handed out."""
    return next(text for path, text in released_files(assignment) if path.name == f"{assignment.name}.py")


def test_the_table_has_a_row_for_each_assignment_and_the_mean_of_their_times() -> None:
    found = [Figures("01", Spent(0.1, 0.2), Spent(1, 2)), Figures("02", Spent(0.3, 0.4), Spent(3, 4))]
    assert table(found).splitlines()[2:] == [
        "| `01` | 200 | 10.0 | 2000 | 1.0 |",
        "| `02` | 400 | 3.3 | 4000 | 0.3 |",
        "| mean | 300 | 5.0 | 3000 | 0.5 |",
    ]


@pytest.mark.parametrize("side", [graded, looped])
def test_a_right_answer_counts_on_each_side(assignment, tmp_path, side) -> None:
    assert side(tmp_path, assignment, solution_submission(assignment), 1).cpu > 0


@pytest.mark.parametrize("side", [graded, looped])
def test_a_side_that_does_not_give_all_points_does_not_count(assignment, stub, tmp_path, side) -> None:
    with pytest.raises(UsageError):
        side(tmp_path, assignment, stub, 1)
