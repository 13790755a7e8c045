"""Puts the marks of nbgrader back onto the cells of a notebook that a student handed in.

nbgrader trusts the marks in the file. A copied cell then fails the whole class, a notebook without marks has 0 points
in silence, and a deleted cell has none. So whatever marks a file has are only taken as a hint of which cell is which;
the marks themselves are written anew from the gradebook. Code is looked at as text and is never parsed or run here.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from grader.results.sentences import pick
from grader.results.verdict import Language

Cell = dict[str, Any]

CELL_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")
SAID = "kit-said"  # the cell in which the kit says what was graded; what is put back stands below it
KINDS = ("code", "markdown", "raw")

NOT_THERE = ("This cell is not in what was handed in.", "제출물에 이 셀이 없습니다.")


@dataclass(frozen=True)
class Expected:
    """A cell that nbgrader knows of an assignment's notebook.

    Attributes:
        name: Its grade id.
        kind: `code` or `markdown`.
        source: Its text in the source notebook; for a solution as it was handed out.
        locked: Whether students must leave it as it is.
        checksum: nbgrader's; None where it has none.
        points: What it is worth; None when it is not graded.
        solution: Whether it is for an answer.
        task: Whether it is a task.
    """

    name: str
    kind: str
    source: str
    locked: bool
    checksum: str | None
    points: float | None
    solution: bool
    task: bool

    @property
    def marks(self) -> dict[str, Any]:
        """The cell's metadata for nbgrader, in the form of version 3."""
        grade = self.points is not None and not self.task
        marks: dict[str, Any] = {
            "schema_version": 3,
            "grade": grade,
            "grade_id": self.name,
            "locked": self.locked,
            "solution": self.solution,
            "task": self.task,
            "cell_type": self.kind,
        }
        if self.points is not None:
            marks["points"] = int(self.points) if self.points == int(self.points) else self.points
        if self.checksum is not None:
            marks["checksum"] = self.checksum
        return marks


@dataclass
class Arranged:
    """A notebook's cells with their marks.

    Attributes:
        cells: All cells, in the student's order.
        notes: What was not as it was handed out, a sentence each, for the teacher's log.
    """

    cells: list[Cell]
    notes: list[str] = field(default_factory=list)


def plain_cells(cells: Sequence[Any]) -> list[Cell]:
    """Return the cells of a notebook in a form that every reader of notebooks takes, without outputs.

    Args:
        cells: What the file has for cells; what is not a cell is left out.
    """
    made: list[Cell] = []
    for cell in cells:
        if not isinstance(cell, Mapping):
            continue
        kind = cell.get("cell_type")
        metadata = cell.get("metadata")
        plain: Cell = {
            "cell_type": kind if kind in KINDS else "raw",
            "id": cell.get("id"),
            "metadata": dict(metadata) if isinstance(metadata, Mapping) else {},
            "source": _text(cell.get("source")),
        }
        attachments = cell.get("attachments")
        if isinstance(attachments, Mapping) and kind == "markdown":
            plain["attachments"] = dict(attachments)
        made.append(_as_kind(plain, plain["cell_type"]))
    return made


def _text(source: Any) -> str:
    parts = source if isinstance(source, list) else [source]
    return "".join(part for part in parts if isinstance(part, str))


def _as_kind(cell: Cell, kind: str) -> Cell:
    """Make a cell one of that kind, with the fields that belong to it."""
    cell["cell_type"] = kind
    if kind == "code":
        cell["execution_count"], cell["outputs"] = None, []
        cell.pop("attachments", None)
    else:
        cell.pop("execution_count", None)
        cell.pop("outputs", None)
    return cell


def arrange(cells: list[Cell], expected: Sequence[Expected], language: Language = "en") -> Arranged:
    """Mark the cells that nbgrader knows, and put back those that are not there.

    Args:
        cells: The student's cells by `plain_cells`, which are changed.
        expected: What nbgrader knows, in the order of the source.
        language: Of what is in the place of an answer that is not there.
    """
    arranged = Arranged(list(cells))
    claims = [_claim(cell) for cell in cells]
    for cell in cells:
        cell["metadata"].pop("nbgrader", None)
    taken: set[int] = set()
    chosen: dict[str, int] = {}
    for finder in (_by_claim, _by_id, _by_text):
        for each in expected:
            if each.name not in chosen:
                found = [index for index in finder(each, cells, claims) if index not in taken]
                if found:
                    written = [index for index in found if cells[index]["source"].strip() != each.source.strip()]
                    chosen[each.name] = (written or found)[-1]  # as the kit counts copies
                    taken.add(chosen[each.name])
                if finder is _by_claim and len(found) > 1:
                    arranged.notes.append(
                        f"The cell {each.name} is there {len(found)} times; one of them carries its marks."
                    )
    before = next((cell for cell in cells if cell["id"] == SAID), None)
    gone = [each.name for each in expected if each.name not in chosen]
    if gone and cells:
        arranged.notes.append(f"Not in what was handed in, and put back: {', '.join(gone)}.")
    for each in expected:
        index = chosen.get(each.name)
        if index is None:
            before = _put_back(each, before, arranged, pick(NOT_THERE, language))
        else:
            before = cells[index]
            _mark(before, each, arranged)
    _give_ids(arranged.cells)
    return arranged


def _claim(cell: Cell) -> str | None:
    marks = cell["metadata"].get("nbgrader")
    name = marks.get("grade_id") if isinstance(marks, Mapping) else None
    return name if isinstance(name, str) else None


def _by_claim(each: Expected, cells: Sequence[Cell], claims: Sequence[str | None]) -> list[int]:
    mine = [index for index, claim in enumerate(claims) if claim == each.name]
    return [index for index in mine if cells[index]["cell_type"] == each.kind] or mine


def _by_id(each: Expected, cells: Sequence[Cell], claims: Sequence[str | None]) -> list[int]:
    return [index for index, cell in enumerate(cells) if claims[index] is None and cell["id"] == each.name]


def _by_text(each: Expected, cells: Sequence[Cell], claims: Sequence[str | None]) -> list[int]:
    """Find the cell that defines an exercise's name, or that reads as a locked cell does."""
    free = [(index, cell) for index, cell in enumerate(cells) if claims[index] is None]
    if not each.solution:
        return [index for index, cell in free if cell["source"].strip() == each.source.strip() != ""]
    definition = re.compile(rf"^(?:async\s+def|def|class)\s+{re.escape(each.name)}\b", re.MULTILINE)
    return [index for index, cell in free if cell["cell_type"] == "code" and definition.search(cell["source"])]


def _mark(cell: Cell, each: Expected, arranged: Arranged) -> None:
    _as_kind(cell, each.kind)
    cell["metadata"]["nbgrader"] = each.marks
    if each.locked and not each.solution and cell["source"] != each.source:
        cell["source"] = each.source
        arranged.notes.append(f"The locked cell {each.name} had been changed. It is shown as it was handed out.")


def _put_back(each: Expected, before: Cell | None, arranged: Arranged, placeholder: str) -> Cell:
    """Put a cell back behind another; an answer that is not there is not the empty answer, which would be 0 points."""
    source = each.source if not each.solution else f"# {placeholder}" if each.kind == "code" else placeholder
    cell = _as_kind({"id": each.name, "metadata": {"nbgrader": each.marks}, "source": source}, each.kind)
    at = 0 if before is None else next(i for i, other in enumerate(arranged.cells) if other is before) + 1
    arranged.cells.insert(at, cell)
    return cell


def _give_ids(cells: Sequence[Cell]) -> None:
    used: set[str] = set()
    for number, cell in enumerate(cells):
        wanted = cell["id"]
        if not isinstance(wanted, str) or not CELL_ID.fullmatch(wanted) or wanted in used:
            wanted = f"cell-{number}"
            while wanted in used:
                wanted += "-"
        used.add(wanted)
        cell["id"] = wanted
