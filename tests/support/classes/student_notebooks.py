"""The notebook that students get with two exercises solved, and what students and their editors do to it."""

import json
from pathlib import Path
from typing import Any

from grader.course.content.percent_format import split_cells
from grader.course.handed_out.stub import without_markers
from grader.course.layout import Assignment

from ..frozen_students import RIGHT, SCORES, SOFTMAX, Notebook, notebook_of

ANSWERS = {name: RIGHT[name] for name in (SCORES, SOFTMAX)}


def id_of(cell: dict[str, Any]) -> str:
    """Return a cell's grade id, or an empty text."""
    return str(cell["metadata"].get("nbgrader", {}).get("grade_id", ""))


def honest() -> Notebook:
    """Return the released notebook with the two answers in it, as a student hands it in."""
    return notebook_of(ANSWERS)


def solutions_in(text: str, path: Path) -> dict[str, str]:
    """Return the text of each exercise's cell in a course's `.py`, by grade id."""
    marked = [(cell.metadata.get("nbgrader", {}), cell.source) for cell in split_cells(text, path)]
    return {nbgrader["grade_id"]: source for nbgrader, source in marked if nbgrader.get("solution")}


def released(assignment: Assignment) -> tuple[Path, list[dict[str, Any]]]:
    path = assignment.released / f"{assignment.name}.ipynb"
    return path, json.loads(path.read_text(encoding="utf-8"))["cells"]


def text_of(cell: dict[str, Any]) -> str:
    return "".join(cell["source"])


def answers(assignment: Assignment) -> dict[str, str]:
    """Return the text of each exercise's cell in the solution, by grade id."""
    return solutions_in(without_markers(assignment.source.read_text(encoding="utf-8")), assignment.source)


def cell_of(notebook: Notebook, grade_id: str) -> dict[str, Any]:
    return next(cell for cell in notebook["cells"] if id_of(cell) == grade_id)


def scratch(source: str) -> dict[str, Any]:
    """Return a code cell without a grade id."""
    return {"cell_type": "code", "id": "scratch", "metadata": {}, "source": source, "outputs": [], "execution_count": 1}


def messy(notebook: Notebook) -> None:
    """All that a student's notebook gathers in a week."""
    first = notebook["cells"].index(cell_of(notebook, SCORES))
    notebook["cells"][first:first] = [
        scratch("pip install einops\nimport torch\n%matplotlib inline\nimport matplotlib.pyplot as plt"),
        scratch("%%bash\nls -la\necho done"),
        scratch("files = !ls\ntorch.softmax?\n%time y = torch.ones(2)\nls\nprint(y)"),
        scratch("class Later(Earlier):\n    pass\n\nlater = Later()"),
        scratch("1 / 0\nnever = 1"),
        scratch("def broken(:\n    pass"),
        scratch("fig, ax = plt.subplots()\nax.plot([1, 2]); plt.show()\nget_ipython().run_line_magic('time', '1')"),
        scratch("import sys, warnings\nprint('noise', file=sys.stderr)\nwarnings.warn('more noise')"),
    ]
    notebook["cells"].append(scratch("class Earlier:\n    pass"))
