"""Points that were set by hand go wherever points go: pages, sheets, comments, one report, a push."""

from decimal import Decimal
from pathlib import Path

import pytest

from grader.pages.write import write_pages
from grader.records.journal_lines import Override
from grader.records.overrides import set_points

from ...support.lms_reports import ASSIGNMENT, SECRET, report_of, write_class
from ...support.page_structure import Document, assert_shut

REASON = "<b>unclear</b> text"
SAID = f"{ASSIGNMENT}: 5 instead of 4.8 of 5.5 points, set by Kim: {REASON}"


def set_by_hand(folder: Path, student: str, points: str, exercise: str = "") -> None:
    asked = {"assignment": ASSIGNMENT, "reason": REASON, "by": "Kim", "at": ""}
    set_points(folder, SECRET, Override(student=student, points=Decimal(points), exercise=exercise, **asked))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A class in which the points of ben and of cleo, who could not be graded, were set as a whole; of dora not."""
    reports = [
        report_of("ann"),
        report_of("ben", {"shares.open": "failed"}),
        report_of("cleo", problem="The file is not UTF-8."),
        report_of("dora", problem="The file is not UTF-8."),
    ]
    root = write_class(tmp_path / "reports", reports, run="2026-03-01T10:00:00.000001Z")
    set_by_hand(root, "ben", "5")
    set_by_hand(root, "cleo", "2.5")
    return root


def test_the_students_page_shows_points_reason_and_name_and_the_reason_does_nothing(folder: Path) -> None:
    write_pages(folder)
    page = Document((folder / "for-students/ben" / f"{ASSIGNMENT}.html").read_bytes())
    assert_shut(page)
    assert "5 of 5.5 points" in page.text
    assert SAID in page.text
    assert "set by" not in Document((folder / "for-students/ann" / f"{ASSIGNMENT}.html").read_bytes()).text
