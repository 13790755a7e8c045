"""An export holds the class as the newest run met it: who left it is named and left out, and nobody else is."""

import csv
import io
import shutil

import pytest

from grader.errors import UsageError
from grader.grading import GradeOptions, run
from grader.lms.reports import read_class

from ...support.class_runs import RIGHT, WRONG, grade
from ...support.command_line import run_here
from ...support.courses import hand_in
from ...support.pretended_engine import pretended


def exported(folder, *options):
    """Export a plain CSV and return each student's total, and what was said."""
    place = folder.parent / "scores.csv"
    done = run_here("export", "csv", folder, "--output", place, *options)
    assert done.returncode == 0, done.stderr
    rows = list(csv.DictReader(io.StringIO(place.read_text(encoding="utf-8"))))
    return {row["student"]: row["total"] for row in rows}, done.stderr


@pytest.fixture
def reports(klass, course):
    grade(klass, course)
    return klass.parent / "out"


@pytest.mark.parametrize("what", ["removed", "renamed", "emptied"])
def test_who_left_the_class_is_named_and_left_out(klass, course, reports, what):
    """All of ann's submissions are gone, also for the assignment that nobody else handed in."""
    if what == "removed":
        shutil.rmtree(klass / "ann")
    elif what == "renamed":
        (klass / "ann").rename(klass / "zoe")
    else:
        shutil.rmtree(klass / "ann")
        (klass / "ann").mkdir()
    noted = " ".join(grade(klass, course).summary.notes)
    assert "the class no longer has: 'ann' (01_tiny), 'ann' (02_tiny_again)." in noted
    totals, told = exported(reports)
    assert totals.get("ann", "") == ""
    assert ("zoe" in totals) == (what == "renamed")
    assert "'ann', 01_tiny" in told and "'ann', 02_tiny_again" in told and "--keep-gone" in told
    kept, told = exported(reports, "--keep-gone")
    assert float(kept["ann"]) > 0 and "left out" not in told


def test_a_run_over_a_part_of_the_class_makes_nobody_gone(klass, course, reports):
    whole, _ = exported(reports)
    for paths in (
        [klass / "ben"],
        [klass / "ben/01_tiny"],
        [klass / "ben/01_tiny/tiny.py"],
        [klass / "ann", klass / "cho"],
    ):
        run(GradeOptions(paths, reports, course), judge=pretended)
        totals, told = exported(reports)
        assert totals.items() >= {name: total for name, total in whole.items() if name != "dan"}.items()
        assert "left out" not in told
    grade(klass, course, assignment="02_tiny_again")
    assert "left out" not in exported(reports)[1]


def test_another_assignments_download_makes_nobody_gone(klass, course, reports):
    later = klass.parent / "later"
    (hand_in(later, "ben", RIGHT, assignment="02_tiny_again"))
    run(GradeOptions([later], reports, course), judge=pretended)
    totals, told = exported(reports)
    assert float(totals["cho"]) > 0
    assert "'cho'" not in told and "'ann', 01_tiny" not in told


def test_all_students_named_one_by_one_are_the_class(klass, course, reports):
    shutil.rmtree(klass / "cho")
    (klass / "dan").rmdir()
    run(GradeOptions(sorted(klass.iterdir()), reports, course), judge=pretended)
    assert "cho" not in exported(reports)[0]


def test_who_comes_back_is_exported_again_also_after_a_run_that_was_killed(klass, course, reports):
    shutil.rmtree(klass / "cho")
    grade(klass, course)
    assert "cho" not in exported(reports)[0]
    before = (reports / "summary.json").read_bytes()
    hand_in(klass, "cho", WRONG + "# back\n")
    grade(klass, course)
    (reports / "summary.json").write_bytes(before)  # as a run leaves it that is killed before its end
    assert "cho" in exported(reports)[0]


def test_a_report_of_somebody_gone_may_be_removed_or_spoilt(klass, course, reports):
    shutil.rmtree(klass / "cho")
    grade(klass, course)
    (reports / "cho/01_tiny.json").write_text("torn", encoding="utf-8")
    assert "cho" not in exported(reports)[0]
    shutil.rmtree(reports / "cho")
    assert "cho" not in exported(reports)[0]
    with pytest.raises(UsageError, match="is gone"):
        read_class(reports, keep_gone=True)
