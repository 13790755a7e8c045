"""What students get of this course's texts: every exercise is unwritten in it, and it fits into a notebook's cells."""

import ast
import json
import re

import pytest

from grader.course.handed_out.stub import make_stub, without_markers
from grader.course.layout import find_course
from grader.inside.protocol.messages import Cell
from grader.source_cells import Source
from grader.submissions.answers import written_in

from ..support.classes.grading_runs import ROOT
from ..support.classes.student_notebooks import id_of

COURSE = find_course(ROOT)


def stub_of(name):
    """Return the path of an assignment's source, and the stub that is made of it."""
    assignment = COURSE.assignments[name]
    text = assignment.source.read_text(encoding="utf-8")
    return assignment.source, make_stub(text, assignment.exercises, assignment.source)


@pytest.mark.parametrize("name", COURSE.assignments)
def test_a_stub_imports_what_its_texts_name(name):
    _, stub = stub_of(name)
    bound = {
        alias.asname or alias.name
        for node in ast.parse(stub).body
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    assert {module for module in ("F", "math") if re.search(rf"\b{module}\.\w", stub)} <= bound


@pytest.mark.parametrize("name", COURSE.assignments)
def test_every_exercise_is_unwritten_in_what_students_get_and_written_in_the_solution(name):
    """Else which of several files counts would rest on exercises that the kit does not see."""
    assignment = COURSE.assignments[name]
    ids = {exercise.id for exercise in assignment.exercises}
    cells = json.loads((assignment.released / f"{assignment.name}.ipynb").read_text(encoding="utf-8"))["cells"]
    notebook = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    assert {id_of(cell) for cell in cells} >= ids
    for text in ((assignment.released / f"{assignment.name}.py").read_text(encoding="utf-8"), notebook):
        assert not ids & set(written_in(Source(cells=[Cell(1, text)])))
    solution = without_markers(assignment.source.read_text(encoding="utf-8"))
    assert set(written_in(Source(cells=[Cell(1, solution)]))) >= ids
