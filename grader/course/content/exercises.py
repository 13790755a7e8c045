"""Reads the exercises of a source: their ids, points and titles, and the rules that their cells must keep.

Points and ids appear once, in the cells' metadata of nbgrader's version 3 form; scores, tables and notebooks all take
them from here. A rule is checked when the course is opened, so a slip costs its author a sentence and no student a
point.
"""

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Literal, TypeVar

import msgspec

from grader.faults import did_you_mean, fault
from grader.inside.forbidden.groups import GROUPS

from .percent_format import Cell, parse

GRADE_ID = re.compile(r"[a-zA-Z0-9_\-]+")
CHECK_SUFFIX = "-check"
HARDEST = 5
MOST_POINTS = 1000


class NbgraderCell(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A cell's `nbgrader` metadata in the version 3 form, without what nbgrader adds itself."""

    schema_version: Literal[3]
    grade: bool
    solution: bool
    locked: bool
    task: bool
    grade_id: str
    points: Decimal | int | None = None


class ExerciseCell(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A cell's `exercise` metadata: what a student is told about an exercise."""

    title: str
    title_ko: str
    difficulty: int
    minutes: int
    source: str
    forbids: tuple[str, ...] = ()


@dataclass(frozen=True)
class Exercise:
    """One exercise.

    Attributes:
        id: Its name: of the function or class, in reports and in the suites.
        points: What it is worth, exactly; 0 when a student's own file no longer says it.
        source: The note and cell it comes from.
        forbids: Groups of library calls that it must not use.
        line: Where its cell begins in the source.
    """

    id: str
    title: str
    title_ko: str
    points: Decimal
    difficulty: int
    minutes: int
    source: str
    forbids: tuple[str, ...]
    kind: Literal["function", "class"]
    line: int


def read_exercises(cells: Sequence[Cell], text: str, path: Path) -> list[Exercise]:
    """Read the exercises of a source, in their order, from its cells and its whole text.

    Raises:
        CourseError: A cell's metadata is not of the form, an id appears twice, an exercise has no points, no
            definition or an unknown group of forbidden calls, a check cell checks something else, or the source
            holds no exercise.
    """
    tree = parse(text, path)
    marked = [(cell, _nbgrader(cell)) for cell in cells if "nbgrader" in cell.metadata]
    _refuse_strays(cells)
    _refuse_duplicates(marked)
    solutions = {meta.grade_id: cell for cell, meta in marked if meta.solution}
    points = {}
    for cell, meta in marked:
        if meta.grade:
            points[_checked_exercise(cell, meta, solutions)] = _points(cell, meta)
    if not solutions:
        hint = "Mark a code cell with `# %% nbgrader={...} exercise={...}`."
        raise fault(path, None, "a source must hold at least one exercise.", "It holds none.", hint)
    return [_exercise(name, cell, points, tree) for name, cell in solutions.items()]


def _exercise(name: str, cell: Cell, points: dict[str, Decimal], tree: ast.Module) -> Exercise:
    if name not in points:
        hint = f"Add a check cell with the grade id `{name}{CHECK_SUFFIX}`, which holds the points."
        raise cell.fault("every exercise needs points.", f"`{name}` has none.", hint)
    metadata = msgspec.structs.asdict(_metadata(name, cell))
    kind = _kind(name, cell, tree)
    return Exercise(id=name, points=points[name], kind=kind, line=cell.marker_line, **metadata)


def _kind(name: str, cell: Cell, tree: ast.Module) -> Literal["function", "class"]:
    lines = range(cell.first_line, cell.last_line + 1)
    names = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.lineno in lines:
            if node.name == name:
                return "class" if isinstance(node, ast.ClassDef) else "function"
            names.append(node.name)
    found = f"It defines {', '.join(f'`{other}`' for other in names)}." if names else "It defines none."
    rule = f"the cell of `{name}` must define a function or class of that name."
    raise cell.fault(rule, found, "Make the grade id and the name the same.")


def _metadata(name: str, cell: Cell) -> ExerciseCell:
    if "exercise" not in cell.metadata:
        hint = 'Add `exercise={"title": ..., "title_ko": ..., "difficulty": ..., "minutes": ..., "source": ...}`.'
        rule = "every exercise says its title, difficulty, minutes and source in its marker line."
        raise cell.fault(rule, f"`{name}` has no `exercise={{...}}`.", hint)
    metadata = _convert(cell, "exercise", ExerciseCell)
    if not (metadata.title.strip() and metadata.title_ko.strip() and metadata.source.strip()):
        raise cell.fault("title, title_ko and source must not be empty.", f"Look at `{name}`.")
    if not 1 <= metadata.difficulty <= HARDEST:
        found = f"That of `{name}` is {metadata.difficulty}."
        raise cell.fault(f"the difficulty must be between 1 and {HARDEST}.", found)
    if metadata.minutes < 1:
        raise cell.fault("the minutes must be 1 or more.", f"`{name}` says {metadata.minutes}.")
    for group in metadata.forbids:
        if group not in GROUPS:
            rule = "an exercise can forbid only groups of calls that the grader knows."
            raise cell.fault(rule, f"`{name}` forbids `{group}`.", did_you_mean(group, GROUPS))
    return metadata


def _points(cell: Cell, meta: NbgraderCell) -> Decimal:
    rule = f"the points of a check cell must be a number above 0, up to {MOST_POINTS}, with at most two decimals."
    if meta.points is None:
        raise cell.fault(rule, f"`{meta.grade_id}` has none.", 'Write `"points": 3`.')
    points = Decimal(meta.points)
    if not 0 < points <= MOST_POINTS or points != points.quantize(Decimal("0.01")):
        raise cell.fault(rule, f"`{meta.grade_id}` has {points}.", 'Write `"points": 3`.')
    return points.normalize() if points % 1 else points.quantize(Decimal(1))


def _checked_exercise(cell: Cell, meta: NbgraderCell, solutions: dict[str, Cell]) -> str:
    name = meta.grade_id.removesuffix(CHECK_SUFFIX)
    if name == meta.grade_id or name not in solutions:
        rule = f"a check cell's grade id must be an exercise's id with `{CHECK_SUFFIX}` behind it."
        hint = did_you_mean(meta.grade_id, [known + CHECK_SUFFIX for known in solutions])
        raise cell.fault(rule, f"Found `{meta.grade_id}`.", hint)
    if solutions[name].marker_line > cell.marker_line:
        raise cell.fault("a check cell must come after its exercise.", f"Found `{meta.grade_id}`.")
    call = f'check("{name}")'
    if cell.source.replace("'", '"') != call:
        rule = "a check cell must hold the call that checks its exercise, and nothing else."
        raise cell.fault(rule, f"Found {cell.source[:60]!r}.", f"Write `{call}`.")
    return name


def _refuse_strays(cells: Sequence[Cell]) -> None:
    for cell in cells:
        nbgrader = cell.metadata.get("nbgrader")
        solution = isinstance(nbgrader, dict) and nbgrader.get("solution") is True
        if "exercise" in cell.metadata and not solution:
            rule = "`exercise={...}` belongs to a cell whose nbgrader metadata says `solution: true`."
            raise cell.fault(rule, "This cell is not one.", "Move it, or add the nbgrader part.")


def _refuse_duplicates(marked: Sequence[tuple[Cell, NbgraderCell]]) -> None:
    seen: dict[str, int] = {}
    for cell, meta in marked:
        if meta.grade_id in seen:
            found = f"`{meta.grade_id}` is in line {seen[meta.grade_id]} too."
            raise cell.fault("a grade id may appear once in a file.", found, "Rename one of them.")
        seen[meta.grade_id] = cell.marker_line


def _nbgrader(cell: Cell) -> NbgraderCell:
    meta = _convert(cell, "nbgrader", NbgraderCell)
    if GRADE_ID.fullmatch(meta.grade_id) is None:
        raise cell.fault("a grade id consists of letters, digits, `_` and `-`.", f"Found {meta.grade_id!r}.")
    kinds = {
        (True, False, False, False): "solution",
        (False, True, True, False): "check",
        (False, False, True, False): "read-only",
    }
    kind = kinds.get((meta.solution, meta.grade, meta.locked, meta.task))
    if kind is None or cell.kind != "code":
        forms = "a solution (solution), a check (grade, locked) or read-only (locked)"
        found = f"`{meta.grade_id}` is a {cell.kind} cell with another mix of these."
        hint = "This grader has no hand-graded and no task cells."
        raise cell.fault(f"an nbgrader cell is a code cell and {forms}.", found, hint)
    if kind != "check" and meta.points is not None:
        found = f"`{meta.grade_id}` is not one and has {meta.points}."
        raise cell.fault("points belong in check cells only.", found)
    return meta


Form = TypeVar("Form", NbgraderCell, ExerciseCell)


def _convert(cell: Cell, key: str, form: type[Form]) -> Form:
    rule = f"the value of `{key}=` must have the documented fields."
    value = cell.metadata[key]
    if isinstance(value, dict):
        for name in value:
            if name not in form.__struct_fields__:
                hint = did_you_mean(name, form.__struct_fields__)
                raise cell.fault(rule, f"`{name}` is not one of them.", hint)
    try:
        return msgspec.convert(value, form)
    except msgspec.ValidationError as problem:
        raise cell.fault(rule, f"{problem}.") from None
