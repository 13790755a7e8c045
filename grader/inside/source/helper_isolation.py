"""Keeps a helper of one exercise's cell apart from the exercise whose name it has.

Somebody may write `softmax_naive` once more in the cell of `attention`, with another argument. In a kernel both cells
work when they are run in order. Here the exercise's own definition counts for everybody, so the helper gets a name of
its own inside of its cell. That is done only where the text shows plainly that each use of the name means the helper.
"""

import ast
from collections.abc import Iterator

from .answered_exercises import DEFINITION
from .statement_groups import Group, bound_name

Function = ast.FunctionDef | ast.AsyncFunctionDef


def rename_helper(group: Group, name: str) -> None:
    """Give what a cell binds to a name another name in the whole of that cell, if its text is plain enough.

    Args:
        group: The cell of an exercise; its statements are changed in place.
        name: The name of another exercise.
    """
    new_name = f"{name}_of_{group.grade_id}"
    first = next((at for at, node in enumerate(group.statements) if bound_name(node) == name), None)
    if first is None or not new_name.isidentifier():
        return
    if any(name in used_at_once(node) for node in group.statements[: first + 1]):
        return  # what is above it means the exercise
    nodes = [node for statement in group.statements for node in ast.walk(statement)]
    if any(speaks_otherwise(node, name, new_name, group.statements) for node in nodes):
        return
    renamed: list[DEFINITION] = []
    for node in nodes:
        if isinstance(node, ast.Name) and node.id == name:
            node.id = new_name
        elif isinstance(node, DEFINITION) and node.name == name:
            node.name = new_name
            renamed.append(node)
    for node in renamed:
        _keep_its_name(group, node, name)


def _keep_its_name(group: Group, node: DEFINITION, name: str) -> None:
    """Let a plain definition's errors speak of it by the name that the student gave it."""
    if node.decorator_list:
        return
    lines = [f"{node.name}.__name__ = {node.name}.__qualname__ = {name!r}"]
    for inner in node.body if isinstance(node, ast.ClassDef) else ():
        if isinstance(inner, Function) and not inner.decorator_list and is_own(inner.name):
            lines.append(f"{node.name}.{inner.name}.__qualname__ = '{name}.{inner.name}'")
    naming = ast.parse("\n".join(lines)).body
    for part in (part for statement in naming for part in ast.walk(statement)):
        ast.copy_location(part, node)
    at = group.statements.index(node) + 1
    group.statements[at:at] = naming


def is_own(name: str) -> bool:
    """Tell whether a method is looked up by the name that its text has; Python changes that of a private one."""
    return not name.startswith("__") or name.endswith("__")


def used_at_once(statement: ast.stmt) -> Iterator[str]:
    """Yield the names that are looked up when a statement is run, not when a function of it is called."""
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            yield node.id
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            decorators = [] if isinstance(node, ast.Lambda) else node.decorator_list
            waiting += [*decorators, node.args]
        else:
            waiting.extend(ast.iter_child_nodes(node))


def speaks_otherwise(node: ast.AST, name: str, new_name: str, statements: list[ast.stmt]) -> bool:
    """Tell whether a node uses a name in a way that is not a plain use of the helper, or has the helper's new name."""
    match node:
        case ast.arg(arg=identifier) | ast.Name(id=identifier) if identifier == new_name:
            return True
        case ast.arg(arg=bound) | ast.ExceptHandler(name=bound) | ast.MatchAs(name=bound) | ast.MatchStar(name=bound):
            return bound == name
        case ast.Global(names=names) | ast.Nonlocal(names=names):
            return name in names
        case ast.alias(name=imported, asname=None):
            return imported == name
        case ast.alias(asname=bound) | ast.MatchMapping(rest=bound):
            return bound == name
        case ast.Constant(value=str(text)):
            return text == name
        case ast.FunctionDef(name=defined) | ast.AsyncFunctionDef(name=defined) | ast.ClassDef(name=defined):
            return defined == new_name or (defined == name and node not in statements)
    return False
