"""Reads what the study notes print, for `accounting.py`: cell by cell, every number and tensor as text.

What is in doubt counts as printed: a digit in a label or a sentence taken for an output is then reported as missing,
and nothing is passed over in silence.
"""

import ast
import re
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from grader.errors import CourseError
from grader.suite.core.figures import Printed

NOT_A_FIGURE = {
    r"(?<![\w.])\d+(?:\.\d+){2,}[^\s,)]*": "the version of a library",
    r"\bcuda:\d+": "the name of a device",
    r"\b0x[0-9a-f]+": "an address in memory",
    r"[^\n]*Warning:[^\n]*": "a warning",
}

CELL = re.compile(r"^In ?\[ ?(\d+|None)? ?\]:[ \t]*$", re.M)
OUTPUT = re.compile(r"^# ?out ?put[ \t]*$", re.M | re.I)  # in a note without cells
PROSE = re.compile(r"\s*(#{1,6} |[-*>•] |---|\||<|\$\$|```|!\[|\d+\. )")
NUMBER = re.compile(r"[-+]?(?:(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?|(?:inf|nan)\b)|(?:True|False)\b")
CALL = r"(?:torch\.Size|(?<![\w.])(?:tensor|array))\("
OTHER = "|".join(f"(?:{pattern})" for pattern in NOT_A_FIGURE)
WORD = rf"(?<![\w.])(?:{NUMBER.pattern})"
IN_OUTPUT = re.compile(rf"(?P<call>{CALL})|(?P<list>\[)|(?P<other>{OTHER})|(?P<number>{WORD})")
IN_PROSE = re.compile(rf"(?P<call>{CALL})|(?P<number>(?<![\w.])-?\d+\.\d{{4,}}(?![\w.]))")


@dataclass
class Cell:
    """A cell of a note: its names (the first one is shown), its code, and the figures and other numbers it prints."""

    names: list[str]
    code: str
    printed: list[Printed] = field(default_factory=list)
    others: list[tuple[str, str]] = field(default_factory=list)  # what is printed, why it is no figure


def read_note(text: str, path: Path) -> list[Cell]:
    """Return the cells of a note, in order.

    Raises:
        CourseError: No cell is found, a cell's code is not Python, or a printed tensor cannot be read.
    """
    marks = list(CELL.finditer(text))
    if not marks:
        return read_post(text, path)
    bodies = [text[a.end() : b] for a, b in zip(marks, [m.start() for m in marks[1:]] + [len(text)], strict=True)]
    cells: dict[str, Cell] = {}
    for names, body in zip(names_of([mark[1] for mark in marks]), bodies, strict=True):
        lines = [re.sub(r"^[%!].*", "pass", line) for line in body.split("\n")]
        end = end_of_code(lines)
        if end == 0:
            raise CourseError(
                f"The code of the cell {names[0]} was looked for in {path}.",
                "What stands under its heading is not Python.",
                "Write the cell's code first, a blank line, then what it prints.",
            )
        cell = cells.setdefault(names[0], Cell(names, ""))
        cell.code += "\n".join(lines[:end]) + "\n"
        add_printed(cell, "\n".join(lines[end:]), path)
    first = Cell(["before the first cell"], "")
    add_printed(first, text[: marks[0].start()], path, prose=True)
    return [first, *cells.values()]


def read_post(text: str, path: Path) -> list[Cell]:
    """Return the listings of a note that has no cells; each is named after the class before its line `# Output`."""
    pieces, cells = OUTPUT.split(text), [Cell(["before the first output"], "")]
    if len(pieces) == 1:
        raise CourseError(
            f"The outputs of the note {path} were looked for.",
            "It has neither a line `In [1]:` nor a line `# Output`.",
            "Name the folder that holds the notes, and nothing else ending in .txt.",
        )
    add_printed(cells[0], pieces[0], path, prose=True)
    for before, piece in pairwise(pieces):
        name = (re.findall(r"^class (\w+)", before, re.M) or [f"output {len(cells)}"])[-1]
        cells.append(Cell([name], ""))
        add_printed(cells[-1], piece, path, post=True)
    return cells


def names_of(numbers: Sequence[str | None]) -> Iterator[list[str]]:
    """Yield the names of each cell. One without a number is named by its neighbours: `In[None] after In[15]`."""
    for i, number in enumerate(numbers):
        if number and number.isdigit():
            yield [f"In[{number}]"]
            continue
        earlier = next((k for k in range(i - 1, -1, -1) if (numbers[k] or "").isdigit()), -1)
        later = next((k for k in range(i + 1, len(numbers)) if (numbers[k] or "").isdigit()), len(numbers))
        after = f"In[{numbers[earlier]}]" if earlier >= 0 else "the beginning"
        names = [f"In[None] {i - earlier} after {after}"]
        if i == earlier + 1:
            names.insert(0, f"In[None] after {after}")
        if i == later - 1 and later < len(numbers):
            names.insert(0, f"In[None] before In[{numbers[later]}]")
        yield names


def end_of_code(lines: list[str]) -> int:
    """Return how many lines of a cell are code: as many paragraphs as are Python and not the text of a value."""
    best = 0
    for end in range(1, len(lines) + 1):
        if end < len(lines) and lines[end].strip():
            continue
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tree = ast.parse("\n".join(lines[:end]))
        except (SyntaxError, ValueError):
            continue
        if any(is_value(statement) for statement in tree.body):
            break
        best = end
    return best


def is_value(node: ast.AST) -> bool:
    """Say whether a piece of Python is what a value prints as; `sum: tensor(1.)` reads as a name and its type."""
    match node:
        case ast.Constant(value=int() | float()):
            return True
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return all(is_value(item) for item in items)
        case ast.UnaryOp(operand=inner) | ast.Expr(value=inner) | ast.AnnAssign(annotation=inner, value=None):
            return is_value(inner)
        case ast.Call(func=called):
            return ast.unparse(called) in ("tensor", "torch.Size", "array")
    return False


def add_printed(cell: Cell, text: str, path: Path, post: bool = False, prose: bool = False) -> None:
    """Add what a text prints: all its numbers up to where prose begins, and tensors even there.

    Args:
        cell: Gets them.
        text: What stands behind the cell's code, or `prose` alone.
        path: The note.
        post: It has no cells, so nothing but a paragraph without numbers says that plain prose has begun.
        prose: Prose has begun already.
    """
    for block in blocks(text):
        prose = prose or PROSE.match(block) is not None
        items = list(items_of(block, IN_PROSE if prose else IN_OUTPUT, cell.names[0], path))
        prose = prose or (post and not items)
        cell.printed += [value for value, reason in items if not reason]
        cell.others += [(str(value), reason) for value, reason in items if reason]


def blocks(text: str) -> Iterator[str]:
    """Yield the paragraphs of a text; a line that prose begins with starts one, a bracket that is open goes on."""
    depth, lines = 0, list[str]()
    for line in text.split("\n"):
        if depth <= 0 and lines and (not line.strip() or PROSE.match(line)):
            yield "\n".join(lines)
            depth, lines = 0, []
        if line.strip():
            lines.append(line)
            depth += sum(line.count(c) for c in "([") - sum(line.count(c) for c in ")]")
    if lines:
        yield "\n".join(lines)


def items_of(text: str, pattern: re.Pattern[str], place: str, path: Path) -> Iterator[tuple[Printed, str]]:
    """Yield each printed number or tensor with '', and what else holds digits with the reason why it is no figure."""
    at = 0
    while match := pattern.search(text, at):
        at, kind = match.end(), match.lastgroup
        if kind == "other":
            yield match[0].strip(), next(why for known, why in NOT_A_FIGURE.items() if re.fullmatch(known, match[0]))
        elif kind == "number":
            yield match[0], ""
        else:
            try:
                value, at = nested(text, match.start() if kind == "list" else at)
            except ValueError as error:
                if kind == "list" or pattern is IN_PROSE:
                    continue
                raise CourseError(
                    f"The tensor that the cell {place} of {path} prints was looked for.",
                    f"It cannot be read: {text[match.start() : at + 40]!r}.",
                    "A tensor is printed in full, without dots for what is left out.",
                ) from error
            depth = int(kind == "call")
            while depth and at < len(text):  # past grad_fn=, dtype= and the closing bracket
                depth, at = depth + (text[at] == "(") - (text[at] == ")"), at + 1
            yield value, ""


def nested(text: str, at: int) -> tuple[Printed, int]:
    """Read the number or the nested lists that begin at a place; return them and the place behind them."""
    at = len(text) - len(text[at:].lstrip(" \n\t,"))
    if number := NUMBER.match(text, at):
        return number[0], number.end()
    if not text.startswith("[", at):
        raise ValueError("neither a number nor a list")
    items: list[Printed] = []
    at += 1
    while not (closed := re.compile(r"[\s,]*\]").match(text, at)):
        item, at = nested(text, at)
        items.append(item)
    return items, closed.end()


def inputs_of(code: str) -> Iterator[Printed]:
    """Yield the lists of numbers that a cell's code writes out, as text."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.List) and is_value(node):
            yield written(node, code)


def written(node: ast.expr, code: str) -> Printed:
    """Return a number, or nested lists of numbers, as the code writes them."""
    if isinstance(node, ast.List):
        return [written(item, code) for item in node.elts]
    return ast.get_source_segment(code, node) or ""
