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
    """One run of a side over a class.

    Attributes:
        spent: What it cost.
        scores: The points by student and exercise.
        first_report_s: Seconds from its start to the first report, where the side notes them.
    """

    spent: Spent
    scores: Mapping[str, Scores]
    first_report_s: float | None = None


class Side(ABC):
    """A way to grade.

    Attributes:
        name: What the page calls it.
        packages: What it needs beside the kit's own packages, the grader first; versions are in requirements.txt.
        starts_with: The size of the class whose cost is the start: every process has one submission. 0 where the
            side starts anew for each submission.
        further: How many further submissions are measured at once; 0 for as many as are asked for.
    """

    name: str
    packages: Sequence[str] = ()
    starts_with: int = 1
    further: int = 0

    def __init__(self) -> None:
        self.environment = Environment(self.packages)
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
        first_report_s = self.first_report_s(place)
        shutil.rmtree(place)
        return Graded(spent, scores, first_report_s)

    def first_report_s(self, place: Path) -> float | None:
        """Return the seconds from the start of the run to its first report; None where nobody asks."""
        return None
