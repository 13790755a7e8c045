"""How verdicts become a report: its points, its problems and its bytes."""

import json
from decimal import Decimal

import msgspec
import pytest

from grader.errors import CourseError
from grader.results.redact import student_copy
from grader.results.report import read_report, to_json
from grader.results.report_json import decode_document
from grader.results.sentences import UNGRADED
from grader.results.student_report import StudentReport
from grader.results.verdict import CheckVerdict, read_verdict, verdict_line
from grader.source_cells import Source

from ...support.approved import Refuses
from ...support.reports.report_parts import MANIFEST, expected, leaky, outcome_of, passed, report_of


def test_a_report_adds_up() -> None:
    report = report_of(*passed("f.shut", "g.late"), CheckVerdict(id="f.open", status="failed"))
    assert [(exercise.id, exercise.score, exercise.max_score, exercise.status) for exercise in report.exercises] == [
        ("f", Decimal(3), Decimal(4), "partial"),
        ("g", Decimal("2.5"), Decimal("2.5"), "passed"),
    ]
    assert (report.score, report.max_score, report.problem) == (Decimal("5.5"), Decimal("6.5"), None)
    assert report.notes == ["A note."]


def test_what_can_be_learnt_by_heart_is_worth_nothing_alone() -> None:
    manifest = [*MANIFEST, expected("f.figure", category="document")]
    failed = CheckVerdict(id="f.shut", status="failed")
    report = report_of(*passed("f.open", "f.figure", "g.late"), failed, manifest=manifest)
    assert (report.exercises[0].score, report.exercises[0].status) == (0, "failed")
    assert report.exercises[1].score == Decimal("2.5")
    assert "f: some checks with known numbers pass" in report.notes[-1]


def test_an_exception_that_is_raised_as_asked_says_nothing_of_known_numbers() -> None:
    manifest = [expected("f.open", "visible", category="errors"), expected("f.shut"), expected("g.late")]
    report = report_of(*passed("f.open", "g.late"), CheckVerdict(id="f.shut", status="failed"), manifest=manifest)
    assert report.exercises[0].score == 0 and report.notes == ["A note."]


def test_visible_checks_count_where_an_exercise_has_no_others() -> None:
    manifest = [expected("f.open", "visible"), expected("f.more", "visible"), expected("g.late")]
    report = report_of(*passed("f.open", "g.late"), CheckVerdict(id="f.more", status="failed"), manifest=manifest)
    assert report.exercises[0].score == Decimal(2)


def test_points_are_written_digit_for_digit_and_read_back_exactly() -> None:
    report = report_of(*passed("f.open", "f.shut", "g.late"))
    text = to_json(report)
    assert b'"score": 6.5,' in text
    assert b'"max_score": 4,' in text
    assert read_report(text) == report
    copy = student_copy(report)
    assert decode_document(to_json(copy), StudentReport) == copy


def test_equal_reports_are_equal_bytes_whatever_the_order_of_verdicts() -> None:
    verdicts = [leaky("f.open"), leaky("f.shut", "error"), *passed("g.late")]
    assert to_json(report_of(*verdicts)) == to_json(report_of(*reversed(verdicts)))


def test_json_is_indented_and_ends_with_a_line_end() -> None:
    text = to_json(report_of(*passed("f.open", "f.shut", "g.late")))
    assert text.startswith(b'{\n  "schema_version": "1.6",\n  "kit_version": "0.2.0",\n  "student": "ann",')
    assert text.endswith(b"\n}\n")


def test_a_report_refuses_what_it_does_not_know() -> None:
    text = json.loads(to_json(report_of(*passed("f.open", "f.shut", "g.late"))))
    text["exercises"][0]["checks"][0]["extra"] = 1
    with pytest.raises(msgspec.ValidationError, match="extra"):
        read_report(json.dumps(text).encode())


def test_a_submission_with_a_problem_has_a_report_without_points() -> None:
    report = report_of(source=Source(problem="The file is saved as UTF-16."))
    assert (report.score, report.max_score, report.problem) == (None, Decimal("6.5"), "The file is saved as UTF-16.")
    parts = [(exercise.status, exercise.score, exercise.checks) for exercise in report.exercises]
    assert parts == [("ungraded", None, []), ("ungraded", None, [])]
    assert report.submission.graded is None
    assert student_copy(report).problem == report.problem


def test_a_run_without_verdicts_is_a_problem() -> None:
    report = report_of()
    assert report.problem is not None and "nothing was graded" in report.problem
    assert {check.status for exercise in report.exercises for check in exercise.checks} == {"crash"}


def test_a_run_that_ended_early_keeps_its_verdicts_and_says_so() -> None:
    report = report_of(*passed("f.shut"))
    assert (report.score, report.problem) == (3, None)
    statuses = {check.id: check.status for exercise in report.exercises for check in exercise.checks}
    assert statuses == {"f.open": "crash", "f.shut": "passed", "g.late": "crash"}
    assert "ended early" in report.notes[-1]


@pytest.mark.parametrize("why", ["killed", "time"])
def test_an_exercise_that_was_not_graded_has_no_score_nor_has_the_submission_and_the_others_keep_theirs(
    why: str,
) -> None:
    outcome = msgspec.structs.replace(outcome_of(*passed("f.open", "g.late")), ungraded={"f": why})
    report = report_of(outcome=outcome)
    assert report.score is None and report.problem == UNGRADED[why].format(exercises="f")
    assert [(exercise.id, exercise.status, exercise.score, len(exercise.checks)) for exercise in report.exercises] == [
        ("f", "ungraded", None, 0),
        ("g", "passed", Decimal("2.5"), 1),
    ]
    assert student_copy(report).problem == report.problem


@pytest.mark.parametrize("extra", ["g.late", "f.other"])
def test_a_verdict_too_many_spoils_them_all(extra: str) -> None:
    report = report_of(*passed("f.open", "f.shut", "g.late", extra))
    assert report.score is None
    assert {check.status for exercise in report.exercises for check in exercise.checks} == {"crash"}
    assert report.problem is not None and "none of them counts" in report.problem


def test_a_check_of_no_exercise_and_an_exercise_without_checks_are_the_courses_fault(refuses: Refuses) -> None:
    for manifest in ([*MANIFEST, expected("h.x")], MANIFEST[:2]):
        with refuses(CourseError):
            report_of(manifest=manifest)


def test_a_verdict_travels_as_one_line() -> None:
    verdict = leaky("f.open")
    line = verdict_line(verdict)
    assert line.endswith(b"\n") and line.count(b"\n") == 1
    assert read_verdict(line) == verdict
    assert read_verdict(verdict_line(CheckVerdict(id="a", status="error", output="\ud800\n"))).output == "\\ud800\n"


@pytest.mark.parametrize("line", [b"", b"{}", b'{"id":"a","status":"won"}', b'{"id":"a","status":"passed","x":1}'])
def test_a_line_that_is_no_verdict_is_refused(line: bytes) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        read_verdict(line)
