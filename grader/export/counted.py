"""Reads the report that a grade is of, with the points that count."""

from grader.errors import UsageError
from grader.records.report_files import read_file
from grader.results.grades import Grade
from grader.results.report import Report
from grader.results.write import ReportsFolder
from grader.text import name_shown

from .by_hand import with_points
from .grades import ClassGrades


def counted_report(grades: ClassGrades, grade: Grade) -> Report:
    """Return the report of a grade, with points by hand in place of the graded ones.

    Raises:
        UsageError: It is gone, or not as it was written.
    """
    report, _ = read_file(ReportsFolder(grades.folder).places_of(grade.student, grade.assignment)[0])
    if report.problem != grade.problem:  # it was changed since
        raise UsageError(f"{name_shown(grade.student)}, {grade.assignment}: {grade.problem}")
    return with_points(report, grade.by_hand, grade.reason)
