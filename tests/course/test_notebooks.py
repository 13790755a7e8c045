"""The students' notebooks: what each exercise consists of, and that no answer is in them."""

import re
from pathlib import Path

import nbformat
import pytest

from grader.course.layout import find_course
from grader.release.build import released_files

from ..support.classes.student_notebooks import answers, released, text_of

COURSE = find_course(Path(__file__))
every_assignment = pytest.mark.parametrize("assignment", COURSE.assignments.values(), ids=COURSE.assignments)
FORBIDDEN_IN_TEXT = re.compile(r"BEGIN SOLUTION|END SOLUTION|HIDDEN TESTS")


@every_assignment
def test_an_exercise_is_a_text_a_cell_to_fill_and_a_locked_check(assignment):
    _, cells = released(assignment)
    for exercise in assignment.exercises:
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


@every_assignment
def test_a_notebook_is_valid_in_format_4_5_with_what_editors_ask_for(assignment):
    """JupyterLab and VS Code pick the kernel by its name and the language by its info; ids keep their diffs small."""
    path, cells = released(assignment)
    notebook = nbformat.read(path, as_version=nbformat.NO_CONVERT)
    nbformat.validate(notebook)
    assert (notebook.nbformat, notebook.nbformat_minor) == (4, 5)
    assert notebook.metadata.kernelspec == {"display_name": "Python 3", "language": "python", "name": "python3"}
    assert notebook.metadata.language_info.name == "python"
    assert len({cell["id"] for cell in cells}) == len(cells)
    assert all(cell.get("outputs", []) == [] and cell.get("execution_count") is None for cell in cells)


@every_assignment
def test_nbgrader_accepts_the_metadata(assignment):
    schema = pytest.importorskip("nbgrader.nbgraderformat.v3", reason="nbgrader is not installed")
    path, _ = released(assignment)
    notebook = nbformat.read(path, as_version=4)
    schema.MetadataValidatorV3().validate_nb(notebook)


@every_assignment
def test_no_answer_and_no_marker_is_in_a_notebook(assignment):
    path, cells = released(assignment)
    assert not FORBIDDEN_IN_TEXT.search(path.read_text(encoding="utf-8"))
    texts = {text_of(cell) for cell in cells}
    assert not texts & set(answers(assignment).values())


def test_every_build_gives_the_same_notebook():
    assignment = next(iter(COURSE.assignments.values()))
    once, twice = (dict(released_files(assignment)) for _ in range(2))
    assert once == twice
