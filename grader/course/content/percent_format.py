"""Reads the percent format: one Python file that is also a notebook, cell by cell.

A cell begins with a line `# %%`, `# %% [markdown]` or `# %% key={json}`; it is the format that jupytext reads and
writes, so an author may keep working in a notebook. Nothing is executed here.
"""

import ast
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal

from grader.errors import CourseError
from grader.faults import did_you_mean, ended, fault

MARKER = re.compile(r"#\s*%%")
METADATA_KEYS = ("deletable", "editable", "exercise", "nbgrader", "tags")


@dataclass(frozen=True)
class Cell:
    """One cell of a percent-format file.

    Attributes:
        marker_line: Line of the `# %%` marker; 0 for code before the first marker.
        first_line: Line on which `source` begins.
        source: The cell's text, blank lines around it cut, comment signs of markdown removed.
        metadata: The values of the marker's `key={json}` parts; numbers with a point are Decimals.
        path: Where the file is, for sentences.
    """

    kind: Literal["code", "markdown"]
    marker_line: int
    first_line: int
    source: str
    metadata: Mapping[str, Any]
    path: Path

    @property
    def last_line(self) -> int:
        """The line on which `source` ends."""
        return self.first_line + self.source.count("\n")

    def fault(self, problem: str, hint: str = "") -> CourseError:
        """Return the error for this cell's marker line."""
        return fault(self.path, self.marker_line, problem, hint)


def split_cells(text: str, path: Path) -> list[Cell]:
    """Return the cells of a text; a jupytext header and empty stretches before the first marker are not cells."""
    lines = text.split("\n")
    start = _header_length(lines, path)
    marks = [number for number in range(start, len(lines)) if MARKER.match(lines[number])]
    cells = []
    first = marks[0] if marks else len(lines)
    if any(line.strip() for line in lines[start:first]):
        cells.append(_cell("code", 0, start, lines[start:first], {}, path))
    for mark, end in zip(marks, [*marks[1:], len(lines)], strict=True):
        kind, metadata = _read_marker(lines[mark], path, mark + 1)
        body = lines[mark + 1 : end]
        if kind == "markdown":
            body = [_uncomment(line, path, mark + 2 + offset) for offset, line in enumerate(body)]
        cells.append(_cell(kind, mark + 1, mark + 1, body, metadata, path))
    return cells


def parse(text: str, path: Path) -> ast.Module:
    """Return the syntax tree of a course file."""
    try:
        return ast.parse(text)
    except SyntaxError as problem:
        raise fault(path, problem.lineno, ended(f"this is not Python: {problem.msg}")) from None
    except ValueError as problem:
        raise fault(path, None, f"this is not Python: {problem}.") from None


def _header_length(lines: list[str], path: Path) -> int:
    if not lines or lines[0].rstrip() != "# ---":
        return 0
    for number, line in enumerate(lines[1:], start=1):
        if line.rstrip() == "# ---":
            return number + 1
        if line and not line.startswith("#"):
            break
    raise fault(path, 1, "the header that opens with `# ---` is not closed.", "Close it with `# ---`.")


def _cell(
    kind: Literal["code", "markdown"], marker_line: int, offset: int, body: list[str], metadata: Mapping[str, Any],
    path: Path,
) -> Cell:  # fmt: skip
    written = [number for number, line in enumerate(body) if line.strip()]
    first, last = (written[0], written[-1] + 1) if written else (0, 0)
    return Cell(kind, marker_line, offset + first + 1, "\n".join(body[first:last]), metadata, path)


def _uncomment(line: str, path: Path, number: int) -> str:
    if not line.strip():
        return ""
    if not line.startswith("#"):
        problem = f"the line {line.strip()!r} of a markdown cell does not begin with `# `."
        raise fault(path, number, problem, "For code begin a new cell with `# %%`.")
    return line[2:] if line.startswith("# ") else line[1:]


def _read_marker(line: str, path: Path, number: int) -> tuple[Literal["code", "markdown"], dict[str, Any]]:
    match = MARKER.match(line)
    assert match is not None
    rest = line[match.end() :].strip()
    kind: Literal["code", "markdown"] = "code"
    if rest.startswith("[markdown]"):
        kind, rest = "markdown", rest[len("[markdown]") :].strip()
    metadata: dict[str, Any] = {}
    decoder = json.JSONDecoder(parse_float=Decimal, parse_constant=_no_constant)
    while rest:
        part = re.match(r"([A-Za-z_]+)=", rest)
        if part is None:
            hint = "Only `[markdown]` and `key={json}` may follow; move the rest into the cell."
            raise fault(path, number, f"`# %%` is followed by {rest[:60]!r}.", hint)
        key = part[1]
        if key in metadata:
            raise fault(path, number, f"the key `{key}` appears twice.", "Remove one of the two.")
        if key not in METADATA_KEYS:
            raise fault(path, number, f"the key `{key}` is not known.", did_you_mean(key, METADATA_KEYS))
        try:
            metadata[key], end = decoder.raw_decode(rest, part.end())
        except (ValueError, RecursionError) as problem:
            raise fault(path, number, f"the value of `{key}` is not JSON: {problem}.") from None
        rest = rest[end:].strip()
    return kind, metadata


def _no_constant(name: str) -> Any:
    """Refuse NaN and Infinity, which Python's JSON would read as numbers."""
    raise ValueError(f"{name} is not a JSON number")
