"""`grader export` on the command line, from a class that was really graded, and its exit codes and sentences."""

import contextlib
import csv
import io
import json
import os
import re
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

import click
import pytest

from grader.cli import main, status
from grader.cli.export import export
from grader.lms.formats import FORMATS
from grader.lms.roster import read_roster

from ....support.courses import hand_in, small_course
from ....support.grading_runs import Graded, grade
from ....support.lms_reports import ASSIGNMENT, HARD_NAMES, report_of, write_class
from .. import lms_schemas as schemas

RIGHT = "def shares(x):\n    return x / x.sum()\n"
WRONG = "def shares(x):\n    return x / x.max()\n"
SHIFT = """
class Shift(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.beta = nn.Parameter(torch.zeros(d))

    def forward(self, x):
        return x + self.beta
"""
HEAD = "import torch\nfrom torch import nn\n\n\n"


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Graded:
    """A class of three in the tiny course, graded by the real command."""
    folder = tmp_path_factory.mktemp("graded")
    course = small_course(folder / "course")
    submitted = folder / "submitted"
    hand_in(submitted, '=ann, "A"', HEAD + RIGHT + "\n" + SHIFT)
    hand_in(submitted, "김철수", HEAD + WRONG + "\n" + SHIFT)
    hand_in(submitted, "carl", HEAD + RIGHT)
    done = grade(folder / "reports", submitted, cwd=course.root, env={"GRADER_SECRET": "x" * 40})
    if done.code == 3:
        pytest.skip(done.stderr.strip())
    assert done.code == 0, done.stderr
    return done


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A reports folder with one who could not be graded and one who is away."""
    bad = report_of("bad", problem="The file is not UTF-8.")
    return write_class(tmp_path / "reports", [report_of("ann"), report_of("ben"), bad], ["away"])


@dataclass
class Ran:
    """What a run of the command left: its exit code, and what it printed."""

    returncode: int
    stdout: bytes
    stderr: bytes


def run(*arguments: str | Path, env: dict[str, str] | None = None) -> Ran:
    """Run the command in this process, with standard output as bytes."""
    output, errors = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.TextIOWrapper(io.BytesIO(), "utf-8")
    with (
        mock.patch.dict(os.environ, env or {}),
        contextlib.redirect_stdout(output),
        contextlib.redirect_stderr(errors),
    ):
        code = status(["export", *map(str, arguments)])
    for stream in (output, errors):
        stream.flush()
    return Ran(code, output.buffer.getvalue(), errors.buffer.getvalue())


def said(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str]:
    """Run the command in this process; return its exit code and what it said on standard error."""
    code = status(["export", *map(str, arguments)])
    return code, capsys.readouterr().err


def test_the_help_lists_every_format_with_a_line() -> None:
    text = click.Context(export, info_name="export").get_help()
    for each in FORMATS.values():
        assert f"  {each.name} " in text
        assert " ".join(each.line.split()[:3]) in " ".join(text.split())
    assert "export" in main.commands


def test_a_wrong_format_is_named_with_the_nearest(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "canvs", folder) == (
        2, "grader: The format 'canvs' was looked for. There is none of that name. Did you mean `canvas`?\n",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["gradescope", "--into", "x.csv"], "--into has no meaning for gradescope"),
        (["csv", "--student", "ann"], "leave that option out"),
        (["moodle", "--student", "ann"], "leave --student out"),
        (["moodle", "--roster", "a", "--folders-are", "login"], "give one of them"),
        (["moodle", "--folders-are", "logn"], "Did you mean `login`"),
        (["moodle", "--folders-are", "login", "--out-of", "nan"], "'nan' is not a number of points"),
        (["moodle", "--folders-are", "login", "--out-of", "0"], "'0' is not a number of points"),
        (["moodle-worksheet", "--columns", "grade"], "is written WHAT=HEADING"),
        (["gradescope"], "3 reports could be meant"),
        (["gradescope", "--student", "bem"], "Did you mean `ben`"),
        (["gradescope", "--student", "away"], "has handed in nothing"),
        (["gradescope", "--student", "ann", "--assignment", "01_tinny"], f"Did you mean `{ASSIGNMENT}`"),
        (["moodle"], "There is no roster"),
        (["moodle", "--roster", "nowhere.csv"], "'nowhere.csv' cannot be read"),
        (["canvas", "--folders-are", "login", "--into", "nowhere.csv"], "'nowhere.csv' cannot be read"),
    ],
)
def test_wrong_use_is_said_in_a_sentence(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, arguments: list[str], words: str
) -> None:
    code, text = said(capsys, arguments[0], folder, *arguments[1:])
    assert code == 2 and words in text and "Traceback" not in text


def test_who_could_not_be_graded_is_listed_and_is_no_zero(folder: Path, tmp_path: Path) -> None:
    done = run("moodle", folder, "--folders-are", "login", "--output", tmp_path / "scores.csv")
    assert done.returncode == 1
    assert b"Left out (1):\n  'bad' could not be graded: The file is not UTF-8." in done.stderr
    lines = (tmp_path / "scores.csv").read_text(encoding="utf-8-sig").splitlines()
    assert {line.split(",")[0] for line in lines[1:]} == {"ann", "ben"}
    zero = run("moodle", folder, "--folders-are", "login", "--failed-as-zero")
    assert zero.returncode == 0
    assert any(line.startswith(b"bad,0,") for line in zero.stdout.splitlines())


def test_an_absent_student_is_an_empty_cell(folder: Path) -> None:
    rows = list(csv.reader(io.StringIO(run("csv", folder).stdout.decode(), newline="")))
    assert rows[1:] == [["ann", "5.5", "5.5"], ["away", "", ""], ["bad", "not graded", ""], ["ben", "5.5", "5.5"]]


def test_a_sum_of_which_a_part_could_not_be_graded_is_empty_unless_that_counts_0(tmp_path: Path) -> None:
    more = [report_of("bad", problem="Torn."), report_of("bad", assignment="02_more")]
    root = write_class(tmp_path / "reports", more)
    rows = list(csv.reader(io.StringIO(run("csv", root).stdout.decode(), newline="")))
    assert rows[1] == ["bad", "not graded", "5.5", ""]
    rows = list(csv.reader(io.StringIO(run("csv", root, "--failed-as-zero").stdout.decode(), newline="")))
    assert rows[1] == ["bad", "0", "5.5", "5.5"]


def test_a_single_report_is_exported_by_its_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = folder / "ann" / f"{ASSIGNMENT}.json"
    assert run("prairielearn", place).returncode == 0
    code, text = said(capsys, "prairielearn", place, "--student", "ben")
    assert code == 2 and "is of 'ann'" in text
    code, text = said(capsys, "prairielearn", folder / "for-students" / "ann" / f"{ASSIGNMENT}.json")
    assert code == 2 and "is a student's copy" in text


def test_a_single_failed_report_is_written_and_ends_with_one(folder: Path) -> None:
    done = run("gradescope", folder, "--student", "bad")
    assert done.returncode == 1 and b"could not be graded" in done.stderr
    schemas.validate(json.loads(done.stdout), schemas.GRADESCOPE)


def test_a_torn_report_stops_the_export_and_leaves_the_old_file(folder: Path, tmp_path: Path) -> None:
    output = tmp_path / "scores.csv"
    assert run("csv", folder, "--output", output).returncode == 1
    before = output.read_bytes()
    (folder / "ann" / f"{ASSIGNMENT}.json").write_text("{")
    done = run("csv", folder, "--output", output)
    assert done.returncode == 2 and b"is torn" in done.stderr and output.read_bytes() == before


def test_the_output_is_never_the_input(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    book = tmp_path / "book.csv"
    book.write_text("x")
    code, text = said(capsys, "canvas", folder, "--folders-are", "login", "--into", book, "--output", book)
    assert code == 2 and "is the one to read" in text and book.read_text() == "x"
    code, text = said(capsys, "csv", folder, "--output", folder / "scores.csv")
    assert code == 2 and "is in the reports folder" in text
    code, text = said(capsys, "csv", folder, "--output", tmp_path / "no" / "place.csv")
    assert code == 1 and (tmp_path / "no" / "place.csv").is_file()


def test_grades_without_a_jail_need_a_word(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = write_class(tmp_path / "reports", [report_of("ann", isolation={"tier": "none"})])
    code, text = said(capsys, "csv", root)
    assert code == 2 and "--unsafe-grades" in text
    assert run("csv", root, "--unsafe-grades").returncode == 0


def test_hard_names_survive_a_roster_there_and_back(tmp_path: Path) -> None:
    root = write_class(tmp_path / "reports", [report_of(name) for name in HARD_NAMES])
    assert run("roster", root, "--output", tmp_path / "roster.csv").returncode == 0
    assert read_roster(tmp_path / "roster.csv").match(HARD_NAMES)[1] == []


@pytest.mark.parametrize("name", ["csv"])
def test_hard_names_survive_a_plain_table_there_and_back(tmp_path: Path, name: str) -> None:
    """No spreadsheet runs them, and without the apostrophe in front each is the folder's name again."""
    root = write_class(tmp_path / "reports", [report_of(student) for student in HARD_NAMES])
    rows = list(csv.reader(io.StringIO(run(name, root).stdout.decode(), newline="")))[1:]
    assert not any(row[0].startswith(("=", "@", "+", "-")) for row in rows)
    assert {re.sub("^'(?=[=@+-])", "", row[0]) for row in rows} == set(HARD_NAMES)
