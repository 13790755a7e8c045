"""Asks that every mutant of a solution is killed by its suite, or listed as equivalent with the reason.

A mutant is killed when its exercise loses points. No solution uses another exercise's answer, so one submission carries
a mutant of every exercise at once, and an assignment needs only as many as its largest exercise has mutants.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from grader.course.handed_out.stub import without_markers
from grader.course.layout import Assignment, Course
from grader.course.variants.variant_text import definitions
from grader.errors import CourseError
from grader.faults import course_path, parse_toml, read_text

from .mutate import Mutant, mutants_of
from .rules import Findings, Unmet, hidden_suite
from .trial import Trial

Span = tuple[int, int]


class Equivalent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A mutant that answers as the solution does."""

    exercise: str
    line: str
    mutant: str
    why: str

    def means(self, exercise: str, mutant: Mutant) -> bool:
        """Return whether this entry is about that mutant."""
        return (self.exercise, self.line, self.mutant) == (exercise, mutant.line, mutant.mutated)


class EquivalentFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file `equivalent.toml` of an assignment."""

    equivalent: list[Equivalent] = []


def equivalent_file(assignment: Assignment) -> Path:
    """Return where an assignment lists its equivalent mutants."""
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


def mutated_texts(assignment: Assignment, exercises: Sequence[str]) -> tuple[dict[str, list[Mutant]], dict[str, str]]:
    """Return the mutants of each exercise, and the texts, by name, that carry them."""
    text = read_text(assignment.source)
    spans = {exercise: next(definitions(text, exercise, assignment.source)) for exercise in exercises}
    mutants = {exercise: mutants_of(cut(text, span)) for exercise, span in spans.items()}
    count = max(map(len, mutants.values()), default=0)
    return mutants, {name_of(number): mutated(text, spans, mutants, number) for number in range(count)}


def name_of(number: int) -> str:
    """Return the name of the text that carries the mutants of a number."""
    return f"mutant-{number:04}"


def mutants_are_killed(
    course: Course, assignment: Assignment, mutants: Mapping[str, Sequence[Mutant]], trial: Trial
) -> Findings:
    """Ask that each mutant loses points in its exercise."""
    others = {exercise.id for exercise in assignment.exercises} - mutants.keys()
    equivalents = [entry for entry in read_equivalents(assignment) if not others or entry.exercise in mutants]
    used: set[Equivalent] = set()
    for exercise, made in mutants.items():
        for number, mutant in enumerate(made):
            declared = [entry for entry in equivalents if entry.means(exercise, mutant)]
            used.update(declared)
            if exercise not in trial.lost(name_of(number)) and not declared:
                listed = equivalent_file(assignment).relative_to(course.root).as_posix()
                rule = f"Every mutant of a solution must lose points, or be listed in {listed} with the reason."
                sentence = f"{mutant.line!r} changed to {mutant.mutated!r} keeps them all."
                yield Unmet(rule, hidden_suite(assignment, exercise), exercise, sentence)
    for stale in equivalents:
        if stale not in used:
            rule = "Every entry of equivalent.toml must be a mutant that is made."
            yield Unmet(rule, equivalent_file(assignment), stale.exercise, f"None is {stale.mutant!r} any more.")


def cut(text: str, span: Span) -> str:
    """Return the lines of a definition."""
    return "\n".join(text.split("\n")[span[0] - 1 : span[1]]) + "\n"


def mutated(text: str, spans: Mapping[str, Span], mutants: Mapping[str, Sequence[Mutant]], number: int) -> str:
    """Return the solution with the mutant of that number in every exercise that has so many."""
    lines = text.split("\n")
    for exercise, (first, last) in sorted(spans.items(), key=lambda item: -item[1][0]):
        if number < len(mutants[exercise]):
            lines[first - 1 : last] = mutants[exercise][number].text.rstrip("\n").split("\n")
    return without_markers("\n".join(lines))
