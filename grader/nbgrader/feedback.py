"""What students read in a graded notebook: each exercise's report below its check, and a comment on the answer.

It comes from the student's copy of the report, which holds nothing of hidden checks but their sentences and outcomes.
Text is escaped; a comment holds only words of the kit and of the course's author, since nbgrader reads comments as
Markdown.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nbformat.v4 import new_code_cell, new_output

from grader.course.content.exercises import CHECK_SUFFIX
from grader.language import translation
from grader.pages.inline import inline_pictures
from grader.results.check_text import check_text
from grader.results.redact import student_copy
from grader.results.report import Report
from grader.results.scoring import plain, points_shown
from grader.results.sentences import meaning
from grader.results.student_report import StudentCheck, StudentExercise, StudentReport
from grader.results.verdict import Language
from grader.text import sanitise

if TYPE_CHECKING:
    from jinja2 import Template

TEMPLATES = Path(__file__).parent / "templates"
MOST_COMMENTS = 4
MOST_LINES = 8

COLOURS = {"passed": "#2e7d32", "partial": "#b26a00"}
MARKS = {"passed": "\u2713", "skipped": "\u2013"}


def with_report(cells: Sequence[Any], report: Report, by_hand: Mapping[str, Decimal]) -> list[Any]:
    """Return the marked cells of a notebook with what the student may read of the report below them.

    Args:
        by_hand: The points that a person set, by exercise.
    """
    copy = student_copy(report)
    shown = [exercise for exercise in copy.exercises if exercise.checks]
    pages = {
        exercise.id + CHECK_SUFFIX: exercise_page(exercise, copy.language, by_hand.get(exercise.id))
        for exercise in shown
    }
    for cell in cells:
        page = pages.get(cell.metadata.get("nbgrader", {}).get("grade_id"))
        if page is not None and cell.cell_type == "code":
            cell.outputs = [new_output("display_data", {"text/html": page})]
    notes = notes_page(copy)
    above = [new_code_cell("", outputs=[new_output("display_data", {"text/html": notes})])] if notes else []
    return [*above, *cells]


def exercise_page(exercise: StudentExercise, language: Language, by_hand: Decimal | None = None) -> str:
    """Return an exercise's report in HTML.

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
    checks = [_check_view(check, language) for check in exercise.checks]
    colour = COLOURS.get(exercise.status, "#c62828")
    return _template("exercise.html").render(title=exercise.title, points=points, checks=checks, colour=colour)


def notes_page(copy: StudentReport) -> str:
    """Return in HTML what else there is to know of a submission; empty when there is nothing."""
    _ = translation(copy.language).gettext
    notes = [sanitise(note) for note in copy.notes]
    if copy.problem is not None:
        by_hand = _("Nothing of it was graded, and it got no points: a person has to look at it.")
        notes = [sanitise(copy.problem), by_hand, *notes]
    return _template("notes.html").render(title=_("Notes of the grader"), notes=notes) if notes else ""


def comment_on(exercise: StudentExercise, language: Language) -> str | None:
    """Return the comment on an exercise: why it lost points; None when it lost none."""
    if exercise.status == "passed":
        return None
    wrong = [check for check in exercise.checks if check.status not in ("passed", "skipped")]
    hints = dict.fromkeys(check.diagnosis.hint for check in wrong if check.diagnosis is not None)
    others = dict.fromkeys(
        check.outcome or meaning(check.status, language) for check in wrong if check.diagnosis is None
    )
    if hints:
        others.pop(meaning("failed", language), None)
    reasons = [*hints, *others][:MOST_COMMENTS]
    return "\n".join(f"- {reason}" for reason in reasons) if len(reasons) > 1 else (reasons[0] if reasons else None)


def _check_view(check: StudentCheck, language: Language) -> dict[str, Any]:
    _ = translation(language).gettext
    text = check_text(check, language)
    values = check.detail.values if check.detail is not None else None
    return {
        "mark": MARKS.get(check.status, "\u2717"),
        "sentence": check.message or check.id,
        "hidden": "" if check.visibility == "visible" else _("hidden check"),
        "lines": [sanitise(line) for line in text.lines],
        "printed": "" if check.status == "passed" else "\n".join(sanitise(text.printed).splitlines()[:MOST_LINES]),
        "pictures": "" if values is None else inline_pictures(values, language),
        "printed_word": _("Your code printed:"),
    }


@cache
def _template(name: str) -> "Template":
    from jinja2 import Environment, FileSystemLoader

    return Environment(loader=FileSystemLoader(TEMPLATES), autoescape=True).get_template(name)
