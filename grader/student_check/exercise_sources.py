"""Tells by a student's text which exercises were changed since they were checked, without running any of it.

The code of an exercise is its own definition, those that it names, and whatever runs at the top of the file but for a
`check(...)` or a `print(...)`.
"""

import ast
import hashlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from grader.inside.source.answered_exercises import DEFINITION, is_written
from grader.inside.source.statement_groups import Group, first_line, guessed_names, parse
from grader.source_cells import Source


@dataclass(frozen=True)
class ExerciseSource:
    """What a text says of an exercise.

    Attributes:
        digest: A hash of its code; another one where anything was changed that it may use.
        written: Whether it is more than a stub.
    """

    digest: str
    written: bool


def sources_of(source: Source, exercises: Collection[str]) -> dict[str, ExerciseSource]:
    """Return what a text says of each exercise; nothing of one whose name it does not define."""
    texts: dict[str, list[str]] = {}
    uses: dict[str, set[str]] = {}
    written: set[str] = set()
    rest: list[str] = []
    notebook = source.kind == "ipynb"
    for group in parse(list(source.cells), f"submission.{source.kind}", notebook):
        if group.fault is not None:
            for name in dict.fromkeys(guessed_names(group.source)) or [""]:
                texts.setdefault(name, []).append(group.source)
                written.add(name)
        for statement in group.statements:
            if isinstance(statement, DEFINITION):
                texts.setdefault(statement.name, []).append(_text_of(statement, group))
                names = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}
                uses.setdefault(statement.name, set()).update(names)
                if is_written(statement):
                    written.add(statement.name)
            elif not _only_shows(statement):
                rest.append(_text_of(statement, group))
    sources = {}
    for name in exercises:
        if name in texts:
            mine = [text for used in sorted(_reached(name, uses)) for text in texts.get(used, ())]
            digest = hashlib.sha256("\0".join([*mine, "", *rest]).encode("utf-8", "replace")).hexdigest()[:16]
            sources[name] = ExerciseSource(digest, name in written)
    return sources


def _text_of(statement: ast.stmt, group: Group) -> str:
    return "\n".join(group.lines[first_line(statement) - 1 : statement.end_lineno])


def _only_shows(statement: ast.stmt) -> bool:
    """Return whether a statement is a text, or a call that shows something and changes nothing."""
    match statement:
        case ast.Expr(value=ast.Constant() | ast.Call(func=ast.Name(id="check" | "print" | "display"))):
            return True
    return False


def _reached(name: str, uses: Mapping[str, set[str]]) -> set[str]:
    """Return the definitions that a definition leads to, itself among them."""
    reached: set[str] = set()
    waiting = [name]
    while waiting:
        at = waiting.pop()
        if at not in reached:
            reached.add(at)
            waiting += uses.get(at, ())
    return reached
