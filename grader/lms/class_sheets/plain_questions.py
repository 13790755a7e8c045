"""A plain CSV of all exercises: a line for each student, assignment and exercise.

It is the long form that statistics programs read. Who handed nothing in has no line; a submission that could not be
graded has lines with the status `ungraded` and no score.
"""

from grader.lms.formats import Choice, Filled
from grader.lms.reports import ClassReports
from grader.lms.tables import number, written
from grader.results.spreadsheet import guarded
from grader.text import one_line

from .plain_class import failed_of

HEADINGS = ["student", "assignment", "exercise", "title", "score", "max_score", "status"]


def export(reports: ClassReports, choice: Choice) -> Filled:
    """Return the CSV."""
    every = [reports.scores(each, failed_as_zero=choice.failed_as_zero) for each in reports.assignments]
    rows = [HEADINGS]
    for each in sorted(reports.graded, key=lambda one: (one.row.student, one.row.assignment)):
        failed = each.row.problem is not None and not choice.failed_as_zero
        for exercise in each.row.exercises:
            score = "" if failed else number(exercise.score)
            names = [guarded(each.row.student), each.row.assignment, exercise.id, guarded(one_line(exercise.title))]
            rows.append([*names, score, number(exercise.max_score), exercise.status])
    return Filled(written(rows, quote_all=True), len(rows) - 1, [], failed_of(every), unit="line")
