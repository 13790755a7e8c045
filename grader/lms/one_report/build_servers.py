"""Reports of tests: Exercism's `results.json`, CTRF, and JUnit XML, which most build servers read.

None of them has points of its own: CTRF has them in `extra`, JUnit XML in the properties of a suite, Exercism nowhere.
Times are only those that the student's copy tells: how long a hidden check took could carry its inputs out, so it
counts as no time.
"""

import xml.etree.ElementTree as ET
from datetime import datetime
from typing import Any

from grader.lms.formats import ExportOptions
from grader.lms.visibility import LONGEST, PlatformCheck, PlatformExercise, PlatformView
from grader.text import sanitise
from grader.words import say

from .json_text import json_bytes, longest_that_fits

ERRORS = ("error", "timeout", "memory", "crash")
EXERCISM_VERSION = 3
EXERCISM_MOST = 500_000  # bytes; a larger file is an error there
EXERCISM_MESSAGE = 65_535
EXERCISM_LIMITS = (LONGEST, 1000, 200, 60)
CTRF_VERSION = "1.0.0"
CTRF_STATUSES = ("passed", "failed", "skipped", "pending", "other")


def exercism(view: PlatformView, options: ExportOptions) -> bytes:
    """Return Exercism's document: a test for each check, and the exercise as the task that it belongs to.

    A submission that could not be graded has the status `error` and no tests. A check that was not run fails, unless
    its exercise passed: then this machine could not run it.
    """
    if view.problem:
        message = sanitise(view.problem, EXERCISM_MESSAGE)
        return json_bytes({"version": EXERCISM_VERSION, "status": "error", "message": message, "tests": []})
    status = "pass" if all(exercise.passed for exercise in view.exercises) else "fail"

    def made(limit: int) -> bytes:
        tests = [
            _exercism_test(check, exercise, view, limit) for exercise in view.exercises for check in exercise.checks
        ]
        return json_bytes({"version": EXERCISM_VERSION, "status": status, "message": None, "tests": tests})

    return longest_that_fits(made, EXERCISM_LIMITS, EXERCISM_MOST)


def _exercism_test(check: PlatformCheck, exercise: PlatformExercise, view: PlatformView, limit: int) -> dict[str, Any]:
    excused = check.passed is None and exercise.passed
    status = "pass" if check.passed or excused else "error" if check.status in ERRORS else "fail"
    test: dict[str, Any] = {"name": f"{exercise.title} > {check.name}", "status": status}
    text = sanitise(check.text, limit)
    if status != "pass":
        test["message"] = text or say("copy_not_passed", view.now.language)
    elif text:
        test["output"] = sanitise(text, 500)
    return {**test, "test_code": check.name, "task_id": int(exercise.number)}


def ctrf(view: PlatformView, options: ExportOptions) -> bytes:
    """Return the document in the Common Test Report Format: a test for each exercise, whose steps are its checks.

    In a submission that could not be graded every test has the status `other`.
    """
    now = view.now
    tests = [_ctrf_test(exercise, view) for exercise in view.exercises]
    start = int(datetime.fromisoformat(now.started).timestamp() * 1000)
    summary: dict[str, Any] = {
        "tests": len(tests),
        **{status: sum(test["status"] == status for test in tests) for status in CTRF_STATUSES},
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
    return json_bytes({"reportFormat": "CTRF", "specVersion": CTRF_VERSION, "results": results})


def _ctrf_test(exercise: PlatformExercise, view: PlatformView) -> dict[str, Any]:
    left_out = exercise.status == "skipped"
    status = "other" if view.problem else "passed" if exercise.passed else "skipped" if left_out else "failed"
    message = sanitise(view.problem or exercise.text(view.now.language), 10 * LONGEST)
    steps = {True: "passed", False: "failed", None: "skipped"}
    return {
        "name": exercise.title,
        "status": status,
        "duration": sum(round((check.seconds or 0) * 1000) for check in exercise.checks),
        "suite": [view.now.assignment],
        "rawStatus": exercise.status,
        **({} if status == "passed" else {"message": message}),
        "steps": [{"name": check.name, "status": steps[check.passed]} for check in exercise.checks],
        "extra": {"id": exercise.id, "points": exercise.score, "max_points": exercise.max_score},
    }


def junit(view: PlatformView, options: ExportOptions) -> bytes:
    """Return JUnit XML, a suite for each exercise; a submission that could not be graded has an error in each.

    A test case is called by the check's id, which is unique and stays the same from run to run. Text of students is
    made harmless, and escaped by the library that writes the tree.
    """
    top = ET.Element("testsuites", name=view.now.assignment)
    for exercise in view.exercises:
        _suite(top, exercise, view)
    for name in ("tests", "failures", "errors"):
        top.set(name, str(sum(int(suite.get(name, "0")) for suite in top)))
    top.set("time", f"{sum(float(suite.get('time', '0')) for suite in top):.3f}")
    ET.indent(top)
    text: bytes = ET.tostring(top, encoding="utf-8", xml_declaration=True)
    return text + b"\n"


def _suite(top: ET.Element, exercise: PlatformExercise, view: PlatformView) -> None:
    suite = ET.SubElement(top, "testsuite", name=exercise.title)
    properties = ET.SubElement(suite, "properties")
    points = {"score": f"{exercise.score:f}", "max_score": f"{exercise.max_score:f}"}
    for name, value in {"id": exercise.id, **points}.items():
        ET.SubElement(properties, "property", name=name, value=value)
    if view.problem:
        case = ET.SubElement(suite, "testcase", name=exercise.id, classname=view.now.assignment, time="0.000")
        ET.SubElement(case, "error", message=view.problem, type="ungraded").text = view.problem
    for check in exercise.checks:
        _case(suite, check, f"{view.now.assignment}.{exercise.id}")
    cases = suite.findall("testcase")
    suite.set("tests", str(len(cases)))
    for name, child in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(name, str(sum(case.find(child) is not None for case in cases)))
    suite.set("time", f"{sum(float(case.get('time', '0')) for case in cases):.3f}")
    suite.set("timestamp", view.now.started.removesuffix("Z"))


def _case(suite: ET.Element, check: PlatformCheck, place: str) -> None:
    case = ET.SubElement(suite, "testcase", name=check.id, classname=place, time=f"{check.seconds or 0:.3f}")
    if check.passed is None:
        ET.SubElement(case, "skipped", message=check.text or check.name)
    elif not check.passed:
        kind = "error" if check.status in ERRORS else "failure"
        ET.SubElement(case, kind, message=check.name, type=check.status).text = check.text
