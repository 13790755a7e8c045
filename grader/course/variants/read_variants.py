"""Reads the named variants of a solution: the mistakes that a suite must catch and the right answers it must accept.

They lie in `mistakes/` and `rights/`, each in a file of the exercise that it answers, `NAME.py` or `NAME.more.py`. One
list of mistakes serves twice. It proves the suite, as whole submissions in which one exercise is replaced
(`build_submission`); and it explains a student's answer, as functions to compare with (`load_variants`). So a variant
is read as text as well as run, and may use only what travels with its text: the imports of its file, helpers marked
with `@helper` in it or, in a second file, in the first, and `solution`.
"""

import ast
import builtins
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

from grader.course.content.percent_format import parse
from grader.course.handed_out.stub import without_markers
from grader.course.layout import Assignment
from grader.course.run_source import load_solution, run_tree
from grader.errors import CourseError
from grader.faults import course_path, did_you_mean, fault, read_text

from .variant_marks import Marks, Register, register_here
from .variant_text import Statement, bound_by, definitions, global_names, read_statements

MORE = ".more"
"""Ends the stem of an exercise's second file, which goes on where the first one would become too long."""


@dataclass(frozen=True)
class Variant:
    """One answer to one exercise.

    Attributes:
        name: Its name, unique in its assignment.
        hint: What to tell a student whose answer this is; empty for a right one.
        why: What is special about a right one; empty for a mistake.
        marks: What kind of mistake it is where it may earn only a certain share; None for another.
        text: Its source, without the decorator.
        helpers: The texts of the helpers it uses, in the file's order.
        uses_solution: Whether it builds on the solution's own names.
    """

    name: str
    exercise: str
    kind: Literal["mistake", "right"]
    hint: str
    ko: str
    why: str
    marks: Marks | None
    make: Callable[..., Any]
    text: str
    imports: tuple[str, ...]
    helpers: tuple[str, ...]
    uses_solution: bool
    line: int


@dataclass(frozen=True)
class _Shared:
    """What the second file of an exercise may take over from the first: helpers, and the imports that these need."""

    imports: tuple[str, ...] = ()
    helpers: tuple[Statement, ...] = ()
    bound: frozenset[str] = frozenset()
    names: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Variants:
    """The variants of an assignment in their order."""

    all: list[Variant]

    @property
    def mistakes(self) -> list[Variant]:
        return [variant for variant in self.all if variant.kind == "mistake"]

    @property
    def rights(self) -> list[Variant]:
        return [variant for variant in self.all if variant.kind == "right"]

    def mistakes_of(self, exercise: str) -> list[Variant]:
        return [variant for variant in self.mistakes if variant.exercise == exercise]


def load_variants(assignment: Assignment, reference: ModuleType | None = None) -> Variants:
    """Read and run an assignment's files of variants, on the trusted side only."""
    all_variants: list[Variant] = []
    places: dict[str, tuple[Path, Statement]] = {}
    for folder, kind in ((assignment.mistakes, "mistake"), (assignment.rights, "right")):
        shared: dict[str, _Shared] = {}
        for exercise, path in _files(assignment, folder):
            reference = reference if reference is not None else load_solution(assignment)
            before = shared.get(exercise, _Shared())
            variants, shared[exercise] = _read_file(assignment, exercise, path, kind, reference, places, before)
            all_variants += variants
    return Variants(all_variants)


def _files(assignment: Assignment, folder: Path) -> list[tuple[str, Path]]:
    """Return a folder's files with their exercises, in the assignment's order."""
    known = [exercise.id for exercise in assignment.exercises]
    old = folder.with_suffix(".py")
    if old.exists():
        hint = f"Move what it holds into {folder.name}/, a file for each exercise, then delete it."
        raise CourseError(f"{course_path(old)} is no longer read.", hint)
    for path in sorted(folder.glob("*.py")):
        name = path.stem.removesuffix(MORE)
        if name not in known:
            raise CourseError(f"{course_path(path)} belongs to no exercise.", did_you_mean(name, known))
    both = [(name, folder / f"{name}{more}.py") for name in known for more in ("", MORE)]
    return [(name, path) for name, path in both if path.exists()]


def _read_file(
    assignment: Assignment, exercise: str, path: Path, kind: str, reference: ModuleType,
    places: dict[str, tuple[Path, Statement]], before: _Shared,
) -> tuple[list[Variant], _Shared]:  # fmt: skip
    """Return the variants in one file, and note its names in `places`, where an assignment has each once."""
    text = read_text(path)
    tree = parse(text, path)
    given = _taken_over(tree, path, exercise, before)
    statements, imports = read_statements(tree, text, path)
    for statement in statements:
        if statement.decorator not in (kind, "helper"):
            problem = f"`{statement.name}` in {path.parent.name}/ is marked with @{statement.decorator}."
            raise fault(path, statement.line, problem, f"Mark it with @{kind} or @helper.")
        _check_name(statement, path, places)
    register = Register(solution=reference)
    token = register_here.set(register)
    try:
        module = run_tree(tree, text, f"grader_{path.parent.name}_{assignment.id}_{path.stem}", path, given)
    finally:
        register_here.reset(token)
    vars(module)["solution"] = register.solution
    known = [entry.id for entry in assignment.exercises]
    imports, bound = [*dict.fromkeys([*before.imports, *imports])], before.bound | bound_by(tree)
    helpers = (*before.helpers, *(statement for statement in statements if statement.decorator == "helper"))
    reader = _Reader(exercise, known, path, helpers, tuple(imports), bound)
    marked = [statement for statement in statements if statement.decorator == kind]
    if len(register.notes) != len(marked):
        problem = f"{len(marked)} functions or classes are marked, but @{kind} was used {len(register.notes)} times."
        raise fault(path, None, problem, "Use it once above each of the file's own.")
    variants = [reader.variant(*pair, module) for pair in zip(marked, register.notes, strict=True)]
    names = {name: value for name, value in vars(module).items() if not name.startswith("__")}
    return variants, _Shared(tuple(imports), helpers, bound, names)


def _taken_over(tree: ast.Module, path: Path, exercise: str, before: _Shared) -> dict[str, Any]:
    """Return what a second file takes from the first by `from .EXERCISE import HELPER`; these lines are taken out."""
    known = [helper.name for helper in before.helpers]
    given = {}
    for node in [statement for statement in tree.body if isinstance(statement, ast.ImportFrom) and statement.level]:
        for alias in node.names if before.names and node.module == exercise else ():
            if alias.name not in known:
                problem = f"{exercise}.py has no helper `{alias.name}`."
                raise fault(path, node.lineno, problem, did_you_mean(alias.name, known))
            given[alias.name] = before.names[alias.name]
            tree.body = [statement for statement in tree.body if statement is not node]
    return given


def _check_name(statement: Statement, path: Path, places: dict[str, tuple[Path, Statement]]) -> None:
    """Ask that a name means one thing in all files, whose variants may come into one submission."""
    other_path, other = places.setdefault(statement.name, (path, statement))
    if other is not statement and not (statement.decorator == "helper" and statement.text == other.text):
        place = f"{other_path.parent.name}/{other_path.name}, line {other.line}"
        raise fault(
            path, statement.line, f"`{statement.name}` means something else in {place}.", "Rename one of the two."
        )


def build_submission(assignment: Assignment, *chosen: Variant) -> str:
    """Return the text of a whole submission that answers exercises by a variant each, and the others by the solution.

    An exercise's own answer is taken out, unless the variant builds on it.

    Args:
        *chosen: The answers to put in, for different exercises. Either all of them build on the solution's own names or
            none does, since those names are taken out where none does.
    """
    text = read_text(assignment.source)
    lines = text.split("\n")
    uses_solution = any(variant.uses_solution for variant in chosen)
    for variant in chosen if not uses_solution else ():
        for start, end in definitions(text, variant.exercise, assignment.source):
            lines[start - 1 : end] = [""] * (end - start + 1)
    parts = ["# %%", *dict.fromkeys(line for variant in chosen for line in variant.imports)]
    if uses_solution:
        # The names as they are now: after the last lines the exercises' own names mean the variants.
        parts += ["from types import SimpleNamespace", "solution = SimpleNamespace(**globals())"]
    for part in dict.fromkeys([*(part for variant in chosen for part in variant.helpers), *(v.text for v in chosen)]):
        parts += ["", "", part]
    parts += ["", "", *(f"{variant.exercise} = {variant.name}" for variant in chosen)]
    return without_markers("\n".join(lines)).rstrip("\n") + "\n\n" + "\n".join(parts) + "\n"


def solution_submission(assignment: Assignment) -> str:
    """Return the solution as a student would hand it in."""
    return without_markers(read_text(assignment.source))


@dataclass(frozen=True)
class _Reader:
    """Turns the statements of one file into variants."""

    exercise: str
    known: list[str]
    path: Path
    helpers: tuple[Statement, ...]
    imports: tuple[str, ...]
    imported: frozenset[str]

    def variant(self, statement: Statement, note: dict[str, Any], module: ModuleType) -> Variant:
        thing = getattr(module, statement.name)
        if note["thing"] is not thing or not callable(thing):
            problem = f"`{statement.name}` is not a function or class whose first mark is @mistake or @right."
            raise fault(self.path, statement.line, problem, "Put the mark on top.")
        self._check_note(statement, note)
        helpers, uses_solution = self._needs(statement)
        return Variant(
            name=statement.name,
            exercise=self.exercise,
            make=thing,
            text=statement.text,
            imports=self.imports,
            helpers=helpers,
            uses_solution=uses_solution,
            line=statement.line,
            **{name: value for name, value in note.items() if name != "thing"},
        )

    def _check_note(self, statement: Statement, note: dict[str, Any]) -> None:
        key = "hint" if note["kind"] == "mistake" else "why"
        if not note[key].strip():
            raise fault(self.path, statement.line, f"@{note['kind']} of `{statement.name}` has no `{key}`.")
        if statement.name in self.known:
            problem = f"the variant `{statement.name}` has the name of an exercise."
            raise fault(self.path, statement.line, problem, "Name what is special about it.")

    def _needs(self, statement: Statement) -> tuple[tuple[str, ...], bool]:
        """Return the texts of the helpers that a statement uses or that these use, and whether it uses `solution`."""
        texts = {other.name: other.text for other in self.helpers}
        wanted, uses_solution = [(statement.name, statement.text)], False
        used: set[str] = set()
        while wanted:
            owner, text = wanted.pop()
            for name in global_names(text) - {owner} - self.imported:
                if name in texts:
                    if name not in used:
                        used.add(name)
                        wanted.append((name, texts[name]))
                elif name == "solution":
                    uses_solution = True
                elif not hasattr(builtins, name) and not (name.startswith("__") and name.endswith("__")):
                    problem = f"`{statement.name}` uses `{name}`, which is neither imported nor a helper."
                    raise fault(self.path, statement.line, problem, did_you_mean(name, [*texts, "solution"]))
        return tuple(text for name, text in texts.items() if name in used), uses_solution
