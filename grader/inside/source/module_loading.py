"""Runs a student's source as a module and says what it defines and what went wrong.

After an exception only the definitions in the rest of its group are run, then the next group, so that what could be
defined is graded. Statements are compiled one by one from one parse of the text, so that the trusted side learns which
of them is running; if one never ends, the source is loaded again without it. A definition that fails on an undefined
name is run again without evaluating its annotations, so a name that is only in these, such as one of a package that is
not there, costs nothing. Any other statement that fails on a name which a failed import did not bind is lost, and
nothing else.
"""

import __future__

import ast
import builtins
import linecache
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from torch import nn

from ..protocol.answers import TOO_LONG, ChosenDefinition, Defined, Place, Problem, RerunCell
from ..protocol.exceptions import LONGEST_LINE, clean, explain
from ..protocol.messages import PY_BESIDE, Load
from ..protocol.rows import LONGEST_MESSAGE, LONGEST_NAME
from . import stand_ins
from .answered_exercises import DEFINITION
from .duplicate_definitions import BLOCKS, MOST_OTHERS, DefinitionChoices, ParsedSource, PinnedNames
from .executing import (
    Report,
    StatementProgress,
    asks_for_colab,
    execute,
    future_flags,
    is_bare_magic,
    is_main_guard,
    only_defines,
)
from .statement_groups import Group, defined_names, guessed_names

MOST_NAMES = 500
MOST_PROBLEMS = 50
MOST_LOST = 100
MOST_ROUNDS = 5
UNREAD_ANNOTATIONS = __future__.annotations.compiler_flag


@dataclass(frozen=True)
class StoppedGroup:
    """A group that stopped at an undefined name.

    Attributes:
        statement: The statement that stopped it.
        flags: The compiler flags in force there.
        name: What was not defined.
        defining: Whether, when it stopped, only the definitions of the group were being run.
    """

    position: int
    statement: int
    flags: int
    name: str
    problem: Problem
    defining: bool


class StudentModule:
    """The student's source as a module, once it is loaded, and what `Loaded` says of it.

    Attributes:
        files: The names that its code was compiled under, with the number of the cell.
        stand_ins: The finder, which remembers what it replaced.
    """

    def __init__(self) -> None:
        self.module: ModuleType | None = None
        self.files: dict[str, int] = {}
        self.problems: list[Problem] = []
        self.stand_ins: stand_ins.StandInFinder | None = None
        self.left_out: list[Place] = []
        self.chosen: list[ChosenDefinition] = []
        self.again: list[RerunCell] = []
        self._waiting: list[StoppedGroup] = []
        self._unbound: set[str] = set()  # names left unbound by failed imports and by statements that needed them
        self._pinned_names = PinnedNames({}, {})
        self._definitions: dict[str, tuple[Any, Place]] = {}

    def load(self, request: Load, read: Callable[[], ParsedSource], report: Report) -> None:
        """Run the source.

        Args:
            read: Returns the parsed source, which running modifies.
            report: Called with the position of a group and of a statement, before that statement is run; in a very
                long source not for each one.
        """
        progress = StatementProgress(report)
        self.stand_ins = stand_ins.install()
        module = ModuleType(request.module_name)
        module.__file__ = request.file_name
        sys.modules[request.module_name] = self.module = module
        builtins.display = builtins.get_ipython = stand_ins.INERT  # type: ignore[attr-defined]  # as in a kernel
        builtins.check = stand_ins.check  # type: ignore[attr-defined]  # as in a kernel
        groups, settled = read()
        if any("google.colab" in group.source and asks_for_colab(group.statements) for group in groups):
            self.stand_ins.refused.add("google.colab")
        self._pinned_names = PinnedNames(settled.pins, vars(module))
        for group in groups:
            self.left_out += [Place(group.cell, line) for line in group.left_out]
            self.files[group.code_file] = group.cell
            lines = [line + "\n" for line in group.lines]
            linecache.cache[group.code_file] = (sum(map(len, lines)), None, lines, group.code_file)
        flags = 0
        for position, group in enumerate(groups):
            flags = self._enter(group, position, request, progress, flags)
        self._run_again(groups, request, progress)
        self.chosen = [*self._choices(groups, settled), *self._without_values(request.exercises)][:MOST_PROBLEMS]
        present = vars(module)
        self.problems = [
            Problem(p.cell, p.line, p.source, p.type_name, p.text, [n for n in p.lost if n not in present], p.status)
            for p in self.problems[:MOST_PROBLEMS]
        ]

    def _run_again(self, groups: list[Group], request: Load, report: Report) -> None:
        """Resume groups that stopped at undefined names, now that a later group has defined them."""
        for _ in range(MOST_ROUNDS):
            ready = [one for one in self._waiting if one.name in vars(self.module)]
            if not ready:
                return
            self._waiting = [one for one in self._waiting if one not in ready]
            for one in ready:
                self.problems.remove(one.problem)
                if all(again.cell != groups[one.position].cell for again in self.again):
                    self.again.append(RerunCell(groups[one.position].cell, clean(one.name, LONGEST_NAME)))
                below = [name for group in groups[one.position + 1 :] for name in defined_names(group.statements)]
                kept = {name: vars(self.module)[name] for name in below if name in vars(self.module)}
                kept = {name: value for name, value in kept.items() if not self._pinned_names.is_bound(name)}
                group = groups[one.position]
                self._enter(group, one.position, request, report, one.flags, one.statement, one.defining)
                vars(self.module).update(kept)  # what stands further down still counts

    def _choices(self, groups: list[Group], settled: DefinitionChoices) -> list[ChosenDefinition]:
        """Return which definition counts for each name that has several, now that all groups have run."""
        pins, overruled = settled.pins, self._pinned_names.overruled
        told = [one for one in settled.choices if one.name not in pins or self._pinned_names.is_bound(one.name)]
        for name in [name for name in overruled if all(one.name != name for one in settled.choices)]:
            others = [Place(groups[position].cell, 1) for position in dict.fromkeys(overruled[name])]
            if self._pinned_names.is_bound(name):
                own = Place(groups[min(pins[name])].cell, 1)
                told.append(
                    ChosenDefinition(name=name[:LONGEST_NAME], place=own, others=others[:MOST_OTHERS], why="own")
                )
        return told

    def _without_values(self, exercises: list[str]) -> Iterator[ChosenDefinition]:
        """Give the exercises' names back to their functions and classes where a value has taken them since.

        Such as in `attention = attention(inputs)`. A value is what cannot be called, or a module, or made by the class.
        """
        names = vars(self.module)
        for name in (name for name in exercises if name in self._definitions and name in names):
            definition, place = self._definitions[name]
            made = (nn.Module, definition) if isinstance(definition, type) else nn.Module
            if issubclass(type(names[name]), made) or not callable(names[name]):
                names[name] = definition
                yield ChosenDefinition(name=name, place=place, others=[], why="value")

    def _enter(
        self, group: Group, position: int, request: Load, report: Report, flags: int, start: int = 0,
        defining: bool = False,
    ) -> int:  # fmt: skip
        """Run one group, and see to it that exercises stay what their own cells define."""
        self._pinned_names.enter()
        before = dict(vars(self.module)) if request.notebook and not group.grade_id else {}
        flags = self._run(group, position, request, report, flags, start, defining)
        for name in before.keys() - vars(self.module).keys():
            # In the notebook, a cell that deletes names runs after the checks above it.
            vars(self.module)[name] = before[name]
        self._pinned_names.leave(position)
        return flags

    def _run(
        self, group: Group, position: int, request: Load, report: Report, flags: int, start: int, defining: bool
    ) -> int:
        """Run one group; returns the compiler flags that its future imports turned on.

        Args:
            flags: The compiler flags in force.
            start: The statement to begin with.
            defining: Whether only what defines something is run, as it is after a failure.
        """
        report(position, start)
        if group.fault is not None:
            fault = group.fault
            self._note(group, fault.line, fault.type_name, fault.text, guessed_names(group.source))
            return flags
        stops = {stop.statement: stop for stop in request.stops.get(position, [])}
        waits = False
        in_notebook = request.notebook and group.cell != PY_BESIDE
        if request.definitions_only and not group.grade_id:
            left_out = [one for one in group.statements[start:] if not only_defines(one)]
            self._note_left_out(group, left_out, TOO_LONG, "timeout")
            defining = True
        for at, statement in enumerate(group.statements):
            if at < start or (defining and at not in stops and not only_defines(statement)):
                continue
            if at in stops:
                self._note_left_out(group, group.statements[at:], stops[at].text, stops[at].status)
                defining = True
                continue
            if at > start:
                report(position, at)
            flags |= future_flags(statement)
            if in_notebook and isinstance(statement, ast.If) and is_main_guard(statement):
                # In a kernel `__name__` is "__main__".
                statement.test = ast.copy_location(ast.Constant(True), statement.test)
            error, awaited = execute(statement, group.code_file, flags, vars(self.module))
            if type(error) is NameError and isinstance(statement, DEFINITION):
                error, awaited = execute(statement, group.code_file, flags | UNREAD_ANNOTATIONS, vars(self.module))
            if error is None:
                self._note_definitions(group, statement)
                continue
            if is_bare_magic(statement, error):
                self.left_out.append(Place(group.cell, statement.lineno))
                continue
            imports = isinstance(statement, ast.Import | ast.ImportFrom) and issubclass(type(error), ImportError)
            follows = type(error) is NameError and type(error.name) is str and error.name in self._unbound
            if imports or follows:
                self._unbound.update(defined_names([statement]))
            alone = awaited or follows
            left = [] if imports else group.statements[at : at + 1] if alone else group.statements[at:]
            self._note_exception(group, error, defined_names(left))
            if imports or alone:
                continue
            if type(error) is NameError and type(error.name) is str and not waits:
                waits = True
                self._waiting.append(StoppedGroup(position, at, flags, error.name, self.problems[-1], defining))
            defining = True
        return flags

    def _note_definitions(self, group: Group, statement: ast.stmt) -> None:
        """Remember what a definition, or one in a block, has made of its name."""
        if not isinstance(statement, (DEFINITION, *BLOCKS)):
            return
        for name in defined_names([statement]):
            value = vars(self.module).get(name)
            if callable(value):
                self._definitions[name] = value, Place(group.cell, statement.lineno)

    def _note_left_out(self, group: Group, statements: list[ast.stmt], text: str, status: Any) -> None:
        if statements:
            self._note(group, statements[0].lineno, "", text, defined_names(statements), status)

    def _note_exception(self, group: Group, error: BaseException, lost: list[str]) -> None:
        told = explain(error, self.files)
        if issubclass(type(error), SyntaxError) and told["line"] is None:
            told["line"] = error.lineno  # type: ignore[attr-defined]  # a SyntaxError, see above
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
                found.append(Defined(clean(name, LONGEST_NAME), sort_of(value)))
        return found[:MOST_NAMES]


def sort_of(value: Any) -> Any:
    """Return whether a value is a function, a class, a module or something else."""
    kind = type(value)
    if issubclass(kind, type):
        return "class"
    if issubclass(kind, ModuleType):
        return "module"
    return "function" if callable(value) else "value"
