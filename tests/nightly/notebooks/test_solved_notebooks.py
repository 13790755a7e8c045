"""The students' notebooks run from top to bottom when they are solved."""

import re
import shutil
from pathlib import Path

import pytest

from grader.course.layout import find_course

from ...support.classes.student_notebooks import answers, released, text_of
from ...support.notebooks.kernels import kernel

COURSE = find_course(Path(__file__))
ASSIGNMENTS = sorted(COURSE.assignments)


def solved(name):
    """Return the code cells of the released notebook with the solutions in the place of the stubs."""
    written = answers(COURSE.assignments[name])
    _, cells = released(COURSE.assignments[name])
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    return [written.get(cell["metadata"].get("nbgrader", {}).get("grade_id", ""), text_of(cell)) for cell in code]


@pytest.fixture(scope="module")
def students_copy(tmp_path_factory):
    """All released folders, as students have them."""
    root = tmp_path_factory.mktemp("released")
    for name in ASSIGNMENTS:
        shutil.copytree(COURSE.assignments[name].released, root / name)
    return root


@pytest.fixture(scope="module")
def running(students_copy):
    """One kernel for all notebooks, since most of a kernel's start is torch."""
    with kernel(students_copy) as started:
        yield started


def from_the_top(running, folder, cells):
    """Run cells in a namespace of their own and in a folder; return what the checks showed."""
    assert running.run(f"%reset -f\n%cd -q {str(folder)!r}").status == "ok"
    shown = []
    for cell in cells:
        result = running.run(cell)
        assert (result.status, result.streams) == ("ok", ""), (cell, result.outputs)
        if cell.startswith("check("):
            shown.append(result)
    return shown


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_a_solved_notebook_runs_from_top_to_bottom_and_every_check_passes(running, students_copy, name):
    shown = from_the_top(running, students_copy / name, solved(name))
    exercises = COURSE.assignments[name].exercises
    assert len(shown) == len(exercises)
    for exercise, output in zip(exercises, shown, strict=True):
        assert re.search(rf"\n{exercise.id}  ok  \((\d+) of \1\)\n", output.text), output.text
        assert exercise.title.split("`")[0] in output.html
