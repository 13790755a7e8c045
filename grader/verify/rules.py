"""What `grader verify` says when a rule is not met."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from grader.course.layout import Assignment
from grader.course.variants.read_variants import Variant


@dataclass(frozen=True)
class VerifyOptions:
    """How a course is to be verified.

    Attributes:
        jobs: Submissions at once; None for as many as there are processors.
        everything: Print every unmet rule; otherwise the first ends the run.
        record: Write each assignment's fingerprints anew before they are compared.
        secrets: How many other secrets and orders the variants are graded with.
        exercise: The one exercise that is looked at; None for all of an assignment.
    """

    jobs: int | None = None
    everything: bool = False
    record: bool = False
    secrets: int = 0
    exercise: str | None = None

    def exercises(self, assignment: Assignment) -> list[str]:
        """Return the exercises of an assignment that are looked at, in its order."""
        return [each.id for each in assignment.exercises if self.exercise in (None, each.id)]


@dataclass(frozen=True)
class Unmet:
    """A rule that an assignment does not meet.

    Attributes:
        rule: What must hold, in a sentence.
        file: The file to look into.
        exercise: The exercise that it is about; empty where it is about the whole assignment.
        found: What was found instead.
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


def submission_name(variant: Variant) -> str:
    """Return the name under which a variant is handed in."""
    return f"{variant.kind}-{variant.name}"


def hidden_suite(assignment: Assignment, exercise: str) -> Path:
    """Return the file of an exercise's hidden checks."""
    return assignment.hidden / f"test_{exercise}.py"


def mistakes_file(assignment: Assignment, exercise: str) -> Path:
    """Return the file of an exercise's mistakes."""
    return assignment.mistakes / f"{exercise}.py"
