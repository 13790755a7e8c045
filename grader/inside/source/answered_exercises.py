"""Reads off a text which exercises it answers: tells a stub from an answer."""

import ast
from collections.abc import Collection, Iterable, Iterator

DEFINITION = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
CHECK = "check"
MAKES, CALLS = frozenset({"__init__"}), frozenset({"__call__", "forward"})


def absent(statements: Collection[ast.AST], exercises: Collection[str]) -> list[str]:
    """Return the exercises whose name the text does not hold at all; most texts define all of them."""
    defined = {statement.name for statement in statements if isinstance(statement, DEFINITION)}
    if defined.issuperset(exercises):
        return []
    names = {name for statement in statements for node in ast.walk(statement) for name in names_in(node)}
    return [] if "*" in names else [name for name in exercises if name not in names]


def stubs(statements: Iterable[ast.AST], exercises: Collection[str]) -> list[str]:
    """Return the exercises that are stubs, whatever a function puts in their place while it runs.

    Those are the ones of which each definition outside of functions gives no answer, and whose name nothing else there
    may bind. It is less than `is_written` asks for, since points depend on it.
    """
    outside = list(outside_of_functions(statement for statement in statements if not is_of_the_kit(statement)))
    bound = {name for node in outside if not isinstance(node, DEFINITION) for name in bound_by(node)}
    defined: dict[str, list[ast.AST]] = {}
    for node in outside:
        if isinstance(node, DEFINITION):
            defined.setdefault(node.name, []).append(node)
    if "*" in bound or CHECK in bound | defined.keys():  # another `check` may do anything with the name it is given
        return []
    return [name for name in exercises if name in defined.keys() - bound and all(map(gives_no_answer, defined[name]))]


def is_of_the_kit(statement: ast.AST) -> bool:
    """Return whether a statement is `from grader import check`, or a `check("...")` as it stands below an exercise."""
    match statement:
        case ast.ImportFrom(module="grader", names=[ast.alias(name="check", asname=None)], level=0):
            return True
        case ast.Expr(value=ast.Call(func=ast.Name(id="check"), args=[ast.Constant()], keywords=[])):
            return True
    return False


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
            methods = [method for method in body if isinstance(method, ast.FunctionDef | ast.AsyncFunctionDef)]
            asked = [method for method in methods if method.name in MAKES or method.name in CALLS] or methods
            return all(does_something(method.body) for method in methods if method.name in CALLS) and not any(
                gives_up(method.body) for method in asked
            )
        case ast.Assign(value=ast.Constant(value=None)) | ast.AnnAssign(value=ast.Constant(value=None)):
            return False
    return True


def gives_no_answer(node: ast.AST) -> bool:
    """Return whether a definition gives up however it is called, so that an answer of its name came from elsewhere.

    What is decorated, or takes its `forward` from elsewhere, may be more than it looks.
    """
    match node:
        case ast.FunctionDef(body=body, decorator_list=[]):
            return gives_up(body)
        case ast.ClassDef(body=body, decorator_list=[]):
            called = [method for method in body if isinstance(method, ast.FunctionDef) and method.name in CALLS]
            if not called or not all(map(gives_no_answer, called)):
                return False
            stored = (access for access in ast.walk(node) if isinstance(access, ast.Attribute) and access.attr in CALLS)
            return not any(isinstance(access.ctx, ast.Store) for access in stored)
    return False


def gives_up(body: list[ast.stmt]) -> bool:
    """Return whether a body raises NotImplementedError before anything could be returned."""
    places = [place for place, statement in enumerate(body) if is_giving_up(statement)]
    return bool(places) and not any(map(returns, body[: places[0]]))


def is_giving_up(statement: ast.stmt) -> bool:
    raised = statement.exc if isinstance(statement, ast.Raise) else None
    raised = raised.func if isinstance(raised, ast.Call) else raised
    return isinstance(raised, ast.Name) and raised.id == "NotImplementedError"


def does_something(body: list[ast.stmt]) -> bool:
    """Return whether there is more in a body than texts, `pass` and an empty return."""
    return any(not (isinstance(node, ast.Pass | ast.Return) or is_text(node)) or returns(node) for node in body)


def returns(statement: ast.stmt) -> bool:
    """Return whether a statement holds a return of a value, or a yield; what is defined inside of it does not count."""
    for node in outside_of_functions([statement]):
        match node:
            case ast.Yield() | ast.YieldFrom():
                return True
            case ast.Return(value=ast.Constant(value=value)) if value not in (None, ...):
                return True
            case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
                return True
    return False


def is_text(node: ast.stmt) -> bool:
    """Return whether a statement is a bare constant, such as a comment in quotes or `...`."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


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
