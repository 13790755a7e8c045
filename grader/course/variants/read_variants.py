"""Reads the named variants of a solution: the mistakes that a suite must catch and the right answers it must accept.

One list serves twice. It proves the suite, as whole submissions in which one exercise is replaced (`build_submission`);
and it explains a student's answer, as functions to compare with (`load_variants`). So a variant is read as text as well
as run, and may use only what travels with its text: the imports of its file, helpers marked with `@helper`, and
`solution`.
"""

import builtins
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal

from grader.course.content.percent_format import parse
from grader.course.handed_out.stub import without_markers
from grader.course.run_source import load_solution, run_tree
from grader.faults import did_you_mean, fault, read_text

from .variant_marks import MEASURED, Marks, Register, register_here
from .variant_text import Statement, bound_by, definitions, global_names, read_statements

if TYPE_CHECKING:
    from grader.course.layout import Assignment


def module_name(assignment: str) -> str:
    """Return what the module is called that an assignment's variants run in."""
    return f"grader_variants_{assignment}"


@dataclass(frozen=True)
class Variant:
    """One answer to one exercise.

    Attributes:
        name: Its name in the file, unique there.
        exercise: The exercise it answers.
        kind: `mistake` or `right`.
        hint: What to tell a student whose answer this is; empty for a right one.
        ko: The hint in Korean.
        why: What is special about a right one; empty for a mistake.
        twins: Names of mistakes that cannot be told from this one.
        unnamed: Why no report can tell this mistake from others; empty for one that is diagnosed.
        marks: What kind of mistake it is where it may earn only a certain share; None for another.
        make: The function or class itself.
        text: Its source, without the decorator.
        helpers: The names of the helpers it uses, in the file's order.
        uses_solution: Whether it builds on the solution's own names.
        line: Where it stands in its file.
    """

    name: str
    exercise: str
    kind: Literal["mistake", "right"]
    hint: str
    ko: str
    why: str
    twins: tuple[str, ...]
    unnamed: str
    marks: Marks | None
    make: Callable[..., Any]
    text: str
    helpers: tuple[str, ...]
    uses_solution: bool
    line: int


@dataclass(frozen=True)
class Variants:
    """The variants of an assignment in their order."""

    all: list[Variant]
    imports: list[str]
    helper_texts: dict[str, str]

    @property
    def mistakes(self) -> list[Variant]:
        """The wrong ones."""
        return [variant for variant in self.all if variant.kind == "mistake"]

    @property
    def rights(self) -> list[Variant]:
        """The right ones."""
        return [variant for variant in self.all if variant.kind == "right"]

    def mistakes_of(self, exercise: str) -> list[Variant]:
        """Return the mistakes of one exercise."""
        return [variant for variant in self.mistakes if variant.exercise == exercise]

    def named(self, name: str) -> Variant:
        """Return the variant of that name; raise KeyError if there is none."""
        for variant in self.all:
            if variant.name == name:
                return variant
        raise KeyError(name)


def load_variants(assignment: "Assignment", reference: ModuleType | None = None) -> Variants:
    """Read and run an assignment's file of variants, on the trusted side only.

    Args:
        assignment: Whose; one without a file of mistakes has no variants.
        reference: Its loaded solution; it is loaded here if it is not given.

    Raises:
        CourseError: The file breaks a rule of the module's first paragraph, or fails while it is run.
    """
    path = assignment.mistakes
    if not path.exists():
        return Variants([], [], {})
    text = read_text(path, "the variants of an assignment were looked for.")
    tree = parse(text, path)
    statements, imports = read_statements(tree, text, path)
    register = Register(solution=reference if reference is not None else load_solution(assignment))
    token = register_here.set(register)
    try:
        module = run_tree(tree, text, module_name(assignment.id), path, {})
    finally:
        register_here.reset(token)
    vars(module)["solution"] = register.solution
    reader = _Reader(assignment, path, statements, bound_by(tree))
    marked = [statement for statement in statements if statement.decorator != "helper"]
    if len(register.notes) != len(marked):
        rule = "@mistake and @right mark the file's own functions and classes, one each."
        raise fault(path, None, rule, f"{len(marked)} are marked, and the marks were used {len(register.notes)} times.")
    found = [reader.variant(*pair, module) for pair in zip(marked, register.notes, strict=True)]
    _check_twins(found, path)
    helpers = {statement.name: statement.text for statement in statements if statement.decorator == "helper"}
    return Variants(found, imports, helpers)


def build_submission(assignment: "Assignment", variant: Variant, variants: Variants | None = None) -> str:
    """Return the text of a whole submission whose answer to one exercise is the variant.

    Everything else is the solution. The exercise's own answer is taken out, unless the variant builds on it.

    Args:
        assignment: Whose.
        variant: The answer to put in.
        variants: What `load_variants` gave, to save reading it again for each submission.
    """
    return build_joint_submission(
        assignment, [variant], variants if variants is not None else load_variants(assignment)
    )


def build_joint_submission(assignment: "Assignment", chosen: Sequence[Variant], variants: Variants) -> str:
    """Return the text of a submission that answers several exercises by a variant each, and the others by the solution.

    Args:
        assignment: Whose.
        chosen: The answers to put in, for different exercises. Either all of them build on the solution's own names or
            none does, since those names are taken out where none does.
        variants: What `load_variants` gave.
    """
    text = read_text(assignment.source, "the solution of an assignment was looked for.")
    lines = text.split("\n")
    uses_solution = any(variant.uses_solution for variant in chosen)
    for variant in chosen if not uses_solution else ():
        for start, end in definitions(text, variant.exercise, assignment.source):
            lines[start - 1 : end] = [""] * (end - start + 1)
    parts = ["# %%", *variants.imports]
    if uses_solution:
        # The names as they are now: after the last lines the exercises' own names mean the variants.
        parts += ["from types import SimpleNamespace", "solution = SimpleNamespace(**globals())"]
    for name in variants.helper_texts:
        if any(name in variant.helpers for variant in chosen):
            parts += ["", "", variants.helper_texts[name]]
    for variant in chosen:
        parts += ["", "", variant.text]
    parts += ["", "", *(f"{variant.exercise} = {variant.name}" for variant in chosen)]
    return without_markers("\n".join(lines)).rstrip("\n") + "\n\n" + "\n".join(parts) + "\n"


def solution_submission(assignment: "Assignment") -> str:
    """Return the solution as a student would hand it in."""
    return without_markers(read_text(assignment.source, "the solution of an assignment was looked for."))


@dataclass(frozen=True)
class _Reader:
    """Turns the statements of one file into variants."""

    assignment: "Assignment"
    path: Path
    statements: list[Statement]
    imported: set[str]

    def variant(self, statement: Statement, note: dict[str, Any], module: ModuleType) -> Variant:
        thing = getattr(module, statement.name)
        if note["thing"] is not thing or not callable(thing):
            rule = "a variant is a function or a class, marked first by @mistake or @right."
            raise fault(self.path, statement.line, rule, f"`{statement.name}` is none.", "Put the mark on top.")
        self._check_note(statement, note)
        helpers, uses_solution = self._needs(statement)
        return Variant(
            name=statement.name,
            exercise=note["exercise"],
            kind=note["kind"],
            hint=note["hint"],
            ko=note["ko"],
            why=note["why"],
            twins=note["twins"],
            unnamed=note["unnamed"],
            marks=note["marks"],
            make=thing,
            text=statement.text,
            helpers=helpers,
            uses_solution=uses_solution,
            line=statement.line,
        )

    def _check_note(self, statement: Statement, note: dict[str, Any]) -> None:
        known = [exercise.id for exercise in self.assignment.exercises]
        if note["exercise"] not in known:
            found = f"`{statement.name}` answers `{note['exercise']}`."
            hint = did_you_mean(note["exercise"], known)
            raise fault(self.path, statement.line, "a variant must answer an exercise.", found, hint)
        needed = ("hint", "ko") if note["kind"] == "mistake" else ("why",)
        for key in needed:
            if not note[key].strip():
                rule = f"a {note['kind']} variant needs the text `{key}`."
                raise fault(self.path, statement.line, rule, f"That of `{statement.name}` is empty.")
        if statement.name in known:
            rule = "a variant must not have the name of an exercise."
            raise fault(
                self.path, statement.line, rule, f"`{statement.name}` is one.", "Name what is special about it."
            )

    def _needs(self, statement: Statement) -> tuple[tuple[str, ...], bool]:
        """Return the helpers that a statement uses, directly or through others, and whether it uses `solution`."""
        texts = {other.name: other.text for other in self.statements if other.decorator == "helper"}
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
                    rule = "a variant may use only imports, helpers and `solution`."
                    found = f"`{statement.name}` uses `{name}`."
                    raise fault(self.path, statement.line, rule, found, did_you_mean(name, [*texts, "solution"]))
        return tuple(name for name in texts if name in used), uses_solution


def _check_twins(variants: Sequence[Variant], path: Path) -> None:
    names = {*MEASURED, *(variant.name for variant in variants if variant.kind == "mistake")}
    for variant in variants:
        for twin in variant.twins:
            if twin not in names or twin == variant.name:
                rule = "the twins of a mistake must be other mistakes of its file."
                raise fault(path, variant.line, rule, f"`{variant.name}` names `{twin}`.", did_you_mean(twin, names))
