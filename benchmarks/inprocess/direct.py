"""The suite without pytest, for a grader that brings a runner of its own: a cell of nbgrader, a test case of otter.

The check functions are called one after the other with what they ask for by name. That is the least that such a grader
can do to ask the same, so nothing here makes it slower than it has to be.
"""

import importlib
import inspect
import itertools
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

import pytest

from benchmarks.inprocess.material import Submission, course_side, open_assignment, points_of
from benchmarks.inprocess.student import LocalStudent
from grader.suite.core.exercise_decorator import CheckSpec, spec_of
from grader.suite.core.fixtures import MAKERS
from grader.suite.core.manifest import Check

NUMBERS = itertools.count()
Outcome = Literal["passed", "failed", "skipped", "excused"]


@dataclass(frozen=True)
class Case:
    """One check: what the kit knows of it, the function, and what the function asks for."""

    check: Check
    function: Callable[..., None]
    asks: tuple[str, ...]


class DirectSuite:
    """An assignment's checks, ready to be run on one submission.

    Args:
        assignment: Its id.
    """

    def __init__(self, assignment: str) -> None:
        course, self._assignment = open_assignment(assignment)
        self.side = course_side(course, self._assignment)
        self.cases = self._read()
        self._verdicts: dict[str, Outcome] = {}
        self._student: LocalStudent | None = None

    def _read(self) -> dict[str, list[Case]]:
        files = [(self._assignment.visible, True), *((file, False) for file in sorted_suites(self._assignment.hidden))]
        cases: dict[str, list[Case]] = {each.id: [] for each in self._assignment.exercises}
        for file, visible in files:
            for name, function in vars(imported(file)).items():
                spec = spec_of(function)
                if spec is not None and name.startswith("test_"):
                    cases[spec.exercise].append(case_of(name, function, spec, file, visible))
        return cases

    @property
    def has_submission(self) -> bool:
        """Whether there is a submission to run checks on."""
        return self._student is not None

    def begin(self, names: Mapping[str, Any], text: str) -> None:
        """Take a submission: the names that its file defines, and its text."""
        self._student, self._verdicts = LocalStudent(names), {}
        self._submission = Submission(self.side, text)

    def check(self, case: Case) -> Outcome:
        """Run one check on the submission."""
        spec = case.check.spec
        needed = (f"{spec.exercise}.{need.removeprefix('test_')}" for need in spec.needs)
        outcome: Outcome = "passed"
        if any(self._verdicts[need] != "passed" for need in needed):
            outcome = "skipped"
        else:
            self._submission.begin(case.check)
            try:
                case.function(*(self._student if name == "student" else MAKERS[name]() for name in case.asks))
            except pytest.skip.Exception:
                outcome = "excused"
            except Exception:
                outcome = "failed"
        self._verdicts[case.check.id] = outcome
        return outcome

    def points(self, exercise: str) -> float:
        """Run every check of an exercise and return what the submission earns for it."""
        for case in self.cases[exercise]:
            self.check(case)
        checks = [case.check for case in self.cases[exercise]]
        return points_of(self._assignment.exercise(exercise).points, checks, self._verdicts)


def case_of(name: str, function: Callable[..., None], spec: CheckSpec, file: Path, visible: bool) -> Case:
    """Describe a check function.

    Raises:
        ValueError: pytest would run it several times, which calling it once would not do.
    """
    if getattr(function, "pytestmark", None):
        raise ValueError(f"{file.name}::{name} carries marks of pytest, which only pytest knows how to run.")
    check = Check(
        id=f"{spec.exercise}.{name.removeprefix('test_')}",
        node=f"{file.name}::{name}",
        spec=spec,
        visibility=spec.visibility or ("visible" if visible else "hidden"),
    )
    return Case(check, function, tuple(inspect.signature(function).parameters))


def sorted_suites(place: Path) -> list[Path]:
    """Return the files of a folder of checks."""
    return sorted(place.glob("test_*.py"))


def imported(file: Path) -> ModuleType:
    """Import a file of checks anew, in a package of its folder: a suite may have helpers beside it."""
    package = ModuleType(f"checks_{next(NUMBERS)}")
    package.__path__ = [str(file.parent)]
    sys.modules[package.__name__] = package
    return importlib.import_module(f"{package.__name__}.{file.stem}")
