"""What a run keeps is what it says, and a score that goes down is told whatever happened in between."""

import os

import pytest

from grader.errors import GraderError, UsageError
from grader.grading import GradeOptions, run

from ...support.classes.class_runs import RIGHT, WRONG, grade
from ...support.courses import HIDDEN_SHARES, hand_in
from ...support.workers.pretended_engine import pretended

SUITE = "tests/hidden/01_tiny/test_shares.py"


def test_a_suite_that_changes_while_a_run_goes_on_leaves_nothing_behind(klass, course, told, tmp_path):
    file = course / SUITE
    told(at_start=lambda: file.write_text(HIDDEN_SHARES + "\n# changed\n", encoding="utf-8"))
    noted = grade(klass, course).summary.notes
    assert any("The suite of 01_tiny was changed while this run went on" in note for note in noted)
    told()
    assert grade(klass, course).summary.kept == 1  # of the other assignment
    file.write_text(HIDDEN_SHARES, encoding="utf-8")
    again = grade(klass, course)
    assert again.summary.kept == 1
    assert not any("was changed" in note for note in again.summary.notes)
    assert grade(klass, course).summary.kept == 4


def test_a_change_that_is_taken_back_at_once_is_seen_as_well(klass, course, told):
    file = course / SUITE

    def touch():
        file.write_text(HIDDEN_SHARES + "\n# changed\n", encoding="utf-8")
        file.write_text(HIDDEN_SHARES, encoding="utf-8")
        os.utime(file, ns=(file.stat().st_atime_ns, file.stat().st_mtime_ns + 1))

    told(at_start=touch)
    assert any("was changed" in note for note in grade(klass, course).summary.notes)


def all_wrong(folder):
    for student in ("ann", "cho"):
        hand_in(folder, student, f"{WRONG}# {student}\n")


def lower_and_stop(klass, course, told, after):
    """Grade a class, then grade wrong answers in its place and stop after so many submissions."""
    grade(klass, course)
    all_wrong(klass)
    told(after=after)
    with pytest.raises(KeyboardInterrupt):
        grade(klass, course, jobs=1)
    told()


def test_a_run_over_somebody_else_tells_what_a_stopped_one_lowered(klass, course, told):
    """Its summary stands for the stopped run as well, so nobody would say it later."""
    lower_and_stop(klass, course, told, after=1)
    options = GradeOptions([klass / "ben"], klass.parent / "out", course, student="ben")
    someone_else = run(options, judge=pretended).summary.lowered
    whole = grade(klass, course).summary.lowered
    assert sorted(change.student for change in [*someone_else, *whole]) == ["ann", "cho"]
    assert len(someone_else) == 1
    assert grade(klass, course).summary.lowered == []


def test_without_a_journal_nobody_knows_of_a_score_before(klass, course):
    grade(klass, course)
    (klass.parent / "out/journal.jsonl").unlink()
    all_wrong(klass)
    again = grade(klass, course).summary
    assert (again.submissions, again.lowered) == (4, [])


def test_a_score_that_a_stopped_run_lowered_and_the_next_one_raised_is_no_loss(klass, course, told):
    lower_and_stop(klass, course, told, after=2)
    for student in ("ann", "cho"):
        hand_in(klass, student, f"{RIGHT}# {student} again\n")
    assert grade(klass, course).summary.lowered == []


def test_a_higher_score_is_told_too(klass, course):
    all_wrong(klass)
    grade(klass, course)
    hand_in(klass, "ann", RIGHT)
    again = grade(klass, course).summary
    assert again.lowered == []
    assert [note for note in again.notes if note.startswith("Higher than before (1): 'ann'")]


def test_a_lower_score_is_told_although_the_secret_changed(klass, course):
    grade(klass, course)
    (course / ".grader/secret").unlink()
    all_wrong(klass)
    assert sorted(change.student for change in grade(klass, course).summary.lowered) == ["ann", "cho"]


def test_raw_reports_have_a_folder_of_their_own(klass, course, tmp_path, refuses):
    for place in (klass.parent / "x/../out", klass):
        with refuses(UsageError):
            grade(klass, course, raw=place)


def test_a_pipe_in_the_place_of_the_journal_is_not_waited_for(klass, course, tmp_path):
    (tmp_path / "out").mkdir()
    os.mkfifo(tmp_path / "out/journal.jsonl")
    with pytest.raises(GraderError, match=r"journal\.jsonl.* cannot be read: it is not a file"):
        grade(klass, course, fresh=True)
