"""A plain CSV of a class: a line for each student, a column for each assignment and one for the sum.

An empty cell means no submission; `not graded` is one that could not be graded, which is not a number so that nobody adds it
up as 0. Then the sum is empty too, unless such a submission shall count 0. Names that a spreadsheet would run are
guarded with an apostrophe, as in `scores.csv`.
"""

from collections.abc import Sequence

from grader.lms.formats import Choice, Filled
from grader.lms.reports import ClassReports, Scores
from grader.lms.tables import number, written
from grader.results.scoring import total_of
from grader.results.spreadsheet import NOT_GRADED, guarded
from grader.text import name_shown


def export(reports: ClassReports, choice: Choice) -> Filled:
    """Return the CSV.

    Raises:
        UsageError: The reports of an assignment count different points.
    """
    every = [reports.scores(each, failed_as_zero=choice.failed_as_zero) for each in reports.assignments]
    heads = [f"{each.assignment} ({number(each.max_score)})" for each in every]
    rows = [["student", *heads, "total"]]
    for student in reports.students:
        reached = [each.scores[student] for each in every if student in each.scores]
        cells = [_cell(each, student) for each in every]
        total = "" if not reached or NOT_GRADED in cells else number(total_of(reached))
        rows.append([guarded(student), *cells, total])
    left_out = failed_of(every)
    return Filled(written(rows, quote_all=True), sum(len(each.scores) for each in every), [], left_out)


def failed_of(every: Sequence[Scores]) -> list[str]:
    """Return a sentence for every submission that could not be graded and has no 0."""
    return [
        f"{name_shown(student)}, {each.assignment} could not be graded: {problem}"
        for each in every
        for student, problem in each.failed.items()
        if student not in each.scores
    ]


def _cell(scores: Scores, student: str) -> str:
    if student in scores.scores:
        return number(scores.scores[student])
    return NOT_GRADED if student in scores.failed else ""
