"""The notebook holds the stub's cells in the forms that Jupyter, nbgrader and jupytext read."""

import json
import re

import jupytext
import nbformat
import pytest

from grader.course.content.percent_format import split_cells
from grader.course.handed_out.notebook import make_notebook
from grader.course.handed_out.wrapping import wrapped
from grader.release.build import build

from ...support.courses import SOURCE, small_course


@pytest.fixture
def released(tmp_path):
    """The folder that students get."""
    build(small_course(tmp_path))
    return tmp_path / "assignments" / "01_tiny"


@pytest.fixture
def cells(released):
    return json.loads((released / "tiny.ipynb").read_text(encoding="utf-8"))["cells"]


def test_notebook_is_valid_and_names_its_kernel(released):
    notebook = nbformat.read(released / "tiny.ipynb", as_version=nbformat.NO_CONVERT)
    nbformat.validate(notebook)
    assert (notebook.nbformat, notebook.nbformat_minor) == (4, 5)
    assert notebook.metadata.kernelspec == {"display_name": "Python 3", "language": "python", "name": "python3"}
    assert notebook.metadata.language_info.name == "python"
    assert all(cell.get("outputs", []) == [] and cell.get("execution_count") is None for cell in notebook.cells)


def test_an_editor_that_saves_an_untouched_notebook_leaves_its_bytes(released):
    """JupyterLab and VS Code sort all keys, and a file in another order would be a change in every cell."""
    text = (released / "tiny.ipynb").read_text(encoding="utf-8")
    assert nbformat.writes(nbformat.reads(text, as_version=4)) + "\n" == text


def test_notebook_and_stub_are_one_thing_to_jupytext(released):
    stub = jupytext.read(released / "tiny.py", fmt="py:percent")
    notebook = nbformat.read(released / "tiny.ipynb", as_version=4)

    def cells(book):
        shown = ("nbgrader", "exercise")
        return [
            (cell.cell_type, cell.source, {key: cell.metadata[key] for key in shown if key in cell.metadata})
            for cell in book.cells
        ]

    assert cells(notebook) == cells(stub)
    back = jupytext.reads(jupytext.writes(notebook, fmt="py:percent"), fmt="py:percent")
    assert cells(back) == cells(notebook)


def test_nbgrader_metadata_has_exactly_the_form_of_version_3(cells):
    metadata = [cell["metadata"]["nbgrader"] for cell in cells if "nbgrader" in cell["metadata"]]
    solution = {"schema_version": 3, "solution": True, "grade": False, "locked": False, "task": False}
    check = {"schema_version": 3, "solution": False, "grade": True, "locked": True, "task": False}
    assert metadata == [
        {**solution, "grade_id": "shares"},
        {**check, "grade_id": "shares-check", "points": 2},
        {**solution, "grade_id": "Shift"},
        {**check, "grade_id": "Shift-check", "points": 3.5},
    ]
    assert [type(meta["points"]) for meta in metadata if "points" in meta] == [int, float]


def test_no_editor_may_delete_an_exercise_or_change_a_check(cells):
    for cell in cells:
        nbgrader = cell["metadata"].get("nbgrader", {})
        assert cell["metadata"].get("deletable", True) is not (nbgrader.get("solution") or nbgrader.get("grade", False))
        assert cell["metadata"].get("editable", True) is not nbgrader.get("locked", False)


def test_cell_ids_are_valid_different_and_stay_when_another_cell_changes():
    before = json.loads(make_notebook(split_cells(SOURCE, None)))
    after = json.loads(make_notebook(split_cells(SOURCE.replace("Now with", "And now with"), None)))
    ids = [cell["id"] for cell in before["cells"]]
    assert all(re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", name) for name in ids)
    assert len(set(ids)) == len(ids)
    changed = [number for number, cell in enumerate(after["cells"]) if cell["id"] != ids[number]]
    assert [before["cells"][number]["source"] for number in changed] == [["Now with a parameter."]]


def test_equal_cells_get_different_ids():
    long_id = "a" * 64
    marker = f'# %% nbgrader={{"grade_id": "{long_id}"}}\n'
    notebook = json.loads(make_notebook(split_cells("# %%\nx\n" * 3 + marker * 2, None)))
    ids = [cell["id"] for cell in notebook["cells"]]
    assert len(set(ids)) == 5
    assert max(map(len, ids)) <= 64


def test_of_a_docstring_what_belongs_together_is_filled_and_what_stands_apart_stays_apart():
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
