"""Autolab's last two lines of output: feedback that it lays out by stages, and the scores.

Autolab runs a pattern over the last line before it reads it as JSON, and puts quotes round every word that a colon
follows, also inside a text. So no text here holds a colon as it is; JSON has another way to write the same sign, which
that pattern does not see. The scores are named after the exercises' ids: the problems of the assessment must be called
the same.
"""

import re
from typing import Any

from grader.lms.formats import ExportOptions
from grader.lms.visibility import PlatformExercise, PlatformView
from grader.text import sanitise

from .json_text import json_bytes, longest_that_fits

MOST = 900_000  # bytes; Autolab keeps 1000 KB of a job's output
LIMITS = (1000, 200, 0)
STRING = re.compile(rb'"(?:[^"\\]|\\.)*"')


def export(view: PlatformView, options: ExportOptions) -> bytes:
    """Return the two lines, to be the last that the job prints.

    A submission that could not be graded has no scores, which Autolab takes for a failed job: it keeps the scores of
    before. With `--failed-as-zero` each problem has 0.
    """
    graded = not view.problem or options.failed_as_zero
    scores = {exercise.id: exercise.score for exercise in view.exercises} if graded else {}
    last: dict[str, Any] = {"scores": scores}
    if graded:
        last["scoreboard"] = [view.now.score]
    return longest_that_fits(lambda limit: _line(_feedback(view, limit)) + _line(last), LIMITS, MOST)


def _feedback(view: PlatformView, limit: int) -> dict[str, Any]:
    if view.problem:
        failed = {"passed": False, "hint": sanitise(view.problem, LIMITS[0])}
        return {"_presentation": "semantic", "stages": ["Submission"], "Submission": {view.now.assignment: failed}}
    stages = {f"{exercise.number} {exercise.id}": _stage(exercise, limit) for exercise in view.exercises}
    return {"_presentation": "semantic", "stages": list(stages), **stages}


def _stage(exercise: PlatformExercise, limit: int) -> dict[str, Any]:
    stage: dict[str, Any] = {}
    for check in exercise.checks:
        entry: dict[str, Any] = {"passed": check.passed is True}
        if check.text and not check.passed and limit:
            entry["hint"] = sanitise(check.text, limit)
        stage[f"{check.number} {check.name}"] = entry
    return stage


def _line(document: dict[str, Any]) -> bytes:
    """Return a document on one line, in which a colon appears only behind a name's closing quote."""
    return STRING.sub(lambda found: found[0].replace(b":", rb"\u003a"), json_bytes(document, indent=0))
