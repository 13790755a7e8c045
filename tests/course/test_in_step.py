"""This repository's own assignments are what their sources make of them."""

import jupytext
import nbformat
import pytest

from grader.course.handed_out.wrapping import wrapped
from grader.course.layout import find_course
from grader.release.build import build, released_files

from ..support.classes.grading_runs import ROOT

COURSE = find_course(ROOT)


def test_assignments_are_in_step_with_their_sources():
    built = build(COURSE, check=True)
    assert [str(path.relative_to(ROOT)) for path in (*built.changed, *built.strays)] == []


@pytest.mark.parametrize("name", COURSE.assignments)
def test_notebook_is_valid_and_the_stub_again(name):
    assignment = COURSE.assignments[name]
    files = {path.suffix: text for path, text in released_files(assignment) if path.stem == assignment.name}
    notebook = nbformat.reads(files[".ipynb"], as_version=nbformat.NO_CONVERT)
    nbformat.validate(notebook)
    stub = jupytext.reads(files[".py"], fmt="py:percent")
    cells = [cell for cell in notebook.cells if not cell.id.endswith("-ko")]  # the Korean tasks, folded
    assert len(notebook.cells) - len(cells) == len(assignment.exercises)
    assert [(cell.cell_type, cell.source) for cell in cells] == [
        (cell.cell_type, wrapped(cell.source) if cell.cell_type == "code" else cell.source) for cell in stub.cells
    ]
    assert [cell.metadata.get("nbgrader") for cell in cells] == [cell.metadata.get("nbgrader") for cell in stub.cells]
