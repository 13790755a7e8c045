"""One `pytest` process for each submission, with pytest-json-report: what most home-made graders do."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.classes import Answers, Member, Scores, write_class
from benchmarks.processes import ROOT, Spent, run, spent_on
from benchmarks.sides.base import Side
from benchmarks.sides.checked import Scorer
from benchmarks.sides.floor import ALONE

OUTCOMES = (0, 1)  # all passed, some failed


class SinglePytest(Side):
    """`pytest` with the suite and a plugin that gives it the student's module."""

    name = "one pytest process a submission"
    packages = ("pytest-json-report",)
    starts_with, further = 0, 1

    def prepare(self, folder: Path, answers: Answers) -> None:
        """Make ready to add points up."""
        super().prepare(folder, answers)
        self._scorer = Scorer(answers)

    def described(self) -> str:
        """Say what is run."""
        return (
            "`pytest` is started anew for each submission with the suite's files and pytest-json-report, and no other "
            "plugin is loaded from the environment. A plugin gives the checks a `student` that calls the submission "
            "in the same process. One after the other."
        )

    def lay_out(self, group: Sequence[Member], place: Path) -> None:
        """Write the class, and a folder for the reports."""
        write_class(place / "class", self.answers.assignment, group)
        (place / "out").mkdir()

    def run(self, group: Sequence[Member], place: Path) -> Spent:
        """Start a process for each member."""
        return spent_on(lambda: [self._one(member.name, place) for member in group])

    def _one(self, name: str, place: Path) -> None:
        assignment = self.answers.assignment
        file = place / "class" / name / assignment.id / f"{assignment.name}.py"
        command = [self.environment.program("python"), "-m", "pytest", "-q", "-p", "no:cacheprovider"]
        command += ["-p", "benchmarks.inprocess.plugin", "-p", "pytest_jsonreport.plugin", "--json-report"]
        command += ["--json-report-file", str(place / "out" / f"{name}.json"), "--import-mode=importlib"]
        command += ["-c", str(ROOT / "grader" / "suite" / "runner" / "suite.ini"), "--rootdir", str(ROOT / "tests")]
        command += ["--confcutdir", str(ROOT / "tests"), "--tb=native", str(assignment.visible), str(assignment.hidden)]
        more = {**ALONE, "BENCH_ASSIGNMENT": assignment.id, "BENCH_SUBMISSION": str(file)}
        run(command, more=more, fine=OUTCOMES)

    def read(self, group: Sequence[Member], place: Path) -> Mapping[str, Scores]:
        """Add up what pytest-json-report says."""
        found = {}
        for member in group:
            file = place / "out" / f"{member.name}.json"
            if file.is_file():
                tests = json.loads(file.read_bytes())["tests"]
                named = {test["metadata"]["check"]: test["outcome"] for test in tests if "metadata" in test}
                found[member.name] = self._scorer.scores(named)
        return found
