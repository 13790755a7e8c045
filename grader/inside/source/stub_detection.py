"""Tells a stub from an answer, and a statement that only defines from one that does something."""

import ast

MAKES, CALLS = frozenset({"__init__"}), frozenset({"__call__", "forward"})
DEFINITIONS = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
LITERAL = (ast.Constant, ast.Tuple, ast.List, ast.Dict, ast.Set, ast.UnaryOp, ast.unaryop, ast.expr_context)


def is_written(node: ast.stmt) -> bool:
    """Return whether a definition is more than a stub.

    A function is a stub whose body does nothing, or raises NotImplementedError before anything could be returned. A
    class is one if a method that makes it gives up like that, or one that calls it is a stub; where it has none of
    those, if any method gives up.
    """
    match node:
        case ast.FunctionDef(body=body) | ast.AsyncFunctionDef(body=body):
            return not gives_up(body) and does_something(body)
        case ast.ClassDef(body=body):
            methods = [each for each in body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)]
            asked = [each for each in methods if each.name in MAKES or each.name in CALLS] or methods
            return all(does_something(each.body) for each in methods if each.name in CALLS) and not any(
                gives_up(each.body) for each in asked
            )
        case ast.Assign(value=ast.Constant(value=None)) | ast.AnnAssign(value=ast.Constant(value=None)):
            return False
    return True


def gives_up(body: list[ast.stmt]) -> bool:
    """Return whether a body raises NotImplementedError before anything could be returned."""
    for statement in body:
        if isinstance(statement, ast.Raise) and raises_not_written(statement):
            return True
        if _returns(statement):
            return False
    return False


def gives_no_answer(node: ast.AST) -> bool:
    """Return whether a definition gives up however it is called, so that an answer of its name came from elsewhere.

    What is decorated, or takes its `forward` from elsewhere, may be more than it looks.
    """
    match node:
        case ast.FunctionDef(body=body, decorator_list=[]):
            return gives_up(body)
        case ast.ClassDef(body=body, decorator_list=[]):
            called = [each for each in body if isinstance(each, ast.FunctionDef) and each.name in CALLS]
            stored = (each for each in ast.walk(node) if isinstance(each, ast.Attribute) and each.attr in CALLS)
            taken = any(isinstance(each.ctx, ast.Store) for each in stored)
            return bool(called) and not taken and all(map(gives_no_answer, called))
    return False


def does_something(body: list[ast.stmt]) -> bool:
    """Return whether there is more in a body than texts, `pass` and an empty return."""
    return any(_returns(each) or not (isinstance(each, ast.Pass | ast.Return) or is_text(each)) for each in body)


def _returns(statement: ast.stmt) -> bool:
    """Return whether a statement holds a return of a value, or a yield; what is defined inside of it does not count."""
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Return) and not (node.value is None or _is_nothing(node.value)):
            return True
        if isinstance(node, ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            waiting += ast.iter_child_nodes(node)
    return False


def _is_nothing(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value in (None, ...)


def raises_not_written(statement: ast.Raise) -> bool:
    """Return whether a statement raises NotImplementedError."""
    raised = statement.exc.func if isinstance(statement.exc, ast.Call) else statement.exc
    return isinstance(raised, ast.Name) and raised.id == "NotImplementedError"


def is_text(node: ast.stmt) -> bool:
    """Return whether a statement is a bare constant, such as a comment in quotes or `...`."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def only_defines(node: ast.stmt) -> bool:
    """Return whether a statement is an import, a definition or a constant, which do no harm where others failed."""
    if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
        return all(isinstance(each, LITERAL) for each in ast.walk(node.value))
    return isinstance(node, (*DEFINITIONS, ast.Pass)) or is_text(node)


def is_main_guard(node: ast.stmt) -> bool:
    """Return whether a statement is `if __name__ == "__main__":`, which a notebook's kernel goes into."""
    match node:
        case ast.If(
            test=ast.Compare(left=ast.Name(id="__name__"), ops=[ast.Eq()], comparators=[ast.Constant(value="__main__")])
        ):
            return True
    return False
