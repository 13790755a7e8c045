"""Makes the students' notebook from the cells of their file.

The JSON is written here and not by a notebook library: those take a second to import and give every cell a random id at
each conversion, which would make every build a change.
"""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from types import MappingProxyType
from typing import Any

from grader.course.content.percent_format import Cell

from .wrapping import wrapped

KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
NOTEBOOK_METADATA = {"kernelspec": KERNEL, "language_info": {"file_extension": ".py", "name": "python"}}
LONGEST_ID = 64
NO_TASKS: Mapping[str, str] = MappingProxyType({})


def make_notebook(cells: Sequence[Cell], tasks: Mapping[str, str] = NO_TASKS) -> str:
    """Return a notebook in nbformat 4.5 as text, in the very form in which JupyterLab and VS Code save it.

    Args:
        cells: The cells of the stub; their metadata `nbgrader` and `exercise` is kept as it is there.
        tasks: What exercises ask in Korean, by their id; it is folded above the cell of the exercise.
    """
    used: set[str] = set()
    notebook = {
        "cells": [made for cell in cells for made in (*_folded(cell, tasks), _cell(cell, used))],
        "metadata": NOTEBOOK_METADATA,
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(notebook, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def _cell(cell: Cell, used: set[str]) -> dict[str, Any]:
    made: dict[str, Any] = {"cell_type": cell.kind}
    if cell.kind == "code":
        made["execution_count"] = None
    made["id"] = _cell_id(cell, used)
    made["metadata"] = {**_locks(cell), **_plain(cell.metadata)}
    if cell.kind == "code":
        made["outputs"] = []
    made["source"] = (wrapped(cell.source) if cell.kind == "code" else cell.source).splitlines(keepends=True)
    return made


def _folded(cell: Cell, tasks: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the Korean task of a cell's exercise as a cell of its own; nothing where there is none."""
    nbgrader = cell.metadata.get("nbgrader", {})
    name = nbgrader.get("grade_id", "")
    if not nbgrader.get("solution") or name not in tasks:
        return []
    text = f"<details><summary>한국어: <code>{name}</code></summary>\n\n{tasks[name]}\n\n</details>"
    source = text.splitlines(keepends=True)
    return [{"cell_type": "markdown", "id": f"{name[: LONGEST_ID - 3]}-ko", "metadata": {}, "source": source}]


def _locks(cell: Cell) -> dict[str, bool]:
    """Return what keeps an editor from deleting the cell of an exercise and from changing a check, as nbgrader does."""
    nbgrader = cell.metadata.get("nbgrader", {})
    if nbgrader.get("locked"):
        return {"deletable": False, "editable": False}
    return {"deletable": False} if nbgrader.get("solution") else {}


def _cell_id(cell: Cell, used: set[str]) -> str:
    """Return an id that stays the same as long as the cell is the same one."""
    grade_id = cell.metadata.get("nbgrader", {}).get("grade_id", "")
    wanted = grade_id if re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", grade_id) else ""
    wanted = wanted or hashlib.sha256(f"{cell.kind}\n{cell.source}".encode()).hexdigest()[:12]
    made, number = wanted, 1
    while made in used:
        number += 1
        made = f"{wanted[: LONGEST_ID - 5]}-{number}"
    used.add(made)
    return made


def _plain(value: Any) -> Any:
    """Turn exact decimals into the numbers that nbgrader reads."""
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value
