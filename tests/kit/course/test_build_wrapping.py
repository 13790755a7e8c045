"""Docstrings in notebooks fit into a cell, and a stub has what its texts name at hand."""

import ast
import json
import re
from pathlib import Path

import pytest

from grader.course.content.percent_format import split_cells
from grader.course.handed_out.notebook import make_notebook
from grader.course.handed_out.stub import make_stub
from grader.course.handed_out.wrapping import COLUMNS, wrapped
from grader.course.layout import find_course

COURSE = find_course(Path(__file__))


def docstrings(text):
    """Return the docstrings of a text, line by line."""
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
        assert [each.split() for each in docstrings(text)] == [each.split() for each in docstrings(cell.source)]
        long = [line for each in docstrings(text) for line in each.split("\n") if len(line) > COLUMNS]
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
    assert {found for found in ("F", "math") if re.search(rf"\b{found}\.\w", stub)} <= bound


def test_what_belongs_together_is_filled_and_what_stands_apart_stays_apart():
    words = "word " * 20
    source = (
        "def f(x, scale):\n"
        f'    """{words}and goes on\n    here to its end.\n\n'
        "    Args:\n"
        "        x: Tensor.\n"
        f"        scale: {words}end of it.\n"
        "        other: Short.\n"
        f"    - a point of {words[:70]}and so on\n"
        f"    aligned    {words}stays\n"
        '    """\n'
        "    return x * scale  # " + "a comment " * 9 + "\n"
    )
    made = wrapped(source)
    lines = made.split("\n")
    assert '    """' + "word " * 15 + "word" in lines  # within 88 columns
    assert "        x: Tensor." in lines and "        other: Short." in lines and '    """' in lines
    at = next(number for number, line in enumerate(lines) if line.startswith("        scale: "))
    assert lines[at + 1].startswith("            word")
    at = next(number for number, line in enumerate(lines) if line.startswith("    - a point"))
    assert lines[at + 1].startswith("      and so on")
    assert f"    aligned    {words}stays" in lines
    assert made.endswith(source[source.index("    return") :])
    assert wrapped(made) == made
