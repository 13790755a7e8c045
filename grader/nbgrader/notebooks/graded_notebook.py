"""A graded notebook: the student's cells with the marks of nbgrader, and each exercise's report below its check.

What is below a check, and in its comment, comes from the student's copy of the report, which holds nothing of hidden
checks but their sentences and outcomes, so no notebook and no feedback made of it can hold more. Text is escaped; a
comment holds only words of the kit and of the course's author, since nbgrader reads comments as Markdown.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.course.content.exercises import CHECK_SUFFIX
from grader.pages.inline import inline_pictures
from grader.results.check_text import check_text
from grader.results.redact import student_copy
from grader.results.report import Report
from grader.results.scoring import plain, points_shown
from grader.results.sentences import OUTCOMES, pick
from grader.results.student_report import StudentCheck, StudentExercise, StudentReport
from grader.results.verdict import Language
from grader.text import sanitise
from grader.words import say

if TYPE_CHECKING:
    from jinja2 import Template

TEMPLATES = Path(__file__).parent.parent / "templates"
NOTES_CELL = "kit-notes"
MOST_COMMENTS = 4
MOST_LINES = 8

COLOURS = {"passed": "#2e7d32", "partial": "#b26a00"}
MARKS = {"passed": "\u2713", "skipped": "\u2013"}


def put_outputs(cells: Sequence[Any], report: Report) -> list[Any]:
    """Return the marked cells of a notebook with what the student may read of the report below them."""
    copy = student_copy(report)
    outputs = {each.id + CHECK_SUFFIX: output_of(each, copy.language) for each in copy.exercises if each.checks}
    for cell in cells:
        name = cell["metadata"].get("nbgrader", {}).get("grade_id")
        if name in outputs and cell["cell_type"] == "code" and cell["metadata"]["nbgrader"].get("grade"):
            cell["outputs"] = [outputs[name]]
    notes = notes_of(copy)
    above = [] if notes is None else [_notes_cell(notes, {cell.get("id") for cell in cells})]
    return [*above, *cells]


def _notes_cell(output: dict[str, Any], used: set[Any]) -> dict[str, Any]:
    name = NOTES_CELL
    while name in used:
        name += "-"
    return {
        "cell_type": "code",
        "execution_count": None,
        "id": name,
        "metadata": {"deletable": False, "editable": False},
        "outputs": [output],
        "source": "",
    }


def output_of(exercise: StudentExercise, language: Language) -> dict[str, Any]:
    """Return an exercise's report as the output of a code cell, in HTML and in plain text."""
    points = say(
        "copy_points", language, score=points_shown(exercise.score), max_score=f"{plain(exercise.max_score):f}"
    )
    checks = [_check_view(check, language) for check in exercise.checks]
    colour = COLOURS.get(exercise.status, "#c62828")
    page = _template("exercise.html").render(title=exercise.title, points=points, checks=checks, colour=colour)
    lines = [f"{exercise.title}: {points}"]
    for check in checks:
        lines.append(f"{check['mark']} {check['sentence']}" + (f" ({check['hidden']})" if check["hidden"] else ""))
        lines += [f"    {line}" for line in check["lines"]]
        if check["printed"]:
            lines += [f"    {check['printed_word']}", *(f"      {line}" for line in check["printed"].splitlines())]
    return _output(page, lines)


def notes_of(copy: StudentReport) -> dict[str, Any] | None:
    """Return what else there is to know of a submission as the output of a code cell; None when there is nothing."""
    notes = [sanitise(note) for note in copy.notes]
    if copy.problem is not None:
        notes = [sanitise(copy.problem), say("copy_by_hand", copy.language), *notes]
    if not notes:
        return None
    title = say("copy_notes", copy.language)
    return _output(_template("notes.html").render(title=title, notes=notes), [title, *(f"- {note}" for note in notes)])


def comment_on(exercise: StudentExercise, language: Language) -> str | None:
    """Return the comment on an exercise: why it lost points; None when it lost none."""
    if exercise.status == "passed":
        return None
    wrong = [check for check in exercise.checks if check.status not in ("passed", "skipped")]
    hints = dict.fromkeys(check.diagnosis.hint for check in wrong if check.diagnosis is not None)
    others = dict.fromkeys(_outcome(check, language) for check in wrong if check.diagnosis is None)
    if hints:
        others.pop(pick(OUTCOMES["failed"], language), None)
    reasons = [*hints, *others][:MOST_COMMENTS]
    return "\n".join(f"- {each}" for each in reasons) if len(reasons) > 1 else (reasons[0] if reasons else None)


def _check_view(check: StudentCheck, language: Language) -> dict[str, Any]:
    text = check_text(check, language)
    values = check.detail.values if check.detail is not None else None
    return {
        "mark": MARKS.get(check.status, "\u2717"),
        "sentence": check.message or check.id,
        "hidden": "" if check.visibility == "visible" else say("copy_hidden", language),
        "lines": [sanitise(line) for line in text.lines],
        "printed": "" if check.status == "passed" else "\n".join(sanitise(text.printed).splitlines()[:MOST_LINES]),
        "pictures": "" if values is None else inline_pictures(values, language),
        "printed_word": say("copy_printed", language),
    }


def _outcome(check: StudentCheck, language: Language) -> str:
    return check.outcome or pick(OUTCOMES[check.status], language)


def _output(page: str, lines: list[str]) -> dict[str, Any]:
    return {
        "output_type": "display_data",
        "metadata": {},
        "data": {"text/html": page, "text/plain": "\n".join(lines)},
    }


@cache
def _template(name: str) -> "Template":
    from jinja2 import Environment, FileSystemLoader

    environment = Environment(loader=FileSystemLoader(TEMPLATES), autoescape=True, keep_trailing_newline=True)
    return environment.get_template(name)
