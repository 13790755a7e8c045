"""Where `grader export` may write: beside what it reads, never over it, and into pipes as into files."""

import csv
import io
import os
import threading
from pathlib import Path

import pytest

from grader.cli import status
from grader.lms.roster import read_roster

from ....support.lms_reports import ASSIGNMENT, report_of, write_class

FILLED = "student,login\r\nann,a\r\nben,b\r\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A reports folder of three."""
    return write_class(tmp_path / "reports", [report_of(name) for name in ("ann", "ben", "=cy")])


def said(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str]:
    """Run the command in this process; return its exit code and what it said on standard error."""
    code = status(["export", *map(str, arguments)])
    return code, capsys.readouterr().err


def test_the_roster_that_is_read_is_not_written_over(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    roster = tmp_path / "roster.csv"
    roster.write_text(FILLED)
    (tmp_path / "link.csv").symlink_to(roster)
    (tmp_path / "hard.csv").hardlink_to(roster)
    for name in ("roster.csv", "link.csv", "hard.csv"):
        code, text = said(capsys, "moodle", folder, "--roster", roster, "--output", tmp_path / name)
        assert (code, roster.read_text()) == (2, FILLED.replace("\r\n", "\n"))
        assert "is the one to read. Name another --output." in text


def test_the_report_that_is_read_is_not_written_over(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = folder / "ann" / f"{ASSIGNMENT}.json"
    before = place.read_bytes()
    code, text = said(capsys, "junit", place, "--output", place)
    assert code == 2 and "is the one to read" in text and place.read_bytes() == before


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("text", [FILLED, FILLED.replace(",", ";"), "login,student\na,ann\nb,ben"])
def test_a_filled_in_roster_keeps_its_rows_and_gets_the_new_students(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, encoding: str
) -> None:
    place = tmp_path / "roster.csv"
    place.write_bytes(text.encode(encoding))
    before = place.read_bytes()
    code, told = said(capsys, "roster", folder, "--output", place)
    assert code == 0 and place.read_bytes().startswith(before)
    assert "1 student written" in told and "Left as it was: 2 rows of the roster." in told
    assert {name: who.login for name, who in read_roster(place).people.items()} == {"ann": "a", "ben": "b", "'=cy": ""}
    after = place.read_bytes()
    code, told = said(capsys, "roster", folder, "--output", place)
    assert code == 0 and "0 students written" in told and place.read_bytes() == after


@pytest.mark.parametrize("text", ["dear diary,today\nx,y\n", "student,login\nann,a\nann,b\n", '"student\n'])
def test_what_is_no_roster_is_not_written_over_with_one(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    place = tmp_path / "notes.csv"
    place.write_text(text)
    code, told = said(capsys, "roster", folder, "--output", place)
    assert code == 2 and place.read_text() == text
    assert "The file there is not one:" in told and "Name another --output" in told


def test_an_empty_file_becomes_a_roster(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "roster.csv").touch()
    assert said(capsys, "roster", folder, "--output", tmp_path / "roster.csv")[0] == 0
    rows = list(csv.reader(io.StringIO((tmp_path / "roster.csv").read_text())))
    assert [row[0] for row in rows] == ["student", "'=cy", "ann", "ben"]


def test_a_pipe_is_written_into_and_stays_a_pipe(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pipe, read = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()), daemon=True)
    reader.start()
    assert said(capsys, "csv", folder, "--output", pipe)[0] == 0
    assert pipe.is_fifo()
    reader.join(20)
    assert read[0].startswith(b'"student"')


def test_a_device_is_written_into_and_stays_a_device(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "null").symlink_to(os.devnull)
    assert said(capsys, "csv", folder, "--output", tmp_path / "null")[0] == 0
    assert (tmp_path / "null").is_symlink() and Path(os.devnull).is_char_device()


def test_a_link_stays_and_the_file_that_it_names_is_written(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "link.csv").symlink_to("real.csv")
    for _ in ("made", "replaced"):
        assert said(capsys, "csv", folder, "--output", tmp_path / "link.csv")[0] == 0
        assert (tmp_path / "link.csv").is_symlink() and (tmp_path / "real.csv").read_text().startswith('"student"')
        (tmp_path / "real.csv").write_text("old")
