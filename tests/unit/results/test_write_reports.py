"""What a run leaves behind, also when a write fails: whole files inside the output folder, or one clear sentence."""

import errno
import hashlib
import os
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest

from grader.errors import OutputError
from grader.results.report import read_report
from grader.results.report_json import decode_document
from grader.results.student_report import StudentReport
from grader.results.write import ReportsFolder

from ...support.classes.class_results import ONE, refused, report_of, summary_of, tree


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
    assert decode_document(student, StudentReport).score == Decimal("6.5")
    assert b"seed" not in student


def test_names_of_any_language_become_folders(reports: ReportsFolder) -> None:
    for student in ("김철수", "=1+1", "O'Neil, Jr.", "x" * 255):
        reports.write_report(report_of(student))
        assert all(place.is_file() for place in reports.places_of(student, ONE))


@pytest.mark.parametrize("student", ["..", ".", "a/b", ""])
def test_a_name_that_leads_out_of_the_folder_is_refused(reports: ReportsFolder, student: str) -> None:
    with pytest.raises(OutputError, match="not a folder inside the output folder"):
        reports.write_report(report_of(student))
    assert tree(reports.root.parent) == []


@pytest.mark.parametrize(
    ("place", "put", "write", "reason"),
    [
        (".", Path.touch, ReportsFolder.prepare, "a file is in the place of a folder"),
        ("..", Path.touch, ReportsFolder.prepare, "a file is in the place of a folder"),
        ("ann", Path.touch, lambda folder: folder.write_report(report_of()), "a file is in the place of a folder"),
        (f"ann/{ONE}.json", Path.mkdir, lambda folder: folder.write_report(report_of()), "a folder in its place"),
        ("grades.csv", Path.mkdir, lambda folder: folder.write_beside("grades.csv", b""), "a folder in its place"),
        ("run.json", os.mkfifo, lambda folder: folder.write_summary(summary_of([], [])), "not a file is there"),
    ],
)
def test_what_is_in_the_place_of_a_file_or_folder_is_named_and_stays(
    tmp_path: Path, place: str, put: Callable[[Path], None], write: Callable[[ReportsFolder], object], reason: str
) -> None:
    folder = ReportsFolder(tmp_path / "a" / "reports")
    there = folder.root.parent if place == ".." else folder.root / place
    there.parent.mkdir(parents=True, exist_ok=True)
    put(there)
    before = there.stat()
    assert reason in refused(lambda: write(folder))
    assert (there.stat().st_ino, there.stat().st_size) == (before.st_ino, before.st_size)
    assert [path for path in tmp_path.rglob("*") if path not in (there, *there.parents)] == []


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


def test_a_folder_that_takes_no_file_is_refused_at_the_start() -> None:
    assert "could not be written" in refused(ReportsFolder(Path("/proc/self")).prepare)


def test_a_link_to_the_output_folder_itself_is_the_teachers_wish(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "reports").symlink_to(tmp_path / "real")
    folder = ReportsFolder(tmp_path / "reports")
    folder.prepare()
    folder.write_report(report_of())
    assert f"ann/{ONE}.json" in tree(tmp_path / "real")


@pytest.mark.parametrize(
    ("number", "reason"),
    [
        (errno.ENOSPC, "the disk is full"),
        (errno.EDQUOT, "quota"),
        (errno.EACCES, "no permission"),
        (errno.EIO, "Input/output error"),
    ],
)
@pytest.mark.parametrize("call", ["write", "fsync", "rename"])
def test_a_failing_disk_leaves_the_old_file_and_nothing_else(
    reports: ReportsFolder, monkeypatch: pytest.MonkeyPatch, call: str, number: int, reason: str
) -> None:
    reports.write_report(report_of())
    before = {name: (reports.root / name).read_bytes() for name in tree(reports.root)}

    def failing(*_: object, **__: object) -> int:
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as patched:
        patched.setattr(os, call, failing)
        assert reason in refused(lambda: reports.write_report(report_of(note="new")))
    assert {name: (reports.root / name).read_bytes() for name in tree(reports.root)} == before


def test_an_interrupt_leaves_nothing_half_written(reports: ReportsFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        reports.write_report(report_of())
    assert tree(reports.root) == []
