"""Gradescope's `results.json`.

An exercise is a test with points; its checks are tests without points, so nothing has to be divided and the points add
up exactly. Gradescope can hold back a test, so each check keeps its visibility there. But with any hidden test it does
not show students their total; `--show-total` folds the checks that are not visible into their exercise instead, in
the words of the student's copy, and then no test is hidden.
"""

from typing import Any

from grader.lms.formats import ExportOptions
from grader.lms.visibility import LONGEST, PlatformCheck, PlatformExercise, PlatformView
from grader.text import sanitise

from .json_text import json_bytes

TEXT = "text"  # the one output format in which nothing of a student's text is taken for markup


def export(view: PlatformView, options: ExportOptions) -> bytes:
    """Return `results.json` of a submission.

    A submission that could not be graded has the score 0 with the reason in the output, since Gradescope takes a result
    without any score for a failure of the autograder.
    """
    document: dict[str, Any] = {
        "score": view.now.score,
        "output": view.problem or "\n".join(sanitise(note, LONGEST) for note in view.now.notes),
        "output_format": TEXT,
        "test_output_format": TEXT,
        "test_name_format": TEXT,
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": [] if view.problem else _tests(view, options.show_total),
        "extra_data": {"kit_version": view.now.kit_version, "assignment": view.now.assignment},
    }
    return json_bytes(document)


def _tests(view: PlatformView, show_total: bool) -> list[dict[str, Any]]:
    tests: list[dict[str, Any]] = []
    for exercise in view.exercises if show_total else view.held_back:
        tests.append(_exercise(exercise, _folded(exercise, view) if show_total else ""))
        tests += [_check(check, exercise) for check in exercise.checks if not show_total or _open(check)]
    return tests


def _open(check: PlatformCheck) -> bool:
    return check.visibility == "visible"


def _folded(exercise: PlatformExercise, view: PlatformView) -> str:
    shut = [check for check in exercise.checks if not _open(check)]
    only_these = PlatformExercise(**{**vars(exercise), "checks": shut})
    return only_these.text(view.now.language)


def _exercise(exercise: PlatformExercise, output: str) -> dict[str, Any]:
    return {
        "name": exercise.title,
        "number": exercise.number,
        "score": exercise.score,
        "max_score": exercise.max_score,
        "status": "passed" if exercise.passed else "failed",
        "output": output,
        "tags": [exercise.id],
        "visibility": "visible",
    }


def _check(check: PlatformCheck, exercise: PlatformExercise) -> dict[str, Any]:
    test: dict[str, Any] = {"name": check.name, "number": check.number}
    if check.passed is not None:
        test["status"] = "passed" if check.passed else "failed"
    return {**test, "output": check.text, "tags": [exercise.id], "visibility": check.visibility}
