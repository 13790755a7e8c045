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
from typing import Any, Literal, TypeVar

import msgspec

from grader.errors import CourseError
from grader.faults import course_path, did_you_mean
from grader.inside.forbidden.groups import GROUPS
from grader.text import listed

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
    title_ko: str = ""
    difficulty: int
    minutes: int
    source: str
    forbids: tuple[str, ...] = ()

    def fields(self) -> dict[str, Any]:
        """Return them by name; the title stands for a Korean one that there is not."""
        return msgspec.structs.asdict(self) | {"title_ko": self.title_ko or self.title}


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
    line: int


def read_exercises(cells: Sequence[Cell], text: str, path: Path) -> list[Exercise]:
    """Read the exercises of a source, in their order, from its cells and its whole text."""
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
        raise CourseError(f"{course_path(path)} has no exercise.", hint)
    return [_exercise(name, cell, points, tree) for name, cell in solutions.items()]


def _exercise(name: str, cell: Cell, points: dict[str, Decimal], tree: ast.Module) -> Exercise:
    if name not in points:
        hint = f"Add a check cell with the grade id `{name}{CHECK_SUFFIX}`, which holds the points."
        raise cell.fault(f"`{name}` has no points.", hint)
    metadata = _metadata(name, cell)
    _refuse_undefined(name, cell, tree)
    return Exercise(id=name, points=points[name], line=cell.marker_line, **metadata.fields())


def _refuse_undefined(name: str, cell: Cell, tree: ast.Module) -> None:
    lines = range(cell.first_line, cell.last_line + 1)
    defined = [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    names = [node.name for node in defined if node.lineno in lines]
    if name in names:
        return
    instead = listed([f"`{other}`" for other in names]) or "nothing"
    problem = f"the cell of `{name}` defines {instead} and no function or class of that name."
    raise cell.fault(problem, "Make the grade id and the name the same.")


def _metadata(name: str, cell: Cell) -> ExerciseCell:
    if "exercise" not in cell.metadata:
        hint = 'Add `exercise={"title": ..., "difficulty": ..., "minutes": ..., "source": ...}`.'
        raise cell.fault(f"`{name}` has no `exercise={{...}}` in its marker line.", hint)
    metadata = _convert(cell, "exercise", ExerciseCell)
    if not (metadata.title.strip() and metadata.source.strip()):
        raise cell.fault(f"the title or source of `{name}` is empty.")
    if not 1 <= metadata.difficulty <= HARDEST:
        problem = f"the difficulty of `{name}` is {metadata.difficulty}."
        raise cell.fault(problem, f"Write a number from 1 to {HARDEST}.")
    if metadata.minutes < 1:
        raise cell.fault(f"the minutes of `{name}` are {metadata.minutes}.", "Write 1 or more.")
    for group in metadata.forbids:
        if group not in GROUPS:
            problem = f"`{name}` forbids `{group}`, which is not a group of calls."
            raise cell.fault(problem, did_you_mean(group, GROUPS))
    return metadata


def _points(cell: Cell, meta: NbgraderCell) -> Decimal:
    hint = f'Write a number above 0, up to {MOST_POINTS} and with at most two decimals, such as `"points": 3`.'
    if meta.points is None:
        raise cell.fault(f"`{meta.grade_id}` has no points.", hint)
    points = Decimal(meta.points)
    if not points.is_finite() or not 0 < points <= MOST_POINTS or points != points.quantize(Decimal("0.01")):
        raise cell.fault(f"`{meta.grade_id}` has {points} points.", hint)
    return points.normalize() if points % 1 else points.quantize(Decimal(1))


def _checked_exercise(cell: Cell, meta: NbgraderCell, solutions: dict[str, Cell]) -> str:
    name = meta.grade_id.removesuffix(CHECK_SUFFIX)
    if name == meta.grade_id or name not in solutions:
        problem = f"the grade id `{meta.grade_id}` is not an exercise's id followed by `{CHECK_SUFFIX}`."
        raise cell.fault(problem, did_you_mean(meta.grade_id, [known + CHECK_SUFFIX for known in solutions]))
    if solutions[name].marker_line > cell.marker_line:
        raise cell.fault(f"the check cell `{meta.grade_id}` comes before its exercise.", "Move it after the exercise.")
    call = f'check("{name}")'
    if cell.source.replace("'", '"') != call:
        problem = f"the check cell `{meta.grade_id}` holds {cell.source[:60]!r}."
        raise cell.fault(problem, f"Write `{call}`, and nothing else.")
    return name


def _refuse_strays(cells: Sequence[Cell]) -> None:
    for cell in cells:
        nbgrader = cell.metadata.get("nbgrader")
        solution = isinstance(nbgrader, dict) and nbgrader.get("solution") is True
        if "exercise" in cell.metadata and not solution:
            problem = "the cell has `exercise={...}`, but no nbgrader metadata with `solution: true`."
            raise cell.fault(problem, "Move it, or add that part.")


def _refuse_duplicates(marked: Sequence[tuple[Cell, NbgraderCell]]) -> None:
    seen: dict[str, int] = {}
    for cell, meta in marked:
        if meta.grade_id in seen:
            problem = f"the grade id `{meta.grade_id}` is in line {seen[meta.grade_id]} too."
            raise cell.fault(problem, "Rename one of them.")
        seen[meta.grade_id] = cell.marker_line


def _nbgrader(cell: Cell) -> NbgraderCell:
    meta = _convert(cell, "nbgrader", NbgraderCell)
    if GRADE_ID.fullmatch(meta.grade_id) is None:
        raise cell.fault(f"{meta.grade_id!r} is not a grade id.", "Write letters, digits, `_` and `-` only.")
    kinds = {
        (True, False, False, False): "solution",
        (False, True, True, False): "check",
        (False, False, True, False): "read-only",
    }
    kind = kinds.get((meta.solution, meta.grade, meta.locked, meta.task))
    if kind is None or cell.kind != "code":
        problem = f"`{meta.grade_id}` is neither a solution, nor a check, nor a read-only cell."
        raise cell.fault(problem, "Make it a code cell with `solution`, with `grade` and `locked`, or with `locked`.")
    if kind != "check" and meta.points is not None:
        raise cell.fault(f"`{meta.grade_id}` has points, but is not a check cell.", "Take them away.")
    return meta


Form = TypeVar("Form", NbgraderCell, ExerciseCell)


def _convert(cell: Cell, key: str, form: type[Form]) -> Form:
    value = cell.metadata[key]
    if isinstance(value, dict):
        for name in value:
            if name not in form.__struct_fields__:
                raise cell.fault(f"`{key}=` has no field `{name}`.", did_you_mean(name, form.__struct_fields__))
    try:
        return msgspec.convert(value, form)
    except msgspec.ValidationError as problem:
        raise cell.fault(f"`{key}=` is not valid: {problem}.") from None
