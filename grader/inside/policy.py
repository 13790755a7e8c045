"""Reads a student's text for library calls that an exercise forbids, without running it.

From the exercise's own name it follows what that name is bound to, then the helpers, classes and aliases of the same
text, one after the other, but for what plainly cannot run (`resting.py`). A finding needs plain evidence: a dotted name
that leads to the library, or a tensor method of a name that nothing in the text defines. Comments, strings and the
student's own functions of the same name are not evidence. Another exercise's function is followed only where that
exercise forbids the same group.
"""

import ast
from collections import deque
from collections.abc import Collection, Iterator, Mapping
from itertools import islice

from .answers import Finding
from .choosing import Text, read_text
from .collecting import collect
from .forbidden import GROUPS, forbidden_in_trace, group_of, known, last_part
from .messages import Cell
from .names import Binding, Names, Scope, text_of
from .raising import clean
from .resting import Method, live, may_rest
from .rows import LONGEST_NAME
from .written import gives_no_answer

MOST_FINDINGS = 20  # of one group in one exercise

GETTERS = frozenset({"operator.attrgetter", "operator.methodcaller"})
Part = tuple[ast.AST, Scope, int]
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef

__all__ = ["GROUPS", "absent", "analyse", "findings_in", "forbidden_in_trace", "read", "stubs"]


def analyse(cells: list[Cell], file_name: str, notebook: bool, exercises: Mapping[str, list[str]]) -> list[Finding]:
    """Return the forbidden calls of each exercise, the first of each kind in each place.

    Args:
        cells: The student's source.
        file_name: Bare name of the file.
        notebook: Whether the cells are a notebook's.
        exercises: The groups that each exercise forbids; those that forbid nothing as well.
    """
    return findings_in(read(read_text(cells, file_name, notebook)), exercises)


def read(text: Text) -> Names:
    """Return the names of a text, of definitions that count alone."""
    return collect(text.groups, text.settled.pins)


def findings_in(names: Names, exercises: Mapping[str, list[str]]) -> list[Finding]:
    """Return the forbidden calls of each exercise, given the names of the text."""
    findings: dict[tuple[str, str, int, int], Finding] = {}
    for exercise, groups in exercises.items():
        for group in groups:
            known(group)
            for what, line, cell in islice(Reading(names, exercises, exercise, group).evidence(), MOST_FINDINGS):
                finding = Finding(exercise, group, clean(what, LONGEST_NAME), line, cell)
                findings.setdefault((exercise, group, line, cell), finding)
    return list(findings.values())


def absent(names: Names, exercises: Collection[str]) -> list[str]:
    """Return the exercises that nothing in a text defines."""
    return [name for name in exercises if name not in names.bindings and name not in names.added]


def stubs(names: Names, exercises: Collection[str]) -> list[str]:
    """Return the exercises that are stubs in a text, whatever is put in their place while it runs.

    Only what can give no answer as it stands is a stub here: less than `is_written` asks for, since points hang on it.
    """
    found = []
    for name in exercises:
        binding = names.bindings.get(name)
        if binding is None or binding.others or name in names.installed:
            continue
        if gives_no_answer(binding.node):
            found.append(name)
    return found


class Reading:
    """The reading of one exercise for one group.

    Args:
        names: The top-level names of the text.
        exercises: What every exercise forbids.
        exercise: Where to begin.
        group: What to look for.
    """

    def __init__(self, names: Names, exercises: Mapping[str, list[str]], exercise: str, group: str) -> None:
        self.names = names
        self.exercises = exercises
        self.exercise = exercise
        self.group = group
        self.waiting = deque([exercise])
        self.seen: set[str] = {exercise}
        self.called = {attribute for name, attribute in names.aliases if name == exercise or name not in exercises}
        self.resting: dict[str, list[Part]] = {}
        self.woken: deque[Part] = deque()

    def evidence(self) -> Iterator[tuple[str, int, int]]:
        """Yield what was found: the full name, the line and the cell."""
        read: set[int] = set()
        while self.waiting or self.woken:
            if self.woken:
                yield from self._walk(*self.woken.popleft())
                continue
            name = self.waiting.popleft()
            for thing in self.names.added.get(name, []):
                yield from self._thing(thing)
            binding = self.names.bindings.get(name)
            if binding is None:
                continue
            for one in (*binding.others, binding):
                if id(one.node) in read or (one.dotted is not None and binding.meaning is None):
                    continue
                read.add(id(one.node))
                yield from self._binding(one)

    def _thing(self, thing: Binding) -> Iterator[tuple[str, int, int]]:
        """Yield what is found in a thing that was put under a name: it is followed, but no number that it may be."""
        node, scope = thing.node, Scope(self.names)
        bound = self.names.bindings.get(node.id) if isinstance(node, ast.Name) else None
        if isinstance(node, ast.Name) and bound is not None and bound.meaning is None:
            value = getattr(bound.node, "value", bound.node)
            if isinstance(value, Definition | ast.Lambda):
                self._follow(node.id, scope)
        elif isinstance(node, Definition | ast.Lambda):
            yield from self._walk(node, scope, thing.cell)
        else:
            dotted = scope.dotted(node.func if isinstance(node, ast.Call) else node)
            if dotted is not None and group_of(dotted, [self.group]):
                yield dotted, getattr(node, "lineno", 1), thing.cell

    def _binding(self, binding: Binding) -> Iterator[tuple[str, int, int]]:
        if isinstance(binding.node, ast.Import | ast.ImportFrom):
            if binding.dotted is not None and group_of(binding.dotted, [self.group]):
                yield binding.dotted, binding.node.lineno, binding.cell
            return
        yield from self._walk(binding.node, Scope(self.names), binding.cell)

    def _walk(self, top: ast.AST, top_scope: Scope, cell: int) -> Iterator[tuple[str, int, int]]:
        waiting: list[tuple[ast.AST, Scope]] = [(top, top_scope)]
        while waiting:
            node, scope = waiting.pop()
            yield from ((what, line, cell) for what, line in self._look(node, scope))
            if isinstance(node, ast.Attribute) and scope.dotted(node) is not None:
                continue  # its parts mean nothing by themselves
            inside = scope
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
                inside = scope.inner(node)
            for child in reversed(list(live(node, scope) if isinstance(node, ast.If) else children(node))):
                if isinstance(node, ast.ClassDef) and self._rests(node, child, scope, cell):
                    continue
                belongs = child in getattr(node, "decorator_list", []) or isinstance(child, ast.arguments)
                waiting.append((child, scope if belongs else inside))

    def _look(self, node: ast.AST, scope: Scope) -> Iterator[tuple[str, int]]:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            self._follow(node.id, scope)
            self._wake(node.id)
        elif isinstance(node, ast.Attribute):
            self._wake(node.attr)
        if isinstance(node, ast.Name | ast.Attribute | ast.Call | ast.Subscript):
            if isinstance(getattr(node, "ctx", None), ast.Store | ast.Del):
                return
            dotted = scope.dotted(node)
            if dotted is not None:
                if group_of(dotted, [self.group]):
                    yield dotted, node.lineno
            else:
                method = self._method(node, scope)
                if method is not None:
                    yield method, node.lineno

    def _rests(self, owner: ast.ClassDef, part: ast.AST, scope: Scope, cell: int) -> bool:
        """Put a method aside until something uses its name; returns whether it was."""
        rests = isinstance(part, Method) and part.name not in self.called and may_rest(owner, part, scope)
        if isinstance(part, Method) and rests:
            self.resting.setdefault(part.name, []).append((part, scope, cell))
        return rests

    def _wake(self, name: str) -> None:
        """Have the methods of a name read, now that something uses it."""
        self.called.add(name)
        self.woken.extend(self.resting.pop(name, ()))

    def _method(self, node: ast.AST, scope: Scope) -> str | None:
        """Return the name of a method that a call on an unknown value means, or None."""
        value: ast.AST | None = None
        match node:
            case ast.Attribute(value=value, attr=attr):
                pass
            case ast.Call(func=ast.Name(id="getattr"), args=[value, key, *_]) if (
                found := text_of(key, scope)
            ) is not None:
                attr = found
            case ast.Call(func=getter, args=[key, *_]) if (found := text_of(key, scope)) is not None:
                if scope.dotted(getter) not in GETTERS:
                    return None
                attr = last_part(found)
            case _:
                return None
        if attr not in known(self.group).methods or attr in self.names.methods:
            return None
        if isinstance(value, ast.Name) and value.id in {"self", "cls"}:
            return None
        return f"{known(self.group).owner}.{attr}"

    def _follow(self, name: str, scope: Scope) -> None:
        binding = self.names.bindings.get(name)
        plain = binding is None or binding.meaning is not None  # a library thing, or a builtin
        if name in scope.local or name in self.seen or (plain and name not in self.names.added):
            return
        if name in self.exercises and self.group not in self.exercises[name]:
            return
        self.seen.add(name)
        self.waiting.append(name)


def children(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the parts of a node that are run, which annotations are not."""
    for name, value in ast.iter_fields(node):
        if name in {"annotation", "returns", "type_params"}:
            continue
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, ast.AST):
                yield item
