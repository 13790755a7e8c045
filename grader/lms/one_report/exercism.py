"""Exercism's `results.json`, version 3: a test for each check, and the exercise as the task that it belongs to.

It knows no points. A check that was not run fails, unless its exercise passed: then this machine could not run it.
"""

from typing import Any

from grader.lms.formats import ExportOptions
from grader.lms.visibility import LONGEST, PlatformCheck, PlatformExercise, PlatformView
from grader.text import sanitise
from grader.words import say

from .json_text import json_bytes, longest_that_fits

VERSION = 3
MOST = 500_000  # bytes; a larger file is an error there
LONGEST_MESSAGE = 65_535
ERRORS = ("error", "timeout", "memory", "crash")
LIMITS = (LONGEST, 1000, 200, 60)


def export(view: PlatformView, options: ExportOptions) -> bytes:
    """Return `results.json` of a submission; one that could not be graded has the status `error` and no tests."""
    if view.problem:
        return json_bytes(
            {"version": VERSION, "status": "error", "message": sanitise(view.problem, LONGEST_MESSAGE), "tests": []}
        )
    status = "pass" if all(exercise.passed for exercise in view.exercises) else "fail"

    def made(limit: int) -> bytes:
        tests = [_test(check, exercise, view, limit) for exercise in view.exercises for check in exercise.checks]
        return json_bytes({"version": VERSION, "status": status, "message": None, "tests": tests})

    return longest_that_fits(made, LIMITS, MOST)


def _test(check: PlatformCheck, exercise: PlatformExercise, view: PlatformView, limit: int) -> dict[str, Any]:
    excused = check.passed is None and exercise.passed
    status = "pass" if check.passed or excused else "error" if check.status in ERRORS else "fail"
    test: dict[str, Any] = {"name": f"{exercise.title} > {check.name}", "status": status}
    text = sanitise(check.text, limit)
    if status != "pass":
        test["message"] = text or say("copy_not_passed", view.now.language)
    elif text:
        test["output"] = sanitise(text, 500)
    return {**test, "test_code": check.name, "task_id": int(exercise.number)}
