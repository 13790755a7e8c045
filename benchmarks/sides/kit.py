"""This kit: `grader grade` on a class, in full isolation."""

import json
import sys
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
        isolation: The tier of the jail.
    """

    key = "kit"
    name = "this kit"
    large = True

    def __init__(self, jobs: int | None = None, isolation: str = "auto") -> None:
        super().__init__()
        self.at_once = jobs or cores()
        self.isolation = isolation

    def described(self) -> str:
        """Say what is run."""
        return (
            "`grader grade` on the class in full isolation: proof of the jail, proof of the suite by the course's own "
            f"solution, a report and a student's copy for everybody; {self.at_once} submissions at once."
        )

    def command(self, place: Path) -> list[str]:
        """Return the command that grades a class."""
        course = ["--course", str(ROOT), "--isolation", self.isolation, "--jobs", str(self.at_once)]
        return [
            sys.executable,
            "-m",
            "grader",
            "grade",
            "--fresh",
            str(place / "class"),
            "--output",
            str(reports(place)),
            *course,
        ]

    def lay_out(self, group: Sequence[Member], place: Path) -> None:
        """Write the class."""
        write_class(place / "class", self.answers.assignment, group)

    def run(self, group: Sequence[Member], place: Path) -> Spent:
        """Grade it."""
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


def reports(place: Path) -> Path:
    """Return where the kit writes its reports."""
    return place / "reports"
