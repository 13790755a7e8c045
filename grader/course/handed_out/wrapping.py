"""Wraps the docstrings of a notebook's cells where their lines are longer than a cell is wide.

Sources are written for 120 columns. In JupyterLab a line of a code cell that is longer than the cell has to be scrolled
to, so the texts that students read are wrapped there anew; code stays as it is.
"""

import ast
import re
from collections.abc import Iterator

SOURCE_COLUMNS, COLUMNS = 120, 88
WORD = re.compile(r"(?:`[^`]*`|\S)+")
HANGING = ((re.compile(r"\s*- "), 2), (re.compile(r"\s*\*{0,2}\w+: "), 4))  # a point of a list, an argument
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def wrapped(source: str) -> str:
    """Return the code of a cell with its docstrings wrapped; what is not Python stays as it is."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return source
    lines = source.split("\n")
    for begin, end in sorted(_docstrings(tree), reverse=True):
        lines[begin:end] = [line for group in _paragraphs(lines[begin:end]) for line in _filled(group)]
    return "\n".join(lines)


def _docstrings(tree: ast.Module) -> Iterator[tuple[int, int]]:
    """Yield where the docstrings of functions and classes begin and end, as positions of lines."""
    for node in ast.walk(tree):
        if isinstance(node, DEFINITIONS) and ast.get_docstring(node) is not None:
            yield node.body[0].lineno - 1, node.body[0].end_lineno or 0


def _paragraphs(lines: list[str]) -> Iterator[list[str]]:
    """Yield the lines that belong together: a line goes on in the next where the first word of that had no room."""
    group: list[str] = []
    for line in lines:
        if group and not _goes_on(group, line):
            yield group
            group = []
        group.append(line)
    yield group


def _goes_on(group: list[str], line: str) -> bool:
    first = line.strip().partition(" ")[0]
    if first in ("", '"""') or len(group[-1]) + 1 + len(first) <= SOURCE_COLUMNS:
        return False
    further = any(form.match(line) and form.match(group[0]) for form, _ in HANGING)
    return _indent(line) > _indent(group[0]) or (_indent(line) == _indent(group[0]) and not further)


def _filled(group: list[str]) -> list[str]:
    """Return the lines of a paragraph within the columns; what is set out by spaces stays as it is."""
    if all(len(line) <= COLUMNS for line in group) or any("  " in line.strip() for line in group):
        return group
    first = _indent(group[0])
    more = next((first + width for form, width in HANGING if form.match(group[0])), first)
    rest = " " * (_indent(group[1]) if group[1:] else more)
    filled = [" " * first]
    for word in WORD.findall(" ".join(group)):
        if filled[-1].strip() and len(filled[-1]) + 1 + len(word) > COLUMNS:
            filled.append(rest)
        filled[-1] += f" {word}" if filled[-1].strip() else word
    return filled


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
