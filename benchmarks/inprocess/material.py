"""What an assignment brings to its checks, loaded as sparingly as a process that grades one submission can."""

from functools import cached_property
from pathlib import Path
from typing import Any

from grader.course.layout import Assignment, Course, find_course
from grader.course.source import load_solution
from grader.suite.context import CourseSide
from grader.suite.golden import load_figures

ROOT = Path(__file__).resolve().parents[2]


class Mistakes(dict[str, Any]):
    """The listed mistakes by exercise, read at the first wrong answer; right answers never need them."""

    def __init__(self, assignment: Assignment, solution: Any) -> None:
        super().__init__()
        self._assignment, self._solution = assignment, solution

    @cached_property
    def _variants(self) -> Any:
        from grader.course.variants import load_variants

        return load_variants(self._assignment, self._solution)

    def get(self, exercise: str, default: Any = None) -> Any:
        """Return the mistakes of an exercise."""
        return self._variants.mistakes_of(exercise)


def open_assignment(name: str) -> tuple[Course, Assignment]:
    """Return this repository's course and one of its assignments.

    Raises:
        ValueError: It has exercises that are classes, which the direct `student` does not know.
    """
    course = find_course(ROOT)
    assignment = course.assignment(name)
    classes = [each.id for each in assignment.exercises if each.kind == "class"]
    if classes:
        raise ValueError(f"Only assignments of functions can be compared; {', '.join(classes)} are classes.")
    return course, assignment


def course_side(course: Course, assignment: Assignment) -> CourseSide:
    """Return what the assignment brings, as a grading run has it."""
    solution = load_solution(assignment)
    return CourseSide(
        assignment=assignment.id,
        module_name=assignment.name,
        solution=solution,
        mistakes=Mistakes(assignment, solution),
        forbids={each.id: list(each.forbids) for each in assignment.exercises},
        figures=load_figures(assignment.golden),
        secret=course.secret(),
    )
