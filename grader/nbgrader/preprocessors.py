"""The steps of `nbgrader autograde` that the kit takes over: mending cells, showing reports, entering points.

Points are entered for the kit's own checks only. Cells that a person grades, extra credit and late penalties are
nbgrader's, and are left to it.
"""

from typing import Any

import nbformat
from nbgrader import utils
from nbgrader.api import Gradebook
from nbgrader.preprocessors import NbGraderPreprocessor

from grader.course.content.exercises import CHECK_SUFFIX
from grader.nbgrader.notebooks.grade_cells import arrange, plain_cells
from grader.nbgrader.notebooks.graded_notebook import put_outputs
from grader.text import name_shown

from .entering import comments_of, enter, expected_cells, scores_of, why_unfit

WHOLE = (
    "its points by hand are for the whole assignment, and nbgrader has points by exercise: enter them in formgrader."
)


class KitCells(NbGraderPreprocessor):  # type: ignore[misc]  # nbgrader has no types
    """Writes nbgrader's marks anew, so that no mark of the student's file is believed."""

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        """Return the notebook with each cell that nbgrader knows in it once and marked."""
        names = resources["nbgrader"]
        with Gradebook(names["db_url"]) as gradebook:
            expected = expected_cells(gradebook.find_notebook(names["notebook"], names["assignment"]))
        arranged = arrange(plain_cells(nb.cells), expected, self.parent.kit.settings.language)
        for note in arranged.notes:
            self.log.warning("%s: %s", name_shown(names["student"]), note)
        nb.cells = [nbformat.from_dict(cell) for cell in arranged.cells]
        return nb, resources


class KitOutputs(NbGraderPreprocessor):  # type: ignore[misc]  # nbgrader has no types
    """Puts what students may read of the report below the checks."""

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        """Return the notebook with its outputs."""
        report = self.parent.report(resources)
        if report is not None:
            nb.cells = [nbformat.from_dict(cell) for cell in put_outputs(nb.cells, report)]
        return nb, resources


class SaveKitGrades(NbGraderPreprocessor):  # type: ignore[misc]  # nbgrader has no types
    """Enters the kit's points and comments, and does what nbgrader does for all other cells.

    Where the gradebook has other points than the kit, nothing is entered: 4 of 7 for a perfect answer is not a grade.
    """

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        """Enter one notebook, whole or not at all."""
        names = resources["nbgrader"]
        who = name_shown(names["student"])
        report, by_hand = self.parent.report(resources), self.parent.by_hand(resources)
        unfit, why = "", "there is no report" if report is None else report.problem
        with Gradebook(names["db_url"]) as gradebook:
            row = gradebook.find_submission_notebook(names["notebook"], names["assignment"], names["student"])
            if report is not None and report.problem is None:
                unfit = why_unfit(report, row.notebook)
                why = unfit or (WHOLE if "" in by_hand else None)
            scores = {} if report is None or why else scores_of(report, by_hand)
            comments = {} if report is None or why else comments_of(report)
            entered = enter(row, scores, comments)
            self._others(nb, row, scores, comments)
            gradebook.db.commit()
        for line in entered.lowered:
            self.log.warning("%s, %s: lower than before: %s", who, names["assignment"], line)
        if unfit:
            self.parent.refuse(names["assignment"], unfit)
        if why:
            self.log.warning("%s, %s: no points, a person has to grade it: %s", who, names["assignment"], why)
        return nb, resources

    def _others(self, nb: Any, row: Any, scores: Any, comments: Any) -> None:
        """Do as nbgrader does with cells that the kit does not grade; a test that was not run is not a pass."""
        grades = {each.name: each for each in row.grades if each.name not in scores}
        remarks = {each.name: each for each in row.comments if each.name not in comments}
        known = [each.id for assignment in self.parent.kit.assignments.values() for each in assignment.exercises]
        for cell in nb.cells:
            name = cell.metadata.get("nbgrader", {}).get("grade_id")
            if utils.is_grade(cell) and name in grades:
                self._grade(cell, grades[name], name.removesuffix(CHECK_SUFFIX) in known)
            if (utils.is_solution(cell) or utils.is_task(cell)) and name in remarks and name not in known:
                same = cell.metadata.nbgrader.get("checksum") == utils.compute_checksum(cell)
                remarks[name].auto_comment = "No response." if same and not utils.is_task(cell) else None

    def _grade(self, cell: Any, grade: Any, ours: bool) -> None:
        if ours or (cell.cell_type == "code" and not utils.is_solution(cell)):
            grade.auto_score, grade.needs_manual_grade = None, True
            if not ours:
                self.log.warning("The kit has no exercise for the cell %s, so a person has to grade it.", grade.name)
            return
        grade.auto_score = utils.determine_grade(cell, self.log)[0]
        grade.needs_manual_grade = grade.manual_score is not None or grade.auto_score is None
