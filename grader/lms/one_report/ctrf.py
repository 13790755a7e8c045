"""CTRF, the Common Test Report Format: a test for each exercise, whose steps are its checks.

The format has no points; they are in `extra`, as `points` and `max_points`. Times are only those that the student's
copy tells: how long a hidden check took could carry its inputs out, so it counts as no time.
"""

from datetime import datetime
from typing import Any

from grader.lms.formats import ExportOptions
from grader.lms.visibility import LONGEST, PlatformCheck, PlatformExercise, PlatformView
from grader.text import sanitise

from .json_text import json_bytes

SPEC = "1.0.0"
STATUSES = ("passed", "failed", "skipped", "pending", "other")


def export(view: PlatformView, options: ExportOptions) -> bytes:
    """Return the document of a submission; in one that could not be graded every test has the status `other`."""
    now = view.now
    tests = [_test(exercise, view) for exercise in view.exercises]
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
        "extra": {"assignment": now.assignment, **({"problem": view.problem} if view.problem else {})},
    }
    return json_bytes({"reportFormat": "CTRF", "specVersion": SPEC, "results": results})


def _test(exercise: PlatformExercise, view: PlatformView) -> dict[str, Any]:
    left_out = exercise.status == "skipped"
    status = "other" if view.problem else "passed" if exercise.passed else "skipped" if left_out else "failed"
    test: dict[str, Any] = {
        "name": exercise.title,
        "status": status,
        "duration": sum(_milliseconds(check) for check in exercise.checks),
        "suite": [view.now.assignment],
        "rawStatus": exercise.status,
    }
    if status != "passed":
        message = view.problem or exercise.text(view.now.language)
        test["message"] = sanitise(message, 10 * LONGEST)
    test["steps"] = [{"name": check.name, "status": _step(check)} for check in exercise.checks]
    return {**test, "extra": {"id": exercise.id, "points": exercise.score, "max_points": exercise.max_score}}


def _step(check: PlatformCheck) -> str:
    return "skipped" if check.passed is None else "passed" if check.passed else "failed"


def _milliseconds(check: PlatformCheck) -> int:
    return round((check.seconds or 0) * 1000)
