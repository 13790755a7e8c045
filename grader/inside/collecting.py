"""Collects the names of a text: what is bound at its top level, and what comes under a name by any other way.

`N.g = torch.softmax`, `globals()["g"] = ...`, the target of a loop or a `global` in a helper hand a function on as
plainly as an assignment does. Only things that are handed on count there, not the results of calls: a number that
somebody else's softmax gave is no call of this exercise. One walk reads a text, so that no nesting makes it slow.
"""

import ast
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from .binding import bind
from .cells import Group
from .collector import collector_paused
from .names import Binding, Functions, Names, imported, own_nodes, text_of
from .resting import handed_on

NAMESPACES = frozenset({"globals", "locals", "vars"})
GROWING = frozenset({"add", "append", "appendleft", "extend", "insert", "setdefault", "update"})
Pair = tuple[ast.AST | str, ast.AST]


class Where(NamedTuple):
    """Where in a text a node stands.

    Attributes:
        in_class: Whether some class holds it.
        in_function: Whether some function holds it.
        in_body: Whether it stands in a class's own body, where names are attributes.
        local: Names that mean something else than at the top level.
        outer: Names that the innermost function declares to be global.
    """

    in_class: bool = False
    in_function: bool = False
    in_body: bool = False
    local: frozenset[str] = frozenset()
    outer: frozenset[str] = frozenset()


@collector_paused()
def collect(groups: list[Group], pins: Mapping[str, frozenset[int]]) -> Names:
    """Return the names of a text.

    Args:
        groups: Its groups.
        pins: By name: the positions of the groups that alone may bind it, whatever others do while they are run.
    """
    names = Names()
    for position, group in enumerate(groups):
        foreign = frozenset(name for name, positions in pins.items() if position not in positions)
        before = {name: names.bindings[name] for name in foreign if name in names.bindings}
        for statement in group.statements:
            bind(names, statement, group.cell)
            walk(names, statement, group.cell, foreign)
        for name in foreign:
            names.bindings.pop(name, None)
        names.bindings.update(before)
    return names


def walk(names: Names, statement: ast.stmt, cell: int, foreign: frozenset[str]) -> None:
    """Enter what stands anywhere in a statement: attributes of its classes, and what is put under a name.

    Args:
        names: Takes it.
        statement: The statement.
        cell: The cell that it stands in.
        foreign: Names that it may not bind as it is run; what its functions do with them later counts all the same.
    """
    waiting: list[tuple[ast.AST, Where]] = [(statement, Where())]
    while waiting:
        node, where = waiting.pop()
        handed_on(node, names)
        inside = where
        if isinstance(node, ast.ClassDef):
            names.methods |= set(attributes(node))
            inside = where._replace(in_class=True, in_body=True)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            inside = within(node, where)
        if where.in_class and isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            names.methods.add(node.attr)
        for name, thing in declared(node, where):
            enter(names, name, Binding(thing, cell), where)
        for target, value in pairs(node):
            lasting = where.in_function or not is_plain(target)
            for name in () if where.in_body and is_plain(target) else under(target, where):
                if name in foreign and not lasting:
                    continue
                for thing in things(value):
                    enter(names, name, Binding(thing, cell), where)
        waiting.extend((child, inside) for child in ast.iter_child_nodes(node))


def enter(names: Names, name: str, binding: Binding, where: Where) -> None:
    """Note what comes under a name."""
    names.added.setdefault(name, []).append(binding)
    if not where.in_function:
        names.installed.add(name)


def attributes(node: ast.ClassDef) -> Iterator[str]:
    """Yield the names that a class defines in its body."""
    for item in node.body:
        if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield item.name
        elif isinstance(item, ast.Assign):
            yield from (target.id for target in item.targets if isinstance(target, ast.Name))


def within(function: Functions, where: Where) -> Where:
    """Return where the inside of a function is."""
    spec = function.args
    arguments = (*spec.posonlyargs, *spec.args, *spec.kwonlyargs, spec.vararg, spec.kwarg)
    local = {argument.arg for argument in arguments if argument is not None}
    outer: set[str] = set()
    for node in own_nodes(function.body) if isinstance(function.body, list) else ():
        match node:
            case ast.Global(names=found):
                outer |= set(found)
            case ast.Name(id=name, ctx=ast.Store()):
                local.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                local.add(name)
    return Where(where.in_class, True, False, (where.local | local) - outer, frozenset(outer))


def declared(node: ast.AST, where: Where) -> Iterator[tuple[str, ast.AST]]:
    """Yield what a definition inside of a function puts under a name that is declared global there."""
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            if name in where.outer and not where.in_body:
                yield name, node
        case ast.Import() | ast.ImportFrom():
            for name, dotted in imported(node) if where.outer else ():
                if name in where.outer:
                    yield name, named(dotted)


def named(dotted: str) -> ast.expr:
    """Return the expression `__import__("torch").softmax` for the name of a library thing."""
    first, *rest = dotted.split(".")
    node: ast.expr = ast.Call(ast.Name("__import__", ast.Load()), [ast.Constant(first)], [])
    for part in rest:
        node = ast.Attribute(node, part, ast.Load())
    return node


def pairs(node: ast.AST) -> Iterator[Pair]:
    """Yield each place that a node puts something in, an expression or a name, with the expression put there."""
    match node:
        case ast.Assign(targets=targets, value=value):
            yield from ((target, value) for target in targets)
        case ast.AnnAssign(target=target, value=ast.expr() as value):
            yield target, value
        case ast.AugAssign(target=target, value=value) | ast.NamedExpr(target=target, value=value):
            yield target, value
            if isinstance(target, ast.Name):
                yield target.id, value
        case ast.For(target=target, iter=value) | ast.AsyncFor(target=target, iter=value):
            yield from ((name, value) for name in plain_names(target))
        case ast.withitem(context_expr=value, optional_vars=ast.expr() as target):
            yield from ((name, value) for name in plain_names(target))
        case ast.Match(subject=value, cases=cases):
            for case in cases:
                for part in ast.walk(case.pattern):
                    if isinstance(part, ast.MatchAs | ast.MatchStar) and part.name:
                        yield part.name, value
        case ast.Call(func=ast.Name(id="setattr"), args=[owner, key, value]) if (name := text_of(key)) is not None:
            yield ast.Attribute(owner, name, ast.Store()), value
        case ast.Call(func=ast.Attribute(value=owner, attr=method), args=args, keywords=keywords) if method in GROWING:
            place = ast.Attribute(owner, method, ast.Store())
            yield from ((place, value) for value in (*args, *(keyword.value for keyword in keywords)))
            if is_namespace(owner):
                yield from ((keyword.arg, keyword.value) for keyword in keywords if keyword.arg)
                for given in args:
                    if isinstance(given, ast.Dict):
                        found = zip(given.keys, given.values, strict=True)
                        yield from ((text_of(key) or "", value) for key, value in found if key is not None)


def is_plain(target: ast.AST | str) -> bool:
    """Tell whether a place is a name by itself."""
    return isinstance(target, str | ast.Name)


def plain_names(target: ast.AST) -> Iterator[str]:
    """Yield the names in the target of a loop or a `with`."""
    for part in ast.walk(target):
        if isinstance(part, ast.Name):
            yield part.id


def under(target: ast.AST | str, where: Where) -> Iterator[str]:
    """Yield the top-level name under which something comes that is put in a place; none where it is a local one.

    A plain assignment outside of functions is left out: it binds its name anew, and `bind` enters it.
    """
    if isinstance(target, str):
        if target in where.outer or not where.in_function:
            yield target
        return
    if isinstance(target, ast.Tuple | ast.List):
        for item in target.elts:
            yield from under(item.value if isinstance(item, ast.Starred) else item, where)
        return
    if isinstance(target, ast.Name):
        if target.id in where.outer:
            yield target.id
        return
    path: list[ast.AST] = []
    node: ast.AST = target
    while isinstance(node, ast.Attribute | ast.Subscript):
        path.append(node)
        node = node.value
    if isinstance(node, ast.Name) and path and node.id not in where.local:
        yield node.id
    for outer, owner in zip(path, [*path, node][1:], strict=True):
        name = outer.attr if isinstance(outer, ast.Attribute) else text_of(getattr(outer, "slice", outer))
        if name is not None and is_namespace(owner):
            yield name


def is_namespace(node: ast.AST) -> bool:
    """Tell whether an expression means the text's own names: `globals()`, or `sys.modules[__name__]`."""
    match node:
        case ast.Call(func=ast.Name(id=name), args=[], keywords=[]):
            return name in NAMESPACES
        case ast.Subscript(value=ast.Attribute(attr="modules"), slice=ast.Name(id="__name__")):
            return True
        case ast.Attribute(value=ast.Subscript() as inner, attr="__dict__"):
            return is_namespace(inner)
    return False


def things(value: ast.AST) -> Iterator[ast.AST]:
    """Yield the things that an expression hands on: names, functions and classes, but no result of a function."""
    waiting = [value]
    while waiting:
        match waiting.pop():
            case ast.Call(func=func, args=args, keywords=keywords) as call:
                if class_like(func):
                    yield call
                waiting += [*args, *(keyword.value for keyword in keywords)]
            case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
                waiting += items
            case ast.Dict(values=items):
                waiting += items
            case ast.IfExp(body=body, orelse=orelse):
                waiting += [body, orelse]
            case ast.Starred(value=inner) | ast.NamedExpr(value=inner):
                waiting.append(inner)
            case ast.Name() | ast.Attribute() | ast.Subscript() | ast.Lambda() as thing:
                yield thing


def class_like(func: ast.AST) -> bool:
    """Tell whether what is called has the name of a class."""
    name = func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""
    return name.lstrip("_")[:1].isupper()
