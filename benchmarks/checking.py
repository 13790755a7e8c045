"""How long a student waits for `grader check` of one exercise, beside what importing torch alone takes."""

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.classes import Answers
from benchmarks.measure import Figure
from benchmarks.processes import run, spent_on

PYTHON = [sys.executable, "-m"]
CHECK, IMPORT = "check", "import torch"


def measure(folder: Path, every: Sequence[Answers], rounds: int) -> list[Figure]:
    """Check the last exercise of each assignment, which is the largest, in the folder that students get."""
    figures = []
    for number in range(-1, rounds):  # the first one fills caches and is not measured
        for answers in every:
            assignment = answers.assignment
            place = folder / assignment.id
            if not place.exists():
                shutil.copytree(assignment.released, place)
                (place / f"{assignment.name}.py").write_text(answers.right.text, encoding="utf-8")
            one = ["--exercise", assignment.exercises[-1].id]
            commands = {
                CHECK: [*PYTHON, "grader", "check", str(place / f"{assignment.name}.py"), *one],
                IMPORT: [sys.executable, "-c", "import torch"],
            }
            for side, command in commands.items():
                spent = spent_on(lambda command=command: run(command, cwd=folder))  # type: ignore[misc]
                if number >= 0:
                    figures.append(Figure(assignment.id, side, "right", number, spent.wall, spent.cpu))
    return figures
