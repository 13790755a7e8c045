"""Writes the figures of a class as files: tables as CSV for a spreadsheet, and all of them as JSON for a program.

They are not in `summary.json`: they come from every report, and grading takes over unchanged reports without reading
them.
"""

import csv
import io
from collections.abc import Mapping, Sequence
from decimal import Decimal

import msgspec

from grader.results.spreadsheet import formula_safe
from grader.text import one_line

from .class_page import number
from .figures import ClassFigures
from .words import SIGNS

LONGEST = 100_000
Cell = str | int | float | Decimal | list[str] | None
Table = Sequence[Sequence[Cell]]
"""Headings, then the lines."""


def figure_files(figures: ClassFigures) -> dict[str, bytes]:
    """Return the page's figures as files, by name."""
    tables = {name: [list(map(_harmless, row)) for row in table] for name, table in _tables(figures).items()}
    return {"class.json": _json(figures, tables), **{f"{name}.csv": _csv(table) for name, table in tables.items()}}


def _tables(figures: ClassFigures) -> dict[str, Table]:
    exercises = figures.exercises()
    headings = [heading for each in exercises for heading in (each.id, f"{each.id} state")]
    students: list[list[Cell]] = [["student", *headings, "score", "max_score", "problem"]]
    for student in figures.students:
        cells = [student.cells.get(each.id) for each in exercises]
        states: list[Cell] = [
            part for cell in cells for part in ((None, None) if cell is None else (cell.score, cell.status))
        ]
        score = None if student.problem is not None else student.score
        students.append([student.name, *states, score, figures.max_score, student.problem])
    by_exercise: list[list[Cell]] = [
        ["exercise", "title", "max_score", "graded", "passed", "share", "mean", "median", *SIGNS]
    ]
    mistakes: list[list[Cell]] = [["exercise", "mistake", "hint", "count", "students"]]
    for each in exercises:
        counts = [each.statuses.get(status, 0) for status in SIGNS]
        own: list[Cell] = [
            each.id,
            each.title,
            each.max_score,
            each.graded,
            each.passed,
            _share(each.passed, each.graded),
        ]
        by_exercise.append([*own, each.mean, each.median, *counts])
        mistakes += [[each.id, one.name, one.hint, len(one.students), one.students] for one in each.mistakes]
    checks: list[list[Cell]] = [
        ["check", "category", "kind", "graded", "passed", "share", "discrimination", "flags", "asks"]
    ]
    for found in figures.checks():
        check, share = found.check, _share(found.passed, found.graded)
        counted: list[Cell] = [found.graded, found.passed, share, found.discrimination]
        checks.append([check.id, check.category, check.visibility, *counted, found.flags, check.message])
    return {"students": students, "exercises": by_exercise, "mistakes": mistakes, "checks": checks}


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _harmless(cell: Cell) -> Cell:
    if isinstance(cell, float):
        return round(cell, 4)
    if isinstance(cell, list):
        return [one_line(each, LONGEST) for each in cell]
    return one_line(cell, LONGEST) if isinstance(cell, str) else cell


def _json(figures: ClassFigures, tables: Mapping[str, Table]) -> bytes:
    named = {name: [_object(name, table[0], row) for row in table[1:]] for name, table in tables.items()}
    document = {"assignment": figures.assignment, "mean": figures.mean, "median": figures.median, **named}
    return msgspec.json.format(msgspec.json.Encoder(decimal_format="number").encode(document), indent=2) + b"\n"


def _object(table: str, headings: Sequence[Cell], row: Sequence[Cell]) -> dict[Cell, object]:
    """Return a line of a table; that of a student has its exercises apart, as an id may be any other heading too."""
    if table != "students":
        return dict(zip(headings, row, strict=True))
    cells = zip(headings[1:-3:2], row[1:-3:2], row[2:-3:2], strict=True)
    exercises = {id: {"score": score, "state": state} for id, score, state in cells}
    return {"student": row[0], "exercises": exercises, **dict(zip(headings[-3:], row[-3:], strict=True))}


def _csv(table: Table) -> bytes:
    text = io.StringIO()
    csv.writer(text, quoting=csv.QUOTE_ALL).writerows(map(_text, row) for row in table)
    return text.getvalue().encode("utf-8")


def _text(cell: Cell) -> str:
    """Return a cell as a spreadsheet reads it; only text can be taken for a formula."""
    if cell is None:
        return ""
    if isinstance(cell, Decimal):
        return number(cell)
    if isinstance(cell, float):
        return f"{cell:.4f}"
    return formula_safe("; ".join(cell) if isinstance(cell, list) else str(cell))
