"""What becomes of a notebook on its way to a report: which code counts, and what is said of it.

Every case is a notebook made from the one that students get. It is graded in a jail; two exercises are solved in it,
and both must keep their points.
"""

import json
from collections.abc import Callable
from decimal import Decimal

import pytest

from ...support.classes.grading_runs import ASSIGNMENT, FILE, REFUSED, Graded, frozen_course
from ...support.classes.student_notebooks import (
    SCORES,
    SOFTMAX,
    WRONG,
    Notebook,
    appended,
    copied_the_right_one_last,
    honest,
    messy,
    moved_to_a_cell_of_its_own,
    turned_into_text,
)
from ...support.command_line import run_here

pytestmark = pytest.mark.usefixtures("kept_jails")

CASES: dict[str, tuple[Callable[[Notebook], None], list[str]]] = {
    "honest": (lambda notebook: None, []),
    "copied": (copied_the_right_one_last, [f"More than one cell carries the grade id {SOFTMAX}: cell 7 counts"]),
    "redefined": (appended(WRONG), ["its own cell counts (cell 6), and not cell 10."]),
    "elsewhere": (
        moved_to_a_cell_of_its_own,
        [f"{SOFTMAX} is taken from cell 2, since what is in cell 7 is not written yet."],
    ),
    "messy": (
        messy,
        ["pip install einops (cell 2); %matplotlib inline (cell 2); %%bash (cell 3); files = !ls (cell 4)",
         "ls (cell 4)", "Cell 5 needs Earlier, which is defined further down",
         "Line 1 of cell 6 stopped with ZeroDivisionError", "Line 1 of cell 7 stopped with SyntaxError",
         "does nothing: matplotlib"],
    ),
    "text": (turned_into_text, [f"The cell of {SOFTMAX} is a text cell"]),
    "crash": (appended("import os\nos._exit(0)"), ["Line 2 of cell 10 was not run any further"]),
}  # fmt: skip


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    folder = tmp_path_factory.mktemp("notebooks")
    for student, (change, _) in CASES.items():
        notebook = honest()
        change(notebook)
        place = folder / "class" / student / ASSIGNMENT / f"{FILE}.ipynb"
        place.parent.mkdir(parents=True)
        place.write_text(json.dumps(notebook, indent=1), encoding="utf-8")
    output = folder / "reports"
    done = run_here("--course", frozen_course(), "grade", folder / "class", "--output", output, "--fresh")
    if done.returncode == REFUSED:
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stdout + done.stderr
    return Graded(done.returncode, done.stdout, done.stderr, output)


@pytest.mark.parametrize("case", CASES)
def test_a_notebook_keeps_the_points_of_what_is_written_in_it_and_its_student_is_told_which_cell_counts(graded, case):
    assert graded.points(case) == {SCORES: Decimal(3), SOFTMAX: Decimal(3)}
    notes, words = graded.copy(case)["notes"], CASES[case][1]
    assert [phrase for phrase in words if not any(phrase in note for note in notes)] == [], notes
    assert bool(notes) == bool(words)
