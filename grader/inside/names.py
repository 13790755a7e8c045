"""Follows names through a student's text: what a name is bound to, and which library thing an expression means.

Only plain bindings are followed. Where a name could be several things, it is taken for the student's own, since the
reading of a text may accuse only where the evidence is plain.
"""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from .cells import Group

IMPORTERS = frozenset({"importlib.import_module", "__import__", "import_module"})
Functions = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@dataclass
class Binding:
    """The last thing that a name is bound to at the top level.

    Attributes:
        node: The statement.
        cell: Number of the cell it stands in.
        dotted: The library thing that it names, when it is an import or a plain alias.
        others: What the other branches of the same block bind the name to.
    """

    node: ast.stmt
    cell: int
    dotted: str | None = None
    others: tuple["Binding", ...] = ()

    @property
    def meaning(self) -> str | None:
        """The library thing that the name means; None where some branch makes it the student's own."""
        return None if any(other.dotted is None for other in self.others) else self.dotted


class Layer(dict[str, Binding]):
    """Bindings of a branch, on top of those that were there before it.

    Args:
        below: The latter.
    """

    def __init__(self, below: "dict[str, Binding]") -> None:
        super().__init__()
        self._below = below

    def __missing__(self, name: str) -> Binding:
        return self._below[name]

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or name in self._below


@dataclass
class Names:
    """The top-level names of a text.

    Attributes:
        bindings: The last binding of each name.
        stars: Libraries that were imported with a star.
        methods: Names that some class of the text defines or assigns on itself.
    """

    bindings: dict[str, Binding] = field(default_factory=dict)
    stars: list[str] = field(default_factory=list)
    methods: set[str] = field(default_factory=set)


def imported(statement: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, str]]:
    """Yield the names that an import binds, each with the dotted name it stands for."""
    if isinstance(statement, ast.Import):
        for alias in statement.names:
            yield (alias.asname, alias.name) if alias.asname else (alias.name.split(".")[0],) * 2
    elif statement.module and not statement.level:
        for alias in statement.names:
            yield alias.asname or alias.name, f"{statement.module}.{alias.name}"


def collect(groups: list[Group], pins: Mapping[str, frozenset[int]]) -> Names:
    """Return the top-level names of a text.

    Args:
        groups: Its groups.
        pins: By name: the groups that alone may bind it, whatever others do.
    """
    names = Names()
    for position, group in enumerate(groups):
        before = {name: names.bindings.get(name) for name in pins}
        for statement in group.statements:
            bindings = names.bindings
            try:
                bind(names, statement, group.cell)
            except RecursionError:  # what is nested that deep is plain evidence of nothing
                names.bindings = bindings
            for node in ast.walk(statement):
                if isinstance(node, ast.ClassDef):
                    names.methods |= own_attributes(node)
        for name in (name for name, positions in pins.items() if position not in positions):
            names.bindings.pop(name, None)
            if (binding := before[name]) is not None:
                names.bindings[name] = binding
    return names


def own_attributes(node: ast.ClassDef) -> set[str]:
    """Return the names that a class defines, or assigns on its instances."""
    found = {item.name for item in node.body if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)}
    for part in ast.walk(node):
        if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store):
            found.add(part.attr)
    for item in node.body:
        if isinstance(item, ast.Assign):
            found |= {target.id for target in item.targets if isinstance(target, ast.Name)}
    return found


def bind(names: Names, statement: ast.stmt, cell: int) -> None:
    """Enter what a top-level statement binds; a block is entered statement by statement, never as a whole."""
    match statement:
        case ast.Import() | ast.ImportFrom():
            for name, library in imported(statement):
                if name == "*":
                    names.stars.append(library.removesuffix(".*"))
                else:
                    names.bindings[name] = Binding(statement, cell, library)
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            names.bindings[statement.name] = Binding(statement, cell)
        case ast.Assign(targets=targets, value=value):
            dotted = Scope(names).dotted(value)
            for target in targets:
                pairs: list[tuple[ast.expr, str | None]] = [(target, dotted)]
                if isinstance(target, ast.Tuple | ast.List):
                    values = value.elts if isinstance(value, ast.Tuple | ast.List) else []
                    meanings = [Scope(names).dotted(part) for part in values]
                    fitting = meanings if len(meanings) == len(target.elts) else [None] * len(target.elts)
                    pairs = list(zip(target.elts, fitting, strict=True))
                for place, meaning in pairs:
                    if isinstance(place, ast.Name):
                        names.bindings[place.id] = Binding(statement, cell, meaning)
        case ast.AnnAssign(target=ast.Name(id=name), value=value) if value is not None:
            names.bindings[name] = Binding(statement, cell, Scope(names).dotted(value))
        case _:
            bind_branches(names, branches_of(statement), cell)
            for inner in getattr(statement, "finalbody", []):
                bind(names, inner, cell)


def branches_of(statement: ast.stmt) -> list[list[ast.stmt]]:
    """Return the blocks inside a statement of which one is run and not the others."""
    match statement:
        case ast.If(body=body, orelse=orelse):
            branches = [body]
            while len(orelse) == 1 and isinstance(orelse[0], ast.If):
                branches.append(orelse[0].body)
                orelse = orelse[0].orelse
            return [*branches, orelse]
        case ast.Try(body=body, handlers=handlers, orelse=orelse):
            return [[*body, *orelse], *(handler.body for handler in handlers)]
        case ast.TryStar(body=body, handlers=handlers, orelse=orelse):
            return [[*body, *orelse], *(handler.body for handler in handlers)]
        case ast.Match(cases=cases):
            return [case.body for case in cases]
        case ast.With(body=body) | ast.AsyncWith(body=body):
            return [body]
        case ast.For() | ast.AsyncFor() | ast.While():
            return [[*statement.body, *statement.orelse]]
    return []


def bind_branches(names: Names, branches: list[list[ast.stmt]], cell: int) -> None:
    """Enter what each branch binds; a name that several of them bind could be any of those things."""
    if len(branches) == 1:
        for item in branches[0]:
            bind(names, item, cell)
        return
    before = names.bindings
    found: dict[str, list[Binding]] = {}
    for branch in branches:
        names.bindings = own = Layer(before)
        for item in branch:
            bind(names, item, cell)
        for name, binding in own.items():
            found.setdefault(name, []).append(binding)
    names.bindings = before
    for name, bindings in found.items():
        every = [one for binding in bindings for one in (*binding.others, binding)]
        last = every.pop()
        before[name] = Binding(last.node, last.cell, last.dotted, tuple(every))


class Scope:
    """What names mean at one place of a text.

    Args:
        names: The top-level names.
        local: Names that are local here, with the library thing each stands for, None where it is the student's own.
    """

    def __init__(self, names: Names, local: dict[str, str | None] | None = None) -> None:
        self.names = names
        self.local = local or {}

    def dotted(self, node: ast.AST | None) -> str | None:
        """Return the dotted name of the library thing that an expression means, or None."""
        match node:
            case ast.Name(id=name):
                return self._name(name)
            case ast.Attribute(value=value, attr=attr):
                base = self.dotted(value)
                return None if base is None else f"{base}.{attr}"
            case ast.Call(func=ast.Name(id="getattr"), args=[owner, ast.Constant(value=str(attr)), *_]):
                base = self.dotted(owner)
                return None if base is None else f"{base}.{attr}"
            case ast.Call(func=ast.Name(id="vars"), args=[owner]):
                base = self.dotted(owner)
                return None if base is None else f"{base}.__dict__"
            case ast.Call(func=func, args=[ast.Constant(value=str(module)), *_]) if self._imports(func):
                return module
            case ast.Subscript(value=value, slice=ast.Constant(value=str(attr))):
                base = self.dotted(value)
                if base is not None and base.endswith(".__dict__"):
                    return f"{base.removesuffix('.__dict__')}.{attr}"
                return attr if base == "sys.modules" else None
        return None

    def _imports(self, func: ast.expr) -> bool:
        return (isinstance(func, ast.Name) and func.id == "__import__") or self.dotted(func) in IMPORTERS

    def _name(self, name: str) -> str | None:
        if name in self.local:
            return self.local[name]
        if name in self.names.bindings:
            return self.names.bindings[name].meaning
        return f"{self.names.stars[-1]}.{name}" if self.names.stars else None

    def inner(self, function: Functions) -> "Scope":
        """Return the scope inside a function: its parameters and what it assigns hide the names outside."""
        local = dict(self.local)
        spec = function.args
        for argument in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs, spec.vararg, spec.kwarg):
            if argument is not None:
                local[argument.arg] = None
        body = function.body if isinstance(function.body, list) else [function.body]
        outer: set[str] = set()
        stored: dict[str, list[str | None]] = {}
        for node in own_nodes(body):
            match node:
                case ast.Global(names=found) | ast.Nonlocal(names=found):
                    outer |= set(found)
                case ast.Import() | ast.ImportFrom():
                    for name, dotted in imported(node):
                        stored.setdefault(name, []).append(dotted)
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    stored.setdefault(name, []).append(self.dotted(value))
                case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                    stored.setdefault(name, []).append(None)
                case ast.Name(id=name, ctx=ast.Store()):
                    stored.setdefault(name, [])
        for name, meanings in stored.items():
            if name not in outer:
                local[name] = meanings[0] if len(set(meanings)) == 1 else None
        return Scope(self.names, local)


def own_nodes(body: list[ast.stmt] | list[ast.expr]) -> Iterator[ast.AST]:
    """Yield the nodes of a function's body, without those inside of functions and classes in it."""
    waiting: list[ast.AST] = list(reversed(body))
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            waiting.extend(reversed(list(ast.iter_child_nodes(node))))
