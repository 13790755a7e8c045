"""Points that were set by hand go wherever points go: pages, sheets, comments, one report, a push."""

import csv
from decimal import Decimal
from pathlib import Path

import msgspec
import pytest

from grader.errors import UsageError
from grader.lms.feedback import copies_of
from grader.lms.reports import read_class, read_one
from grader.lms.visibility import grade_comment
from grader.nbgrader.push import read_reports
from grader.pages.write import copy_at, write_pages
from grader.records.journal_lines import Override
from grader.records.overrides import set_points

from ...support.command_line import run_here
from ...support.lms_reports import ASSIGNMENT, PLAN, SECRET, report_of, write_class
from ...support.page_structure import Document, assert_readable, assert_shut

NAME = f"{ASSIGNMENT}.json"
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


def test_they_are_the_scores_that_are_carried_elsewhere_and_said_to_the_teacher(folder: Path) -> None:
    found = read_class(folder)
    scores = found.scores(ASSIGNMENT)
    assert scores.scores == {"ann": Decimal("5.5"), "ben": Decimal(5), "cleo": Decimal("2.5")}
    assert scores.failed == {"dora": "The file is not UTF-8."}
    assert found.notes == [f"'ben', {SAID}", f"'cleo', {SAID.replace('5 instead of 4.8', '2.5 instead of -')}"]


def test_those_of_an_exercise_are_added_up(folder: Path) -> None:
    set_by_hand(folder, "ann", "0.5", "shares")
    (ann,) = [each.row for each in read_class(folder).graded if each.row.student == "ann"]
    assert (ann.score, [each.score for each in ann.exercises]) == (Decimal(4), [Decimal("0.5"), Decimal("3.5")])


@pytest.mark.parametrize(
    ("exercise", "points", "now"), [("", "5", "3"), ("Shift", "3.5", "3"), ("shares", "0.5", "1.5")]
)
def test_they_are_never_more_than_a_changed_suite_can_give(
    tmp_path: Path, exercise: str, points: str, now: str
) -> None:
    write_class(tmp_path, [report_of("ann")])
    set_by_hand(tmp_path, "ann", points, exercise)
    fewer = [msgspec.structs.replace(each, points=each.points - (each.id == "Shift") * Decimal("2.5")) for each in PLAN]
    write_class(tmp_path, [report_of("ann", plan=fewer)])
    found = read_class(tmp_path)
    assert found.scores(ASSIGNMENT).scores == {"ann": Decimal(now)}
    (said,) = found.notes
    name, most = {"": (ASSIGNMENT, "3"), "Shift": ("Shift <by> a parameter", "1")}.get(exercise, (PLAN[0].title, "2"))
    assert f"{name}: {min(Decimal(points), Decimal(most))} instead of {most} of {most} points, set by Kim" in said


def test_a_sheet_has_them(folder: Path, tmp_path: Path) -> None:
    done = run_here("export", "csv", folder, "--output", tmp_path / "scores.csv")
    with (tmp_path / "scores.csv").open(newline="") as file:
        rows = {row["student"]: row for row in csv.DictReader(file)}
    assert [rows[name][f"{ASSIGNMENT} (5.5)"] for name in ("ann", "ben", "cleo", "dora")] == [
        "5.5",
        "5",
        "2.5",
        "not graded",
    ]
    assert f"Note: 'ben', {SAID}" in done.stderr


def test_a_comment_has_the_points_and_who_set_them(folder: Path) -> None:
    comments = {each.row.student: grade_comment(each) for each in read_class(folder).graded}
    assert comments["ben"].startswith("5 of 5.5 points")
    assert comments["ben"].endswith(f". {SAID}")
    assert "set by" not in comments["ann"]


def test_a_format_with_points_by_exercise_is_given_those_of_exercises_alone(folder: Path) -> None:
    set_by_hand(folder, "ann", "0.5", "shares")
    assert read_one(folder / "ann" / NAME).score == Decimal(4)
    with pytest.raises(UsageError, match="the points of the whole were set by hand"):
        read_one(folder / "ben" / NAME)


def test_one_report_and_the_students_copy_of_it_have_them(folder: Path) -> None:
    beside = folder / "for-students/ben" / NAME
    for copy in (copy_at(folder / "ben" / NAME), copy_at(beside)):
        assert (copy.score, copy.notes[0]) == (Decimal(5), SAID)
    copies = {copy.student: copy.score for copy in copies_of(read_class(folder).graded)}
    assert (copies["ben"], copies["cleo"]) == (Decimal(5), Decimal("2.5"))


def test_a_page_of_students_copies_shows_them_too(folder: Path, tmp_path: Path) -> None:
    write_pages(folder / "for-students", tmp_path / "pages")
    assert SAID in Document((tmp_path / "pages/ben" / f"{ASSIGNMENT}.html").read_bytes()).text


def test_the_class_page_marks_them_and_lists_who_set_them(folder: Path) -> None:
    write_pages(folder)
    page = Document((folder / "for-teachers" / ASSIGNMENT / "class.html").read_bytes())
    assert_shut(page, scripted=True)
    assert_readable(page, "en")
    assert "Points set by hand (2)" in page.text
    assert f"ben: {SAID}" in page.text
    assert all(f" {total} " in f"{page.text} " for total in ("ann 5.5", "ben 5*", "cleo 2.5*", "dora ?"))


def test_a_korean_page_says_it_in_korean(tmp_path: Path) -> None:
    root = write_class(tmp_path / "reports", [report_of("ann", language="ko")], run="2026-03-01T10:00:00.000001Z")
    set_by_hand(root, "ann", "5")
    write_pages(root)
    page = Document((root / "for-students/ann" / f"{ASSIGNMENT}.html").read_bytes()).text
    assert f"5.5점 만점에 5.5점 대신 5점. Kim 님이 정했습니다: {REASON}" in page


def test_nbgrader_gets_those_of_exercises_and_is_not_given_those_of_a_whole(folder: Path) -> None:
    set_by_hand(folder, "ann", "0.5", "shares")
    found, left_out = read_reports(folder)
    assert {report.student: report.score for report in found} == {"ann": Decimal(4), "dora": None}
    assert [sentence.partition(":")[0] for sentence in left_out] == [f"'ben', {ASSIGNMENT}", f"'cleo', {ASSIGNMENT}"]
    assert "set the points of exercises with `grader override --exercise`" in left_out[0]
