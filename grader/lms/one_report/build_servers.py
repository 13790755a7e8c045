"""Reports of tests: JUnit XML, which most build servers read. Points are in the properties of a suite.

Times are only those that the student's copy tells: how long a hidden check took could carry its inputs out, so it
counts as no time.
"""

import xml.etree.ElementTree as ET

from grader.lms.formats import ExportOptions
from grader.lms.visibility import PlatformCheck, PlatformExercise, PlatformView

ERRORS = ("error", "timeout", "memory", "crash")


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
