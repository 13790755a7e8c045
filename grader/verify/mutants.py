"""Asks that every mutant of a solution is killed by its suite, or listed as equivalent with the reason.

A mutant is killed when its exercise loses points. Most are wrong on an example of it, which takes no grading to see.
"""

import signal
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import msgspec

from grader.course.content.percent_format import parse
from grader.course.handed_out.stub import without_markers
from grader.course.layout import Assignment, Course
from grader.course.run_source import load_solution, run_tree
from grader.course.variants.variant_text import definitions
from grader.errors import CourseError
from grader.faults import course_path, parse_toml, read_text
from grader.suite.examples.make import first_wrong
from grader.suite.examples.model import NAME, read_examples

from .mutate import mutants_of
from .rules import Findings, Unmet, hidden_suite
from .trial import Trial

LATE_S = 5  # a mutant that computes for longer goes on for ever

Span = tuple[int, int]


@dataclass(frozen=True)
class Mutant:
    """An exercise's solution with one thing changed.

    Attributes:
        name: Of the submission that it is graded in.
        line, mutated: The first changed line, before and after.
    """

    name: str
    exercise: str
    line: str
    mutated: str
    text: str


class Equivalent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A mutant that answers as the solution does."""

    exercise: str
    line: str
    mutant: str
    why: str

    def means(self, mutant: Mutant) -> bool:
        return (self.exercise, self.line, self.mutant) == (mutant.exercise, mutant.line, mutant.mutated)


class EquivalentFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    equivalent: list[Equivalent] = []


def equivalent_file(assignment: Assignment) -> Path:
    return assignment.source.parent / "equivalent.toml"


def read_equivalents(assignment: Assignment) -> list[Equivalent]:
    """Return the mutants that an author declares to be no mistakes; none where there is no file."""
    path = equivalent_file(assignment)
    if not path.exists():
        return []
    try:
        entries = msgspec.convert(parse_toml(read_text(path), path), EquivalentFile).equivalent
    except msgspec.ValidationError as problem:
        hint = "Give each `[[equivalent]]` the texts exercise, line, mutant and why."
        raise CourseError(f"{course_path(path)} is not a list of mutants: {problem}.", hint) from None
    for entry in entries:
        if not entry.why.strip():
            raise CourseError(f"{course_path(path)} has no `why` for the mutant {entry.mutant!r}.", "Write the reason.")
    return entries


def mutants_of_exercises(assignment: Assignment, exercises: Sequence[str]) -> list[Mutant]:
    text = read_text(assignment.source)
    return [
        Mutant(f"mutant-{exercise}-{number}", exercise, *lines, mutated)
        for exercise in exercises
        for number, (mutated, lines) in enumerate(mutants_of(cut(text, span_of(assignment, exercise, text))).items())
    ]


def right_on_examples(assignment: Assignment, mutants: Sequence[Mutant]) -> list[Mutant]:
    """Return the mutants that no example of their exercise shows; the visible check of the examples kills the others.

    They are the author's own text, so they are run here.
    """
    solution, known = load_solution(assignment), read_examples(assignment.released / NAME, assignment.names)

    def is_shown(mutant: Mutant) -> bool:
        path = Path(mutant.name)
        examples = known[mutant.exercise].examples if mutant.exercise in known else []
        signal.alarm(LATE_S)
        try:
            module = run_tree(parse(mutant.text, path), mutant.text, "grader_mutant", path, vars(solution))
            return first_wrong(getattr(module, mutant.exercise), examples) is not None
        except (CourseError, TimeoutError):
            return True
        finally:
            signal.alarm(0)

    before = signal.signal(signal.SIGALRM, raise_late)
    try:
        return [mutant for mutant in mutants if not is_shown(mutant)]
    finally:
        signal.signal(signal.SIGALRM, before)


def raise_late(*_: object) -> NoReturn:
    raise TimeoutError


def text_of_mutant(assignment: Assignment, mutant: Mutant) -> str:
    """Return the text of a submission with a mutant in the place of the solution of its exercise."""
    text = read_text(assignment.source)
    lines, (first, last) = text.split("\n"), span_of(assignment, mutant.exercise, text)
    lines[first - 1 : last] = mutant.text.rstrip("\n").split("\n")
    return without_markers("\n".join(lines))


def mutants_are_killed(
    course: Course, assignment: Assignment, exercises: Sequence[str], mutants: Sequence[Mutant],
    unseen: Sequence[Mutant], trial: Trial,
) -> Findings:  # fmt: skip
    """Ask that each mutant loses points in its exercise.

    Args:
        unseen: Those that were graded, since no example shows them.
    """
    left_aside = {*assignment.names}.difference(exercises)
    equivalents = [entry for entry in read_equivalents(assignment) if entry.exercise not in left_aside]
    used: set[Equivalent] = set()
    for mutant in mutants:
        declared = [entry for entry in equivalents if entry.means(mutant)]
        used.update(declared)
        if mutant in unseen and mutant.exercise not in trial.lost(mutant.name) and not declared:
            listed = equivalent_file(assignment).relative_to(course.root).as_posix()
            rule = f"Every mutant of a solution must lose points, or be listed in {listed} with the reason."
            sentence = f"{mutant.line!r} changed to {mutant.mutated!r} keeps them all."
            yield Unmet(rule, hidden_suite(assignment, mutant.exercise), mutant.exercise, sentence)
    for stale in equivalents:
        if stale not in used:
            rule = "Every entry of equivalent.toml must be a mutant that is made."
            yield Unmet(rule, equivalent_file(assignment), stale.exercise, f"None is {stale.mutant!r} any more.")


def span_of(assignment: Assignment, exercise: str, text: str) -> Span:
    return next(definitions(text, exercise, assignment.source))


def cut(text: str, span: Span) -> str:
    return "\n".join(text.split("\n")[span[0] - 1 : span[1]]) + "\n"
