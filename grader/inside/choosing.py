"""Decides which definition counts where a source has several of one name, and leaves the others out.

An exercise is taken from its own cell, which carries its grade id; of copies of that cell the last that is written
counts. Where that cell is as it was handed out, the last written definition of the name counts, wherever it stands; a
stub never takes the place of an answer. Names that no cell claims go the way of Python: the last one counts.

The reading for forbidden calls and the run of a source both begin here, so that what is read is what is graded.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from .cells import Group
from .messages import Chosen, Place, Why
from .rows import LONGEST_NAME

MOST_OTHERS = 20
HARMLESS = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass(frozen=True)
class Candidate:
    """A statement at the top level that binds a name.

    Attributes:
        group: Position of its group.
        node: The statement.
        own: Whether it stands in the cell of that name.
        written: Whether it is more than a stub.
    """

    group: int
    node: ast.stmt
    own: bool
    written: bool


def settle(groups: list[Group]) -> list[Chosen]:
    """Take the definitions that do not count out of the groups; returns what a reader should know of the choices."""
    told: list[Chosen] = []
    dropped: set[int] = set()
    for name, candidates in found_in(groups).items():
        chosen = choose(candidates)
        if chosen is None or len(candidates) == 1:
            continue
        at = candidates.index(chosen)
        dropped.update(id(other.node) for other in candidates[at + 1 :])
        others = [other for other in candidates[:at] if other.own] + candidates[at + 1 :]
        others = [other for other in others if other.group != chosen.group]
        if others:
            copied = any(other.own for other in others)
            why: Why = "written" if not chosen.own else "copy" if copied else "own"
            places = [place(groups, other) for other in others[:MOST_OTHERS]]
            told.append(Chosen(name=name[:LONGEST_NAME], place=place(groups, chosen), others=places, why=why))
    for group in groups if dropped else []:
        group.statements = [node for node in group.statements if id(node) not in dropped]
    return told


def place(groups: list[Group], candidate: Candidate) -> Place:
    """Return where a definition stands."""
    return Place(groups[candidate.group].cell, getattr(candidate.node, "lineno", 1))


def found_in(groups: list[Group]) -> dict[str, list[Candidate]]:
    """Return the candidates of every name that some cell claims or that is defined more than once."""
    found: dict[str, list[Candidate]] = {}
    for position, group in enumerate(groups):
        safe = True
        for node in group.statements:
            for name in bound(node):
                own = name == group.grade_id and safe
                found.setdefault(name, []).append(Candidate(position, node, own, is_written(node)))
            safe = safe and (isinstance(node, HARMLESS) or is_text(node))
    return {name: candidates for name, candidates in found.items() if len(candidates) > 1}


def choose(candidates: list[Candidate]) -> Candidate | None:
    """Return the definition that counts, None where the last one does as in any program."""
    own = [one for one in candidates if one.own]
    written = [one for one in candidates if one.written]
    answers = [one for one in own if one.written] or written
    if not answers or (not own and answers[-1] is candidates[-1]):
        return None
    return answers[-1]


def bound(node: ast.stmt) -> Iterator[str]:
    """Yield the names that a plain statement binds; what blocks and patterns bind is left to Python."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            yield node.name
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr()):
            yield name


def is_text(node: ast.stmt) -> bool:
    """Return whether a statement is a bare constant, such as a comment in quotes."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def is_written(node: ast.stmt) -> bool:
    """Return whether a definition is more than a stub, which raises NotImplementedError before it returns anything."""
    match node:
        case ast.FunctionDef(body=body) | ast.AsyncFunctionDef(body=body):
            for statement in body:
                if isinstance(statement, ast.Return):
                    return True
                if isinstance(statement, ast.Raise) and raises_not_written(statement):
                    return False
        case ast.ClassDef(body=body):
            return all(is_written(inner) for inner in body)
    return True


def raises_not_written(statement: ast.Raise) -> bool:
    """Return whether a statement raises NotImplementedError."""
    raised = statement.exc.func if isinstance(statement.exc, ast.Call) else statement.exc
    return isinstance(raised, ast.Name) and raised.id == "NotImplementedError"
