"""What a side is: something that grades a class and says what each submission earned."""

import shutil
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.classes import Answers, Member, Scores, look_at
from benchmarks.processes import Spent
from benchmarks.sides.environment import Environment


@dataclass(frozen=True)
class Graded:
    """One run of a side over a class: what it cost, and the points by student and exercise."""

    spent: Spent
    scores: Mapping[str, Scores]


class Side(ABC):
    """A way to grade.

    Attributes:
        key: A short name for data.
        name: What the page calls it.
        packages: What it needs beside the kit's own packages, the grader first; versions are in requirements.txt.
        starts_once: Whether one start serves a whole class, so that a further submission costs less than the first.
        large: Whether it is fast enough to be given large classes too.
        at_once: Submissions at once; one, as long as a side's own command does no more.
    """

    key: str
    name: str
    packages: Sequence[str] = ()
    starts_once: bool = True
    large: bool = False

    def __init__(self) -> None:
        self.at_once = 1
        self.environment = Environment(self.key, self.packages)
        self.answers: Answers
        self.folder: Path

    def unavailable(self) -> str:
        """Set up what the side needs; return a sentence when that does not work, and nothing when it does."""
        if not self.packages:
            return ""
        self.environment.make()
        return self.environment.missing()

    def prepare(self, folder: Path, answers: Answers) -> None:
        """Do once what is not measured, as a teacher does once for an assignment.

        Args:
            folder: An empty folder of this side's own.
            answers: What will be handed in.
        """
        self.folder, self.answers = folder, answers
        folder.mkdir(parents=True)

    @abstractmethod
    def described(self) -> str:
        """Return what exactly is run and measured, in sentences for the page."""

    @abstractmethod
    def lay_out(self, group: Sequence[Member], place: Path) -> None:
        """Write what the members hand in as this side wants it; not measured."""

    @abstractmethod
    def run(self, group: Sequence[Member], place: Path) -> Spent:
        """Grade it, and return what that cost."""

    @abstractmethod
    def read(self, group: Sequence[Member], place: Path) -> Mapping[str, Scores]:
        """Return the points by student and exercise; not measured."""

    def grade(self, group: Sequence[Member]) -> Graded:
        """Grade a class from nothing, and refuse the run if a score is wrong or missing.

        Raises:
            BenchmarkError: The side failed, or its scores are not what the answers are worth.
        """
        place = self.folder / "run"
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        self.lay_out(group, place)
        spent = self.run(group, place)
        scores = self.read(group, place)
        look_at(self.name, self.answers, group, scores)
        shutil.rmtree(place)
        return Graded(spent, scores)

    def smallest(self) -> int:
        """Return the size of the class whose cost is the start: every process has one submission."""
        return self.at_once
