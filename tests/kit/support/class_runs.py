"""A course of two assignments and a class of four, graded in the tests' own process: for tests of what runs keep."""

import json
from pathlib import Path

import pytest

from grader.grading import Graded, GradeOptions, grade_class

from .courses import files_as, hand_in, write_course
from .grading_runs import timeless

RIGHT = "from torch import nn\ndef shares(x):\n    return x / x.sum()\n"
WRONG = "from torch import nn\ndef shares(x):\n    return x / x.max()\n"


@pytest.fixture
def course(tmp_path):
    """A tiny course with two assignments that differ in their number only."""
    return write_course(tmp_path / "course", {"tests/golden/N0.json": "[]", **files_as("02_tiny_again")})


@pytest.fixture
def klass(tmp_path):
    """A class of three, one of whom answered both assignments."""
    folder = tmp_path / "class"
    hand_in(folder, "ann", RIGHT)
    hand_in(folder, "ben", WRONG)
    hand_in(folder, "cho", RIGHT + "# cho\n")
    again = folder / "ann" / "02_tiny_again"
    again.mkdir()
    (again / "tiny_again.py").write_text(RIGHT, encoding="utf-8")
    (folder / "dan").mkdir()
    return folder


def grade(klass: Path, course: Path, output: str = "out", **options) -> Graded:
    """Grade a class into a folder beside it."""
    return grade_class(GradeOptions([klass], klass.parent / output, course, **options))


def reports(folder: Path) -> dict[str, object]:
    """Return all reports under a folder without their times, by path."""
    return {
        str(path.relative_to(folder)): timeless(json.loads(path.read_bytes()))
        for path in sorted(folder.rglob("*.json"))
        if path.name != "summary.json"
    }
