"""Makes the file that students get from a source: the same text, with every solution region cut out.

Lines are cut and nothing is rendered anew, so what an author wrote around the regions reaches the students as it was;
only imports are added, of what the texts name and the solution does not need.
"""

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.course.content.exercises import Exercise
from grader.course.content.percent_format import Cell, parse, split_cells
from grader.errors import CourseError
from grader.faults import fault

BEGIN = "### BEGIN SOLUTION"
END = "### END SOLUTION"
PLACE = "# YOUR CODE HERE"
SLIP = re.compile(r"#[#\s]*(begin|end)[\s_-]*solution", re.IGNORECASE)


@dataclass(frozen=True)
class Region:
    """A stretch of a source that students do not get.

    Attributes:
        begin: The line of `### BEGIN SOLUTION`, counted from 1.
    """

    exercise: str
    begin: int
    end: int
    indent: str


def find_regions(text: str, cells: Sequence[Cell], exercises: Sequence[Exercise], path: Path) -> list[Region]:
    owners = {cell.marker_line: cell for cell in cells}
    spans = [(exercise.id, owners[exercise.line]) for exercise in exercises]
    regions: list[Region] = []
    opened: tuple[int, str] | None = None
    lines = text.split("\n")
    for number, line in enumerate(lines, start=1):
        mark = line.strip()
        if mark not in (BEGIN, END):
            if SLIP.match(mark):
                hint = f"Write `{BEGIN}` and `{END}` exactly so, or students would get the answer."
                raise fault(path, number, f"{mark!r} is not the marker of a region.", hint)
            continue
        owner = next((name for name, cell in spans if cell.first_line <= number <= cell.last_line), None)
        if owner is None:
            hint = "Move it, or mark the cell as a solution."
            raise fault(path, number, f"`{mark}` is in no exercise's cell.", hint)
        if opened is not None and (opened[1] != owner or mark == BEGIN):
            raise _unclosed(path, opened[0])
        if mark == BEGIN:
            opened = (number, owner)
            continue
        if opened is None:
            raise fault(path, number, f"`{END}` is here without a `{BEGIN}` before it.")
        regions.append(_region(lines, opened[0], number, owner, path))
        opened = None
    if opened is not None:
        raise _unclosed(path, opened[0])
    for name, cell in spans:
        if all(region.exercise != name for region in regions):
            hint = f"Put `{BEGIN}` and `{END}` around what students must write."
            raise fault(path, cell.marker_line, f"the exercise `{name}` has no solution region.", hint)
    return regions


def _unclosed(path: Path, line: int) -> CourseError:
    return fault(path, line, "the solution region is not closed.", f"Write `{END}` after it, in the same cell.")


def _region(lines: Sequence[str], begin: int, end: int, exercise: str, path: Path) -> Region:
    first = lines[begin - 1]
    indent = first[: len(first) - len(first.lstrip())]
    if not indent:
        problem = "the solution region is not inside a function or method."
        raise fault(path, begin, problem, "Indent it, and leave the `def` line to the students.")
    if not any(line.strip() for line in lines[begin : end - 1]):
        raise fault(path, begin, "the solution region is empty.", "Write the answer into it.")
    return Region(exercise, begin, end, indent)


def make_stub(text: str, exercises: Sequence[Exercise], path: Path) -> str:
    """Return the text of the students' file."""
    regions = find_regions(text, split_cells(text, path), exercises, path)
    lines = text.split("\n")
    for region in reversed(regions):
        message = f'{region.indent}raise NotImplementedError("{region.exercise} is not written yet")'
        lines[region.begin - 1 : region.end] = [f"{region.indent}{PLACE}", message]
    stub = "\n".join(line.rstrip() for line in lines).strip("\n") + "\n"
    return _with_imports(stub, parse(stub, path))


def _with_imports(stub: str, tree: ast.Module) -> str:
    """Return a stub that imports `F` and `math` where its texts name them, whether or not the solution needs them."""
    imports = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    bound = {alias.asname or alias.name for node in imports for alias in node.names}
    lines = stub.split("\n")
    of_torch = [node for node in imports if ast.unparse(node).startswith(("import torch", "from torch"))]
    if of_torch and "F" not in bound and re.search(r"\bF\.\w", stub):
        lines.insert(max(node.end_lineno or 0 for node in of_torch), "from torch.nn import functional as F")
    if imports and "math" not in bound and re.search(r"\bmath\.\w", stub):
        lines[imports[0].lineno - 1 : imports[0].lineno - 1] = ["import math", ""]
    return "\n".join(lines)


def without_markers(text: str) -> str:
    """Return a source as a student would hand it in: the answers stay, the region markers go."""
    return "\n".join(line for line in text.split("\n") if line.strip() not in (BEGIN, END))
