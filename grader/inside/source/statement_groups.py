"""Parses student source into groups of statements, losing as little of a broken file as can be.

A text file is parsed as a whole and cut at its `# %%` lines, a notebook's cell is a group. Where that fails, each
statement at the left margin is parsed by itself, so a line that is not Python costs nothing but itself or the function
that it is in. What only IPython or a reader understands (magics, prompts, an indentation of the whole) is dropped where
a text is not Python as written.
"""

import ast
import bisect
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ..protocol.messages import PY_BESIDE, Cell
from .ipython_syntax import DEFINES, StatementScanner, changed_lines, readings

MARKER = re.compile(r"^#\s?%%(?![a-z])|^# In ?\[[ \d]*\]:")  # percent format, and what nbconvert writes
DEFINITION = re.compile(
    r"^(?:(?:async\s+def|def|class)\s+|(?:from\s+\S+\s+)?import\s+)(\w+)|^(\w+)\s*(?::[^=\n]+)?=(?!=)", re.MULTILINE
)
BEGINS = re.compile(
    r"^(?:@|(?:async\s+def|def|class|import|from)\b|(?:if|for|while|with|try)\b.*:\s*(?:#.*)?$|\w+ = (?!.*,\s*$))"
)
"""How a line at the left margin looks that begins a statement, although a bracket above it is not closed."""
GOES_ON = re.compile(r"^(?:[\s#]|(?:else|elif|except|finally)\b|$)")
"""How a line at the left margin begins that belongs to the statement above it."""
LINE_IN_MESSAGE = re.compile(r"\bline (\d+)\b")
UNREADABLE = frozenset({"SyntaxError", "IndentationError", "TabError"})


@dataclass
class ParseFault:
    """Why a group could not be parsed."""

    line: int | None
    type_name: str
    text: str


@dataclass
class Group:
    """Statements that are run one after the other.

    Attributes:
        cell: Number of the cell as the student counts.
        code_file: The file name that tracebacks show.
        lines: The text that line numbers refer to.
        fault: Why the text could not be parsed; None if it could.
        source: The group's own text.
        grade_id: The exercise whose cell this is; empty for any other.
        left_out: Lines of it that only a notebook's kernel understands.
    """

    cell: int
    code_file: str
    lines: list[str]
    statements: list[ast.stmt] = field(default_factory=list)
    fault: ParseFault | None = None
    source: str = ""
    grade_id: str = ""
    left_out: list[int] = field(default_factory=list)

    def line_text(self, line: int | None) -> str:
        """Return the text of a line, without its indentation."""
        return self.lines[line - 1].strip() if line and 0 < line <= len(self.lines) else ""


def parse(cells: list[Cell], file_name: str, notebook: bool) -> list[Group]:
    """Return the groups of a submission, in order.

    Args:
        cells: A notebook's code cells, or the text of a file as one cell.
        file_name: Bare name of the file.
        notebook: Which of the two it is; a notebook's cells may have the text of a file among them.
    """
    if notebook:
        return [group for cell in cells for group in _of_notebook(cell, file_name)]
    text = "\n".join(cell.source for cell in cells)
    return parse_file(text, file_name, cells[0].number if cells else 1)


def _of_notebook(cell: Cell, file_name: str) -> list[Group]:
    if cell.number == PY_BESIDE:
        return parse_file(cell.source, f"{file_name.removesuffix('.ipynb')}.py", PY_BESIDE)
    return parse_cell(cell, f"{file_name}[{cell.number}]")


def parse_cell(cell: Cell, code_file: str) -> list[Group]:
    """Parse one cell of a notebook as a whole, or else statement by statement."""
    group = Group(cell.number, code_file, cell.source.split("\n"), source=cell.source, grade_id=cell.grade_id)
    parse_into(group, cell.source)
    return parse_pieces(group) if group.fault is not None else [group]


def parse_file(text: str, file_name: str, number: int) -> list[Group]:
    """Parse a text file as a whole and cut it at its marks, or else statement by statement."""
    lines = text.split("\n")
    starts = [0] + [at for at, line in enumerate(lines) if at and MARKER.match(line)]
    parts = [Group(number, file_name, lines, source="\n".join(lines[a:b])) for a, b in spans(starts, len(lines))]
    whole = Group(number, file_name, lines, source=text)
    parse_into(whole, text)
    if whole.fault is None:
        for statement in whole.statements:
            parts[bisect.bisect_left(starts, first_line(statement)) - 1].statements.append(statement)
        parts[0].left_out = whole.left_out
        return parts
    return parse_pieces(whole)


def parse_pieces(whole: Group) -> list[Group]:
    """Parse a text that is not Python statement by statement.

    Where a line lost its indentation, it and what is indented below it belong to the definition above.
    """
    pieces: list[Group] = []

    def add(begin: int, end: int) -> Group:
        piece = replace(whole, source="\n".join(whole.lines[begin:end]), statements=[], fault=None, left_out=[])
        parse_into(piece, piece.source, begin)
        pieces.append(piece)
        return piece

    for begin, end in spans(starts_of_statements(whole.lines), len(whole.lines)):
        piece = add(begin, end)
        fault = piece.fault
        if fault is None or fault.text != "unexpected indent" or fault.line is None or DEFINES.search(piece.source):
            continue
        above = pieces[-2].statements[-1:] if len(pieces) > 1 else []
        if above and isinstance(above[0], ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            pieces[-2:] = [replace(pieces[-1], source=f"{pieces[-2].source}\n{pieces[-1].source}")]
        elif begin < fault.line - 1:
            pieces.pop()
            add(begin, fault.line - 1)
            add(fault.line - 1, end)
    return pieces


def starts_of_statements(lines: Sequence[str], strings: bool = True) -> list[int]:
    """Return the lines at the left margin that begin a statement.

    Args:
        strings: Whether what stands in a long string is not looked at; it is where an indented one is never closed.
    """
    starts, scan, decorated, opened = [0], StatementScanner(), False, ""
    for at, line in enumerate(lines):
        decorated = decorated and not MARKER.match(line)
        if not GOES_ON.match(line):
            looks = BEGINS.match(line) is not None and not (strings and scan.in_string)
            if looks and not scan.begins:
                scan = StatementScanner()
            if scan.begins:
                if at and not (decorated and line.startswith(("@", "def", "class", "async"))):
                    starts.append(at)
                decorated = line.startswith("@")
        opened = opened if scan.in_string else line
        scan.read_line(line)
    lost = strings and scan.in_string and opened.startswith((" ", "\t"))
    return starts_of_statements(lines, strings=False) if lost else starts


def spans(starts: list[int], end: int) -> list[tuple[int, int]]:
    """Return where each part begins and ends."""
    return list(zip(starts, [*starts[1:], end], strict=True))


def first_line(statement: ast.stmt) -> int:
    """Return the line where a statement begins, its decorators included."""
    decorators = getattr(statement, "decorator_list", [])
    lines: list[int] = [decorator.lineno for decorator in decorators]
    return min([statement.lineno, *lines])


def parse_into(group: Group, text: str, above: int = 0) -> None:
    """Parse a text into a group; what IPython alone understands is dropped only when it does not parse.

    Args:
        group: Takes the statements, or the fault of the reading that came furthest.
        above: Number of the group's lines before the text.
    """
    fault = try_parse(group, text, above)
    if fault is not None and fault.type_name in UNREADABLE:
        tried = {text}
        for reading in readings(text):
            if reading in tried:
                continue
            tried.add(reading)
            other = try_parse(group, reading, above)
            if other is None:
                group.left_out = [above + line for line in changed_lines(text, reading)]
                return
            if (other.line or 0) > (fault.line or 0):
                fault = other
    group.fault = fault


def try_parse(group: Group, text: str, above: int = 0) -> ParseFault | None:
    """Parse a text into a group, or say why that cannot be done."""
    try:
        tree = ast.parse(text, group.code_file)
        group.statements = (ast.increment_lineno(tree, above) if above else tree).body
    except SyntaxError as error:
        line = error.lineno + above if error.lineno else error.lineno
        return ParseFault(
            line, type(error).__name__, LINE_IN_MESSAGE.sub(lambda m: f"line {int(m[1]) + above}", str(error.msg))
        )
    except ValueError as error:
        return ParseFault(None, "SyntaxError", str(error))
    except (MemoryError, RecursionError) as error:
        return ParseFault(None, type(error).__name__, "the code is nested too deeply for Python to read")
    return None


def bound_name(node: ast.stmt) -> str | None:
    """Return the name that a plain statement binds; what blocks and patterns bind is left to Python."""
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return name
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr()):
            return name
    return None


def defined_names(statements: list[ast.stmt]) -> list[str]:
    """Return the names that statements at the top level would define."""
    names: list[str] = []
    for statement in statements:
        match statement:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                names.append(statement.name)
            case ast.Assign():
                names += [name.id for target in statement.targets for name in ast.walk(target)
                          if isinstance(name, ast.Name)]  # fmt: skip
            case ast.AnnAssign(target=ast.Name(id=name)):
                names.append(name)
            case ast.Import() | ast.ImportFrom():
                names += [alias.asname or alias.name.split(".")[0] for alias in statement.names]
            case ast.If() | ast.Try() | ast.With() | ast.For() | ast.While():
                for block in ("body", "orelse", "finalbody"):
                    names += defined_names(getattr(statement, block, []))
                for handler in getattr(statement, "handlers", []):
                    names += defined_names(handler.body)
    return names


def guessed_names(text: str) -> list[str]:
    """Return the names that a text which does not parse seems to define."""
    return [first or second for first, second in DEFINITION.findall(text)]
