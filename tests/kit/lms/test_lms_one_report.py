"""One report that is named as a file is held to what its reports folder knows of it."""

import shutil
from pathlib import Path

import pytest

from grader.errors import UsageError
from grader.lms.reports import read_one
from grader.results.report import to_json

from .lms_reports import ASSIGNMENT, report_of, write_class

NAME = f"{ASSIGNMENT}.json"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A reports folder of two, one of whom has fewer points."""
    return write_class(tmp_path / "reports", [report_of("ann"), report_of("ben", {"shares.open": "failed"})])


def refused(place: Path) -> str:
    with pytest.raises(UsageError) as caught:
        read_one(place)
    return str(caught.value)


def test_a_report_as_the_run_wrote_it_is_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_one(folder / "ben" / NAME).student == "ben"
    monkeypatch.chdir(folder / "ben")
    assert read_one(Path(NAME)).student == "ben"
    assert read_one(Path("../ann") / NAME).student == "ann"


def test_another_students_report_in_a_folder_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(folder / "ann" / NAME, folder / "ben" / NAME)
    assert "is the report of 'ann'" in refused(folder / "ben" / NAME)
    monkeypatch.chdir(folder / "ben")
    assert "is the report of 'ann'" in refused(Path(NAME))


def test_another_students_folder_behind_a_link_is_refused(folder: Path, tmp_path: Path) -> None:
    shutil.rmtree(folder / "ben")
    (folder / "ben").symlink_to("ann")
    assert "is the report of 'ann'" in refused(folder / "ben" / NAME)
    (folder / "ann" / NAME).write_bytes(to_json(report_of("ann", {"shares.open": "failed"})))
    (tmp_path / "link").symlink_to(folder / "ann")
    assert "not as it was written" in refused(tmp_path / "link" / NAME)


def test_a_single_report_that_was_changed_is_refused(folder: Path) -> None:
    (folder / "ben" / NAME).write_bytes(to_json(report_of("ben")))
    assert "the report is not as it was written" in refused(folder / "ben" / NAME)


def test_a_single_report_that_the_journal_does_not_know_is_refused(folder: Path) -> None:
    (folder / "zoe").mkdir()
    (folder / "zoe" / NAME).write_bytes(to_json(report_of("zoe")))
    assert "the journal knows of no such report" in refused(folder / "zoe" / NAME)


def test_a_report_that_was_taken_out_of_its_folder_stands_alone(folder: Path, tmp_path: Path) -> None:
    shutil.copy(folder / "ann" / NAME, tmp_path / "any.json")
    assert read_one(tmp_path / "any.json").student == "ann"
