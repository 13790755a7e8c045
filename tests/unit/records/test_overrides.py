"""Points that are set by hand: kept in the journal, counted until they are taken back, with the graded ones beside."""

import json
import os
import shutil
from decimal import Decimal

import msgspec
import pytest

from grader.grading import GradeOptions, run
from grader.grading.progress import ProgressReporter
from grader.records import journal
from grader.records.journal import Journal
from grader.records.journal_lines import Line
from grader.records.overrides import overrides_of

from ...support.class_runs import RIGHT, WRONG, grade
from ...support.command_line import run_here
from ...support.courses import hand_in, write_course
from ...support.pretended_engine import pretended

WHY = ("--reason", "The text was unclear", "--by", "Kim")


@pytest.fixture(scope="module")
def graded_once(tmp_path_factory):
    folder = tmp_path_factory.mktemp("overrides")
    course = write_course(folder / "course", {"tests/golden/N0.json": "[]"})
    for name, answer in (("ann", RIGHT), ("ben", WRONG)):
        hand_in(folder / "class", name, answer)
    (folder / "class/dan").mkdir()
    grade(folder / "class", course)
    return folder


@pytest.fixture
def klass(graded_once, tmp_path):
    shutil.copytree(graded_once, tmp_path, dirs_exist_ok=True)
    return tmp_path / "class"


@pytest.fixture
def course(klass):
    return klass.parent / "course"


@pytest.fixture
def out(klass):
    """The reports of the class, in which `ben` has 0 of 5.5 points."""
    return klass.parent / "out"


def override(out, student, *options, why=WHY, assignment="01_tiny"):
    return run_here("override", student, assignment, *options, *why, "--output", out, "--course", out.parent / "course")


def scores(out):
    """Return the lines of `scores.csv` by student."""
    lines = (out / "scores.csv").read_text().replace('"', "").splitlines()
    return {line.partition(",")[0]: line for line in lines}


def everything(out):
    return {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}


def test_points_set_by_hand_are_said_with_the_graded_ones_and_change_no_report(out):
    before = everything(out)
    done = override(out, "ben", "--points", "4.5")
    assert done.returncode == 0, done.stderr
    assert "'ben', 01_tiny: 4.5 instead of 0 of 5.5 points, set by Kim: The text was unclear" in done.stdout
    changed = {path.name for path, content in everything(out).items() if before.get(path) != content}
    assert changed == {"journal.jsonl", "scores.csv"}
    assert scores(out)["ben"] == "ben,4.5,4.5"


def test_a_name_is_found_however_its_accents_are_encoded(out, klass, course):
    hand_in(klass, "Jose\u0301", WRONG)
    grade(klass, course)
    assert override(out, "Jos\u00e9", "--points", "4.5").returncode == 0
    assert scores(out)["Jose\u0301"] == "Jose\u0301,4.5,4.5"
    asked = run_here("appeal", "Jos\u00e9", "01_tiny", klass, "--check", "nothing", "--output", out, "--course", course)
    assert "nothing" in asked.stderr  # the report was found
    (klass / "Jose\u0301").rename(klass / "Jos\u00e9")
    grade(klass, course)
    assert override(out, "Jose\u0301", "--points", "3").returncode == 0
    assert scores(out)["Jos\u00e9"] == "Jos\u00e9,3,3"


def test_where_only_the_table_cannot_be_written_it_is_said_that_the_points_are_set(out):
    (out / "scores.csv").unlink()
    (out / "scores.csv").mkdir()
    done = override(out, "ben", "--points", "4.5")
    assert done.returncode == 2
    assert "The points are set in the journal, and scores.csv does not have them yet." in done.stderr
    (out / "scores.csv").rmdir()
    assert override(out, "ben", "--points", "4.5").returncode == 0
    assert scores(out)["ben"] == "ben,4.5,4.5"


def test_they_are_kept_by_regrades_until_they_are_taken_back(out, klass, course):
    plain = (out / "scores.csv").read_bytes()
    override(out, "ben", "--points", "4.5")
    set_by_hand = (out / "scores.csv").read_bytes()
    for fresh in (False, True):
        again = grade(klass, course, fresh=fresh)
        assert {row.student: row.score for row in again.rows if row.assignment == "01_tiny"}["ben"] == Decimal("4.5")
        assert (out / "scores.csv").read_bytes() == set_by_hand
        assert "Points set by hand count for 'ben' (01_tiny)." in again.summary.notes
        assert "other points beneath" not in " ".join(again.summary.notes)
    done = override(out, "ben", "--take-back")
    assert done.stdout.startswith("'ben', 01_tiny: what grading gave counts again.")
    assert (out / "scores.csv").read_bytes() == plain
    assert "set by hand" not in " ".join(grade(klass, course).summary.notes)


def test_a_regrade_that_changes_the_points_beneath_says_so_once(out, klass, course):
    override(out, "ben", "--points", "4.5")
    hand_in(klass, "ben", RIGHT)
    notes = " ".join(grade(klass, course).summary.notes)
    assert "'ben', 01_tiny: grading gave other points beneath those set by hand, 0 to 2." in notes
    assert "The 4.5 set by 'Kim' still count; `grader override --take-back` ends that." in notes
    assert scores(out)["ben"] == "ben,4.5,4.5"
    assert "beneath" not in " ".join(grade(klass, course).summary.notes)


def test_the_points_of_one_exercise_can_be_set(out):
    done = override(out, "ben", "--points", "2", "--exercise", "Shift")
    assert "'ben', Shift | by a parameter: 2 instead of 0 of 3.5 points, set by Kim" in done.stdout
    assert scores(out)["ben"] == "ben,2,2"
    override(out, "ben", "--points", "1", "--exercise", "shares")
    assert scores(out)["ben"] == "ben,3,3"
    override(out, "ben", "--take-back", "--exercise", "Shift")
    assert scores(out)["ben"] == "ben,1,1"


def test_of_two_the_last_counts_and_the_history_stays(out):
    override(out, "ben", "--points", "4.5")
    override(out, "ben", "--points", "0", why=("--reason", "I misread", "--by", "Lee"))
    assert scores(out)["ben"] == "ben,0,0"
    ((only,),) = [mine.values() for mine in overrides_of(out).values()]
    assert (only.points, only.by, only.reason) == (Decimal(0), "Lee", "I misread")
    override(out, "ben", "--take-back")
    history = [(each.shown, each.by) for each in Journal(out, None).overrides]
    assert history == [("4.5", "Kim"), ("0", "Lee"), ("", "Kim")]


def test_a_submission_that_could_not_be_graded_can_be_given_points_as_a_whole(out, klass, course):
    hand_in(klass, "ben", "{")
    (klass / "ben/01_tiny/tiny.py").write_bytes(b"\x00")
    grade(klass, course)
    assert scores(out)["ben"] == "ben,not graded,"
    refused = override(out, "ben", "--points", "1", "--exercise", "shares")
    assert (refused.returncode, "Leave --exercise out" in refused.stderr) == (2, True)
    override(out, "ben", "--points", "3")
    assert scores(out)["ben"] == "ben,3,3"


def test_points_of_an_exercise_that_a_regrade_leaves_ungraded_are_said_not_to_count(out, klass, course):
    override(out, "ben", "--points", "1", "--exercise", "shares")
    (klass / "ben/01_tiny/tiny.py").write_bytes(b"\x00")
    notes = " ".join(grade(klass, course).summary.notes)
    assert "'ben', 01_tiny: Shares of a whole: the points set by Kim (1) do not count, since this exercise was" in notes
    assert "Points set by hand count for" not in notes
    assert scores(out)["ben"] == "ben,not graded,"


def test_what_is_set_while_a_run_goes_on_is_in_its_table(out, klass, course):
    class Meanwhile(ProgressReporter):
        def begin(self, whole, kept):
            super().begin(whole, kept)
            assert override(out, "ben", "--points", "3").returncode == 0

    options = GradeOptions([klass], out, course, fresh=True)
    rows = run(options, Meanwhile(), judge=pretended).rows
    assert {row.student: row.score for row in rows}["ben"] == 3
    assert scores(out)["ben"] == "ben,3,3"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("ben", "--points", "5.6"), "5.6 is not between 0 and 5.5."),
        (("ben", "--points", "-1"), "-1 is not between 0 and 5.5."),
        (("ben", "--points", "2.5", "--exercise", "shares"), "2.5 is not between 0 and 2."),
        (("ben", "--points", "nan"), "'nan' is not a number of points"),
        (("ben", "--points", "many"), "'many' is not a number of points"),
        (("bne", "--points", "1"), "Did you mean `ben`?"),
        (("dan", "--points", "1"), "The report of 'dan' for 01_tiny was looked for."),
        (("ben", "--points", "1", "--exercise", "share"), "Did you mean `shares`?"),
        (("ben", "--take-back"), "'ben', 01_tiny has none to take back."),
        (("ben",), "Give either --points POINTS or --take-back."),
        (("ben", "--points", "1", "--take-back"), "Give either --points POINTS or --take-back."),
        (("ben", "--points", "1", "--by", " "), "A text of 1 to 100 characters is asked for."),
        (("ben", "--points", "1", "--reason", "a" * 501), "A text of 1 to 500 characters is asked for."),
    ],
)
def test_what_cannot_count_is_one_sentence_and_writes_nothing(out, arguments, sentence):
    before = everything(out)
    why = tuple(word for at in (0, 2) if WHY[at] not in arguments for word in WHY[at : at + 2])
    done = override(out, *arguments, why=why)
    assert (done.returncode, sentence in done.stderr, "Traceback" in done.stderr) == (2, True, False), done.stderr
    assert everything(out) == before


def test_an_unknown_assignment_is_a_sentence(out):
    done = override(out, "ben", "--points", "1", assignment="01_tyni")
    assert (done.returncode, "Did you mean `01_tiny`?" in done.stderr) == (2, True)


def test_a_whole_and_its_exercises_are_not_both_set(out):
    override(out, "ben", "--points", "1", "--exercise", "shares")
    done = override(out, "ben", "--points", "3")
    assert (done.returncode, "those of shares were set already, by 'Kim'. Take these back first." in done.stderr) == (
        2,
        True,
    )
    override(out, "ben", "--take-back", "--exercise", "shares")
    override(out, "ben", "--points", "3")
    done = override(out, "ben", "--points", "1", "--exercise", "shares")
    assert (done.returncode, "those of the whole assignment were set already" in done.stderr) == (2, True)


def test_a_line_that_was_cut_off_takes_nothing_with_it(out, klass, course):
    """A kill while a line is written leaves a part of it; what was set before and what is set after both count."""
    override(out, "ben", "--points", "1", "--exercise", "shares")
    place = out / "journal.jsonl"
    whole = place.read_bytes()
    override(out, "ben", "--points", "3", "--exercise", "Shift")
    place.write_bytes(place.read_bytes()[: len(whole) + 40])
    assert {name: each.shown for name, each in overrides_of(out)["ben", "01_tiny"].items()} == {"shares": "1"}
    override(out, "ben", "--points", "2", "--exercise", "Shift")
    assert {name: each.shown for name, each in overrides_of(out)["ben", "01_tiny"].items()} == {
        "shares": "1",
        "Shift": "2",
    }
    grade(klass, course)
    assert scores(out)["ben"] == "ben,3,3"


def test_a_line_that_was_made_with_another_secret_does_not_count_in_a_run(out, klass, course, monkeypatch):
    monkeypatch.setenv("GRADER_SECRET", "another secret of the tests, which is long enough")
    forged = override(out, "ben", "--points", "3")
    assert (forged.returncode, "has none" in forged.stderr) == (2, True)
    monkeypatch.delenv("GRADER_SECRET")
    override(out, "ben", "--points", "3")
    place = out / "journal.jsonl"
    place.write_bytes(place.read_bytes().replace(b'"points":"3"', b'"points":"5"'))
    assert "were damaged or made with another secret" in " ".join(grade(klass, course).summary.notes)
    assert scores(out)["ben"] == "ben,0,0"


def test_a_kit_that_does_not_know_such_lines_leaves_them_aside(out):
    """It reads each line as that of a report, and counts one that is none as damaged, which its run says."""
    override(out, "ben", "--points", "3")
    last = json.loads((out / "journal.jsonl").read_bytes().splitlines()[-1])
    assert last["line"]["points"] == "3"
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(last["line"], Line)


def test_what_was_written_is_on_the_disk_before_it_is_said(out, monkeypatch):
    synced = []

    def fsync(descriptor):
        synced.append(os.fstat(descriptor).st_ino)

    monkeypatch.setattr(journal.os, "fsync", fsync)
    override(out, "ben", "--points", "3")
    assert (out / "journal.jsonl").stat().st_ino in synced
