"""Makes the student's copy of a report, by a list of what may be in it.

A hidden check's input can come out through anything that the student's process had a hand in: an exception's text,
printed text, a number in a comparison, even how long a call took. So nothing is taken away here; a new report is made
of the author's words, the fixed sentences, the status, and what the submission's own file says.
"""

from grader.text import sanitise

from .report import Check, ExerciseBase, Report, ReportBase, fields_of
from .sentences import OUTCOMES, pick
from .student_report import StudentCheck, StudentDetail, StudentDiagnosis, StudentExercise, StudentReport
from .verdict import Language

STUDENT_OUTPUT = 500  # characters of printed text that a student is shown
STUDENT_TEXT = 2000


def student_copy(report: Report, *, due_passed: bool = False) -> StudentReport:
    """Return what the student may read; when the due date is over, a check that is shown late counts as visible."""
    late = [check.message for each in report.exercises for check in each.checks if _is_late(check, due_passed)]
    return StudentReport(
        **fields_of(report, ReportBase),
        started=report.started,
        limits=report.limits,
        exercises=[
            StudentExercise(
                **fields_of(each, ExerciseBase),
                checks=[_check(check, due_passed, late, report.language) for check in each.checks],
            )
            for each in report.exercises
        ],
    )


def _is_late(check: Check, due_passed: bool) -> bool:
    return check.visibility == "after_due_date" and not due_passed


def _check(check: Check, due_passed: bool, late: list[str], language: Language) -> StudentCheck:
    if _is_late(check, due_passed):
        return StudentCheck(id=check.id, visibility=check.visibility, status=check.status)
    outcome = check.outcome
    if any(sentence in outcome for sentence in late):  # it was skipped for the sake of a check that is not shown yet
        outcome = pick(OUTCOMES[check.status], language)
    return StudentCheck(
        id=check.id,
        visibility=check.visibility,
        status=check.status,
        category=check.category,
        weight=check.weight,
        message=check.message,
        outcome=outcome,
        diagnosis=None if check.diagnosis is None else StudentDiagnosis(hint=check.diagnosis.hint),
        exception=check.exception,
        line=check.line,
        detail=None
        if check.visibility == "hidden"
        else StudentDetail(
            found=sanitise(check.detail.found, STUDENT_TEXT),
            exception_text=sanitise(check.detail.exception_text, STUDENT_TEXT),
            output=sanitise(check.output, STUDENT_OUTPUT),
            duration_s=check.duration_s,
            values=check.detail.values,
            shapes=check.detail.shapes,
            call=check.detail.call,
        ),
    )
