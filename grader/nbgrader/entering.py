"""What a report means for the rows of a gradebook: which points and comments go where, and what is left alone.

It works on rows of nbgrader's own classes and imports none of them. Only `auto_score` and `auto_comment` of the kit's
own exercises are ever set. A manual score, a manual comment, extra credit and a late penalty are a person's or
nbgrader's and are not touched.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from grader.course.content.exercises import CHECK_SUFFIX
from grader.nbgrader.notebooks.grade_cells import Expected
from grader.nbgrader.notebooks.graded_notebook import comment_on
from grader.results.redact import student_copy
from grader.results.report import Report

LACKING = "the gradebook's notebook lacks checks of the report. Was its source made by `grader nbgrader init`?"


@dataclass
class Entered:
    """What entering a report came to.

    Attributes:
        changed: Whether any row is another now.
        lowered: The points that went down, a line each.
    """

    changed: bool = False
    lowered: list[str] = field(default_factory=list)


def scores_of(report: Report, by_hand: Mapping[str, Decimal]) -> dict[str, Decimal]:
    """Return the points of a report by the grade id of the check; none when it could not be graded.

    Args:
        by_hand: The points that a person set, by exercise; they take the place of the graded ones.
    """
    if report.problem is not None:
        return {}
    scores = {exercise.id: by_hand.get(exercise.id, exercise.score) for exercise in report.exercises}
    return {name + CHECK_SUFFIX: score for name, score in scores.items() if score is not None}


def comments_of(report: Report) -> dict[str, str | None]:
    """Return the comments on a report's exercises by the grade id of the answer; none when it could not be graded."""
    if report.problem is not None:
        return {}
    copy = student_copy(report)
    return {each.id: comment_on(each, copy.language) for each in copy.exercises}


def why_unfit(report: Report, notebook: Any) -> str:
    """Return why a report's points cannot be entered for a notebook, in a sentence; empty where they can.

    Args:
        notebook: A `Notebook`, whose points were fixed when nbgrader generated the assignment.
    """
    wanted = {each.id + CHECK_SUFFIX: float(each.max_score) for each in report.exercises}
    known = {each.name: float(each.max_score) for each in notebook.grade_cells}
    if not wanted or not wanted.keys() <= known.keys():
        return LACKING
    other = [name for name, points in wanted.items() if known[name] != points]
    if not other:
        return ""
    difference = f"{other[0]} is worth {known[other[0]]:g} there and {wanted[other[0]]:g} in the report"
    return f"the gradebook has other points: {difference}. Bring both to one state and grade again."


def enter(row: Any, scores: Mapping[str, Decimal], comments: Mapping[str, str | None]) -> Entered:
    """Set the points and comments of one submitted notebook; the caller commits.

    Args:
        row: A `SubmittedNotebook`.
        scores: Points by grade id.
        comments: Comments by grade id; None for none.
    """
    entered = Entered()
    _cells = [*row.notebook.grade_cells, *row.notebook.solution_cells]  # loaded at once, not one for each name below
    for grade in row.grades:
        if grade.name not in scores:
            continue
        before, now = grade.auto_score, float(scores[grade.name])
        if before != now:
            entered.changed = True
            if before is not None and now < before:
                entered.lowered.append(f"{grade.name.removesuffix(CHECK_SUFFIX)} {before:g} to {now:g}")
            grade.auto_score = now
        grade.needs_manual_grade = grade.manual_score is not None
    for comment in row.comments:
        if comment.name in comments and comment.auto_comment != comments[comment.name]:
            comment.auto_comment = comments[comment.name]
            entered.changed = True
    return entered


def expected_cells(notebook: Any) -> list[Expected]:
    """Return what a gradebook knows of a notebook's cells.

    Args:
        notebook: A `Notebook`.
    """
    points = {each.name: float(each.max_score) for each in (*notebook.grade_cells, *notebook.task_cells)}
    solutions = {each.name for each in notebook.solution_cells}
    tasks = {each.name for each in notebook.task_cells}
    return [
        Expected(
            name=each.name,
            kind=each.cell_type or "code",
            source=each.source or "",
            locked=bool(each.locked),
            checksum=each.checksum,
            points=points.get(each.name),
            solution=each.name in solutions,
            task=each.name in tasks,
        )
        for each in notebook.source_cells
    ]
