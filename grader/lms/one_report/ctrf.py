"""CTRF, the Common Test Report Format: a test for each exercise, whose steps are its checks.

The format has no points; they are in `extra`, as `points` and `max_points`. Times are only those that the student's
copy tells: how long a hidden check took could carry its inputs out, so it counts as no time.
"""

from datetime import datetime
from typing import Any

from grader.lms.formats import Choice
from grader.lms.visibility import LONGEST, Shown, ShownCheck, ShownExercise

from .json_text import cut, json_bytes

SPEC = "1.0.0"
STATUSES = ("passed", "failed", "skipped", "pending", "other")


def export(seen: Shown, choice: Choice) -> bytes:
    """Return the document of a submission; in one that could not be graded every test has the status `other`."""
    now = seen.now
    tests = [_test(exercise, seen) for exercise in seen.exercises]
    start = int(datetime.fromisoformat(now.started).timestamp() * 1000)
    summary: dict[str, Any] = {
        "tests": len(tests),
        **{status: sum(test["status"] == status for test in tests) for status in STATUSES},
        "start": start,
        "stop": start + sum(test["duration"] for test in tests),
        "extra": {"points": now.score, "max_points": now.max_score},
    }
    results: dict[str, Any] = {
        "tool": {"name": "attention-grader", "version": now.kit_version},
        "summary": summary,
        "tests": tests,
        "extra": {"assignment": now.assignment, **({"problem": seen.problem} if seen.problem else {})},
    }
    return json_bytes({"reportFormat": "CTRF", "specVersion": SPEC, "results": results})


def _test(exercise: ShownExercise, seen: Shown) -> dict[str, Any]:
    left_out = exercise.status == "skipped"
    status = "other" if seen.problem else "passed" if exercise.passed else "skipped" if left_out else "failed"
    test: dict[str, Any] = {
        "name": exercise.title,
        "status": status,
        "duration": sum(_milliseconds(check) for check in exercise.checks),
        "suite": [seen.now.assignment],
        "rawStatus": exercise.status,
    }
    if status != "passed":
        message = seen.problem or exercise.text(seen.now.language)
        test["message"] = cut(message, 10 * LONGEST)
    test["steps"] = [{"name": check.name, "status": _step(check)} for check in exercise.checks]
    return {**test, "extra": {"id": exercise.id, "points": exercise.score, "max_points": exercise.max_score}}


def _step(check: ShownCheck) -> str:
    return "skipped" if check.passed is None else "passed" if check.passed else "failed"


def _milliseconds(check: ShownCheck) -> int:
    return round((check.seconds or 0) * 1000)
