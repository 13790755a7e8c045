"""Reads off a text which exercises it does not answer, so that nothing need be asked of them, and which call others."""

import ast
from collections.abc import Collection, Iterable, Iterator

from .stub_detection import gives_no_answer

DEFINITION = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def absent(statements: Iterable[ast.AST], exercises: Collection[str]) -> list[str]:
    """Return the exercises whose name the text does not hold at all."""
    found = {name for statement in statements for node in ast.walk(statement) for name in names_in(node)}
    return [] if "*" in found else [name for name in exercises if name not in found]


def stubs(statements: Iterable[ast.AST], exercises: Collection[str]) -> list[str]:
    """Return the exercises that are stubs, whatever a function puts in their place while it runs.

    Those are the ones of which each definition outside of functions gives no answer, and whose name nothing else there
    may bind. It is less than `is_written` asks for, since points hang on it.
    """
    outside = list(outside_of_functions(statements))
    bound = {name for node in outside if not isinstance(node, DEFINITION) for name in bound_by(node)}
    defined: dict[str, list[ast.AST]] = {}
    for node in outside:
        if isinstance(node, DEFINITION):
            defined.setdefault(node.name, []).append(node)
    if "*" in bound:
        return []
    return [name for name in exercises if name in defined.keys() - bound and all(map(gives_no_answer, defined[name]))]


def calls(statements: Iterable[ast.AST], exercises: Collection[str]) -> dict[str, list[str]]:
    """Return the other exercises that the definitions of each exercise call by name."""
    found: dict[str, list[str]] = {}
    for node in outside_of_functions(statements):
        if isinstance(node, DEFINITION) and node.name in exercises:
            called = {
                each.func.id
                for each in ast.walk(node)
                if isinstance(each, ast.Call) and isinstance(each.func, ast.Name)
            }
            others = [name for name in exercises if name in called and name != node.name]
            if others:
                found[node.name] = others
    return found


def outside_of_functions(statements: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Yield the nodes that run when the text does."""
    waiting = list(statements)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, DEFINITION | ast.Lambda):
            waiting += ast.iter_child_nodes(node)


def bound_by(node: ast.AST) -> Iterator[str]:
    """Yield the names that a node may bind, or change: also those that it holds as a text, as for `globals()`."""
    match node:
        case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(value=ast.Name(id=name), ctx=ast.Store()):
            yield name
        case ast.alias() | ast.Constant() | ast.MatchAs() | ast.MatchStar() | ast.keyword():
            yield from names_in(node)


def names_in(node: ast.AST) -> Iterator[str]:
    """Yield the names that a node holds, texts among them."""
    match node:
        case ast.Name(id=str(name)) | ast.Constant(value=str(name)) | ast.Attribute(attr=str(name)):
            yield name
        case ast.alias(name=name, asname=asname):
            yield (asname or name).partition(".")[0]
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)) | ast.keyword(arg=str(name)):
            yield name
        case ast.Global(names=names):
            yield from names
