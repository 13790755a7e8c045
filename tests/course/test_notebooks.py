"""The students' notebooks: what each exercise consists of, and that no answer is in them."""

import json
import re
from pathlib import Path

import nbformat
import pytest

from grader.course.handed_out.build import released_files
from grader.course.handed_out.stub import without_markers
from grader.course.layout import find_course

from ..support.classes.student_notebooks import solutions_in

COURSE = find_course(Path(__file__))
ASSIGNMENTS = sorted(COURSE.assignments)
FORBIDDEN_IN_TEXT = re.compile(r"BEGIN SOLUTION|END SOLUTION|HIDDEN TESTS")


def released(name):
    """Return the path of an assignment's notebook and its cells."""
    assignment = COURSE.assignments[name]
    path = assignment.released / f"{assignment.name}.ipynb"
    return path, json.loads(path.read_text(encoding="utf-8"))["cells"]


def text_of(cell):
    """Return a cell's text."""
    return "".join(cell["source"])


def answers(name):
    """Return the text of each exercise's cell in the solution, by grade id."""
    source = COURSE.assignments[name].source
    return solutions_in(without_markers(source.read_text(encoding="utf-8")), source)


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_an_exercise_is_a_text_a_cell_to_fill_and_a_locked_check(name):
    _, cells = released(name)
    for exercise in COURSE.assignments[name].exercises:
        at = next(
            n for n, cell in enumerate(cells) if cell["metadata"].get("nbgrader", {}).get("grade_id") == exercise.id
        )
        text, solution, check = cells[at - 1], cells[at], cells[at + 1]
        assert text["cell_type"] == "markdown" and text_of(text).strip(), exercise.id
        nbgrader = {"schema_version": 3, "task": False}
        assert solution["metadata"]["nbgrader"] == {
            **nbgrader, "grade_id": exercise.id, "solution": True, "grade": False, "locked": False,
        }  # fmt: skip
        assert check["metadata"]["nbgrader"] == {
            **nbgrader, "grade_id": f"{exercise.id}-check", "solution": False, "grade": True, "locked": True,
            "points": exercise.points,
        }  # fmt: skip
        assert solution["id"] == exercise.id and check["id"] == f"{exercise.id}-check"
        assert "NotImplementedError" in text_of(solution)
        assert text_of(check) == f'check("{exercise.id}")'
        assert check["metadata"]["editable"] is False


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_a_notebook_is_valid_in_format_4_5_with_what_editors_ask_for(name):
    """JupyterLab and VS Code pick the kernel by its name and the language by its info; ids keep their diffs small."""
    path, cells = released(name)
    notebook = nbformat.read(path, as_version=nbformat.NO_CONVERT)
    nbformat.validate(notebook)
    assert (notebook.nbformat, notebook.nbformat_minor) == (4, 5)
    assert notebook.metadata.kernelspec == {"display_name": "Python 3", "language": "python", "name": "python3"}
    assert notebook.metadata.language_info.name == "python"
    assert len({cell["id"] for cell in cells}) == len(cells)
    assert all(cell.get("outputs", []) == [] and cell.get("execution_count") is None for cell in cells)


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_nbgrader_accepts_the_metadata(name):
    schema = pytest.importorskip("nbgrader.nbgraderformat.v3", reason="nbgrader is not installed")
    path, _ = released(name)
    notebook = nbformat.read(path, as_version=4)
    schema.MetadataValidatorV3().validate_nb(notebook)


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_no_answer_and_no_marker_is_in_a_notebook(name):
    path, cells = released(name)
    assert not FORBIDDEN_IN_TEXT.search(path.read_text(encoding="utf-8"))
    texts = {text_of(cell) for cell in cells}
    assert not texts & set(answers(name).values())


def test_every_build_gives_the_same_notebook():
    assignment = COURSE.assignments[ASSIGNMENTS[0]]
    once, twice = (dict(released_files(assignment)) for _ in range(2))
    assert once == twice
