"""A graded notebook: the student's cells with the marks of nbgrader, and each exercise's report below its check."""

import json
from collections.abc import Sequence
from typing import Any

from grader.course.content.exercises import CHECK_SUFFIX
from grader.results.redact import student_copy
from grader.results.report import Report

from .grade_cells import Expected, arrange
from .handed_in import HandedInCells, notebook_of
from .report_cells import notes_of, output_of

NOTES_CELL = "kit-notes"


def put_outputs(cells: Sequence[Any], report: Report) -> list[Any]:
    """Return the cells with what the student may read of the report as their outputs.

    Args:
        cells: The notebook's cells with nbgrader's marks.
        report: The report.
    """
    copy = student_copy(report)
    outputs = {each.id + CHECK_SUFFIX: output_of(each, copy.language) for each in copy.exercises if each.checks}
    made = []
    for cell in cells:
        name = cell["metadata"].get("nbgrader", {}).get("grade_id")
        if name in outputs and cell["cell_type"] == "code" and cell["metadata"]["nbgrader"].get("grade"):
            cell["outputs"] = [outputs[name]]
        made.append(cell)
    notes = notes_of(copy)
    if notes is not None:
        made.insert(0, _notes_cell(notes, {cell.get("id") for cell in made}))
    return made


def _notes_cell(output: dict[str, Any], used: set[Any]) -> dict[str, Any]:
    name = NOTES_CELL
    while name in used:
        name += "-"
    return {
        "cell_type": "code",
        "execution_count": None,
        "id": name,
        "metadata": {"deletable": False, "editable": False},
        "outputs": [output],
        "source": "",
    }


def graded_notebook(report: Report, handed_in: HandedInCells | None, expected: Sequence[Expected]) -> str:
    """Return the graded notebook of a submission as text.

    Args:
        report: Its report.
        handed_in: What the student wrote; None when it is not at hand.
        expected: The cells that nbgrader knows.
    """
    found = handed_in if handed_in is not None else HandedInCells()
    arranged = arrange(None if handed_in is None else found.cells, expected, report.language)
    cells = put_outputs(arranged.cells, report)
    return json.dumps(notebook_of(cells, found.metadata), ensure_ascii=False, indent=1) + "\n"
