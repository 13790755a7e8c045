"""What becomes of a notebook on its way to a report: which code counts, what is left out, and what is said of it.

Every case is a notebook made from the one that students get. It is graded in a jail; two exercises are solved in it,
and both must keep their points unless the case says otherwise.
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
    as_text,
    changed_points,
    copied_and_left_as_handed_out,
    copied_the_right_one_last,
    deleted_cells,
    edited_a_locked_cell,
    format_4_0,
    from_colab,
    heavy,
    honest,
    made_a_solution_cell_a_check,
    messy,
    moved_to_a_cell_of_its_own,
    odd_metadata,
    stripped,
)
from ...support.command_line import run_here

pytestmark = pytest.mark.usefixtures("kept_jails")

FULL = {SCORES: Decimal(3), SOFTMAX: Decimal(3)}
CASES: dict[str, tuple[Callable[[Notebook], None], list[str], dict[str, Decimal]]] = {
    "honest": (lambda notebook: None, [], FULL),
    "copied": (copied_the_right_one_last, [f"More than one cell carries the grade id {SOFTMAX}: cell 7 counts"], FULL),
    "copied_stub": (copied_and_left_as_handed_out, [f"the grade id {SOFTMAX}: cell 6 counts"], FULL),
    "deleted": (
        deleted_cells,
        [],
        FULL,
    ),
    "edited_lock": (
        edited_a_locked_cell,
        [f"{SOFTMAX} is defined more than once: its own cell counts (cell 6), and not cell 7."],
        FULL,
    ),
    "points": (
        changed_points,
        [],
        FULL,
    ),
    "roles": (made_a_solution_cell_a_check, [], FULL),
    "stripped": (stripped, [], FULL),
    "colab": (from_colab, ["!pip install -q einops (cell 1)"], FULL),
    "odd_metadata": (odd_metadata, [], FULL),
    "messy": (
        messy,
        ["pip install einops (cell 2); %matplotlib inline (cell 2); %%bash (cell 3); files = !ls (cell 4)",
         "ls (cell 4)", "Cell 5 needs Earlier, which is defined further down",
         "Line 1 of cell 6 stopped with ZeroDivisionError",
         "Line 1 of cell 7 stopped with SyntaxError", "does nothing: matplotlib"],
        FULL,
    ),
    "redefined": (appended(WRONG), ["its own cell counts (cell 6), and not cell 10."], FULL),
    "elsewhere": (
        moved_to_a_cell_of_its_own,
        [f"{SOFTMAX} is taken from cell 2, since what is in cell 7 is not written yet."],
        FULL,
    ),
    "as_text": (
        as_text,
        [],
        {SCORES: Decimal(3)},
    ),
    "heavy": (heavy, [], FULL),
    "format_4_0": (format_4_0, [], FULL),
    "bom": (lambda notebook: None, [], FULL),
    "loop": (appended("while True:\n    pass"), ["Line 1 of cell 10 was not run any further"], FULL),
    "crash": (appended("import os\nos._exit(0)"), ["Line 2 of cell 10 was not run any further"], FULL),
}  # fmt: skip


def renamed_python(notebook: Notebook) -> bytes:
    return b"# %%\nimport torch\n\ndef f(x):\n    return x\n"


def in_two_pieces(notebook: Notebook) -> bytes:
    return json.dumps(notebook).encode()[:-200]


PROBLEMS: dict[str, tuple[str, Callable[[Notebook], bytes], str]] = {
    "python_as_notebook": (
        ".ipynb",
        renamed_python,
        "does not begin with a brace",
    ),
    "notebook_as_python": (
        ".py",
        lambda book: json.dumps(book).encode(),
        "is a notebook under the name of a .py file.",
    ),
    "utf_16": (".ipynb", lambda book: json.dumps(book).encode("utf-16"), "is saved as UTF-16, and only UTF-8 is read."),
    "half": (".ipynb", in_two_pieces, "is not a notebook"),
    "many_bytes": (".ipynb", lambda book: b" " * (21 << 20), "bytes, and at most 20,971,520 are read."),
}


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """Grade one class of all cases."""
    folder = tmp_path_factory.mktemp("notebooks")

    def place(student: str, suffix: str, raw: bytes) -> None:
        path = folder / "class" / student / ASSIGNMENT / f"{FILE}{suffix}"
        path.parent.mkdir(parents=True)
        path.write_bytes(raw)

    for student, (change, _, _) in CASES.items():
        notebook = honest()
        change(notebook)
        mark = b"\xef\xbb\xbf" if student == "bom" else b""
        place(student, ".ipynb", mark + json.dumps(notebook, indent=1).encode())
    for student, (suffix, make, _) in PROBLEMS.items():
        place(student, suffix, make(honest()))
    output, course = folder / "reports", frozen_course()
    done = run_here("--course", course, "grade", folder / "class", "--output", output, "--fresh", "--jobs", "2")
    if done.returncode == REFUSED:
        pytest.skip(done.stderr.strip())
    assert done.returncode == 1, done.stdout + done.stderr  # some files could not be read
    return Graded(done.returncode, done.stdout, done.stderr, output)


@pytest.mark.parametrize("case", CASES)
def test_a_notebook_keeps_the_points_of_what_is_written_in_it(graded, case):
    _, _, points = CASES[case]
    report = graded.report(case)
    assert report["problem"] is None
    assert graded.points(case) == points
    assert report["max_score"] == Decimal(11)


@pytest.mark.parametrize("case", CASES)
def test_the_student_is_told_what_was_left_out_and_which_cell_counts(graded, case):
    _, words, _ = CASES[case]
    notes = graded.copy(case)["notes"]
    for said in words:
        assert any(said in note for note in notes), notes
    if not words:
        assert notes == []


@pytest.mark.parametrize("case", PROBLEMS)
def test_what_is_no_notebook_has_a_sentence(graded, case):
    report = graded.copy(case)
    assert report["score"] is None
    assert PROBLEMS[case][2] in report["problem"]
    assert report["problem"].endswith(".")
