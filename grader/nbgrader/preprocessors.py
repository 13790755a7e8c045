"""The steps of `nbgrader autograde` that the kit takes over: marking cells, and entering and showing reports.

Points are entered for the kit's own checks only. Cells that a person grades, extra credit and late penalties are
nbgrader's, and are left to it. What students read comes from their copy of the report: all of it above their notebook,
as plain text, which Jupyter shows as it is; and a comment on each answer, which holds only words of the kit and of the
course's author, since nbgrader reads comments as Markdown.
"""

from collections.abc import Collection, Mapping
from decimal import Decimal
from typing import Any

from nbformat.v4 import new_code_cell, new_output
from nbgrader import utils
from nbgrader.api import Gradebook
from nbgrader.preprocessors import NbGraderPreprocessor, SaveAutoGrades

from grader.course.content.exercises import CHECK_SUFFIX
from grader.results.student_report import StudentExercise, StudentReport
from grader.student_check.render import report_overview
from grader.student_check.terminal import plain_text
from grader.text import name_shown

from .cells import marked_cells

MOST_COMMENTS = 4
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
            nb.cells = marked_cells(nb.cells, known, self.parent.kit.settings.language)
        return nb, resources


class KitGrades(SaveAutoGrades):  # type: ignore[misc]  # nbgrader has no types
    """Enters the kit's points and comments, and shows the report; nbgrader does the other cells.

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
            text = plain_text(report_overview(report), report.language)
            nb.cells = [new_code_cell("", outputs=[new_output("stream", text=text)]), *nb.cells]
        done: tuple[Any, Any] = super().preprocess(nb, resources)
        return done

    def preprocess_cell(self, cell: Any, resources: Any, cell_index: int) -> tuple[Any, Any]:
        """Leave what was entered as it is."""
        if (utils.is_grade(cell) or utils.is_solution(cell)) and cell.metadata.nbgrader.grade_id in self._entered:
            return cell, resources
        done: tuple[Any, Any] = super().preprocess_cell(cell, resources, cell_index)
        return done


def why_unfit(report: StudentReport, notebook: Any) -> str:
    """Return why a report's points cannot be entered for a notebook, in a sentence; empty where they can.

    Args:
        notebook: A `Notebook`, whose points were fixed when nbgrader generated the assignment.
    """
    known = {cell.name: float(cell.max_score) for cell in notebook.grade_cells}
    for exercise in report.exercises:
        name, wanted = exercise.id + CHECK_SUFFIX, float(exercise.max_score)
        if known.get(name, 0) != wanted:
            return (
                f"the gradebook has other points: {name} is worth {known.get(name, 0):g} there and {wanted:g} in the "
                "report. Give `grader nbgrader init --replace`, `nbgrader generate_assignment --force`, then grade."
            )
    return ""


def enter(
    row: Any, report: StudentReport | None, by_hand: Mapping[str, Decimal], exercises: Collection[str]
) -> set[str]:
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
    graded = {} if report is None else {exercise.id: exercise for exercise in report.exercises}
    for grade in row.grades:
        if grade.name in tests:
            exercise = graded.get(grade.name.removesuffix(CHECK_SUFFIX))
            score = None if exercise is None else by_hand.get(exercise.id, exercise.score)
            grade.auto_score = None if score is None else float(score)
            grade.needs_manual_grade = score is None or grade.manual_score is not None
    for comment in row.comments:
        if comment.name in exercises:
            exercise = graded.get(comment.name)
            comment.auto_comment = comment_on(exercise) if exercise else None
    return tests | {*exercises}


def comment_on(exercise: StudentExercise) -> str | None:
    """Return the comment on an exercise: the recognised mistakes, or else what happened; None if it passed."""
    wrong = [check for check in exercise.checks if check.status not in ("passed", "skipped")]
    hints = dict.fromkeys(check.diagnosis.hint for check in wrong if check.diagnosis is not None)
    reasons = hints or dict.fromkeys(check.outcome for check in wrong)
    return "\n".join(f"- {reason}" for reason in [*reasons][:MOST_COMMENTS]) or None
