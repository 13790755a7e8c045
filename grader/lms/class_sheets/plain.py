"""Plain CSV files: a line for each student with a column for each assignment, or a line for each exercise.

An empty cell means no submission. `not graded` means that it could not be graded, in words so that nobody adds it up as
0; the sum is then empty too, unless such a submission shall count 0. Names that a spreadsheet would run as a formula
begin with an apostrophe, as in `scores.csv`.

The long form with a line for each student, assignment and exercise is what statistics programs read. Whoever handed
nothing in has no line there; a submission that could not be graded has lines with the status `ungraded` and no score.
"""

from collections.abc import Sequence

from grader.lms.formats import ExportedFile, ExportOptions
from grader.lms.reports import ClassReports, Scores
from grader.lms.tables import number_text, table_bytes
from grader.results.scoring import total_of
from grader.results.spreadsheet import NOT_GRADED, formula_safe
from grader.text import name_shown, one_line

HEADINGS = ["student", "assignment", "exercise", "title", "score", "max_score", "status"]


def export(reports: ClassReports, options: ExportOptions) -> ExportedFile:
    """Return the CSV.

    Raises:
        UsageError: The reports of an assignment count different points.
    """
    every = [reports.scores(each, failed_as_zero=options.failed_as_zero) for each in reports.assignments]
    heads = [f"{each.assignment} ({number_text(each.max_score)})" for each in every]
    rows = [["student", *heads, "total"]]
    for student in reports.students:
        reached = [each.scores[student] for each in every if student in each.scores]
        cells = [_cell(each, student) for each in every]
        total = "" if not reached or NOT_GRADED in cells else number_text(total_of(reached))
        rows.append([formula_safe(student), *cells, total])
    left_out = _failed_of(every)
    return ExportedFile(table_bytes(rows, quote_all=True), sum(len(each.scores) for each in every), [], left_out)


def export_exercises(reports: ClassReports, options: ExportOptions) -> ExportedFile:
    """Return the CSV."""
    every = [reports.scores(each, failed_as_zero=options.failed_as_zero) for each in reports.assignments]
    rows = [HEADINGS]
    for each in sorted(reports.graded, key=lambda one: (one.row.student, one.row.assignment)):
        failed = each.row.problem is not None and not options.failed_as_zero
        for exercise in each.row.exercises:
            score = "" if failed else number_text(exercise.score)
            names = [
                formula_safe(each.row.student),
                each.row.assignment,
                exercise.id,
                formula_safe(one_line(exercise.title)),
            ]
            rows.append([*names, score, number_text(exercise.max_score), exercise.status])
    return ExportedFile(table_bytes(rows, quote_all=True), len(rows) - 1, [], _failed_of(every), unit="line")


def _failed_of(every: Sequence[Scores]) -> list[str]:
    """Return a sentence for every submission that could not be graded and has no 0."""
    return [
        f"{name_shown(student)}, {each.assignment} could not be graded: {problem}"
        for each in every
        for student, problem in each.failed.items()
        if student not in each.scores
    ]


def _cell(scores: Scores, student: str) -> str:
    if student in scores.scores:
        return number_text(scores.scores[student])
    return NOT_GRADED if student in scores.failed else ""
