"""Reports, summaries and journals that somebody changed, and options of any kind, are answered in a sentence."""

import re
import tempfile
from pathlib import Path

import pytest

from ...support.command_line import run_here
from ...support.lms_reports import report_of, write_class

LONG = "9" * 5000
NUMBERS = [
    LONG, f"-{LONG}", "1e999999", "1e99999999999", '"NaN"', '"sNaN"', '"Infinity"', "1e-999999",
    "[" * 3000 + "]" * 3000,
]  # fmt: skip
WHOLE = ["[" * 200_000, '{"a":' * 100_000, LONG, "", "null", "\0", '{"student": ' + "[" * 5000 + "]" * 5000 + "}"]


@pytest.fixture
def new_reports(tmp_path):
    """Make two reports folders of the same two students in a new folder; the first one has no journal."""

    def make():
        folder = Path(tempfile.mkdtemp(dir=tmp_path))
        write_class(folder / "odd", [report_of("ann"), report_of("ben")], journal=False)
        write_class(folder / "other", [report_of("ann"), report_of("ben", {"shares.shut": "failed"})])
        return folder

    return make


def told(*command):
    done = run_here(*command)
    assert done.returncode in (0, 1, 2), done.stderr
    assert "Traceback" not in done.stderr
    return done


def with_number(pattern, number, text):
    """Put a number behind the first group of the first match, as it is."""
    return re.sub(pattern, lambda found: found[1] + number, text, count=1)


def read_everywhere(folder):
    """Let every command that reads reports read that folder."""
    out = folder / "written"
    return [
        told("export", "csv", folder / "odd", "--output", out),
        told("export", "gradescope", folder / "odd/ann/01_tiny.json", "--output", out),
        told("diff", folder / "odd", folder / "other"),
        told("diff", folder / "other", folder / "odd"),
    ]


def test_a_document_of_any_kind_in_the_place_of_one_of_the_run_is_no_traceback(subtests, new_reports):
    for text in WHOLE:
        for name in ["ann/01_tiny.json", "summary.json"]:
            with subtests.test(text=text, name=name):
                reports = new_reports()
                (reports / "odd" / name).write_text(text, encoding="utf-8")
                assert any(done.returncode == 2 for done in read_everywhere(reports))


def test_a_number_that_no_report_has_is_no_traceback(subtests, new_reports):
    for number in NUMBERS:
        for field in ["score", "max_score", "duration_s"]:
            with subtests.test(number=number, field=field):
                reports = new_reports()
                place = reports / "odd/ann/01_tiny.json"
                text = place.read_text(encoding="utf-8")
                place.write_text(with_number(rf'("{field}": )[0-9.]+', number, text), encoding="utf-8")
                read_everywhere(reports)


def test_a_time_that_is_none_is_refused_in_a_sentence(subtests, new_reports):
    for started in ["yesterday", "", "2026-13-01T00:00:00Z"]:
        for form in ["junit", "gradescope"]:
            with subtests.test(started=started, form=form):
                reports = new_reports()
                place = reports / "odd/ann/01_tiny.json"
                place.write_text(
                    place.read_text(encoding="utf-8").replace("2026-03-01T10:00:00Z", started), encoding="utf-8"
                )
                done = told("export", form, place, "--output", reports / "written")
                assert done.returncode == 2
                assert "says that it was graded at" in done.stderr


def test_a_journal_with_such_a_number_counts_as_not_written(subtests, new_reports):
    for number in NUMBERS:
        with subtests.test(number=number):
            reports = new_reports()
            place = reports / "other/journal.jsonl"
            text = place.read_text(encoding="utf-8")
            changed = with_number(r'("score":)"[0-9.]+"', number, text)
            assert changed != text
            place.write_text(changed, encoding="utf-8")
            told("diff", reports / "odd", reports / "other")


def test_points_that_no_platform_counts_are_refused_in_a_sentence(subtests, new_reports):
    for points in ["1e999999", "1e-999999", LONG, "nan", "inf", "-1", "0", "x"]:
        with subtests.test(points=points):
            reports = new_reports()
            (reports / "grades.csv").write_text("Student,ID\n", encoding="utf-8")
            done = told("export", "moodle", reports / "other", "--folders-are", "login", "--out-of", points, "--scale")
            assert done.returncode == 2
            assert "is not a number of points" in done.stderr
