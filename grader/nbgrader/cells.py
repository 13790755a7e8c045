"""Reads the cells of what was handed in, and marks them as nbgrader's gradebook knows them.

nbgrader trusts the marks in the file: a copied cell fails the whole class, and without marks there are 0 points. So a
mark tells no more than which cell is which, and all that nbgrader goes by is written anew. Points do not depend on it:
they are entered by name. Files are read within the kit's limits and without following a link; nothing is run.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from nbformat.v4 import new_code_cell, new_markdown_cell, new_raw_cell

from grader.language import N_, translation
from grader.limits import Limits
from grader.results.verdict import Language
from grader.submissions.files import File
from grader.submissions.notebook_file import mended_json
from grader.submissions.read import read_file

NEW = {"code": new_code_cell, "markdown": new_markdown_cell, "raw": new_raw_cell}
NOT_THERE = N_("This cell is not in what was handed in.")


def read_cells(place: Path, limits: Limits) -> tuple[list[Any], str]:
    """Return the cells of a notebook without their outputs, or none and why it cannot be read."""
    problem = read_file(File(place, place.name), limits).problem
    if problem is not None:
        return [], problem
    try:
        content = json.loads(mended_json(place.read_bytes().decode("utf-8-sig")))
        return [_plain(cell) for cell in content["cells"] if isinstance(cell, Mapping)], ""
    except Exception as problem:  # whatever stands in the file; the report has graded it or says why not
        return [], f"{place.name} could not be shown as a notebook: {type(problem).__name__}."


def _plain(cell: Mapping[str, Any]) -> Any:
    kind, source = cell.get("cell_type"), cell.get("source")
    metadata, pasted = cell.get("metadata"), cell.get("attachments")
    marks = metadata.get("nbgrader") if isinstance(metadata, Mapping) else None
    parts = source if isinstance(source, list) else [source]
    text = "".join(part for part in parts if isinstance(part, str))
    made = NEW[kind if isinstance(kind, str) and kind in NEW else "raw"](text)
    made.metadata = {"nbgrader": marks} if isinstance(marks, Mapping) else {}
    if kind == "markdown" and isinstance(pasted, Mapping):
        made.attachments = pasted
    return made


def marked_cells(cells: Sequence[Any], notebook: Any, language: Language) -> list[Any]:
    """Return cells with the gradebook's marks and, below them, the graded cells that are gone.

    Of copies the last that was written counts, as it does in grading.

    Args:
        cells: Those of `read_cells`.
        notebook: The gradebook's `Notebook`.
        language: Of what is in the place of an answer that is not there.
    """
    sources = {source.name: source for source in notebook.source_cells}
    marks = _marks(notebook)
    chosen: dict[str, int] = {}
    for number, cell in enumerate(cells):
        name = cell.metadata.get("nbgrader", {}).get("grade_id")
        if isinstance(name, str) and name in sources:
            written = cell.source.strip() != (sources[name].source or "").strip()
            if written or name not in chosen:
                chosen[name] = number
        cell.metadata = {}
    made = list(cells)
    for name, number in chosen.items():
        if marks[name]["locked"] or cells[number].cell_type != marks[name]["cell_type"]:
            text = sources[name].source or "" if marks[name]["locked"] else cells[number].source
            made[number] = NEW[marks[name]["cell_type"]](text)
        made[number].metadata = {"nbgrader": marks[name]}
    for name in (name for name in sources if name not in chosen and "points" in marks[name]):
        text = sources[name].source or ""
        if marks[name]["solution"]:  # as it was handed out it would be no response, which is 0
            text = ("# " if marks[name]["cell_type"] == "code" else "") + translation(language).gettext(NOT_THERE)
        made.append(NEW[marks[name]["cell_type"]](text, metadata={"nbgrader": marks[name]}))
    return made


def _marks(notebook: Any) -> dict[str, dict[str, Any]]:
    """Return nbgrader's metadata, version 3, of every cell of a notebook in the gradebook."""
    points = {cell.name: float(cell.max_score) for cell in (*notebook.grade_cells, *notebook.task_cells)}
    solutions, tasks = ({cell.name for cell in cells} for cells in (notebook.solution_cells, notebook.task_cells))
    return {
        cell.name: {
            "schema_version": 3,
            "grade": cell.name in points and cell.name not in tasks,
            "grade_id": cell.name,
            "locked": bool(cell.locked),
            "solution": cell.name in solutions,
            "task": cell.name in tasks,
            "cell_type": cell.cell_type or "code",
            **({"points": points[cell.name]} if cell.name in points else {}),
            **({"checksum": cell.checksum} if cell.checksum is not None else {}),
        }
        for cell in notebook.source_cells
    }
