"""`grader export` on the command line, from a class that was really graded, and its exit codes and sentences."""

import contextlib
import csv
import io
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from unittest import mock

import pytest

from grader.cli import status
from grader.lms.formats import FORMATS
from grader.lms.roster import read_roster

from ....support.courses import hand_in, small_course
from ....support.grading_runs import ROOT, Graded, grade
from ....support.lms_reports import ASSIGNMENT, report_of, write_class
from ....unit.lms import lms_schemas as schemas
from ....unit.lms.lms_importers import CanvasCourse

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


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_written_from_a_graded_class(graded: Graded, tmp_path: Path, name: str) -> None:
    """Each format comes out of the real command; those of a platform's own file are asked for below."""
    if name == "canvas-feedback":
        done = run(name, graded.output, "--output", tmp_path / "out")  # the class was not downloaded from Canvas
        assert (done.returncode, b"Grade Canvas's download" in done.stderr) == (2, True)
        return
    if "into" in FORMATS[name].options and name != "brightspace":
        assert run(name, graded.output, "--folders-are", "login").returncode == 2
        return
    arguments: list[str | Path] = [name, graded.output, "--output", tmp_path / "out"]
    if FORMATS[name].scope == "one":
        arguments += ["--student", "carl"]
    elif "roster" in FORMATS[name].options:
        rows = ["student,login,email,participant", '"\'=ann, ""A""",a,a@x.example,1']
        rows += ["김철수,k,k@x.example,2", "carl,c,c@x.example,3"]
        (tmp_path / "roster.csv").write_text("\n".join(rows), encoding="utf-8")
        arguments += ["--roster", tmp_path / "roster.csv"]
    done = run(*arguments)
    assert done.returncode == 0, done.stderr.decode()
    text = (tmp_path / "out").read_bytes()
    assert text and b"Traceback" not in done.stderr
    if name == "gradescope":
        schemas.validate(json.loads(text), schemas.GRADESCOPE)
        assert json.loads(text)["score"] == graded.report("carl", ASSIGNMENT)["score"]


@pytest.mark.parametrize("name", ["moodle-feedback", "canvas-feedback"])
def test_a_zip_file_is_not_printed(graded: Graded, name: str) -> None:
    done = run(name, graded.output)
    assert (done.returncode, done.stdout) == (2, b"")
    assert f"{name} makes a zip file: add --output FILE." in done.stderr.decode()


def test_scores_of_a_graded_class_reach_canvas(graded: Graded, tmp_path: Path) -> None:
    """From `grader grade` to Canvas: the roster that the kit makes, filled in, and a gradebook of the course."""
    names = ['=ann, "A"', "carl", "김철수"]
    done = run("roster", graded.output, "--output", tmp_path / "roster.csv")
    assert done.returncode == 0
    rows = list(csv.reader(io.StringIO((tmp_path / "roster.csv").read_text(encoding="utf-8"), newline="")))
    for number, row in enumerate(rows[1:]):
        row[rows[0].index("canvas_id")] = str(70 + number)
    with (tmp_path / "roster.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    students = read_roster(tmp_path / "roster.csv").match(names)[0]
    book = "Student,ID,SIS Login ID,Section,Tiny (9)\n    Points Possible,,,,5.5\n"
    book += "".join(f'"x",{who.canvas_id},,S,\n' for who in students.values())
    (tmp_path / "book.csv").write_text(book)
    arguments = ("--roster", tmp_path / "roster.csv", "--into", tmp_path / "book.csv", "--column", "Tiny")
    done = run("canvas", graded.output, *arguments)
    assert done.returncode == 0, done.stderr.decode()
    course = CanvasCourse({int(who.canvas_id): (name, "", "") for name, who in students.items()}, {9: "Tiny"})
    course.upload(done.stdout)
    got = {name: Decimal(course.grades[9, int(who.canvas_id)]) for name, who in students.items()}
    assert got == {name: graded.report(name, ASSIGNMENT)["score"] for name in names}
    assert len(set(got.values())) == 3


def test_plain_tables_hold_every_score(graded: Graded) -> None:
    wide = list(csv.reader(io.StringIO(run("csv", graded.output).stdout.decode(), newline="")))
    assert wide[0] == ["student", f"{ASSIGNMENT} (5.5)", "total"]
    assert {row[0]: Decimal(row[1]) for row in wide[1:]} == {
        '\'=ann, "A"': graded.report('=ann, "A"', ASSIGNMENT)["score"],
        "carl": graded.report("carl", ASSIGNMENT)["score"],
        "김철수": graded.report("김철수", ASSIGNMENT)["score"],
    }


def test_reports_that_a_run_took_over_are_exported_too(graded: Graded, tmp_path: Path) -> None:
    """A second run into another folder grades nothing anew; its reports are whole and known to its journal."""
    place = graded.output.parent
    again = grade(tmp_path / "again", place / "submitted", cwd=place / "course", env={"GRADER_SECRET": "x" * 40},
                  fresh=False)  # fmt: skip
    assert again.code == 0 and json.loads(again.written["summary.json"])["kept"] == 3
    assert run("csv", again.output).stdout == run("csv", graded.output).stdout


def test_numbers_do_not_depend_on_the_locale(folder: Path) -> None:
    """Not even in a process of its own, in a language with a decimal comma, with the file on standard output."""
    command = [sys.executable, "-m", "grader", "export", "csv", str(folder)]
    german = {**os.environ, "LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8"}
    done = subprocess.run(command, capture_output=True, cwd=ROOT, env=german, check=False, timeout=120)
    assert done.returncode == 1
    assert b'"5.5"' in done.stdout and b"5,5" not in done.stdout and b"Left out (1)" in done.stderr
