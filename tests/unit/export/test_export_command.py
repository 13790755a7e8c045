"""`grader export`: one report by a template, or a column of a table; what it says, and what it never writes over."""

import json

import pytest

from ...support.command_line import run_here
from ...support.reports.lms_reports import report_of, write_class
from . import gradebooks
from .gradebooks import class_of


@pytest.fixture
def reports(tmp_path):
    class_of(tmp_path / "reports")
    return tmp_path / "reports"


@pytest.fixture
def book(tmp_path):
    place = tmp_path / "canvas.csv"
    place.write_text(gradebooks.canvas(), newline="")
    return place


def test_one_report_is_named_by_any_identity(reports, tmp_path):
    for named in ("bfox", "BFOX@x.example", "0017", "17"):
        output = tmp_path / "results.json"
        done = run_here("export", "gradescope", reports, "--student", named, "--output", output)
        assert done.returncode == 0, done.stderr
        assert json.loads(output.read_bytes())["score"] == 4.8
        output.unlink()


def test_without_points_gradescope_gets_no_result_and_a_sentence(reports, tmp_path):
    output = tmp_path / "results.json"
    done = run_here("export", "gradescope", reports, "--student", "fbad", "--output", output)
    assert done.returncode == 1 and not output.exists() and "Not UTF-8." in done.stderr
    done = run_here("export", "prairielearn", reports, "--student", "fbad", "--output", output)
    assert done.returncode == 0 and json.loads(output.read_bytes())["gradable"] is False


def test_a_table_is_filled_into_another_file(reports, book, tmp_path):
    before = book.read_bytes()
    output = tmp_path / "filled.csv"
    done = run_here("export", "csv", reports, "--into", book, "--column", "HW1", "--output", output)
    assert done.returncode == 1  # one could not be graded, and one is not in the table
    assert "fbad" in done.stderr and "stray" in done.stderr and "gout" in done.stderr
    assert book.read_bytes() == before and output.read_bytes() != before


def test_a_table_in_which_everybody_is_ends_with_0(tmp_path):
    write_class(tmp_path / "reports", [report_of("ann")])
    (tmp_path / "book.csv").write_text("login,HW1\nann,\n")
    arguments = ("export", "csv", tmp_path / "reports", "--into", tmp_path / "book.csv", "--column", "HW1")
    assert run_here(*arguments, "--output", tmp_path / "filled.csv").returncode == 0
    assert (tmp_path / "filled.csv").read_text().replace('"', "") == "login,HW1\nann,5.5\n"


def test_neither_the_table_nor_a_report_is_written_over(reports, book):
    link = book.with_name("link.csv")
    link.symlink_to(book)
    for output in (book, link, reports / "filled.csv", reports / "grades.json"):
        before = book.read_bytes()
        done = run_here("export", "csv", reports, "--into", book, "--column", "HW1", "--output", output)
        assert done.returncode == 2 and book.read_bytes() == before
        assert not (reports / "filled.csv").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ["csv"],
        ["csv", "--column", "HW1"],
        ["csv", "--column", "HW1", "--into", "nowhere.csv"],
        ["gradescope"],
        ["csv", "--column", "HW1", "--into", "book.csv", "--student", "alee"],
        ["gradescope", "--student", "nobody"],
        ["gradescope", "--student", "gout"],
        ["gradescope", "--student", "alee", "--assignment", "09_other"],
        ["gradescope", "--student", "alee", "--column", "HW1", "--into", "book.csv"],
        ["canvas", "--student", "alee"],
    ],
)
def test_wrong_use_writes_nothing(reports, tmp_path, arguments):
    name, *more = arguments
    done = run_here("export", name, reports, *more, "--output", tmp_path / "written")
    assert done.returncode == 2 and not (tmp_path / "written").exists() and "Traceback" not in done.stderr


def test_several_assignments_have_to_be_told_apart(tmp_path):
    reports = [report_of("ann"), report_of("ann", assignment="02_more")]
    write_class(tmp_path / "reports", reports)
    (tmp_path / "book.csv").write_text("login,HW1\nann,\n")
    arguments = ("export", "csv", tmp_path / "reports", "--into", tmp_path / "book.csv", "--column", "HW1")
    arguments += ("--output", tmp_path / "filled.csv")
    done = run_here(*arguments)
    assert done.returncode == 2 and "01_tiny" in done.stderr and "02_more" in done.stderr
    assert run_here(*arguments, "--assignment", "more").returncode == 0
