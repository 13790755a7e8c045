"""This kit: `grader grade` on a class, in full isolation."""

import json
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.classes import Member, Scores, write_class
from benchmarks.machine import cores
from benchmarks.processes import ROOT, Spent, run, spent_on
from benchmarks.sides.base import Side


class Kit(Side):
    """`grader grade`, as a teacher calls it.

    Args:
        jobs: Submissions at once; as many as there are processors if not given.
    """

    name = "this kit"

    def __init__(self, jobs: int | None = None) -> None:
        super().__init__()
        self.jobs = self.starts_with = jobs or cores()
        self._began = 0.0

    def described(self) -> str:
        """Say what is run."""
        return (
            "`grader grade` on the class in full isolation: proof of the jail, proof of the suite by the course's own "
            "solution, a report and a student's copy for everybody; as many submissions at once as there are cores."
        )

    def command(self, place: Path) -> list[str]:
        """Return the command that grades a class."""
        return [sys.executable, "-m", "grader", *arguments(place, self.jobs)]

    def lay_out(self, group: Sequence[Member], place: Path) -> None:
        """Write the class."""
        write_class(place / "class", self.answers.assignment, group)

    def run(self, group: Sequence[Member], place: Path) -> Spent:
        """Grade it."""
        self._began = time.time()
        return spent_on(lambda: run(self.command(place)))

    def read(self, group: Sequence[Member], place: Path) -> Mapping[str, Scores]:
        """Read the teacher's reports."""
        found = {}
        for member in group:
            file = reports(place) / member.name / f"{self.answers.assignment.id}.json"
            if file.is_file():
                exercises = json.loads(file.read_bytes())["exercises"]
                found[member.name] = {each["id"]: float(each["score"]) for each in exercises}
        return found

    def first_report_s(self, place: Path) -> float | None:
        """Return how long the class waited for its first report."""
        written = reports(place).glob(f"*/{self.answers.assignment.id}.json")
        return min(file.stat().st_mtime for file in written) - self._began


def arguments(place: Path, jobs: int) -> list[str]:
    """Return the arguments of `grader` that grade a class."""
    command = ["--course", str(ROOT), "grade", "--fresh", "--no-pages", "--jobs", str(jobs)]
    return [*command, str(place / "class"), "--output", str(reports(place))]


def reports(place: Path) -> Path:
    """Return where the kit writes its reports."""
    return place / "reports"
