"""Reads what was handed in as the cells of a notebook.

Everything is read within the kit's limits and without following a link, as data. Nothing is parsed as Python.
"""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from grader.limits import Limits
from grader.submissions.notebook_file import mended_json
from grader.submissions.read import own_file, read_file

from .grade_cells import SAID, Cell, plain_cells

KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


@dataclass(frozen=True)
class HandedInCells:
    """The cells of what was handed in.

    Attributes:
        cells: They, without outputs; none with a problem.
        metadata: The kernel and language that a notebook names.
        problem: Why nothing could be read; empty otherwise.
    """

    cells: list[Cell] = field(default_factory=list)
    metadata: dict[str, Any] = field(default_factory=lambda: {"kernelspec": KERNEL})
    problem: str = ""


def read_cells(place: Path, limits: Limits) -> HandedInCells:
    """Return the cells of a `.py` or `.ipynb` file, or why there are none."""
    source = read_file(own_file(place), limits)
    if source.problem is not None:
        return HandedInCells(problem=source.problem)
    try:
        content = json.loads(mended_json(place.read_bytes().decode("utf-8-sig")))
        found = content.get("metadata")
        metadata = found if isinstance(found, dict) else {}
        kept = {
            name: metadata[name] for name in ("kernelspec", "language_info") if isinstance(metadata.get(name), dict)
        }
        return HandedInCells(plain_cells(content.get("cells", [])), kept)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, OSError) as problem:
        return HandedInCells(problem=f"{place.name} could not be read as a notebook: {problem}")


def said_in_a_cell(sentence: str) -> Cell:
    """Return a cell that says something, as a comment."""
    [cell] = plain_cells([{"cell_type": "code", "id": SAID, "source": f"# {sentence}"}])
    return cell


def notebook_of(cells: list[Cell], metadata: dict[str, Any]) -> dict[str, Any]:
    """Return a notebook of format 4.5."""
    return {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
