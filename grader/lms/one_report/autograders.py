"""Platforms that run an autograder of their own: Gradescope, PrairieLearn and Autolab.

Gradescope and PrairieLearn read a `results.json`, Autolab the last two lines that its job prints.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

from markupsafe import Markup

from grader.lms.formats import ExportOptions
from grader.lms.tables import rounded
from grader.lms.visibility import LONGEST, PlatformCheck, PlatformExercise, PlatformView
from grader.pages.inline import inline_pictures
from grader.results.scoring import plain, points_shown
from grader.results.verdict import Language
from grader.text import sanitise
from grader.words import say

from .json_text import json_bytes, longest_that_fits

TEXT = "text"  # the output format of Gradescope in which nothing of a student's text is taken for markup
PRAIRIELEARN_MOST = 1_000_000  # bytes
PRAIRIELEARN_LIMITS = (LONGEST, 1000, 200, 0)  # characters of the text of one check
AUTOLAB_MOST = 900_000  # bytes; Autolab keeps 1000 KB of a job's output
AUTOLAB_LIMITS = (1000, 200, 0)
STRING = re.compile(rb'"(?:[^"\\]|\\.)*"')


def gradescope(view: PlatformView, options: ExportOptions) -> bytes:
    """Return Gradescope's `results.json`.

    An exercise is a test with points; its checks are tests without points, so nothing has to be divided and the points
    add up exactly. Gradescope can hold back a test, so each check keeps its visibility there. But with any hidden test
    it does not show students their total; `--show-total` folds the checks that are not visible into their exercise
    instead, in the words of the student's copy, and then no test is hidden.

    A check with a small wrong answer has its output in HTML: the same text, and the answer beside the right one.

    A submission that could not be graded has the score 0 with the reason in the output, since Gradescope takes a result
    without any score for a failure of the autograder.
    """
    return json_bytes(
        {
            "score": view.now.score or Decimal(0),
            "output": view.problem or "\n".join(sanitise(note, LONGEST) for note in view.now.notes),
            "output_format": TEXT,
            "test_output_format": TEXT,
            "test_name_format": TEXT,
            "visibility": "visible",
            "stdout_visibility": "hidden",
            "tests": [] if view.problem else _gradescope_tests(view, options.show_total),
            "extra_data": {"kit_version": view.now.kit_version, "assignment": view.now.assignment},
        }
    )


def _gradescope_tests(view: PlatformView, show_total: bool) -> list[dict[str, Any]]:
    tests: list[dict[str, Any]] = []
    for exercise in view.exercises if show_total else view.held_back:
        folded = [check for check in exercise.checks if show_total and check.visibility != "visible"]
        tests.append(
            {
                "name": exercise.title,
                "number": exercise.number,
                "score": exercise.score,
                "max_score": exercise.max_score,
                "status": "passed" if exercise.passed else "failed",
                "output": replace(exercise, checks=folded).text(view.now.language),
                "tags": [exercise.id],
                "visibility": "visible",
            }
        )
        tests += [
            _gradescope_check(check, exercise, view.now.language) for check in exercise.checks if check not in folded
        ]
    return tests


def _gradescope_check(check: PlatformCheck, exercise: PlatformExercise, language: Language) -> dict[str, Any]:
    status = {} if check.passed is None else {"status": "passed" if check.passed else "failed"}
    output = {"output": check.text}
    if check.values is not None:
        html = Markup("<pre>{}</pre>{}").format(check.text, inline_pictures(check.values, language))
        output = {"output": str(html), "output_format": "html"}
    more = {"tags": [exercise.id], "visibility": check.visibility}
    return {"name": check.name, "number": check.number, **status, **output, **more}


def prairielearn(view: PlatformView, options: ExportOptions) -> bytes:
    """Return PrairieLearn's `results.json` of an external grader.

    PrairieLearn can hold nothing back, so there is only what the student's copy says. An exercise is a test with its
    points: were they missing on one test, it would show none at all. The file must stay below a megabyte, so very long
    texts are cut, never the points.

    A submission that could not be graded is `gradable: false`, which costs the student no attempt; with
    `--failed-as-zero` it is graded with 0.
    """
    if view.problem and not options.failed_as_zero:
        return json_bytes({"gradable": False, "format_errors": [view.problem], "message": view.problem})
    now = view.now
    total = say("copy_points", now.language, score=points_shown(now.score), max_score=f"{now.max_score:f}")

    def made(limit: int) -> bytes:
        tests = [
            {
                "name": exercise.title,
                "description": exercise.id,
                "points": exercise.score,
                "max_points": exercise.max_score,
                "output": exercise.text(now.language, limit),
            }
            for exercise in view.exercises
        ]
        score = share(now.score or Decimal(0), now.max_score)
        return json_bytes({"gradable": True, "score": score, "message": view.problem or total, "tests": tests})

    return longest_that_fits(made, PRAIRIELEARN_LIMITS, PRAIRIELEARN_MOST)


def share(score: Decimal, maximum: Decimal, places: int = 6) -> Decimal:
    """Return a score as a share from 0 to 1: 1 only for all points, 0 only for none, or where there are no points."""
    if maximum <= 0:
        return Decimal(0)
    return plain(rounded(Fraction(score) / Fraction(maximum), Decimal(1), places))


def autolab(view: PlatformView, options: ExportOptions) -> bytes:
    r"""Return the two lines that Autolab's job must print last: feedback that it lays out by stages, and the scores.

    Autolab runs a pattern over the last line before it reads it as JSON, and puts quotes round every word that a colon
    follows, also inside a text. So no text holds a colon as it is, but as `\u003a`, which that pattern does not see.
    The scores are named after the exercises' ids: the problems of the assessment must be called the same.

    A submission that could not be graded has no scores, which Autolab takes for a failed job: it keeps the scores of
    before. With `--failed-as-zero` each problem has 0.
    """
    graded = not view.problem or options.failed_as_zero
    last: dict[str, Any] = {"scores": {exercise.id: exercise.score for exercise in view.exercises} if graded else {}}
    if graded:
        last["scoreboard"] = [view.now.score or Decimal(0)]

    def made(limit: int) -> bytes:
        if view.problem:
            stages = {"Submission": {view.now.assignment: _autolab_check(False, view.problem, AUTOLAB_LIMITS[0])}}
        else:
            stages = {f"{each.number} {each.id}": _autolab_stage(each.checks, limit) for each in view.exercises}
        return _line({"_presentation": "semantic", "stages": list(stages), **stages}) + _line(last)

    return longest_that_fits(made, AUTOLAB_LIMITS, AUTOLAB_MOST)


def _autolab_stage(checks: Sequence[PlatformCheck], limit: int) -> dict[str, Any]:
    return {f"{each.number} {each.name}": _autolab_check(each.passed is True, each.text, limit) for each in checks}


def _autolab_check(passed: bool, text: str, limit: int) -> dict[str, Any]:
    return {"passed": passed, **({"hint": sanitise(text, limit)} if text and not passed and limit else {})}


def _line(document: dict[str, Any]) -> bytes:
    """Return a document on one line, in which a colon appears only behind a name's closing quote."""
    return STRING.sub(lambda found: found[0].replace(b":", rb"\u003a"), json_bytes(document, indent=0))
