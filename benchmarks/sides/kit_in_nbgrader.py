"""This kit inside `nbgrader autograde`: the course that `grader nbgrader init` makes, and nbgrader's own command."""

import json
import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.classes import Answers, Member, Scores
from benchmarks.processes import ROOT, Spent, run, spent_on
from benchmarks.sides.base import Side
from benchmarks.sides.nbgrader import Nbgrader

CHECK = "-check"
SECTION = re.compile(r"^#\s?%%.*$\n?", re.MULTILINE)
MORE = '\nc.Application.log_level = "WARN"\n'


class KitInNbgrader(Nbgrader):
    """`grader grade` and `nbgrader autograde` in a course of the kit, which starts no kernel."""

    name = "this kit in `nbgrader autograde`"
    further = 0

    def described(self) -> str:
        """Say what is run."""
        return (
            "`grader grade` on the class in full isolation, then `nbgrader autograde` in a course of "
            "`grader nbgrader init`: nbgrader's own way of each notebook into its gradebook."
        )

    def prepare(self, folder: Path, answers: Answers) -> None:
        """Make the course, as a teacher does once."""
        Side.prepare(self, folder, answers)
        course, assignment = folder / "course", answers.assignment
        python = self.environment.program("python")
        command = [python, "-m", "grader", "--course", str(ROOT), "nbgrader", "init", str(course)]
        run([*command, "--assignment", assignment.id], more=self.environment.variables(folder), cwd=folder)
        with (course / "nbgrader_config.py").open("a", encoding="utf-8") as file:
            file.write(MORE)
        self._nbgrader(course, "generate_assignment", assignment.id)

    def lay_out(self, group: Sequence[Member], place: Path) -> None:
        """Write the class as notebooks beside a gradebook in which nobody was graded."""
        assignment = self.answers.assignment
        shutil.copytree(self.folder / "course", place, dirs_exist_ok=True)
        for member in group:
            handed_in = place / "submitted" / member.name / assignment.id
            handed_in.mkdir(parents=True)
            notebook = {"cells": _sections(member.text), "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
            for number, cell in enumerate(notebook["cells"]):
                cell["id"] = f"cell{number}"
            (handed_in / f"{assignment.name}.ipynb").write_text(json.dumps(notebook), encoding="utf-8")

    def run(self, group: Sequence[Member], place: Path) -> Spent:
        """Grade it."""
        command = [self.environment.program("python"), "-m", "grader", "--course", str(ROOT), "grade", "--fresh"]
        command += [str(place / "submitted"), "--output", str(place / "reports"), "--no-pages"]

        def both() -> None:
            run(command, more=self.environment.variables(place), cwd=place)
            self._nbgrader(place, "autograde", self.answers.assignment.id)

        return spent_on(both)

    def read(self, group: Sequence[Member], place: Path) -> Mapping[str, Scores]:
        """Read the gradebook."""
        found = super().read(group, place)
        return {
            student: {name.removesuffix(CHECK): points for name, points in scores.items()}
            for student, scores in found.items()
        }


def _sections(text: str) -> list[dict[str, object]]:
    """Return a Python file as cells, cut at its lines `# %%`; one cell where it has none."""
    pieces = [piece.strip("\n") for piece in SECTION.split(text)]
    made = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}
    return [{**made, "metadata": {}, "source": piece} for piece in pieces if piece.strip()]
