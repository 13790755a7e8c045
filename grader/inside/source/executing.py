"""Runs single statements of a student's source, looks at them beforehand, and tells how far the run has come."""

import __future__

import ast
from collections.abc import Callable
from inspect import CO_COROUTINE
from types import CodeType
from typing import Any

from .answered_exercises import DEFINITION, is_text
from .ipython_syntax import BARE_AUTOMAGIC

MOST_RESUMES = 1000
AWAITS = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
LITERAL = (ast.Constant, ast.Tuple, ast.List, ast.Dict, ast.Set, ast.UnaryOp, ast.unaryop, ast.expr_context)
Report = Callable[[int, int], None]
"""Called with the position of a group and of a statement in it."""


def execute(statement: ast.stmt, code_file: str, flags: int, namespace: dict[str, Any]) -> BaseException | None:
    """Run one statement; returns what it raised.

    Args:
        code_file: The file name that tracebacks show.
        flags: The compiler flags that future imports above it turned on.
    """
    try:
        module = ast.Module([statement], [])
        code = compile(module, code_file, "exec", flags=flags | AWAITS, dont_inherit=True)
        if code.co_flags & CO_COROUTINE:
            run_awaiting(code, namespace)
        else:
            exec(code, namespace)
    except BaseException as error:  # whatever student code raises, SystemExit too, ends nothing but itself
        return error
    return None


def run_awaiting(code: CodeType, namespace: dict[str, Any]) -> None:
    """Run a statement that awaits something at the top level, as notebooks allow, without an event loop."""
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
        for attempt in tries
        for node in attempt.body
    )


def is_bare_magic(statement: ast.stmt, error: BaseException) -> bool:
    """Return whether a statement begins with a word such as `ls`, a command for IPython where it names nothing.

    `ls -la` and `cd /tmp` are differences and quotients to Python, so they come this far.
    """
    if type(error) is not NameError or not isinstance(statement, ast.Expr):
        return False
    begin = (statement.lineno, statement.col_offset)
    names = [node for node in ast.walk(statement) if isinstance(node, ast.Name)]
    first = next((node.id for node in names if (node.lineno, node.col_offset) == begin), "")
    return first == error.name and first in BARE_AUTOMAGIC


def only_defines(node: ast.stmt) -> bool:
    """Return whether a statement is an import, a definition or an assignment of literals, which take no time."""
    if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
        return all(isinstance(part, LITERAL) for part in ast.walk(node.value))
    return isinstance(node, DEFINITION | ast.Import | ast.ImportFrom | ast.Pass) or is_text(node)


def is_main_guard(node: ast.stmt) -> bool:
    """Return whether a statement is `if __name__ == "__main__":`, which a notebook's kernel goes into."""
    match node:
        case ast.If(
            test=ast.Compare(left=ast.Name(id="__name__"), ops=[ast.Eq()], comparators=[ast.Constant(value="__main__")])
        ):
            return True
    return False


def future_flags(statement: ast.stmt) -> int:
    """Return the compiler flags of a `from __future__ import ...`; 0 for any other statement."""
    if not isinstance(statement, ast.ImportFrom) or statement.module != "__future__":
        return 0
    flags = 0
    for alias in statement.names:
        feature = getattr(__future__, alias.name, None)
        flags |= getattr(feature, "compiler_flag", 0)
    return flags
