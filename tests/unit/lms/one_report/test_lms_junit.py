"""What JUnit XML says of one submission: which test passed, failed or was not run."""

from ....support.lms_reports import MANIFEST, report_of
from ..lms_documents import made


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
