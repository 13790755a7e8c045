"""Makes the student's copy of a report, by a list of what may be in it.

A hidden check's input can come out through anything that the student's process had a hand in: an exception's text,
printed text, a number in a comparison, even how long a call took. So nothing is taken away here; a new report is made
of the author's words, the fixed sentences, the status, and what the submission's own file says.
"""

from grader.text import sanitise

from .report import Check, ExerciseBase, Report, ReportBase, fields_of
from .student_report import StudentCheck, StudentDetail, StudentDiagnosis, StudentExercise, StudentReport

STUDENT_OUTPUT = 500  # characters of printed text that a student is shown
STUDENT_TEXT = 2000


def student_copy(report: Report) -> StudentReport:
    return StudentReport(
        **fields_of(report, ReportBase),
        started=report.started,
        limits=report.limits,
        exercises=[
            StudentExercise(**fields_of(exercise, ExerciseBase), checks=[_check(check) for check in exercise.checks])
            for exercise in report.exercises
        ],
    )


def _check(check: Check) -> StudentCheck:
    return StudentCheck(
        id=check.id,
        visibility=check.visibility,
        status=check.status,
        category=check.category,
        weight=check.weight,
        message=check.message,
        outcome=check.outcome,
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
            call=check.detail.call,
        ),
    )
