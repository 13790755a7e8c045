"""The floor: one warm process without isolation, pytest's own runner, the suite collected once."""

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.classes import Answers, Member, Scores, write_class
from benchmarks.processes import ROOT, Spent, run, spent_on
from benchmarks.sides.base import Side
from benchmarks.sides.checked import Scorer

ALONE = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(ROOT)}


class Floor(Side):
    """`python -m benchmarks.inprocess.floor` on a class."""

    name = "one warm process, no isolation (the floor)"

    def prepare(self, folder: Path, answers: Answers) -> None:
        """Make ready to add points up."""
        super().prepare(folder, answers)
        self._scorer = Scorer(answers)

    def described(self) -> str:
        """Say what is run."""
        return (
            "One Python process imports torch and collects the suite once; pytest's own runner then takes every "
            "submission through all checks in that process, one after the other, with no plugin that the kit does "
            "without and no report but a list of outcomes. It is no grader: there is no isolation, no time limit, and "
            "what one submission breaks stays broken for the next."
        )

    def lay_out(self, group: Sequence[Member], place: Path) -> None:
        """Write the class, and a folder for the outcomes."""
        write_class(place / "class", self.answers.assignment, group)
        (place / "out").mkdir()

    def run(self, group: Sequence[Member], place: Path) -> Spent:
        """Grade it."""
        names = [self.answers.assignment.id, str(place / "class"), str(place / "out")]
        return spent_on(lambda: run([sys.executable, "-m", "benchmarks.inprocess.floor", *names], more=ALONE))

    def read(self, group: Sequence[Member], place: Path) -> Mapping[str, Scores]:
        """Add up the outcomes."""
        files = {member.name: place / "out" / f"{member.name}.json" for member in group}
        return {
            name: self._scorer.scores(json.loads(file.read_bytes())) for name, file in files.items() if file.is_file()
        }
