"""Decides which definition counts where a source has several of one name.

An exercise is taken from its own cell, which carries its grade id; of copies of that cell the last that is written
counts, and nothing that another cell does with the name changes it. Where that cell is as it was handed out, the last
written definition of the name counts, wherever it stands; a stub never takes the place of an answer. Names that no cell
claims go the way of Python: the last one counts.

It is decided by the text alone, and not by what a cell came to when it was run.
"""

import ast
import gc
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from ..protocol.answers import ChoiceReason, ChosenDefinition, Place
from ..protocol.messages import Cell
from ..protocol.rows import LONGEST_NAME
from .answered_exercises import is_written
from .helper_isolation import rename_helper
from .statement_groups import Group, bound_name, parse

MOST_OTHERS = 20
BLOCKS = (ast.If, ast.Try, ast.TryStar, ast.With, ast.For, ast.While, ast.Match, ast.ExceptHandler, ast.match_case)


@dataclass(frozen=True)
class Candidate:
    """A statement that binds a name.

    Attributes:
        group: Position of its group.
        own: Whether it stands in the cell of that name.
        written: Whether it is more than a stub.
    """

    group: int
    node: ast.stmt
    own: bool
    written: bool


@dataclass
class DefinitionChoices:
    """Which definitions count.

    Attributes:
        pins: By name of an exercise that is taken from its own cell: the positions of the groups that may bind it.
        choices: The choices that a reader of the report should know.
    """

    pins: dict[str, frozenset[int]] = field(default_factory=dict)
    choices: list[ChosenDefinition] = field(default_factory=list)


ParsedSource = tuple[list[Group], DefinitionChoices]
"""A source as it is read and run: its statements, without the stubs that do not count, and what was decided."""


def parse_source(cells: list[Cell], file_name: str, notebook: bool) -> ParsedSource:
    """Parse a source and decide which definitions count in it.

    Python's garbage collector is off meanwhile: it would look through what grows again and again and find nothing to
    free, and the reading of 200,000 statements takes half as long without it.
    """
    running = gc.isenabled()
    gc.disable()
    try:
        groups = parse(cells, file_name, notebook)
        return groups, choose_definitions(groups)
    finally:
        if running:
            gc.enable()


def choose_definitions(groups: list[Group]) -> DefinitionChoices:
    """Decide for every name, and take stubs that stand below an answer out of the groups."""
    settled, stubs = DefinitionChoices(), set[int]()
    for name, candidates in found_in(groups).items():
        answers = [candidate for candidate in candidates if candidate.own and candidate.written]
        if answers:
            further = [later for later in candidates if later.group > answers[-1].group and extends(later.node, name)]
            settled.pins[name] = frozenset(answer.group for answer in (answers[-1], *further))
            below = candidates[candidates.index(answers[-1]) + 1 :]
            stubs |= {id(candidate.node) for candidate in below if candidate.group == answers[-1].group}
            note = describe_choice(groups, name, candidates, answers[-1], further)
            for position in {candidate.group for candidate in candidates} - settled.pins[name]:
                if groups[position].grade_id not in ("", name):
                    rename_helper(groups[position], name)
        else:
            answers = [candidate for candidate in candidates if candidate.written]
            if not answers or (answers[-1] is candidates[-1] and not any(candidate.own for candidate in candidates)):
                continue
            stubs |= {id(candidate.node) for candidate in candidates[candidates.index(answers[-1]) + 1 :]}
            note = describe_choice(groups, name, candidates, answers[-1], [])
        if note is not None:
            settled.choices.append(note)
    for group in groups if stubs else []:
        group.statements = [statement for statement in group.statements if id(statement) not in stubs]
    return settled


def describe_choice(
    groups: list[Group], name: str, candidates: list[Candidate], chosen: Candidate, further: list[Candidate]
) -> ChosenDefinition | None:
    """Return what there is to say of a choice; None where nothing was passed over."""
    below = candidates[candidates.index(chosen) + 1 :]
    others = [other for other in candidates if other is not chosen and other.own and other.group < chosen.group]
    others += [other for other in below if other.group != chosen.group and other not in further]
    if not others:
        return None
    copied = any(other.own for other in others)
    why: ChoiceReason = "written" if not chosen.own else "copy" if copied else "own"
    places = [place(groups, other) for other in others[:MOST_OTHERS]]
    return ChosenDefinition(name=name[:LONGEST_NAME], place=place(groups, chosen), others=places, why=why)


def place(groups: list[Group], candidate: Candidate) -> Place:
    return Place(groups[candidate.group].cell, candidate.node.lineno)


def found_in(groups: list[Group]) -> dict[str, list[Candidate]]:
    """Return the candidates of every name, in the order of the text."""
    candidates: dict[str, list[Candidate]] = {}
    for position, group in enumerate(groups):
        for node in group.statements:
            inner = [child for child in nested(node) if bound_name(child) == group.grade_id] if group.grade_id else []
            for statement in (node, *inner):
                name = bound_name(statement)
                if name is not None:
                    candidate = Candidate(position, statement, name == group.grade_id, is_written(statement))
                    candidates.setdefault(name, []).append(candidate)
    return candidates


def nested(node: ast.AST) -> Iterator[ast.stmt]:
    """Yield the statements inside of a block."""
    for child in ast.iter_child_nodes(node) if isinstance(node, BLOCKS) else ():
        if isinstance(child, ast.stmt):
            yield child
        yield from nested(child)


def extends(node: ast.stmt, name: str) -> bool:
    """Return whether a class is derived from what has its name so far, as where a class is written in several cells."""
    return isinstance(node, ast.ClassDef) and any(isinstance(base, ast.Name) and base.id == name for base in node.bases)


class PinnedNames:
    """Keeps names bound to what their own groups bind them to.

    Args:
        pins: As in `DefinitionChoices`.
        names: The names, by any kind of value; they are changed in place.

    Attributes:
        overruled: By name: positions of groups that bound it otherwise, which was taken back.
    """

    def __init__(self, pins: Mapping[str, frozenset[int]], names: dict[str, object]) -> None:
        self.overruled: dict[str, list[int]] = {}
        self._pins, self._names = pins, names
        self._own_group_ran: set[str] = set()
        self._bound: set[str] = set()
        self._before: dict[str, object] = {}

    def is_bound(self, name: str) -> bool:
        """Tell whether a name's own group has bound it."""
        return name in self._bound

    def enter(self) -> None:
        """Remember what there is before a group."""
        self._before = {name: self._names[name] for name in self._pins if name in self._names}

    def leave(self, position: int) -> None:
        """Take back what a group had no business to bind; drop what its own group should have bound and did not."""
        for name, positions in self._pins.items():
            same = self._names.get(name, self) is self._before.get(name, self)
            if position in positions:
                self._own_group_ran.add(name)
                if not same:
                    self._bound.add(name)
                elif name not in self._bound:
                    self._names.pop(name, None)
            elif name in self._own_group_ran and not same:
                self.overruled.setdefault(name, []).append(position)
                if name in self._before:
                    self._names[name] = self._before[name]
                else:
                    self._names.pop(name, None)
