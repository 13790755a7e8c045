"""Exercism's `results.json`, version 3: a test for each check, and the exercise as the task that it belongs to.

It knows no points. A check that was not run fails, unless its exercise passed: then this machine could not run it.
"""

from typing import Any

from grader.lms.formats import Choice
from grader.lms.visibility import LONGEST, Shown, ShownCheck, ShownExercise
from grader.words import say

from .json_text import cut, json_bytes

VERSION = 3
MOST = 500_000  # bytes; a larger file is an error there
LONGEST_MESSAGE = 65_535
ERRORS = ("error", "timeout", "memory", "crash")
LIMITS = (LONGEST, 1000, 200, 60)


def export(seen: Shown, choice: Choice) -> bytes:
    """Return `results.json` of a submission; one that could not be graded has the status `error` and no tests."""
    if seen.problem:
        return json_bytes(
            {"version": VERSION, "status": "error", "message": cut(seen.problem, LONGEST_MESSAGE), "tests": []}
        )
    status = "pass" if all(exercise.passed for exercise in seen.exercises) else "fail"
    for limit in LIMITS:
        tests = [_test(check, exercise, seen, limit) for exercise in seen.exercises for check in exercise.checks]
        text = json_bytes({"version": VERSION, "status": status, "message": None, "tests": tests})
        if len(text) <= MOST:
            break
    return text


def _test(check: ShownCheck, exercise: ShownExercise, seen: Shown, limit: int) -> dict[str, Any]:
    excused = check.passed is None and exercise.passed
    status = "pass" if check.passed or excused else "error" if check.status in ERRORS else "fail"
    test: dict[str, Any] = {"name": f"{exercise.title} > {check.name}", "status": status}
    text = cut(check.text, limit)
    if status != "pass":
        test["message"] = text or say("copy_not_passed", seen.now.language)
    elif text:
        test["output"] = cut(text, 500)
    return {**test, "test_code": check.name, "task_id": int(exercise.number)}
