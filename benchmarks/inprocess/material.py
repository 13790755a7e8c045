"""What an assignment brings to its checks, loaded as sparingly as a process that grades one submission can."""

import hashlib
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import Any

from grader.course.layout import Assignment, Course, find_course
from grader.course.run_source import load_solution
from grader.results.assemble import earns_points
from grader.results.scoring import score_of
from grader.results.verdict import CheckVerdict
from grader.suite.core.context import AssignmentContext, CheckState, current_check
from grader.suite.core.draw import check_seed
from grader.suite.core.figures import load_figures
from grader.suite.core.manifest import Check

ROOT = Path(__file__).resolve().parents[2]


class Mistakes(dict[str, Any]):
    """The listed mistakes by exercise, read at the first wrong answer; right answers never need them."""

    def __init__(self, assignment: Assignment, solution: Any) -> None:
        super().__init__()
        self._assignment, self._solution = assignment, solution

    @cached_property
    def _variants(self) -> Any:
        from grader.course.variants.read_variants import load_variants

        return load_variants(self._assignment, self._solution)

    def get(self, exercise: str, default: Any = None) -> Any:
        """Return the mistakes of an exercise."""
        return self._variants.mistakes_of(exercise)


def open_assignment(name: str) -> tuple[Course, Assignment]:
    """Return this repository's course and one of its assignments."""
    course = find_course(ROOT)
    return course, course.assignment(name)


class Submission:
    """A submission, as its checks see it.

    Args:
        side: What the assignment brings.
        text: What was handed in.
    """

    def __init__(self, side: AssignmentContext, text: str) -> None:
        self._side = side
        self._digest = hashlib.sha256(text.encode("utf-8")).hexdigest()
        self._findings: dict[Any, Any] = {}

    def begin(self, check: Check) -> None:
        """Let a check draw what the kit lets it draw for the same text."""
        seed = check_seed(self._side.secret, self._side.assignment, self._digest, check.id)
        current_check.set(CheckState(check, seed, self._side, findings=self._findings))


def points_of(points: Decimal, checks: Sequence[Check], outcomes: Mapping[str, str]) -> float:
    """Return what an exercise earns by the kit's rules.

    Args:
        points: What it is worth.
        checks: Its checks.
        outcomes: What became of each by id; one without an outcome did not pass, and an excused one does not count.
    """
    judged = {check.id: _verdict(check.id, outcomes.get(check.id, "skipped")) for check in checks}
    entries = [check.entry() for check in checks]
    if not earns_points(entries, judged):
        return 0.0
    return float(score_of(points, [(entry, judged[entry.id]) for entry in entries]))


def _verdict(id: str, outcome: str) -> CheckVerdict:
    if outcome in ("excused", "skipped"):
        return CheckVerdict(id=id, status="skipped", excused=outcome == "excused")
    return CheckVerdict(id=id, status="passed" if outcome == "passed" else "failed")


def course_side(course: Course, assignment: Assignment) -> AssignmentContext:
    """Return what the assignment brings, as a grading run has it."""
    solution = load_solution(assignment)
    return AssignmentContext(
        assignment=assignment.id,
        module_name=assignment.name,
        solution=solution,
        mistakes=Mistakes(assignment, solution),
        forbids={each.id: list(each.forbids) for each in assignment.exercises},
        figures=load_figures(assignment.golden),
        secret=course.secret(),
    )
