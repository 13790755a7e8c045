"""Reads a file of variants as text: its statements, its imports, and the names that each takes from outside.

A variant is carried into a submission as text, so what it needs must be known without running it.
"""

import ast
import symtable
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from grader.course.content.percent_format import parse, split_cells
from grader.faults import did_you_mean, fault

DECORATORS = ("mistake", "right", "helper")
HOME = "grader.course.variants"


@dataclass(frozen=True)
class Statement:
    """One variant or helper in the text of its file."""

    name: str
    decorator: str
    text: str
    line: int


def definitions(text: str, name: str, path: Path) -> Iterator[tuple[int, int]]:
    """Yield the first and last line of each definition of an exercise's name in the exercise's own cell."""
    cells = [cell for cell in split_cells(text, path) if cell.metadata.get("nbgrader", {}).get("grade_id") == name]
    for node in parse(text, path).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == name:
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            if any(cell.first_line <= first <= cell.last_line for cell in cells):
                yield first, node.end_lineno or first


def read_statements(tree: ast.Module, text: str, path: Path) -> tuple[list[Statement], list[str]]:
    """Sort a file of variants into its variants and helpers, and its import lines."""
    statements: list[Statement] = []
    imports: list[str] = []
    hint = "Mark a function or class with @mistake, @right or @helper; a constant is written `NAME = helper(value)`."
    for node in tree.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            imports += _import_line(node, path)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue
        else:
            statement = _statement(node, text)
            if statement is None:
                marks = [ast.unparse(mark).partition("(")[0] for mark in getattr(node, "decorator_list", [])]
                if marks:
                    raise fault(path, node.lineno, f"`@{marks[0]}` is not a mark.", did_you_mean(marks[0], DECORATORS))
                raise fault(path, node.lineno, "this statement is not a marked variant.", hint)
            statements.append(statement)
    return statements, imports


def _import_line(node: ast.Import | ast.ImportFrom, path: Path) -> list[str]:
    modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
    level = node.level if isinstance(node, ast.ImportFrom) else 0
    if level == 0 and modules == [HOME]:
        return []
    if level or any(name.split(".")[0] == "grader" for name in modules):
        problem = f"`{ast.unparse(node)}` imports from the course, which is not there where the variant runs."
        hint = f"Use `solution.NAME`, from `from {HOME} import solution`, for the solution's names."
        raise fault(path, node.lineno, problem, hint)
    return [] if modules == ["__future__"] else [ast.unparse(node)]


def _statement(node: ast.stmt, text: str) -> Statement | None:
    match node:
        case ast.FunctionDef(decorator_list=[mark, *others]) | ast.ClassDef(decorator_list=[mark, *others]) if (
            decorator := _decorator(mark)
        ) and not any(map(_decorator, others)):
            first = min([node.lineno, *(other.lineno for other in others)])
            source = "\n".join(text.split("\n")[first - 1 : node.end_lineno])
            return Statement(node.name, decorator, source, node.lineno)
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=mark, args=[value], keywords=[])) if (
            decorator := _decorator(mark)
        ):
            return Statement(name, decorator, f"{name} = ({segment(text, value)})", node.lineno)
    return None


def segment(text: str, node: ast.expr) -> str:
    """Return the text of an expression, as `ast.get_source_segment` does; that cuts the whole file up by character."""
    end = node.end_lineno or node.lineno
    lines = [line.encode() for line in text.split("\n")[node.lineno - 1 : end]]
    lines[-1] = lines[-1][: node.end_col_offset]
    lines[0] = lines[0][node.col_offset :]
    return b"\n".join(lines).decode()


def _decorator(node: ast.expr) -> str | None:
    name = node.func if isinstance(node, ast.Call) else node
    return name.id if isinstance(name, ast.Name) and name.id in DECORATORS else None


def bound_by(tree: ast.Module) -> set[str]:
    """Return the names that the imports of a file bind, those from this module aside."""
    names: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.Import | ast.ImportFrom) and getattr(node, "module", None) != HOME:
            names.update(alias.asname or alias.name.split(".")[0] for alias in node.names)
    return names


def global_names(text: str) -> set[str]:
    """Return the names that a statement takes from outside itself."""
    names: set[str] = set()
    tables = [symtable.symtable(text, "<variant>", "exec")]
    while tables:
        table = tables.pop()
        tables += table.get_children()
        for symbol in table.get_symbols():
            outside = symbol.is_global() or (table.get_type() == "module" and not symbol.is_assigned())
            if outside and symbol.is_referenced():
                names.add(symbol.get_name())
    return names
