"""Grading a class again: only what changed is graded, nothing is lost or changed in silence, and parts make a whole."""

import json
import shutil
from decimal import Decimal

import pytest
from msgspec.structs import replace

from grader.course.layout import find_course
from grader.errors import GraderError
from grader.limits import Limits
from grader.records.cache_key import result_key, run_conditions
from grader.records.change_lines import lines_of
from grader.records.changes import compare, reports_at
from grader.records.journal import Journal
from grader.results.table import closing_lines
from grader.source_cells import Source

from ...support.classes.class_runs import RIGHT, WRONG, grade, reports
from ...support.courses import HIDDEN_SHARES, hand_in

NOT_NEEDED = {"tier": "not needed"}


def test_an_unchanged_class_is_not_graded_again_and_its_reports_stay(klass, course, tmp_path):
    first = grade(klass, course)
    before = {
        path: path.stat().st_mtime_ns for path in (tmp_path / "out").rglob("*.json") if path.parent != tmp_path / "out"
    }
    second = grade(klass, course)
    assert (first.summary.kept, second.summary.kept, second.summary.submissions) == (0, 4, 4)
    assert second.summary.isolation == NOT_NEEDED
    assert {path: path.stat().st_mtime_ns for path in before} == before
    assert [row.score for row in second.rows] == [row.score for row in first.rows]
    assert second.students == first.students


def test_without_what_is_kept_nothing_is_lost_but_time(klass, course, tmp_path):
    grade(klass, course)
    before = reports(tmp_path / "out")
    shutil.rmtree(course / ".grader/kept")
    assert grade(klass, course).summary.isolation == NOT_NEEDED  # the journal and the reports are kept
    shutil.rmtree(tmp_path / "out")
    assert grade(klass, course).summary.kept == 0
    assert reports(tmp_path / "out") == before


def test_another_language_makes_the_reports_anew(klass, course, tmp_path):
    grade(klass, course)
    grade(klass, course, language="ko")
    assert json.loads((tmp_path / "out/ann/01_tiny.json").read_bytes())["language"] == "ko"


def test_a_changed_submission_alone_is_graded_again_and_a_lower_score_is_said(klass, course):
    grade(klass, course)
    hand_in(klass, "ann", WRONG + "# ann\n")
    again = grade(klass, course)
    assert (again.summary.kept, again.summary.submissions) == (3, 4)
    (lowered,) = again.summary.lowered
    assert (lowered.student, lowered.assignment, lowered.before, lowered.after) == ("ann", "01_tiny", 2, 0)
    assert (lowered.exercises, lowered.resubmitted) == (["shares"], True)
    told = "\n".join(closing_lines(again.summary, klass))
    assert "LOWER than before (1):" in told
    assert "'ann', 01_tiny: 2 to 0, in shares (the student handed in something else)." in told


def test_a_score_that_is_lost_since_the_new_file_cannot_be_read_is_said(klass, course):
    grade(klass, course)
    hand_in(klass, "ann", "<html>")
    again = grade(klass, course)
    (lowered,) = again.summary.lowered
    assert (lowered.student, lowered.before, lowered.after, lowered.resubmitted) == ("ann", 2, None, True)
    told = "\n".join(closing_lines(again.summary, klass))
    assert "'ann', 01_tiny: 2 to - (the student handed in something else)." in told
    assert grade(klass, course).summary.lowered == []


def test_a_changed_hidden_test_file_regrades_its_own_assignment_only(klass, course):
    grade(klass, course)
    places = [klass.parent / "out" / "ann" / f"{name}.json" for name in ("01_tiny", "02_tiny_again")]
    before = [place.stat().st_mtime_ns for place in places]
    suite = course / "tests/hidden/01_tiny/test_shares.py"
    suite.write_text(HIDDEN_SHARES.replace("(1, 4, 9)", "(1, 4, 9, 12)"), encoding="utf-8")
    again = grade(klass, course)
    assert (again.summary.kept, again.summary.submissions) == (1, 4)
    assert [place.stat().st_mtime_ns == time for place, time in zip(places, before, strict=True)] == [False, True]
    assert not again.summary.lowered


def test_other_limits_raw_reports_or_the_wish_for_a_fresh_run_grade_everything(klass, course, tmp_path):
    grade(klass, course)
    for change in ({"limits": {"check_cpu_s": 4.5}}, {"raw": tmp_path / "raw"}, {"fresh": True}):
        assert grade(klass, course, **change).summary.kept == 0, change
    assert (tmp_path / "raw/ann/01_tiny.json").is_file()


def test_a_result_is_kept_for_one_device_one_suite_and_one_file_of_one_kind(course):
    """A notebook that was handed in under the name of a `.py` is not that notebook, though its bytes are the same."""
    cpu, cuda = (run_conditions(find_course(course), device, Limits()) for device in ("cpu", "cuda"))
    source = Source([], "py", "tiny.py", "the bytes")
    others = [replace(source, kind="ipynb"), replace(source, file_name="TINY.py"), replace(source, digest="other")]
    keys = [result_key(cpu, "the suite", candidate) for candidate in (source, *others)]
    keys += [result_key(cuda, "the suite", source), result_key(cpu, "another suite", source)]
    assert len(set(keys)) == len(keys) == 6


def test_another_secret_grades_everything(klass, course, monkeypatch):
    grade(klass, course)
    monkeypatch.setenv("GRADER_SECRET", "another secret of the course")
    again = grade(klass, course)
    assert again.summary.kept == 0
    assert any("Lines of journal.jsonl" in note for note in again.summary.notes)


def test_results_serve_another_output_folder_and_another_student_with_the_same_file(klass, course, tmp_path):
    grade(klass, course)
    hand_in(klass, "eve", RIGHT)
    other = grade(klass, course, "elsewhere")
    assert (other.summary.kept, other.summary.submissions) == (5, 5)
    assert other.summary.isolation == NOT_NEEDED
    ann = json.loads((tmp_path / "elsewhere/ann/01_tiny.json").read_bytes())
    eve = json.loads((tmp_path / "elsewhere/eve/01_tiny.json").read_bytes())
    assert (eve["student"], eve["score"], eve["seed"]) == ("eve", ann["score"], ann["seed"])


def test_reports_that_were_deleted_or_changed_are_made_again_from_what_is_kept(klass, course, tmp_path):
    grade(klass, course)
    whole = {path: path.read_bytes() for path in (tmp_path / "out").rglob("01_tiny.json")}
    (tmp_path / "out/ann/01_tiny.json").write_text("{}")
    (tmp_path / "out/for-students/ben/01_tiny.json").unlink()
    again = grade(klass, course)
    assert again.summary.isolation == NOT_NEEDED
    assert {path: path.read_bytes() for path in whole} == whole


def test_damaged_records_are_found_and_their_submissions_graded_again(klass, course, tmp_path):
    grade(klass, course)
    before = reports(tmp_path / "out")
    for entry in (course / ".grader/kept/results").rglob("*.json"):
        entry.write_bytes(entry.read_bytes().replace(b'"passed"', b'"failed"'))
    journal = tmp_path / "out/journal.jsonl"
    journal.write_bytes(journal.read_bytes().replace(b'"score":"2"', b'"score":"9"')[:-40])
    again = grade(klass, course)
    assert again.summary.isolation != NOT_NEEDED
    assert any("damaged" in note for note in again.summary.notes)
    assert reports(tmp_path / "out") == before
    assert {row.student: row.score for row in again.rows if row.assignment == "01_tiny"} == {
        "ann": Decimal(2), "ben": Decimal(0), "cho": Decimal(2),
    }  # fmt: skip


def test_a_run_without_isolation_neither_takes_nor_leaves_results(klass, course):
    grade(klass, course)
    assert grade(klass, course, tier="none").summary.kept == 0
    hand_in(klass, "ann", RIGHT + "# unsafe\n")
    grade(klass, course, tier="none")
    assert grade(klass, course).summary.kept == 3


def test_diff_tells_who_went_up_and_down_in_which_exercise_and_check(klass, course, tmp_path):
    grade(klass, course)
    hand_in(klass, "ann", WRONG + "# ann\n")
    hand_in(klass, "ben", RIGHT + "# ben\n")
    grade(klass, course)
    out = str(tmp_path / "out")
    before, after = reports_at(f"{out}@-1"), reports_at(out)
    told = "\n".join(lines_of(compare(before, after), before, after))
    down, _, up = told.partition("Went up")
    assert "'ann', 01_tiny: 2 to 0 (handed in something else)" in down
    assert "random_shares: passed to failed" in down
    assert "'ben', 01_tiny: 0 to 2 (handed in something else)" in up
    assert "1 went down, 1 up, 0 differ otherwise, 2 are the same." in told
    assert compare(before, reports_at(f"{out}@-1")) == []
    assert compare(after, reports_at(f"{out}@2999-01-01")) == []
    last_day = max(line.written for line in after.values())[:10]
    assert compare(after, reports_at(f"{out}@{last_day}")) == []  # a day counts as a whole
    (tmp_path / "out/journal.jsonl").unlink()
    (tmp_path / "out/.before-2026").mkdir()
    (tmp_path / "out/.before-2026/run.json").write_text("what a new class set aside")
    assert compare(after, reports_at(out)) == []  # the reports alone say the same


@pytest.mark.parametrize(
    "named", ["nowhere", "{out}@yesterday", "{out}@2026-99-99", "{out}@2026-11-21T25:00", "{out}@-9",
              "{out}@1999-01-01", "{empty}"],
)  # fmt: skip
def test_a_state_that_there_is_not_is_named(klass, course, tmp_path, named, refuses):
    grade(klass, course)
    (tmp_path / "empty").mkdir()
    with refuses(GraderError):
        reports_at(named.format(out=tmp_path / "out", empty=tmp_path / "empty"))


def test_a_journal_that_was_cut_off_in_a_line_goes_on_in_a_new_one(klass, course, tmp_path):
    grade(klass, course)
    file = tmp_path / "out/journal.jsonl"
    file.write_bytes(file.read_bytes()[:-30])
    hand_in(klass, "ben", RIGHT + "# ben\n")
    grade(klass, course)
    journal = Journal(tmp_path / "out", (course / ".grader/secret").read_bytes())
    assert journal.damaged_lines == 1
    newest = journal.newest(("ben", "01_tiny"))
    assert newest is not None and newest.score == 2


def packed(klass):
    """Return the class as a zip file beside it, in place of one that is there."""
    return klass.parent / shutil.make_archive(str(klass.parent / "packed"), "zip", klass)


def test_a_class_is_the_same_in_its_folder_and_in_its_zip_file_of_which_no_file_is_left(klass, course, tmp_path):
    first = grade(klass, course)
    before = reports(tmp_path / "out")
    zipped = packed(klass)
    second = grade(zipped, course)
    assert (first.summary.kept, second.summary.kept, second.summary.submissions) == (0, 4, 4)
    assert grade(klass, course).summary.kept == 4
    assert reports(tmp_path / "out") == before
    hand_in(klass, "ben", RIGHT + "# ben\n")
    third = grade(packed(klass), course)
    scores = {row.student: row.score for row in third.rows}
    assert (third.summary.kept, scores["ben"]) == (3, scores["cho"])
    shutil.rmtree(klass)
    fresh = grade(zipped, course, fresh=True)
    assert fresh.summary.kept == 0
    assert [(row.student, row.score) for row in fresh.rows] == [(row.student, row.score) for row in third.rows]
    assert [path for path in tmp_path.rglob("tiny*.py") if not path.is_relative_to(course)] == []
