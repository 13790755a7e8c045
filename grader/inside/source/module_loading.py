"""Runs a student's source as a module and says what it defines and what went wrong.

A statement that raises costs itself and what needs its names; the next one is run all the same. Statements are
compiled one by one from one parse of the text, so that the trusted side learns which of them is running; if one never
ends, the source is loaded again without it, and of the rest of its group only what defines something is run. A
definition that fails on an undefined name is run again without evaluating its annotations, so a name that is only in
these, such as one of a package that is not there, costs nothing.
"""

import __future__

import ast
import builtins
import linecache
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
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
MOST_WAITING = 100
UNREAD_ANNOTATIONS = __future__.annotations.compiler_flag


@dataclass(frozen=True)
class WaitingStatement:
    """A statement that failed on an undefined name.

    Attributes:
        position: The position of its group.
        at: Its own in the group.
        flags: The compiler flags in force there.
        name: What was not defined.
    """

    position: int
    at: int
    flags: int
    name: str
    problem: Problem


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
        self._waiting: list[WaitingStatement] = []
        self._pinned_names = PinnedNames({}, {})
        self._definitions: dict[str, tuple[Any, Place]] = {}
        self._imported: dict[str, Any] = {}

    def load(self, request: Load, read: Callable[[], ParsedSource], report: Report) -> None:
        """Run the source.

        Args:
            read: Returns the parsed source, which running modifies.
            report: Called with the position of a group and of a statement, before that statement is run.
        """
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
            if group.code_file not in self.files:
                self.files[group.code_file] = group.cell
                lines = [line + "\n" for line in group.lines]
                linecache.cache[group.code_file] = (sum(map(len, lines)), None, lines, group.code_file)
        flags = 0
        for position, group in enumerate(groups):
            with self._entered(group, position, request):
                flags = self._run(group, position, request, report, flags)
        self._run_again(groups, request)
        self.chosen = [*self._choices(groups, settled), *self._without_values(request.exercises)][:MOST_PROBLEMS]
        present = vars(module)
        self.problems = [
            Problem(p.cell, p.line, p.source, p.type_name, p.text, [n for n in p.lost if n not in present], p.status)
            for p in self.problems[:MOST_PROBLEMS]
        ]

    def _run_again(self, groups: list[Group], request: Load) -> None:
        """Run the statements again that failed on a name, now that another one further down has defined it."""
        for _ in range(MOST_ROUNDS):
            before, self._waiting = self._waiting, []
            for waiting in before:
                if waiting.name not in vars(self.module):
                    self._waiting.append(waiting)
                    continue
                group, statement = groups[waiting.position], groups[waiting.position].statements[waiting.at]
                self.problems.remove(waiting.problem)
                if all(again.cell != group.cell for again in self.again):
                    self.again.append(RerunCell(group.cell, clean(waiting.name, LONGEST_NAME)))
                below = [
                    *group.statements[waiting.at + 1 :],
                    *(node for g in groups[waiting.position + 1 :] for node in g.statements),
                ]
                kept = {name: vars(self.module)[name] for name in defined_names(below) if name in vars(self.module)}
                kept = {name: value for name, value in kept.items() if not self._pinned_names.is_bound(name)}
                with self._entered(group, waiting.position, request):
                    self._run_statement(group, waiting.position, waiting.at, statement, waiting.flags)
                vars(self.module).update(kept)  # what stands further down still counts
            if len(self._waiting) == len(before):
                return

    def _choices(self, groups: list[Group], settled: DefinitionChoices) -> list[ChosenDefinition]:
        """Return which definition counts for each name that has several, now that all groups have run."""
        pins, overruled = settled.pins, self._pinned_names.overruled
        told = [note for note in settled.choices if note.name not in pins or self._pinned_names.is_bound(note.name)]
        for name in [name for name in overruled if all(note.name != name for note in settled.choices)]:
            others = [Place(groups[position].cell, 1) for position in dict.fromkeys(overruled[name])]
            if self._pinned_names.is_bound(name):
                place = Place(groups[min(pins[name])].cell, 1)
                told.append(
                    ChosenDefinition(name=name[:LONGEST_NAME], place=place, others=others[:MOST_OTHERS], why="own")
                )
        return told

    def _without_values(self, exercises: list[str]) -> Iterator[ChosenDefinition]:
        """Give the exercises' names back to their functions and classes where a value has taken them since.

        Such as in `attention = attention(inputs)`. A value is what cannot be called, or a module, or made by the class;
        what is imported counts as one.
        """
        names = vars(self.module)
        for name in (name for name in exercises if name in self._definitions and name in names):
            definition, place = self._definitions[name]
            made = (nn.Module, definition) if isinstance(definition, type) else nn.Module
            imported = name in self._imported and names[name] is self._imported[name]
            if imported or issubclass(type(names[name]), made) or not callable(names[name]):
                names[name] = definition
                yield ChosenDefinition(name=name, place=place, others=[], why="value")

    @contextmanager
    def _entered(self, group: Group, position: int, request: Load) -> Iterator[None]:
        """See to it that exercises stay what their own cells define while statements of a group are run."""
        self._pinned_names.enter()
        before = dict(vars(self.module)) if request.notebook and not group.grade_id else {}
        yield
        for name in before.keys() - vars(self.module).keys():
            # In the notebook, a cell that deletes names runs after the checks above it.
            vars(self.module)[name] = before[name]
        self._pinned_names.leave(position)

    def _run(self, group: Group, position: int, request: Load, report: Report, flags: int) -> int:
        """Run one group; returns the compiler flags that its future imports turned on.

        Args:
            flags: The compiler flags in force.
        """
        report(position, 0)
        if group.fault is not None:
            fault = group.fault
            self._note(group, fault.line, fault.type_name, fault.text, guessed_names(group.source))
            return flags
        stops = {stop.statement: stop for stop in request.stops.get(position, [])}
        in_notebook, defining = request.notebook and group.cell != PY_BESIDE, False
        if request.definitions_only and not group.grade_id:
            left_out = [statement for statement in group.statements if not only_defines(statement)]
            self._note_left_out(group, left_out, TOO_LONG, "timeout")
            defining = True
        for at, statement in enumerate(group.statements):
            if at in stops:
                self._note_left_out(group, group.statements[at:], stops[at].text, stops[at].status)
                defining = True
            if at in stops or (defining and not only_defines(statement)):
                continue
            if at:
                report(position, at)
            flags |= future_flags(statement)
            if in_notebook and isinstance(statement, ast.If) and is_main_guard(statement):
                # In a kernel `__name__` is "__main__".
                statement.test = ast.copy_location(ast.Constant(True), statement.test)
            self._run_statement(group, position, at, statement, flags)
        return flags

    def _run_statement(self, group: Group, position: int, at: int, statement: ast.stmt, flags: int) -> None:
        error = execute(statement, group.code_file, flags, vars(self.module))
        if type(error) is NameError and isinstance(statement, DEFINITION):
            error = execute(statement, group.code_file, flags | UNREAD_ANNOTATIONS, vars(self.module))
        if error is None:
            self._note_definitions(group, statement)
            return
        if is_bare_magic(statement, error):
            self.left_out.append(Place(group.cell, statement.lineno))
            return
        is_import = isinstance(statement, ast.Import | ast.ImportFrom)  # whose own words name the package
        self._note_exception(group, error, [] if is_import else defined_names([statement]))
        if type(error) is NameError and type(error.name) is str and len(self._waiting) < MOST_WAITING:
            self._waiting.append(WaitingStatement(position, at, flags, error.name, self.problems[-1]))

    def _note_definitions(self, group: Group, statement: ast.stmt) -> None:
        """Remember what a definition, or one in a block, or an import has made of its name."""
        if isinstance(statement, ast.Import | ast.ImportFrom):
            self._imported |= {name: vars(self.module).get(name) for name in defined_names([statement])}
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
        self._note(
            group, told["line"], told["type_name"], told["text"], lost, told["kind"], told["cell"], told["source"]
        )

    def _note(
        self, group: Group, line: int | None, kind: str, text: str, lost: list[str], status: Any = "error",
        cell: int | None = None, source: str = "",
    ) -> None:  # fmt: skip
        self.problems.append(
            Problem(
                cell=group.cell if cell is None else cell,
                line=line if type(line) is int and line >= 0 else None,
                source=clean(source or group.line_text(line), LONGEST_LINE),
                type_name=kind,
                text=clean(text, LONGEST_MESSAGE),
                lost=[clean(name, LONGEST_NAME) for name in dict.fromkeys(lost)][:MOST_LOST],
                status=status,
            )
        )

    def names(self) -> list[Defined]:
        """Return what the module defines, without what Python puts there."""
        definitions = []
        for name, value in list(vars(self.module).items()):
            if type(name) is str and not (name.startswith("__") and name.endswith("__")) and len(name) <= LONGEST_NAME:
                definitions.append(Defined(clean(name, LONGEST_NAME), sort_of(value)))
        return definitions[:MOST_NAMES]


def sort_of(value: Any) -> Any:
    """Return whether a value is a function, a class, a module or something else."""
    kind = type(value)
    if issubclass(kind, type):
        return "class"
    if issubclass(kind, ModuleType):
        return "module"
    return "function" if callable(value) else "value"
