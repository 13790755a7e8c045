"""What students read in a graded notebook: each exercise's report below its check, and a comment on the answer.

It comes from the student's copy of the report, which holds nothing of hidden checks but their sentences and outcomes.
Reports are plain text, which Jupyter shows as it is; a comment holds only words of the kit and of the course's author,
since nbgrader reads comments as Markdown.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from nbformat.v4 import new_code_cell, new_output

from grader.course.content.exercises import CHECK_SUFFIX
from grader.language import translation
from grader.results.check_text import check_text
from grader.results.redact import student_copy
from grader.results.report import Report
from grader.results.scoring import plain, points_shown
from grader.results.sentences import meaning
from grader.results.student_report import StudentCheck, StudentExercise, StudentReport
from grader.results.verdict import Language
from grader.text import sanitise

MOST_COMMENTS = 4
MOST_LINES = 8
MARKS, WRONG = {"passed": "\u2713", "skipped": "\u2013"}, "\u2717"


def with_report(cells: Sequence[Any], report: Report, by_hand: Mapping[str, Decimal]) -> list[Any]:
    """Return the marked cells of a notebook with what the student may read of the report below them.

    Args:
        by_hand: The points that a person set, by exercise.
    """
    copy = student_copy(report)
    texts = {
        exercise.id + CHECK_SUFFIX: exercise_text(exercise, copy.language, by_hand.get(exercise.id))
        for exercise in copy.exercises
        if exercise.checks
    }
    for cell in cells:
        text = texts.get(cell.metadata.get("nbgrader", {}).get("grade_id"))
        if text is not None and cell.cell_type == "code":
            cell.outputs = [new_output("stream", text=text)]
    notes = notes_text(copy)
    return [*([new_code_cell("", outputs=[new_output("stream", text=notes)])] if notes else []), *cells]


def exercise_text(exercise: StudentExercise, language: Language, by_hand: Decimal | None = None) -> str:
    """Return an exercise's report.

    Args:
        by_hand: The points that a person set in place of the graded ones.
    """
    _ = translation(language).gettext
    score, most = points_shown(exercise.score), f"{plain(exercise.max_score):f}"
    points = _("{score} of {most} points").format(score=score, most=most)
    if by_hand is not None:
        points = _("Points by hand: {points} of {most}{reason}. Graded: {graded}.").format(
            points=f"{plain(by_hand):f}", most=most, reason="", graded=score
        )
    return "\n".join(
        [f"{sanitise(exercise.title)}: {points}", *(_text_of(check, language) for check in exercise.checks)]
    )


def _text_of(check: StudentCheck, language: Language) -> str:
    _ = translation(language).gettext
    text, hidden = check_text(check, language), _("hidden check")
    asked = f"{MARKS.get(check.status, WRONG)} {check.message or check.id}"
    lines = [asked if check.visibility == "visible" else f"{asked} ({hidden})", *text.lines]
    if text.printed.strip() and check.status != "passed":
        lines += [_("Your code printed:"), *text.printed.splitlines()[:MOST_LINES]]
    return sanitise("\n".join(lines)).replace("\n", "\n    ")


def notes_text(copy: StudentReport) -> str:
    """Return what else there is to know of a submission; empty when there is nothing."""
    _ = translation(copy.language).gettext
    notes = copy.notes
    if copy.problem is not None:
        by_hand = _("Nothing of it was graded, and it got no points: a person has to look at it.")
        notes = [copy.problem, by_hand, *notes]
    return "\n".join([_("Notes of the grader"), *(f"- {sanitise(note)}" for note in notes)]) if notes else ""


def comment_on(exercise: StudentExercise, language: Language) -> str | None:
    """Return the comment on an exercise: the recognised mistakes, or else what happened; None if it passed."""
    if exercise.status == "passed":
        return None
    wrong = [check for check in exercise.checks if check.status not in ("passed", "skipped")]
    hints = dict.fromkeys(check.diagnosis.hint for check in wrong if check.diagnosis is not None)
    reasons = hints or dict.fromkeys(check.outcome or meaning(check.status, language) for check in wrong)
    return "\n".join(f"- {reason}" for reason in [*reasons][:MOST_COMMENTS]) or None
