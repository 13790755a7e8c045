"""The table for a mail merge: a line for each student, no formula, and where the page is, on the web or on disk."""

import csv
import io

import pytest

from grader.lms.formats import ExportOptions, find_format
from grader.lms.reports import ClassReports, read_class
from grader.lms.roster import Identity, Roster
from grader.pages.write import web_folder
from grader.results.spreadsheet import FORMULA_SIGNS

from ....support.lms_reports import ASSIGNMENT, CANARY, HARD_NAMES, report_of, write_class
from ..lms_gradebooks import PEOPLE, ROSTER

WRONG = {"shares.open": "failed", "shares.shut": "error"}
SECRET = b"the course's own secret"


def merged(reports: ClassReports, **choice) -> tuple[list[dict[str, str]], list[str]]:
    """Return the lines of the table, and who is left out."""
    done = find_format("mail-merge").write(reports, ExportOptions(**{"roster": ROSTER, **choice}))
    rows = list(csv.DictReader(io.StringIO(done.data.decode(), newline=""), strict=True))
    assert done.written == len(rows)
    return rows, done.left_out


@pytest.fixture
def reports(tmp_path) -> ClassReports:
    """Two assignments, one of which only one student handed in."""
    first = [report_of(name, WRONG if name == "김철수" else None) for name in HARD_NAMES[:5]]
    second = [report_of("=1+1", assignment="02_more", problem="=Not UTF-8.")]
    return read_class(write_class(tmp_path / "reports", [*first, *second], ["O'Neil; Ann", "nobody"]))


def test_every_student_has_a_line_with_points_and_what_to_do_next(reports):
    rows, left_out = merged(reports)
    assert [row["email"] for row in rows] == [PEOPLE[name].email for name in sorted([*HARD_NAMES[:5], "O'Neil; Ann"])]
    assert left_out == ["'nobody' is not in roster.csv."]
    kim = next(row for row in rows if row["student"] == "김철수")
    assert kim[f"{ASSIGNMENT}_points"] == "3.5 of 5.5 points"
    assert kim[f"{ASSIGNMENT}_next"] == "Shares of a whole: Divide by the sum."
    assert kim[f"{ASSIGNMENT}_page"] == f"for-students/김철수/{ASSIGNMENT}.html"
    assert kim["02_more_points"] == kim["02_more_next"] == kim["02_more_page"] == ""
    jane = next(row for row in rows if row["student"] == "Doe, Jane")
    assert jane[f"{ASSIGNMENT}_next"] == "Every exercise has passed. There is nothing left to do."


def test_what_could_not_be_graded_says_why_and_is_no_zero_unless_asked(reports):
    row = next(row for row in merged(reports)[0] if row["student"] == "'=1+1")
    assert row["02_more_points"] == "not graded"
    assert row["02_more_next"] == "This submission could not be graded: =Not UTF-8."
    zero = next(row for row in merged(reports, failed_as_zero=True)[0] if row["student"] == "'=1+1")
    assert zero["02_more_points"] == "0 of 5.5 points"


def test_no_cell_is_a_formula_and_nothing_hidden_is_told(reports):
    people = {
        name: Identity(student=name, name=f"={name}", email=f"{n}@x.example") for n, name in enumerate(HARD_NAMES)
    }
    rows, _ = merged(reports, roster=Roster("r", people), url="https://x.example", secret=SECRET)
    cells = [cell for row in rows for cell in row.values()]
    assert not any(cell.startswith(FORMULA_SIGNS) for cell in cells)
    assert not any(CANARY in cell for cell in cells)


def test_the_address_is_that_of_the_folder_for_the_web(reports):
    for url in ("https://x.example/fb", "https://x.example/fb/"):
        rows, _ = merged(reports, url=url, secret=SECRET)
        pages = {row["student"]: row[f"{ASSIGNMENT}_page"] for row in rows}
        assert pages["김철수"] == f"https://x.example/fb/{web_folder(SECRET, '김철수')}/{ASSIGNMENT}.html"
        assert "김" not in pages["김철수"]


def test_without_an_address_to_write_to_nobody_has_a_line(reports):
    people = {**PEOPLE, "김철수": Identity(student="김철수", name="Kim")}
    rows, left_out = merged(reports, roster=Roster("r", people))
    assert "김철수" not in [row["student"] for row in rows]
    assert "'김철수': the roster has no email." in left_out
