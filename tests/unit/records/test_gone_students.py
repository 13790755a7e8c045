"""An export holds the class as the newest run met it: who left it is named and left out, and nobody else is."""

import csv
import io
import shutil

import pytest

from grader.errors import UsageError
from grader.grading import GradeOptions, run
from grader.lms.reports import read_class
from grader.nbgrader.push import read_reports
from grader.records.merge import merge

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
    left_out = " ".join(read_reports(reports)[1])
    assert "'ann', 01_tiny" in left_out
    assert "ann" in {each.student for each in read_reports(reports, keep_gone=True)[0]}


def test_a_run_over_a_part_of_the_class_makes_nobody_gone(klass, course, reports):
    whole, _ = exported(reports)
    for path in ("ben", "ben/01_tiny", "ben/01_tiny/tiny.py"):
        run(GradeOptions([klass / path], reports, course, student="ben"), judge=pretended)
        totals, told = exported(reports)
        assert totals.items() >= {name: total for name, total in whole.items() if name != "dan"}.items()
        assert "left out" not in told
    for number in (1, 2, 3):
        grade(klass, course, shard=(number, 3))
    assert "left out" not in exported(reports)[1]
    grade(klass, course, assignment="02_tiny_again")
    assert "left out" not in exported(reports)[1]


def test_another_assignments_download_makes_nobody_gone(klass, course, reports):
    later = klass.parent / "later"
    (hand_in(later, "ben", RIGHT, assignment="02_tiny_again"))
    run(GradeOptions([later], reports, course), judge=pretended)
    totals, told = exported(reports)
    assert float(totals["cho"]) > 0
    assert "'cho'" not in told and "'ann', 01_tiny" not in told


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


def test_a_merge_leaves_out_who_is_gone_and_nobody_whom_a_later_run_did_not_look_at(klass, course, reports):
    shutil.rmtree(klass / "cho")
    grade(klass, course)
    run(GradeOptions([klass / "ben"], reports, course, student="ben"), judge=pretended)
    rows, _, summary = merge([reports], klass.parent / "whole", (course / ".grader/secret").read_bytes())
    assert {(row.student, row.assignment) for row in rows} == {
        ("ann", "01_tiny"), ("ann", "02_tiny_again"), ("ben", "01_tiny"),
    }  # fmt: skip
    assert summary.gone == {}
