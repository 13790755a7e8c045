"""Runs single statements of a student's source, and looks at them beforehand."""

import __future__

import ast
from inspect import CO_COROUTINE
from types import CodeType
from typing import Any, TypeGuard

from .ipython_syntax import BARE_AUTOMAGIC

MOST_RESUMES = 1000
AWAITS = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT


def execute(
    statement: ast.stmt, code_file: str, flags: int, namespace: dict[str, Any]
) -> tuple[BaseException | None, bool]:
    """Run one statement; returns what it raised, and whether it awaited something.

    Args:
        statement: The statement.
        code_file: The file name that tracebacks show.
        flags: The compiler flags that future imports above it turned on.
        namespace: Where it is run.
    """
    awaited = False
    try:
        module = ast.Module([statement], [])
        code = compile(module, code_file, "exec", flags=flags | AWAITS, dont_inherit=True)
        if code.co_flags & CO_COROUTINE:
            awaited = True
            run_awaiting(code, namespace)
        else:
            exec(code, namespace)
    except BaseException as error:  # whatever student code raises, SystemExit too, ends its cell and nothing else
        return error, awaited
    return None, awaited


def run_awaiting(code: CodeType, namespace: dict[str, Any]) -> None:
    """Run a statement that awaits something at the top level, as notebooks allow, without an event loop.

    Raises:
        RuntimeError: It waits for something that only a loop could bring.
    """
    waiting = eval(code, namespace)
    try:
        for _ in range(MOST_RESUMES):
            waiting.send(None)
    except StopIteration:
        return
    waiting.close()
    raise RuntimeError("await at the top level waits for something that does not come here")


def asks_for_colab(statements: list[ast.stmt]) -> bool:
    """Return whether a text finds out whether it runs in Colab by trying an import, which has to fail then."""
    tries = (node for statement in statements for node in ast.walk(statement) if isinstance(node, ast.Try))
    return any(
        isinstance(node, ast.Import) and any(alias.name.startswith("google.colab") for alias in node.names)
        for each in tries
        for node in each.body
    )


def is_bare_magic(statement: ast.stmt, error: BaseException) -> bool:
    """Return whether a statement begins with a word such as `ls`, a command for IPython where it names nothing.

    `ls -la` and `cd /tmp` are sums and quotients to Python, so they come this far.
    """
    if type(error) is not NameError or not isinstance(statement, ast.Expr):
        return False
    first = next((node.id for node in ast.walk(statement) if is_leftmost(node, statement)), "")
    return first == error.name and first in BARE_AUTOMAGIC


def is_leftmost(node: ast.AST, statement: ast.Expr) -> TypeGuard[ast.Name]:
    """Return whether a node is the name that a statement begins with."""
    return isinstance(node, ast.Name) and (node.lineno, node.col_offset) == (statement.lineno, statement.col_offset)


def future_flags(statement: ast.stmt) -> int:
    """Return the compiler flags of a `from __future__ import ...`; 0 for any other statement."""
    if not isinstance(statement, ast.ImportFrom) or statement.module != "__future__":
        return 0
    flags = 0
    for alias in statement.names:
        feature = getattr(__future__, alias.name, None)
        flags |= getattr(feature, "compiler_flag", 0)
    return flags
