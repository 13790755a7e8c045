"""What Exercism, CTRF and JUnit XML say of one submission: which test passed, failed or was not run."""

from decimal import Decimal

from msgspec.structs import replace

from ....support.lms_reports import MANIFEST, report_of
from ..lms_documents import made


def test_exercism_fails_what_was_not_run_unless_this_machine_cannot_run_it() -> None:
    document = made("exercism", report_of("ann", {"shares.shut": "skipped", "Shift.open": "timeout"}))
    assert document["status"] == "fail"
    statuses = [test["status"] for test in document["tests"]]
    assert statuses == ["pass", "fail", "error", "pass", "pass"]
    assert [test["task_id"] for test in document["tests"]] == [1, 1, 2, 2, 2]
    assert made("exercism", report_of("ann", problem="Not UTF-8."))["tests"] == []


def test_exercism_passes_what_only_this_machine_cannot_run() -> None:
    """A check that needs a GPU is skipped without costing anything, so its exercise passed and so does the test."""
    report = report_of("ann")
    first, second = report.exercises[0].checks
    excused = replace(second, status="skipped", counts=False, outcome="This machine has no GPU.")
    exercise = replace(report.exercises[0], checks=[first, excused])
    document = made("exercism", replace(report, exercises=[exercise, report.exercises[1]]))
    assert document["status"] == "pass"
    assert (document["tests"][1]["status"], document["tests"][1]["output"]) == ("pass", "This machine has no GPU.")


def test_ctrf_counts_its_tests_and_carries_the_points() -> None:
    results = made("ctrf", report_of("ann", {"shares.open": "failed"}))["results"]
    summary = results["summary"]
    assert [summary[name] for name in ("tests", "passed", "failed", "other")] == [2, 1, 1, 0]
    assert [test["extra"]["points"] for test in results["tests"]] == [Decimal("1.3"), Decimal("3.5")]
    assert summary["extra"] == {"points": Decimal("4.8"), "max_points": Decimal("5.5")}
    assert (summary["start"], summary["stop"] - summary["start"]) == (1772359200000, 500)
    assert all(type(test["duration"]) is int for test in results["tests"])
    assert made("ctrf", report_of("ann", problem="x"))["results"]["summary"]["other"] == 2


def test_junit_tells_failures_from_errors() -> None:
    top = made("junit", report_of("ann", {"shares.open": "failed", "Shift.open": "timeout", "Shift.late": "skipped"}))
    assert [(suite.get("failures"), suite.get("errors"), suite.get("skipped")) for suite in top] == [
        ("1", "0", "0"),
        ("0", "1", "1"),
    ]
    points = {one.get("name"): one.get("value") for one in top[0].iter("property")}
    assert points == {"id": "shares", "score": "1.3", "max_score": "2"}
    names = [case.get("name") for case in top.iter("testcase")]
    assert names == [check.id for check in MANIFEST]
