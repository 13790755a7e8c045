"""`nbgrader autograde`: a notebook for each submission, a kernel for each notebook, a graded cell for each exercise."""

import json
import shutil
import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.classes import Answers, Member, Scores
from benchmarks.processes import Spent, run, spent_on
from benchmarks.sides.base import Side

CONFIG = """\
c = get_config()
c.CourseDirectory.course_id = "benchmark"
c.Execute.timeout = 600
c.Application.log_level = "WARN"
"""
SETUP = """\
from benchmarks.inprocess.direct import DirectSuite

suite = DirectSuite({assignment!r})
suite.begin(globals(), In[1])
"""
SCORES = """
    select submitted_assignment.student_id, base_cell.name, grade.auto_score
    from grade
    join base_cell on base_cell.id = grade.cell_id
    join submitted_notebook on submitted_notebook.id = grade.notebook_id
    join submitted_assignment on submitted_assignment.id = submitted_notebook.assignment_id
"""


class Nbgrader(Side):
    """`nbgrader autograde`: a process, and a kernel for each notebook."""

    name = "`nbgrader autograde`"
    packages = ("nbgrader",)
    further = 2

    def described(self) -> str:
        """Say what is run."""
        return (
            "`nbgrader autograde` on the class. A submission is a notebook with one cell of answers, and a graded cell "
            "for each exercise that calls its check functions in the kernel and gives the points. The class is there "
            "as notebooks, the gradebook as `generate_assignment` leaves it."
        )

    def prepare(self, folder: Path, answers: Answers) -> None:
        """Make the assignment, as a teacher does once."""
        super().prepare(folder, answers)
        name = answers.assignment.name
        course = folder / "course"
        (course / "source" / name).mkdir(parents=True)
        (course / "nbgrader_config.py").write_text(CONFIG, encoding="utf-8")
        source = notebook(answers.stub.text, answers)
        (course / "source" / name / f"{name}.ipynb").write_text(json.dumps(source), encoding="utf-8")
        self._nbgrader(course, "generate_assignment", name)
        self._release = json.loads((course / "release" / name / f"{name}.ipynb").read_text(encoding="utf-8"))

    def _nbgrader(self, course: Path, *arguments: str) -> str:
        command = [self.environment.program("nbgrader"), *arguments]
        return run(command, more=self.environment.variables(self.folder), cwd=course)

    def lay_out(self, group: Sequence[Member], place: Path) -> None:
        """Write the class as notebooks beside a gradebook in which nobody was graded."""
        course, name = self.folder / "course", self.answers.assignment.name
        for each in ("nbgrader_config.py", "gradebook.db"):
            shutil.copy(course / each, place / each)
        shutil.copytree(course / "source", place / "source")
        for member in group:
            handed_in = place / "submitted" / member.name / name
            handed_in.mkdir(parents=True)
            cells = [dict(cell) for cell in self._release["cells"]]
            cells[0]["source"] = member.text
            text = json.dumps({**self._release, "cells": cells})
            (handed_in / f"{name}.ipynb").write_text(text, encoding="utf-8")

    def run(self, group: Sequence[Member], place: Path) -> Spent:
        """Grade it."""
        return spent_on(lambda: self._nbgrader(place, "autograde", self.answers.assignment.name))

    def read(self, group: Sequence[Member], place: Path) -> Mapping[str, Scores]:
        """Read the gradebook."""
        found: dict[str, dict[str, float]] = {}
        gradebook = sqlite3.connect(place / "gradebook.db")
        try:
            for student, exercise, points in gradebook.execute(SCORES):
                if points is not None:
                    found.setdefault(student, {})[exercise] = float(points)
        finally:
            gradebook.close()
        return found


def notebook(text: str, answers: Answers) -> dict[str, Any]:
    """Return the assignment's notebook: a cell for all answers, one that opens the suite, one for each exercise."""
    setup = SETUP.format(assignment=answers.assignment.id)
    cells = [
        cell("answers", text, {"solution": True}),
        cell("suite", setup, {"locked": True}),
        *(
            cell(exercise, f"suite.points({exercise!r})", {"locked": True, "grade": True, "points": points})
            for exercise, points in answers.points.items()
        ),
    ]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


def cell(name: str, source: str, marks: Mapping[str, Any]) -> dict[str, Any]:
    """Return a code cell of a notebook with nbgrader's marks."""
    plain = {"schema_version": 3, "grade": False, "solution": False, "locked": False, "task": False}
    metadata = {"nbgrader": {**plain, "grade_id": name, **marks}}
    rest: dict[str, Any] = {"cell_type": "code", "execution_count": None, "outputs": []}
    return {**rest, "id": name.replace("_", "-")[:64], "metadata": metadata, "source": source}
