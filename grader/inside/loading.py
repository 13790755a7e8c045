"""Runs a student's source as a module and says what it defines and what went wrong.

Each group of statements stands for itself: an exception ends its group, and the next goes on, so that what could be
defined is graded. Statements are compiled one by one from one parse of the text, which lets the trusted side be told
which of them is running; if it never ends, the source is loaded again up to there.
"""

import __future__

import ast
import builtins
import linecache
import sys
from dataclasses import dataclass
from inspect import CO_COROUTINE
from types import CodeType, ModuleType
from typing import Any, TypeGuard

from . import shims
from .cells import Group, defined_names, guessed_names, parse
from .choosing import settle
from .messages import Again, Chosen, Defined, Load, Place, Problem
from .notation import BARE_AUTOMAGIC
from .progress import Progress, Report
from .raising import LONGEST_LINE, LONGEST_MESSAGE, clean, explain
from .rows import LONGEST_NAME

MOST_NAMES = 500
MOST_PROBLEMS = 50
MOST_LOST = 100
MOST_RESUMES = 1000
MOST_ROUNDS = 5
AWAITS = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT


@dataclass(frozen=True)
class Waiting:
    """A group that stopped for want of a name.

    Attributes:
        position: The group's position.
        statement: The statement that stopped it.
        flags: The compiler flags in force there.
        name: What was not defined.
        problem: What was noted about it.
    """

    position: int
    statement: int
    flags: int
    name: str
    problem: Problem


class StudentModule:
    """The student's source as a module, once it is loaded.

    Attributes:
        module: The module itself.
        files: The names that its code was compiled under, with the number of the cell.
        problems: What went wrong.
        stand_ins: The finder, which remembers what it replaced.
        left_out: Lines that only a notebook's kernel understands.
        chosen: Which definition counts where there were several.
        again: Cells that needed what a cell below them defines.
    """

    def __init__(self) -> None:
        self.module: ModuleType | None = None
        self.files: dict[str, int] = {}
        self.problems: list[Problem] = []
        self.stand_ins: shims.Finder | None = None
        self.left_out: list[Place] = []
        self.chosen: list[Chosen] = []
        self.again: list[Again] = []
        self._waiting: list[Waiting] = []

    def load(self, request: Load, report: Report) -> None:
        """Run the source.

        Args:
            request: The source and its names.
            report: Called with the position of a group and of a statement, before that statement is run; in a very
                long source not for each one.
        """
        progress = Progress(report)
        self.stand_ins = shims.install()
        module = ModuleType(request.module_name)
        module.__file__ = request.file_name
        sys.modules[request.module_name] = self.module = module
        builtins.display = builtins.get_ipython = shims.INERT  # type: ignore[attr-defined]
        groups = parse(request.cells, request.file_name, request.notebook)
        self.chosen = settle(groups)[:MOST_PROBLEMS]
        for group in groups:
            self.left_out += [Place(group.cell, line) for line in group.left_out]
            self.files[group.code_file] = group.cell
            text = [line + "\n" for line in group.lines]
            linecache.cache[group.code_file] = (sum(map(len, text)), None, text, group.code_file)
        flags = 0
        for position, group in enumerate(groups):
            flags = self._run(group, position, request, progress, flags)
        self._run_again(groups, request, progress)
        present = vars(module)
        self.problems = [
            Problem(p.cell, p.line, p.source, p.type_name, p.text, [n for n in p.lost if n not in present], p.status)
            for p in self.problems[:MOST_PROBLEMS]
        ]

    def _run_again(self, groups: list[Group], request: Load, report: Report) -> None:
        """Go on with groups that stopped for want of a name that a group below them has defined since."""
        for _ in range(MOST_ROUNDS):
            ready = [one for one in self._waiting if one.name in vars(self.module)]
            if not ready:
                return
            self._waiting = [one for one in self._waiting if one not in ready]
            for one in ready:
                self.problems.remove(one.problem)
                if all(again.cell != groups[one.position].cell for again in self.again):
                    self.again.append(Again(groups[one.position].cell, clean(one.name, LONGEST_NAME)))
                below = [name for group in groups[one.position + 1 :] for name in defined_names(group.statements)]
                kept = {name: vars(self.module)[name] for name in below if name in vars(self.module)}
                self._run(groups[one.position], one.position, request, report, one.flags, one.statement)
                vars(self.module).update(kept)  # what stands further down still counts

    def _run(self, group: Group, position: int, request: Load, report: Report, flags: int, start: int = 0) -> int:
        """Run one group until it raises; returns the compiler flags that its future imports turned on."""
        report(position, start)
        if group.fault is not None:
            fault = group.fault
            self._note(group, fault.line, fault.type_name, fault.text, guessed_names(group.source))
            return flags
        stop = request.stops.get(position)
        for at, statement in enumerate(group.statements):
            if at < start:
                continue
            if stop is not None and at >= stop.statement:
                lost = defined_names(group.statements[at:])
                self._note(group, statement.lineno, "", stop.text, lost, stop.status)
                return flags
            if at > start:
                report(position, at)
            flags |= future_flags(statement)
            awaited = False
            try:
                unit = ast.Module([statement], [])
                code = compile(unit, group.code_file, "exec", flags=flags | AWAITS, dont_inherit=True)
                if code.co_flags & CO_COROUTINE:
                    awaited = True
                    run_awaiting(code, vars(self.module))
                else:
                    exec(code, vars(self.module))
            except BaseException as error:
                imports = isinstance(statement, ast.Import | ast.ImportFrom) and issubclass(type(error), ImportError)
                spared = imports or awaited
                left = [] if imports else group.statements[at : at + 1] if awaited else group.statements[at:]
                if is_bare_magic(statement, error):
                    self.left_out.append(Place(group.cell, statement.lineno))
                    continue
                self._caught(group, error, defined_names(left))
                if not spared:
                    if type(error) is NameError and error.name and not awaited:
                        self._waiting.append(Waiting(position, at, flags, error.name, self.problems[-1]))
                    return flags
        return flags

    def _caught(self, group: Group, error: BaseException, lost: list[str]) -> None:
        told = explain(error, self.files)
        if issubclass(type(error), SyntaxError) and told["line"] is None:
            told["line"] = error.lineno  # type: ignore[attr-defined]
        self._note(group, told["line"], told["type_name"], told["text"], lost, told["kind"], told["cell"])

    def _note(
        self, group: Group, line: int | None, kind: str, text: str, lost: list[str], status: Any = "error",
        cell: int | None = None,
    ) -> None:  # fmt: skip
        source = group.line_text(line)
        self.problems.append(
            Problem(
                cell=group.cell if cell is None else cell,
                line=line if type(line) is int and line >= 0 else None,
                source=clean(source, LONGEST_LINE),
                type_name=kind,
                text=clean(text, LONGEST_MESSAGE),
                lost=[clean(name, LONGEST_NAME) for name in dict.fromkeys(lost)][:MOST_LOST],
                status=status,
            )
        )

    def names(self) -> list[Defined]:
        """Return what the module defines, without what Python puts there."""
        found = []
        for name, value in list(vars(self.module).items()):
            if type(name) is str and not (name.startswith("__") and name.endswith("__")) and len(name) <= LONGEST_NAME:
                found.append(Defined(clean(name, LONGEST_NAME), sort_of(value), line_of(value)))
        return found[:MOST_NAMES]


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


def sort_of(value: Any) -> Any:
    """Return whether a value is a function, a class, a module or something else."""
    kind = type(value)
    if issubclass(kind, type):
        return "class"
    if issubclass(kind, ModuleType):
        return "module"
    return "function" if callable(value) else "value"


def line_of(value: Any) -> int | None:
    """Return where a plain function is defined."""
    code = getattr(value, "__code__", None) if type(value).__name__ == "function" else None
    return code.co_firstlineno if code is not None else None
