"""The names in the docstrings of the package exist: arguments, attributes, and exceptions that may leave a function."""

import ast
import builtins
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
MODULES = sorted((ROOT / "grader").rglob("*.py"))
FUNCTION = ast.FunctionDef | ast.AsyncFunctionDef
CLASSES = {name for path in MODULES for name in re.findall(r"^class (\w+)", path.read_text("utf-8"), re.MULTILINE)}
"""The classes of the package: an exception may come out of a function of another module."""


def entries(docstring: str, title: str) -> list[str]:
    """Return the names that a section of a docstring explains: `name: text` or `one, other: text` in its lines."""
    section = re.search(rf"^{title}:\n((?:[ ]+.*\n?|\n)+)", docstring, re.MULTILINE)
    explained = [] if section is None else re.findall(r"^ {4}([*\w][^:\n]*): ", section[1], re.MULTILINE)
    return [name.strip(" *") for entry in explained for name in entry.split(",")]


def parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    """Return what a function takes."""
    every = function.args
    stars = [star for star in (every.vararg, every.kwarg) if star is not None]
    return {argument.arg for argument in (*every.posonlyargs, *every.args, *every.kwonlyargs, *stars)}


def attributes(node: ast.ClassDef) -> set[str]:
    """Return what a class or its methods assign to or define, and what `__init__` takes."""
    inside = list(ast.walk(node))
    taken = [parameters(child) for child in node.body if isinstance(child, FUNCTION) and child.name == "__init__"]
    return set().union(
        {child.id for child in inside if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store)},
        {child.attr for child in inside if isinstance(child, ast.Attribute) and isinstance(child.ctx, ast.Store)},
        {child.name for child in node.body if isinstance(child, FUNCTION)},
        *taken,
    )


def unknown_names(tree: ast.Module) -> Iterator[str]:
    """Find what docstrings name and the code does not have; what a class inherits and `other.Error` are left out."""
    nodes = list(ast.walk(tree))
    raisable = CLASSES | vars(builtins).keys() | {node.id for node in nodes if isinstance(node, ast.Name)}
    raisable |= {alias.name for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names}
    for node in nodes:
        if not isinstance(node, FUNCTION | ast.ClassDef):
            continue
        docstring = ast.get_docstring(node) or ""
        names = parameters(node) if isinstance(node, FUNCTION) else attributes(node)
        inherits = isinstance(node, ast.ClassDef) and any(ast.unparse(base) in CLASSES for base in node.bases)
        explained = [] if inherits else entries(docstring, "Args") + entries(docstring, "Attributes")
        yield from (f"{node.name}: {name} is not its own" for name in explained if name not in names)
        raised = [name for name in entries(docstring, "Raises") if "." not in name]
        yield from (f"{node.name}: there is no exception {name}" for name in raised if name not in raisable)


def test_names_in_docstrings_exist():
    unknown = {path: list(unknown_names(ast.parse(path.read_text(encoding="utf-8")))) for path in MODULES}
    assert {path.relative_to(ROOT).as_posix(): names for path, names in unknown.items() if names} == {}
