"""Makes the student's copy of a report, by a list of what may be in it.

A hidden check's input can come out through anything that the student's process had a hand in: an exception's text,
printed text, a number in a comparison, even how long a call took. So nothing is taken away here; a new report is made
of the author's words, the fixed sentences, the status, and what the submission's own file says.
"""

from grader.text import sanitise

from .report import Check, ExerciseResult, Report
from .sentences import OUTCOMES, pick
from .student_report import StudentCheck, StudentDetail, StudentDiagnosis, StudentExercise, StudentReport
from .verdict import Language

__all__ = ["STUDENT_OUTPUT", "STUDENT_TEXT", "sanitise", "student_copy"]

STUDENT_OUTPUT = 500  # characters of printed text that a student is shown
STUDENT_TEXT = 2000


def student_copy(report: Report, *, due_passed: bool = False) -> StudentReport:
    """Return what the student may read.

    Args:
        report: The instructor's copy.
        due_passed: Whether the due date is over; then a check that is shown late counts as visible.
    """
    late = (
        []
        if due_passed
        else [c.message for e in report.exercises for c in e.checks if c.visibility == "after_due_date"]
    )
    return StudentReport(
        schema_version=report.schema_version,
        kit_version=report.kit_version,
        student=report.student,
        assignment=report.assignment,
        language=report.language,
        submission=report.submission,
        score=report.score,
        max_score=report.max_score,
        problem=report.problem,
        notes=report.notes,
        device=report.device,
        started=report.started,
        limits=report.limits,
        exercises=[_exercise(each, due_passed, late, report.language) for each in report.exercises],
    )


def _exercise(each: ExerciseResult, due_passed: bool, late: list[str], language: Language) -> StudentExercise:
    return StudentExercise(
        id=each.id,
        title=each.title,
        score=each.score,
        max_score=each.max_score,
        status=each.status,
        checks=[_check(check, due_passed, late, language) for check in each.checks],
    )


def _check(check: Check, due_passed: bool, late: list[str], language: Language) -> StudentCheck:
    if check.visibility == "after_due_date" and not due_passed:
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
        detail=None if check.visibility == "hidden" else _detail(check),
    )


def _detail(check: Check) -> StudentDetail:
    return StudentDetail(
        found=sanitise(check.detail.found, STUDENT_TEXT),
        exception_text=sanitise(check.detail.exception_text, STUDENT_TEXT),
        output=sanitise(check.output, STUDENT_OUTPUT),
        duration_s=check.duration_s,
        values=check.detail.values,
        call=check.detail.call,
    )
