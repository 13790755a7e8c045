"""What students get of this course's texts: every exercise is unwritten in it, and it fits into a notebook's cells."""

import ast
import json
import re

import pytest

from grader.course.content.percent_format import split_cells
from grader.course.handed_out.notebook import make_notebook
from grader.course.handed_out.stub import make_stub, without_markers
from grader.course.handed_out.wrapping import COLUMNS
from grader.course.layout import find_course
from grader.inside.protocol.messages import Cell
from grader.source_cells import Source
from grader.submissions.answers import written_in

from ..support.classes.grading_runs import ROOT
from ..support.classes.student_notebooks import id_of

COURSE = find_course(ROOT)


def docstrings(text):
    nodes = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    return [ast.get_docstring(node, clean=False) or "" for node in nodes]


def stub_of(name):
    """Return the path of an assignment's source, and the stub that is made of it."""
    assignment = COURSE.assignments[name]
    text = assignment.source.read_text(encoding="utf-8")
    return assignment.source, make_stub(text, assignment.exercises, assignment.source)


@pytest.mark.parametrize("name", COURSE.assignments)
def test_no_line_of_a_docstring_in_a_notebook_is_too_long_and_no_word_is_lost(name):
    source, stub = stub_of(name)
    cells = split_cells(stub, source)
    made = json.loads(make_notebook(cells))["cells"]
    for cell, there in zip(cells, made, strict=True):
        text = "".join(there["source"])
        if cell.kind != "code":
            assert text == cell.source
            continue
        assert [doc.split() for doc in docstrings(text)] == [doc.split() for doc in docstrings(cell.source)]
        long = [line for doc in docstrings(text) for line in doc.split("\n") if len(line) > COLUMNS]
        assert [line for line in long if "  " not in line.strip()] == []
        assert not re.search(r"^ *[-*] *$", text, re.MULTILINE)


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
