"""Follows names through a student's text: what a name is bound to, and which library thing an expression means.

Only plain bindings are followed. Where a name could be several things, it is taken for the student's own, since the
reading of a text may accuse only where the evidence is plain.
"""

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from .rows import LONGEST_NAME

IMPORTERS = frozenset({"importlib.import_module", "__import__", "import_module"})
ATTRGETTER = "operator.attrgetter"
QUOTE = "'"  # before the text that a name means, since no library's name begins so
Functions = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@dataclass
class Binding:
    """The last thing that a name is bound to at the top level.

    Attributes:
        node: The statement, or the expression that came under the name by another way than a statement.
        cell: Number of the cell it stands in.
        dotted: The library thing that it names, when it is an import or a plain alias; or a text after a quote.
        others: What the other branches of the same block bind the name to.
    """

    node: ast.AST
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
        added: What else comes under a name, as `collecting.py` finds it.
        installed: Names that statements outside of functions put something under in such a way.
        referred: Attributes that are handed on somewhere without being called, and texts that may name one.
        aliases: Names that are bound to an attribute, each with that attribute.
        stored: How often each name is put something under, wherever it stands.
        rebinds: Whether names of the text may be bound by others than statements.
        opaque: Whether attributes are looked up by names that the text does not say.
    """

    bindings: dict[str, Binding] = field(default_factory=dict)
    stars: list[str] = field(default_factory=list)
    methods: set[str] = field(default_factory=set)
    added: dict[str, list[Binding]] = field(default_factory=dict)
    installed: set[str] = field(default_factory=set)
    referred: set[str] = field(default_factory=set)
    aliases: list[tuple[str, str]] = field(default_factory=list)
    stored: Counter[str] = field(default_factory=Counter)
    rebinds: bool = False
    opaque: bool = False


def imported(statement: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, str]]:
    """Yield the names that an import binds, each with the dotted name it stands for."""
    if isinstance(statement, ast.Import):
        for alias in statement.names:
            yield (alias.asname, alias.name) if alias.asname else (alias.name.split(".")[0],) * 2
    elif statement.module and not statement.level:
        for alias in statement.names:
            yield alias.asname or alias.name, f"{statement.module}.{alias.name}"


class Scope:
    """What names mean at one place of a text.

    Args:
        names: The top-level names.
        local: Names that are local here, with the library thing each stands for, None where it is the student's own.
    """

    def __init__(self, names: Names, local: dict[str, str | None] | None = None) -> None:
        self.names = names
        self.local = local or {}
        self._known: dict[int, str | None] = {}

    def dotted(self, node: ast.AST | None) -> str | None:
        """Return the dotted name of the library thing that an expression means, or None."""
        chain: list[ast.Attribute | ast.Subscript | ast.Call] = []  # from the outside in; may be thousands long
        while isinstance(node, ast.Attribute | ast.Subscript | ast.Call) and id(node) not in self._known:
            chain.append(node)
            node = node.func if isinstance(node, ast.Call) else node.value
        meaning = self._name(node.id) if isinstance(node, ast.Name) else self._known.get(id(node))
        for outer in reversed(chain):
            meaning = self._known[id(outer)] = self._step(outer, meaning)
        return meaning

    def meaning(self, node: ast.AST) -> str | None:
        """Return what a name that is bound to an expression means: a library thing, or a text after a quote."""
        dotted = self.dotted(node)
        text = text_of(node, self) if dotted is None else None
        return dotted if text is None or len(text) > LONGEST_NAME else QUOTE + text

    def _step(self, node: ast.Attribute | ast.Subscript | ast.Call, base: str | None) -> str | None:
        """Return what an attribute, an item or the result of a call means, given what it is taken from."""
        match node:
            case ast.Attribute(attr=attr):
                return None if base is None else f"{base}.{attr}"
            case ast.Subscript(slice=key) if (name := text_of(key, self)) is not None and base is not None:
                if base.endswith(".__dict__"):
                    return f"{base.removesuffix('.__dict__')}.{name}"
                return name if base == "sys.modules" else None
            case ast.Call(func=ast.Name(id="getattr"), args=[owner, key, *_]) if (
                name := text_of(key, self)
            ) is not None:
                meaning = self.dotted(owner)
                return None if meaning is None else f"{meaning}.{name}"
            case ast.Call(func=ast.Name(id="vars"), args=[owner]):
                meaning = self.dotted(owner)
                return None if meaning is None else f"{meaning}.__dict__"
            case ast.Call(func=ast.Call(func=getter, args=[key]), args=[owner]) if self.dotted(getter) == ATTRGETTER:
                meaning, name = self.dotted(owner), text_of(key, self)
                return None if meaning is None or name is None else f"{meaning}.{name}"
            case ast.Call(func=func, args=[key, *_]) if (module := text_of(key, self)) is not None:
                imports = base in IMPORTERS or (isinstance(func, ast.Name) and func.id == "__import__")
                return module if imports else None
        return None

    def text(self, name: str) -> str | None:
        """Return the text that a name is bound to, or None."""
        meaning = self._name(name) or ""
        return meaning.removeprefix(QUOTE) if meaning.startswith(QUOTE) else None

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
                    stored.setdefault(name, []).append(self.meaning(value))
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


def text_of(node: ast.AST, scope: Scope | None = None) -> str | None:
    """Return the text that an expression of constants spells, such as `"soft" + "max"`; None for any other.

    Args:
        node: The expression.
        scope: What names in it mean; without it they mean nothing.
    """
    pieces: list[str] = []
    waiting = [node]
    while waiting:
        match waiting.pop():
            case ast.Constant(value=str(text)):
                pieces.append(text)
            case ast.Name(id=name) if scope is not None and (known := scope.text(name)) is not None:
                pieces.append(known)
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                waiting += [right, left]
            case ast.JoinedStr(values=values):
                waiting += reversed(values)
            case ast.FormattedValue(value=value, conversion=-1, format_spec=None):
                waiting.append(value)
            case _:
                return None
    return "".join(pieces)
