"""A real course of nbgrader for the kit's tests: made by `grader nbgrader init`, its class collected and autograded.

The class is the frozen course's as notebooks, and students whose notebooks nbgrader alone would get wrong. It is made
once for all test files, since each command of nbgrader takes seconds.
"""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from grader.course.layout import find_course
from grader.release.build import build

from ..classes.grading_runs import ASSIGNMENT, REFUSED, ROOT, Graded, copy_frozen_course, grade
from ..classes.grading_runs import FILE as NOTEBOOK
from ..classes.student_notebooks import messy
from ..frozen_students import ANSWERS, notebook_of

PROGRAMS = Path(sys.executable).parent
WITHOUT_A_GRAMMAR = """import sys
sys.argv[0], sys.modules["rfc3987_syntax"] = "nbgrader", None
from nbgrader.apps.nbgraderapp import main
main()"""
NBGRADER = (sys.executable, "-c", WITHOUT_A_GRAMMAR)
"""The command nbgrader without a grammar of web addresses, which jsonschema would read for more than a second."""
EXAMPLES = tuple(ANSWERS)
LATE = "farid_no_exponential"
QUESTION = "why-shares"
CANARIES = {"suite": "canary-of-a-hidden-suite", "solution": "canary-of-a-solution"}
SETTINGS = """
c.LateSubmissionPlugin.penalty_method = "zero"
c.Exchange.root = str(Path(__file__).resolve().parent.parent / "exchange")
"""


@dataclass
class Lesson:
    """A course of nbgrader and the kit's course behind it.

    Attributes:
        root: The folder of nbgrader's course.
        kit: The kit's course.
        logs: What each command of nbgrader said when it was first run, by its name.
    """

    root: Path
    kit: Path
    logs: dict[str, str] = field(default_factory=dict)

    def nbgrader(self, *arguments: str, code: int = 0) -> str:
        """Run a command of nbgrader in the course, as a teacher without an activated environment does."""
        done = subprocess.run(
            [*NBGRADER, *arguments], cwd=self.root, capture_output=True, text=True, check=False, timeout=600
        )
        log = done.stdout + done.stderr
        self.logs.setdefault(arguments[0], log)
        assert done.returncode == code, log
        return log

    def grader(self, *arguments: str | Path, code: int = 0) -> str:
        """Run a command of the kit in the kit's course."""
        command = [sys.executable, "-m", "grader", *map(str, arguments)]
        surroundings = {**os.environ, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(
            command, cwd=self.kit, capture_output=True, text=True, check=False, timeout=600, env=surroundings
        )
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout + done.stderr

    @property
    def url(self) -> str:
        """The address of the gradebook."""
        return f"sqlite:///{self.root / 'gradebook.db'}"

    @property
    def reports(self) -> Graded:
        """The kit's reports."""
        return Graded(0, "", "", self.root / "reports")

    def copied(self, folder: Path, *leave: str) -> "Lesson":
        """Return a copy of the course without some of its files, with the gradebook as it was before the class."""
        shutil.copytree(self.root, folder, ignore=shutil.ignore_patterns("gradebook.db", "exchange", *leave))
        shutil.copy(self.root.parent / "empty.db", folder / "gradebook.db")
        return Lesson(folder, self.kit)


def gradebook(lesson: Lesson) -> Any:
    """Open a course's gradebook by nbgrader's own API."""
    from nbgrader.api import Gradebook

    return Gradebook(lesson.url, "course")


def scores_in(lesson: Lesson, student: str) -> dict[str, float | None]:
    """Return the automatic score of each of the kit's checks, by exercise."""
    with gradebook(lesson) as book:
        submission = book.find_submission(ASSIGNMENT, student)
        grades = [grade for notebook in submission.notebooks for grade in notebook.grades]
        return {
            grade.name.removesuffix("-check"): grade.auto_score for grade in grades if grade.name.endswith("-check")
        }


def as_notebook(student: str) -> dict[str, Any]:
    """Return a student's answers as a notebook."""
    return notebook_of(ANSWERS[student])


def marked(notebook: dict[str, Any], name: str) -> dict[str, Any]:
    """Return the cell of a grade id."""
    return next(c for c in notebook["cells"] if c["metadata"].get("nbgrader", {}).get("grade_id") == name)


def deleted_cells(notebook: dict[str, Any]) -> None:
    """One exercise's answer and another one's check are deleted."""
    for name in ("normalize_scores", "attention_weights-check"):
        notebook["cells"].remove(marked(notebook, name))


def strange_marks(notebook: dict[str, Any]) -> None:
    """The marks are of kinds that they can't be."""
    kinds: list[Any] = ["text", 7, None, ["list"], {"grade_id": 5}, {"schema_version": 99, "grade_id": "../x"}]
    for cell, kind in zip((c for c in notebook["cells"] if "nbgrader" in c["metadata"]), kinds, strict=False):
        cell["metadata"]["nbgrader"] = kind
    notebook["metadata"] = ["list"]


SPECIAL: dict[str, Callable[[dict[str, Any]], None]] = {
    change.__name__: change
    for change in (
        deleted_cells, strange_marks, messy,
    )
}  # fmt: skip
LOST = {"deleted_cells": {"normalize_scores"}}
BROKEN = "broken_json"


def need_real_nbgrader() -> None:
    """Skip where nbgrader is not installed."""
    if not (PROGRAMS / "nbgrader").exists():
        pytest.skip("nbgrader is not installed beside this Python")


def autograded(factory: pytest.TempPathFactory) -> Lesson:
    """Return the course whose class was collected by `nbgrader zip_collect` and graded by `nbgrader autograde`."""
    need_real_nbgrader()
    return _autograded(factory.getbasetemp() / "nbgrader")


@cache
def _autograded(folder: Path) -> Lesson:
    folder.mkdir()
    lesson = Lesson(folder / "nbcourse", kit_course(folder / "course"))
    lesson.grader("nbgrader", "init", lesson.root, "--assignment", ASSIGNMENT)
    with (lesson.root / "nbgrader_config.py").open("a", encoding="utf-8") as file:
        file.write(SETTINGS)
    ask_a_question(lesson.root / "source" / ASSIGNMENT / f"{NOTEBOOK}.ipynb")
    lesson.nbgrader("generate_assignment", ASSIGNMENT)
    with gradebook(lesson) as book:
        book.update_or_create_assignment(ASSIGNMENT, duedate="2026-10-31 23:59:00 UTC")
    shutil.copy(lesson.root / "gradebook.db", folder / "empty.db")
    hand_in(lesson)
    lesson.nbgrader("zip_collect", ASSIGNMENT)
    for place in (lesson.root / "submitted").iterdir():
        day = "2026-11-02" if place.name == LATE else "2026-10-20"
        (place / ASSIGNMENT / "timestamp.txt").write_text(f"{day} 12:00:00 UTC\n", encoding="utf-8")
    done = grade(lesson.root / "reports", lesson.root / "submitted", "--from", "nbgrader", cwd=lesson.kit)
    if done.code == REFUSED:
        pytest.skip(done.stderr.strip())
    lesson.nbgrader("autograde", ASSIGNMENT)
    return lesson


def kit_course(folder: Path) -> Path:
    """Copy the frozen course, with words planted in a hidden suite and in a solution, and make what students get."""
    copy_frozen_course(folder)
    for suite in (folder / "tests" / "hidden" / ASSIGNMENT).glob("test_*.py"):
        suite.write_text(f"{suite.read_text(encoding='utf-8')}\nPLANTED = {CANARIES['suite']!r}\n", encoding="utf-8")
    source = folder / "solutions" / ASSIGNMENT / f"{NOTEBOOK}.py"
    text = source.read_text(encoding="utf-8")
    begin = "    ### BEGIN SOLUTION\n"
    source.write_text(text.replace(begin, f"{begin}    # {CANARIES['solution']}\n"), encoding="utf-8")
    build(find_course(folder))
    return folder


def ask_a_question(source: Path) -> None:
    """Add a question that a person grades, as a teacher does in Jupyter."""
    notebook = json.loads(source.read_text(encoding="utf-8"))
    marks = {"schema_version": 3, "grade": True, "solution": True, "locked": False, "task": False, "points": 5}
    metadata = {"nbgrader": {**marks, "grade_id": QUESTION}}
    cell = {"cell_type": "markdown", "id": QUESTION, "metadata": metadata, "source": "Why must shares sum to 1?"}
    notebook["cells"].append(cell)
    source.write_text(json.dumps(notebook), encoding="utf-8")


def hand_in(lesson: Lesson) -> None:
    """Put the class where `nbgrader zip_collect` looks: a zip file for each student."""
    texts = {student: json.dumps(as_notebook(student)) for student in EXAMPLES}
    for student, change in SPECIAL.items():
        notebook = as_notebook("rosa_notebook")
        change(notebook)
        texts[student] = json.dumps(notebook)
    texts[BROKEN] = texts["rosa_notebook"][:-200]
    archive = lesson.root / "downloaded" / ASSIGNMENT / "archive"
    archive.mkdir(parents=True)
    for student, text in texts.items():
        with zipfile.ZipFile(archive / f"{student}.zip", "w") as file:
            file.writestr(f"{NOTEBOOK}.ipynb", text)
