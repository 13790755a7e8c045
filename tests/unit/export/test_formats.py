"""The templates write what platforms take, of the student's copy alone, whatever a text holds."""

import json
from decimal import Decimal

import jsonschema
import msgspec
import pytest
from msgspec.structs import replace

from grader.errors import UsageError
from grader.export.by_hand import PointsByHand
from grader.export.formats import render
from grader.export.grades import CLASS, ClassFiles, read_grades
from grader.text import sanitise

from ...support.reports.lms_reports import ASSIGNMENT, CANARY, report_of, write_class
from .document_rules import GRADESCOPE, PRAIRIELEARN, read_junit

FORMATS = ("gradescope", "junit", "prairielearn")
HOSTILE = "<script>alert(1)</script>\x1b[31m\u202e]]>&\x00\ud800 {{ 7 * 7 }} \u2028\r\n"
STATUSES = ["passed", "failed", "error", "timeout", "memory", "crash", "forbidden", "missing", "skipped"]


def made(name, report, score=None):
    """Return a format's document, after it was held against the platform's rules."""
    text = render(name, report, report.score if score is None else score)
    if name == "junit":
        return read_junit(text)
    jsonschema.validate(json.loads(text), GRADESCOPE if name == "gradescope" else PRAIRIELEARN)
    return json.loads(text)


def hostile():
    """Return a report in which every text tries everything."""
    report = report_of("ann", {"shares.open": "failed", "shares.shut": "error"})
    authors, harmless = HOSTILE.replace("\ud800", ""), sanitise(HOSTILE)
    exercises = []
    for exercise in report.exercises:
        details = [replace(check.detail, found=harmless) for check in exercise.checks]
        told = zip(exercise.checks, details, strict=True)
        checks = [replace(check, output=harmless, detail=detail, message=authors) for check, detail in told]
        exercises.append(replace(exercise, title=authors, checks=checks))
    return replace(report, exercises=exercises, notes=[HOSTILE])


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("status", STATUSES)
def test_every_status_is_taken(name, status):
    made(name, report_of("ann", {"shares.open": status, "shares.shut": status}))


@pytest.mark.parametrize("name", FORMATS)
def test_no_text_breaks_a_document_or_acts(name):
    made(name, hostile())
    text = render(name, hostile(), Decimal(1)).decode()
    assert "\x1b" not in text and "\u202e" not in text and "<script>" not in text and "49" not in text


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("status", ["failed", "error"])
def test_nothing_hidden_goes_in(name, status):
    hidden = {"shares.shut": status, "Shift.shut": status, "Shift.late": status}
    assert CANARY not in render(name, report_of("ann", hidden), Decimal(1)).decode()


def test_gradescope_has_the_points_of_exercises_and_hides_no_test():
    document = made("gradescope", report_of("ann", {"shares.open": "failed"}))
    assert document["score"] == 4.8
    points = [(test["score"], test["max_score"]) for test in document["tests"] if "score" in test]
    assert points == [(1.3, 2), (3.5, 3.5)]
    assert not any("visibility" in test for test in document["tests"])
    assert [test["number"] for test in document["tests"]][:3] == ["1", "1.1", "1.2"]


def test_prairielearn_has_a_share_and_the_points_of_every_test():
    document = made("prairielearn", report_of("ann", {"shares.open": "failed"}))
    assert document["gradable"] is True and document["score"] == pytest.approx(4.8 / 5.5)
    assert [(test["points"], test["max_points"]) for test in document["tests"]] == [(1.3, 2), (3.5, 3.5)]
    assert made("prairielearn", report_of())["score"] == 1


def test_junit_has_the_points_as_properties():
    (first, _) = made("junit", report_of("ann", {"shares.open": "failed"}))
    properties = {element.get("name"): element.get("value") for element in first.iter("property")}
    assert (properties["score"], properties["max_score"]) == ("1.3", "2")


def test_what_could_not_be_graded_is_no_zero():
    report = report_of(problem="Not UTF-8.")
    assert render("gradescope", report, None) == b""
    document = json.loads(render("prairielearn", report, None))
    jsonschema.validate(document, PRAIRIELEARN)
    assert document["gradable"] is False and document["message"] == "Not UTF-8."
    tree = read_junit(render("junit", report, None))
    assert {element.get("message") for element in tree.iter("skipped")} == {"Not UTF-8."}
    assert not [element for element in tree.iter("property") if element.get("name") == "score"]


@pytest.mark.parametrize("name", ["gradescope", "prairielearn"])
def test_points_by_hand_count_and_are_said(name, tmp_path):
    points, most, reason = Decimal("2.2"), Decimal("5.5"), "Read from the screenshot"
    row = PointsByHand(student="ann", assignment=ASSIGNMENT, exercise="", points=points, max=most, reason=reason)
    write_class(tmp_path, [report_of("ann", problem="Not UTF-8.")])
    (tmp_path / CLASS).write_bytes(msgspec.json.encode({"class": ClassFiles(by_hand=[row])}))
    grades = read_grades(tmp_path)
    text = json.dumps(made(name, grades.report(grades.all[0]), grades.all[0].points))
    assert "Read from the screenshot" in text
    assert json.loads(text)["score"] == pytest.approx(2.2 if name == "gradescope" else 0.4)


def test_a_template_of_the_course_comes_first(tmp_path):
    (tmp_path / "formats").mkdir()
    (tmp_path / "formats" / "junit.txt").write_text("{{ copy.student }} has {{ score | points }}")
    (tmp_path / "formats" / "ours.csv").write_text("{{ copy.assignment }},{{ score }}")
    (tmp_path / "formats" / "ours.csv~").write_text("an editor's backup")
    assert render("junit", report_of(), Decimal(5), tmp_path) == b"ann has 5"
    assert render("ours", report_of(), Decimal(5), tmp_path) == b"01_tiny,5"


@pytest.mark.parametrize("text", ["{{ copy.nothing }}", "{% if %}", "{{ 1 / copy }}", "{{ 1 / 0 }}"])
def test_a_broken_template_is_a_sentence(tmp_path, text):
    (tmp_path / "formats").mkdir()
    (tmp_path / "formats" / "ours.txt").write_text(text)
    with pytest.raises(UsageError, match=r"ours\.txt"):
        render("ours", report_of(), Decimal(5), tmp_path)


@pytest.mark.parametrize("name", ["gradescop", "../formats/junit", "*", ""])
def test_a_format_that_is_none_is_refused(name):
    with pytest.raises(UsageError):
        render(name, report_of(), Decimal(5))
