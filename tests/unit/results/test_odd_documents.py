"""Reports, summaries and journals that somebody changed, and options of any kind, are answered in a sentence."""

import re

import pytest

from ...support.command_line import run_here
from ...support.reports.lms_reports import report_of, write_class

LONG = "9" * 5000
NUMBERS = [
    LONG, f"-{LONG}", "1e999999", "1e99999999999", '"NaN"', '"sNaN"', '"Infinity"', "1e-999999",
    "[" * 3000 + "]" * 3000,
]  # fmt: skip
WHOLE = ["[" * 200_000, '{"a":' * 100_000, LONG, "", "null", "\0", '{"student": ' + "[" * 5000 + "]" * 5000 + "}"]


@pytest.fixture
def reports(tmp_path):
    """Two reports folders of the same two students; the first one has no journal."""
    write_class(tmp_path / "odd", [report_of("ann"), report_of("ben")], journal=False)
    (tmp_path / "book.csv").write_text("login,HW1\nann,\n", encoding="utf-8")
    write_class(tmp_path / "other", [report_of("ann"), report_of("ben", {"shares.shut": "failed"})])
    return tmp_path


def told(*command):
    done = run_here(*command)
    assert done.returncode in (0, 1, 2), done.stderr
    assert "Traceback" not in done.stderr
    return done


def with_number(pattern, number, text):
    """Put a number behind the first group of the first match, as it is."""
    return re.sub(pattern, lambda match: match[1] + number, text, count=1)


def read_everywhere(folder):
    out = folder / "written"
    return [
        told("export", "csv", folder / "odd", "--into", folder / "book.csv", "--column", "HW1", "--output", out),
        told("export", "gradescope", folder / "odd", "--student", "ann", "--output", out),
        told("pages", folder / "odd", "--output", folder / "pages"),
        told("diff", folder / "odd", folder / "other"),
        told("diff", folder / "other", folder / "odd"),
    ]


@pytest.mark.parametrize("text", WHOLE, ids=range(len(WHOLE)))
@pytest.mark.parametrize("name", ["ann/01_tiny.json", "class.json", "run.json"])
def test_a_document_of_any_kind_in_the_place_of_one_of_the_run_is_no_traceback(reports, name, text):
    (reports / "odd" / name).write_text(text, encoding="utf-8")
    assert any(done.returncode == 2 for done in read_everywhere(reports))


@pytest.mark.parametrize("number", NUMBERS, ids=range(len(NUMBERS)))
@pytest.mark.parametrize("field", ["score", "max_score", "duration_s"])
def test_a_number_that_no_report_has_is_no_traceback(reports, field, number):
    place = reports / "odd/ann/01_tiny.json"
    text = place.read_text(encoding="utf-8")
    place.write_text(with_number(rf'("{field}": )[0-9.]+', number, text), encoding="utf-8")
    read_everywhere(reports)


@pytest.mark.parametrize("form", ["junit", "gradescope"])
def test_points_that_do_not_add_up_are_refused_in_a_sentence(reports, form):
    place = reports / "odd/ann/01_tiny.json"
    place.write_text(re.sub('"score": 5.5', '"score": 5.25', place.read_text(encoding="utf-8")), encoding="utf-8")
    done = told("export", form, reports / "odd", "--student", "ann", "--output", reports / "written")
    assert done.returncode == 2
    done = told("export", form, reports / "odd", "--student", "ben", "--output", reports / "written")
    assert "do not add up" in done.stderr


@pytest.mark.parametrize("number", NUMBERS, ids=range(len(NUMBERS)))
def test_a_journal_with_such_a_number_counts_as_not_written(reports, number):
    place = reports / "other/journal.jsonl"
    text = place.read_text(encoding="utf-8")
    changed = re.sub(r'("score":)"[0-9.]+"', lambda match: match[1] + number, text, count=1)
    assert changed != text
    place.write_text(changed, encoding="utf-8")
    told("diff", reports / "odd", reports / "other")
