"""`otter run`: one process and one kernel for each submission, with a test file for each exercise."""

import json
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.classes import Answers, Member, Scores
from benchmarks.processes import Spent, run, spent_on
from benchmarks.sides.base import Side
from benchmarks.sides.checked import Scorer

HEAD = """\
OK_FORMAT = False
from otter.test_files import test_case

from benchmarks.inprocess.for_otter import require

name = {exercise!r}
points = None
"""
CASE = """

@test_case(points={points!r})
def check_{number}(env):
    require({assignment!r}, env, {exercise!r}, {number})
"""
QUIETER = {"logo": False, "print_summary": False, "print_score": False}


class Otter(Side):
    """`otter run` with a zip of test files."""

    name = "`otter run`"
    packages = ("otter-grader", "ipykernel")
    starts_with, further = 0, 1

    def described(self) -> str:
        """Say what is run."""
        return (
            "`otter run FILE -a ZIP -o FOLDER` for each submission, one after the other. The zip holds a "
            "test file for each exercise, with a test case for each check that calls the check function in otter's "
            "kernel, worth its share of the points. Logo, summary and table are turned off."
        )

    def prepare(self, folder: Path, answers: Answers) -> None:
        """Write the zip, as `otter assign` would."""
        super().prepare(folder, answers)
        with zipfile.ZipFile(folder / "autograder.zip", "w") as archive:
            archive.writestr("otter_config.json", json.dumps(QUIETER))
            for exercise, checks in Scorer(answers).checks.items():
                whole = sum(check.spec.weight for check in checks)
                text = HEAD.format(exercise=exercise)
                for number, check in enumerate(checks):
                    points = answers.points[exercise] * check.spec.weight / whole
                    named = {"assignment": answers.assignment.id, "exercise": exercise, "number": number}
                    text += CASE.format(points=points, **named)
                archive.writestr(f"tests/{exercise}.py", text)

    def lay_out(self, group: Sequence[Member], place: Path) -> None:
        """Write the files."""
        for member in group:
            folder = place / member.name
            (folder / "out").mkdir(parents=True)
            (folder / f"{self.answers.assignment.name}.py").write_text(member.text, encoding="utf-8")

    def run(self, group: Sequence[Member], place: Path) -> Spent:
        """Start a process for each member."""
        return spent_on(lambda: [self._one(place / member.name) for member in group])

    def _one(self, folder: Path) -> None:
        file = f"{self.answers.assignment.name}.py"
        command = [self.environment.program("otter"), "run", file, "-a", str(self.folder / "autograder.zip")]
        command += ["-o", "out", "--no-logo"]
        run(command, more=self.environment.variables(self.folder), cwd=folder)

    def read(self, group: Sequence[Member], place: Path) -> Mapping[str, Scores]:
        """Read the results files."""
        found = {}
        for member in group:
            file = place / member.name / "out" / "results.json"
            if file.is_file():
                tests = json.loads(file.read_bytes())["tests"]
                scores = {test["name"]: float(test["score"]) for test in tests if "score" in test}
                found[member.name] = {name: round(score, 6) for name, score in scores.items()}
        return found
