"""What `grader verify` looks at, and what it says while it does and when a rule is not met."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click

from grader.course.layout import Assignment, Course
from grader.errors import UsageError
from grader.faults import did_you_mean


@dataclass(frozen=True)
class VerifyOptions:
    """How a course is to be verified.

    Attributes:
        everything: Print every unmet rule; otherwise the first ends the run.
    """

    jobs: int | None = None
    everything: bool = False
    secrets: int = 0
    exercise: str | None = None

    def exercises(self, assignment: Assignment) -> list[str]:
        """Return the exercises of an assignment that are looked at, in its order."""
        return [name for name in assignment.names if self.exercise in (None, name)]


@dataclass(frozen=True)
class Unmet:
    """A rule that an assignment does not meet.

    Attributes:
        exercise: The exercise that it is about; empty where it is about the whole assignment.
    """

    rule: str
    file: Path
    exercise: str
    found: str

    def message(self, root: Path) -> str:
        """Return the rule as a person reads it, the file named from the course's folder."""
        file = self.file.relative_to(root) if self.file.is_relative_to(root) else self.file
        place = f"{file.as_posix()}, {self.exercise}" if self.exercise else file.as_posix()
        return f"{place}: {self.rule} {self.found}"


Findings = Iterator[Unmet]


def hidden_suite(assignment: Assignment, exercise: str) -> Path:
    return assignment.hidden / f"test_{exercise}.py"


def mistakes_file(assignment: Assignment, exercise: str) -> Path:
    return assignment.mistakes / f"{exercise}.py"


def chosen(course: Course, assignment: str | None, exercise: str | None) -> list[Assignment]:
    """Return the assignments that are looked at: all, the one that is named, or those that have the exercise.

    Raises:
        UsageError: There is no such assignment or exercise; the sentence names the closest.
    """
    looked_at = [course.assignment(assignment)] if assignment else list(course.assignments.values())
    if exercise is None:
        return looked_at
    having = [candidate for candidate in course.assignments.values() if exercise in candidate.names]
    if not any(candidate in having for candidate in looked_at):
        names = [name for candidate in looked_at for name in candidate.names]
        hint = f"It is in {having[0].id}." if having else did_you_mean(exercise, names)
        where = f"The assignment {looked_at[0].id}" if assignment else "This course"
        raise UsageError(f"{where} has no exercise `{exercise}`.", hint=hint)
    return [candidate for candidate in looked_at if candidate in having]


def print_stage(assignment: Assignment, words: str) -> None:
    """Print on the standard error what is done now: `01_simple_attention: grading 143 variants`."""
    click.echo(f"{assignment.id}: {words}", err=True)
