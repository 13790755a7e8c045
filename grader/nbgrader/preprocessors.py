"""The steps of `nbgrader autograde` that the kit takes over: marking cells, and entering and showing reports.

Points are entered for the kit's own checks only. Cells that a person grades, extra credit and late penalties are
nbgrader's, and are left to it.
"""

from collections.abc import Collection, Mapping
from decimal import Decimal
from typing import Any

from nbgrader import utils
from nbgrader.api import Gradebook
from nbgrader.preprocessors import NbGraderPreprocessor, SaveAutoGrades

from grader.course.content.exercises import CHECK_SUFFIX
from grader.results.redact import student_copy
from grader.results.report import Report
from grader.text import name_shown

from .cells import marked_cells
from .feedback import comment_on, with_report

LACKING = "the gradebook's notebook lacks checks of the report. Was its source made by `grader nbgrader init`?"
WHOLE = (
    "its points by hand are for the whole assignment, and nbgrader has points by exercise: enter them in formgrader."
)


class KitCells(NbGraderPreprocessor):  # type: ignore[misc]  # nbgrader has no types
    """Writes nbgrader's marks anew, so that no mark of the student's file is believed."""

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        """Return the notebook with each graded cell of the gradebook in it once and marked."""
        names = resources["nbgrader"]
        with Gradebook(names["db_url"]) as gradebook:
            known = gradebook.find_notebook(names["notebook"], names["assignment"])
            nb.cells, gone = marked_cells(nb.cells, known, self.parent.kit.settings.language)
        if gone:
            student = name_shown(names["student"])
            self.log.warning("%s: Not in what was handed in, and put back: %s.", student, ", ".join(gone))
        return nb, resources


class KitGrades(SaveAutoGrades):  # type: ignore[misc]  # nbgrader has no types
    """Enters the kit's points and comments, and shows the report below the checks; nbgrader does the other cells.

    Where the gradebook has other points than the kit, nothing is entered: 4 of 7 for a perfect answer is not a grade.
    """

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        """Enter one notebook, whole or not at all."""
        names = resources["nbgrader"]
        assignments = self.parent.kit.assignments.values()
        exercises = {exercise.id for assignment in assignments for exercise in assignment.exercises}
        report, why = self.parent.report(names)
        by_hand = self.parent.by_hand(names)
        with Gradebook(names["db_url"]) as gradebook:
            row = gradebook.find_submission_notebook(names["notebook"], names["assignment"], names["student"])
            if report is not None:
                why = report.problem or why_unfit(report, row.notebook) or (WHOLE if "" in by_hand else "")
            self._entered = enter(row, None if why else report, by_hand, exercises)
            gradebook.db.commit()
        if why:
            student, assignment = name_shown(names["student"]), names["assignment"]
            self.log.error("%s, %s: no points, a person has to grade it: %s", student, assignment, why)
        if report is not None:
            nb.cells = with_report(nb.cells, report, by_hand)
        done: tuple[Any, Any] = super().preprocess(nb, resources)
        return done

    def preprocess_cell(self, cell: Any, resources: Any, cell_index: int) -> tuple[Any, Any]:
        """Leave what was entered as it is."""
        if (utils.is_grade(cell) or utils.is_solution(cell)) and cell.metadata.nbgrader.grade_id in self._entered:
            return cell, resources
        done: tuple[Any, Any] = super().preprocess_cell(cell, resources, cell_index)
        return done


def why_unfit(report: Report, notebook: Any) -> str:
    """Return why a report's points cannot be entered for a notebook, in a sentence; empty where they can.

    Args:
        notebook: A `Notebook`, whose points were fixed when nbgrader generated the assignment.
    """
    wanted = {exercise.id + CHECK_SUFFIX: float(exercise.max_score) for exercise in report.exercises}
    known = {cell.name: float(cell.max_score) for cell in notebook.grade_cells}
    if not wanted or not wanted.keys() <= known.keys():
        return LACKING
    other = [name for name, points in wanted.items() if known[name] != points]
    if not other:
        return ""
    difference = f"{other[0]} is worth {known[other[0]]:g} there and {wanted[other[0]]:g} in the report"
    return f"the gradebook has other points: {difference}. Bring both to one state and grade again."


def enter(row: Any, report: Report | None, by_hand: Mapping[str, Decimal], exercises: Collection[str]) -> set[str]:
    """Set the points and comments of one submitted notebook, and return the cells that they are of.

    A test without points waits for a person: a test that was not run is not a pass. A manual score, a manual comment,
    extra credit and a late penalty are a person's or nbgrader's and are not touched.

    Args:
        row: A `SubmittedNotebook`; the caller commits.
        report: None where no points count.
        by_hand: The points that a person set, by exercise; they take the place of the graded ones.
        exercises: The ids of the kit's exercises.
    """
    answers = {cell.name for cell in row.notebook.solution_cells}
    tests = {cell.name for cell in row.notebook.grade_cells if cell.cell_type == "code"} - answers
    tests |= {exercise + CHECK_SUFFIX for exercise in exercises}
    copy = None if report is None else student_copy(report)
    graded = {} if copy is None else {exercise.id: exercise for exercise in copy.exercises}
    for grade in row.grades:
        if grade.name in tests:
            exercise = graded.get(grade.name.removesuffix(CHECK_SUFFIX))
            score = None if exercise is None else by_hand.get(exercise.id, exercise.score)
            grade.auto_score = None if score is None else float(score)
            grade.needs_manual_grade = score is None or grade.manual_score is not None
    for comment in row.comments:
        if comment.name in exercises:
            exercise = graded.get(comment.name)
            comment.auto_comment = comment_on(exercise, copy.language) if copy and exercise else None
    return tests | {*exercises}
