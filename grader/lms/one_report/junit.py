"""JUnit XML, which Artemis, GitLab, Jenkins and most build servers read: a suite for each exercise.

The points are properties of the suites. A test case is called by the check's id, which is unique and stays the same
from run to run. Text of students is made harmless and escaped by the library that writes the tree.
"""

import xml.etree.ElementTree as ET

from grader.lms.formats import ExportOptions
from grader.lms.visibility import PlatformCheck, PlatformExercise, PlatformView

ERRORS = ("error", "timeout", "memory", "crash")


def export(view: PlatformView, options: ExportOptions) -> bytes:
    """Return the document of a submission; one that could not be graded has an error in place of its checks."""
    top = ET.Element("testsuites", name=view.now.assignment)
    for exercise in view.exercises:
        _suite(top, exercise, view)
    counts = {name: sum(int(suite.get(name, "0")) for suite in top) for name in ("tests", "failures", "errors")}
    for name, count in counts.items():
        top.set(name, str(count))
    top.set("time", f"{sum(float(suite.get('time', '0')) for suite in top):.3f}")
    ET.indent(top)
    text: bytes = ET.tostring(top, encoding="utf-8", xml_declaration=True)
    return text + b"\n"


def _suite(top: ET.Element, exercise: PlatformExercise, view: PlatformView) -> None:
    suite = ET.SubElement(top, "testsuite", name=exercise.title)
    properties = ET.SubElement(suite, "properties")
    for name, value in (("id", exercise.id), ("score", exercise.score), ("max_score", exercise.max_score)):
        ET.SubElement(properties, "property", name=name, value=value if isinstance(value, str) else f"{value:f}")
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
