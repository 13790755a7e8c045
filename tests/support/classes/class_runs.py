"""A course of two assignments and a class of four, judged by the pretended engine: for tests of what runs keep."""

import json
from functools import partial
from pathlib import Path

import pytest

from grader.grading import ClassRun, Graded, GradeOptions, Judge, run
from grader.grading.progress import ProgressReporter

from ..courses import files_as, hand_in, write_course
from ..workers.pretended_engine import RIGHT, WRONG, pretended
from .grading_runs import timeless

__all__ = ["RIGHT", "WRONG"]


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


class Doing(ProgressReporter):
    """Does something when a run begins, or after so many submissions."""

    def __init__(self, at_start=None, after=None):
        super().__init__()
        self._at_start, self._after, self._done = at_start, after, 0

    def begin(self, whole, kept):
        if self._at_start:
            self._at_start()

    def advance(self):
        self._done += 1
        if self._done == self._after:
            raise KeyboardInterrupt


@pytest.fixture
def told(monkeypatch):
    """Lets a test say what is done while the next run goes on."""

    def set_to(**options):
        monkeypatch.setattr("grader.grading.whole_class.ProgressReporter", lambda: Doing(**options))

    return set_to


def grade(klass: Path, course: Path, output: str = "out", *, judge: Judge = pretended, **options) -> Graded:
    """Grade a class into a folder beside it."""
    return run(GradeOptions([klass], klass.parent / output, course, **options), judge=judge)


grade_for_real = partial(grade, judge=ClassRun.in_jails)


def reports(folder: Path) -> dict[str, object]:
    """Return all reports under a folder without their times, by path."""
    return {
        str(path.relative_to(folder)): timeless(json.loads(path.read_bytes()))
        for path in sorted(folder.rglob("*.json"))
        if path.name not in ("run.json", "grades.json", "class.json")
    }
