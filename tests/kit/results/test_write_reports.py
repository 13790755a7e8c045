"""What a run leaves behind: whole files inside the output folder, or one clear sentence."""

import hashlib
import json
import os
from decimal import Decimal
from pathlib import Path

import pytest

from grader.errors import OutputError
from grader.results.report import read_report, to_json
from grader.results.student_report import read_student_report
from grader.results.summary import row_of
from grader.results.write import ReportsFolder

from ..support.class_results import ONE, refused, report_of, summary_of, tree


@pytest.fixture
def reports(tmp_path: Path) -> ReportsFolder:
    folder = ReportsFolder(tmp_path / "a" / "reports")
    folder.prepare()
    return folder


def test_both_copies_are_written_where_they_belong(reports: ReportsFolder) -> None:
    report = report_of()
    digests = reports.write_report(report)
    places = reports.places_of("ann", ONE)
    assert places == (reports.root / "ann" / f"{ONE}.json", reports.root / "for-students" / "ann" / f"{ONE}.json")
    assert digests == tuple(hashlib.sha256(place.read_bytes()).hexdigest() for place in places)
    assert tree(reports.root) == [f"ann/{ONE}.json", f"for-students/ann/{ONE}.json"]
    assert read_report((reports.root / "ann" / f"{ONE}.json").read_bytes()) == report
    student = (reports.root / "for-students" / "ann" / f"{ONE}.json").read_bytes()
    assert read_student_report(student).score == Decimal("2.5")
    assert b"seed" not in student


def test_a_second_run_replaces_the_first(reports: ReportsFolder) -> None:
    reports.write_report(report_of(note="old" * 100))
    reports.write_report(report_of())
    assert (reports.root / "ann" / f"{ONE}.json").read_bytes() == to_json(report_of())
    reports.prepare()
    assert len(tree(reports.root)) == 2


def test_the_summary_and_the_scores_are_written(reports: ReportsFolder) -> None:
    rows = [row_of(report_of())]
    reports.write_summary(summary_of(rows, ["ann"]))
    reports.write_scores(rows, ["ann"], [ONE])
    assert tree(reports.root) == ["scores.csv", "summary.json"]
    assert json.loads((reports.root / "summary.json").read_bytes())["graded"] == 1


def test_names_of_any_language_become_folders(reports: ReportsFolder) -> None:
    for student in ("김철수", "=1+1", "O'Neil, Jr.", "x" * 255):
        reports.write_report(report_of(student))
        assert all(place.is_file() for place in reports.places_of(student, ONE))


@pytest.mark.parametrize("student", ["..", ".", "a/b", ""])
def test_a_name_that_leads_out_of_the_folder_is_refused(reports: ReportsFolder, student: str) -> None:
    with pytest.raises(OutputError, match="not a folder inside the output folder"):
        reports.write_report(report_of(student))
    assert tree(reports.root.parent) == []


def test_a_file_in_the_output_folders_place_is_named(tmp_path: Path) -> None:
    (tmp_path / "reports").write_text("mine")
    assert "a file is in the place of a folder" in refused(ReportsFolder(tmp_path / "reports").prepare)
    assert "a file is in the place of a folder" in refused(ReportsFolder(tmp_path / "reports" / "deeper").prepare)
    assert (tmp_path / "reports").read_text() == "mine"


def test_a_file_in_a_students_place_is_named(reports: ReportsFolder) -> None:
    (reports.root / "ann").write_text("mine")
    assert "a file is in the place of a folder" in refused(lambda: reports.write_report(report_of()))
    assert (reports.root / "ann").read_text() == "mine"


def test_a_folder_in_a_files_place_is_named(reports: ReportsFolder) -> None:
    (reports.root / "scores.csv").mkdir()
    assert "a folder in its place" in refused(lambda: reports.write_scores([], [], []))
    assert tree(reports.root) == []


def test_a_pipe_in_a_files_place_is_named(reports: ReportsFolder) -> None:
    os.mkfifo(reports.root / "summary.json")
    assert "not a file is there" in refused(lambda: reports.write_summary(summary_of([], [])))


@pytest.mark.parametrize(
    "link", ["ann", "for-students", "for-students/ann", f"ann/{ONE}.json", f"for-students/ann/{ONE}.json"]
)
def test_nothing_is_written_through_a_link_inside_the_folder(reports: ReportsFolder, tmp_path: Path, link: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    target = outside / "file" if link.endswith(".json") else outside
    place = reports.root / link
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(target)
    assert "symbolic link" in refused(lambda: reports.write_report(report_of()))
    assert list(outside.iterdir()) == []
    assert place.is_symlink()
    assert not [name for name in tree(reports.root) if name.endswith(".part")]


def test_a_link_to_the_output_folder_itself_is_the_teachers_wish(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "reports").symlink_to(tmp_path / "real")
    folder = ReportsFolder(tmp_path / "reports")
    folder.prepare()
    folder.write_report(report_of())
    assert f"ann/{ONE}.json" in tree(tmp_path / "real")
