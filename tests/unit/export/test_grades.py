"""`grades.json` and `grades.csv` hold everybody in the class, whatever the newest run was over."""

import csv
import json
import shutil

import jsonschema
import msgspec
import pytest

from grader.errors import OutputError, UsageError
from grader.export.grades import read_grades
from grader.grading import GradeOptions, run
from grader.records.folder_lock import one_run_at_a_time

from ...support.classes.class_runs import RIGHT, WRONG, grade
from ...support.courses import hand_in
from ...support.reports.report_parts import DOCS
from ...support.workers.pretended_engine import pretended

ONE, TWO = "01_tiny", "02_tiny_again"


def grades_in(klass):
    """Return the entries of `grades.json` by student and assignment."""
    document = json.loads((klass.parent / "out" / "grades.json").read_bytes())
    jsonschema.validate(document, json.loads((DOCS / "grades.schema.json").read_bytes()))
    return {(entry["student"], entry["assignment"]): entry for entry in document["grades"]}


def graded(klass, course, **options):
    grade(klass, course, **options)
    return grades_in(klass)


def late_class(klass):
    folder = klass.parent / "late"
    hand_in(folder, "zoe", RIGHT + "# zoe\n")
    return folder


def test_every_submission_has_an_entry(klass, course):
    entries = graded(klass, course)
    assert {key: entry["score"] for key, entry in entries.items()} == {
        ("ann", ONE): 2, ("ann", TWO): 2, ("ben", ONE): 0, ("cho", ONE): 2,
    }  # fmt: skip
    ann = entries["ann", ONE]
    assert (ann["max"], ann["status"], ann["problem"], ann["by_hand"]) == (5.5, "graded", None, None)
    assert (ann["file"], ann["late"], ann["submitted"]) == ("tiny.py", False, None) and ann["kit"]


def test_a_run_adds_to_the_class(klass, course):
    grade(klass, course)
    assert {student for student, _ in graded(late_class(klass), course)} == {"ann", "ben", "cho", "zoe"}


def test_who_is_not_on_the_roster_is_said(klass, course):
    (klass / "roster.csv").write_text("login\nann\nbenny\n")
    text = " ".join(grade(klass, course).grades.lines())
    assert "Not on the roster (2): 'ben', 'cho'." in text and "without a file for 01_tiny (1): 'benny'" in text


@pytest.mark.parametrize("named", ["ann@x", "Ann Lee", "0042", "ann"])
def test_one_students_work_may_be_graded_under_any_identity(klass, course, tmp_path, named):
    (klass / "roster.csv").write_text(
        "name,login,email,number\nAnn Lee,ann,ann@x,0042\nDan,dan,dan@x,7\n", encoding="utf-8"
    )
    grade(klass, course)
    mailed = tmp_path / "tiny.py"
    mailed.write_text(WRONG, encoding="utf-8")
    run(GradeOptions([mailed], klass.parent / "out", course, student=named), judge=pretended)
    entries = grades_in(klass)
    assert entries["ann", ONE]["score"] == 0 and {student for student, _ in entries} == {"ann", "ben", "cho", "dan"}


def test_one_person_with_two_folders_is_refused_with_a_way_out_before_anything_is_graded(klass, course):
    (klass / "roster.csv").write_text("name,canvas id\nAnn Lee,11\n", encoding="utf-8")
    hand_in(klass, "annlee_11", RIGHT)
    hand_in(klass, "leeann_11", RIGHT)
    with pytest.raises(UsageError, match=r"both have 01_tiny.*--student"):
        grade(klass, course)
    assert not (klass.parent / "out" / "ann").exists()


def test_a_run_over_one_assignment_keeps_the_other(klass, course):
    grade(klass, course)
    assert len(graded(klass, course, assignment=TWO)) == 4


def test_a_new_class_begins_again(klass, course):
    grade(klass, course)
    assert {student for student, _ in graded(late_class(klass), course, new_class=True)} == {"zoe"}
    (before,) = (klass.parent / "out").glob(".before-*")
    assert (before / "ann" / f"{ONE}.json").is_file()
    for _ in range(3):
        grade(late_class(klass), course, new_class=True)
    assert len([*(klass.parent / "out").glob(".before-*")]) == 4


def test_a_new_class_with_a_broken_roster_leaves_the_reports_in_their_place(klass, course):
    grade(klass, course)
    late = late_class(klass)
    (late / "roster.csv").write_text("wer\nzoe\n")
    with pytest.raises(UsageError, match="wer"):
        grade(late, course, new_class=True)
    assert ("ann", ONE) in grades_in(klass)
    assert not [*(klass.parent / "out").glob(".before-*")]


@pytest.mark.parametrize(
    "names", [["\udcff.py"], ["\udcff.py", "\udcfe.ipynb"], ["\udcff.pdf"], ["a\nb.py"], ["\x1b[2J.py"]]
)
def test_no_name_that_a_student_can_give_a_file_ends_the_run(klass, course, names):
    folder = klass / "zoe" / ONE
    folder.mkdir(parents=True)
    for name in names:
        (folder / name).write_text(RIGHT)
    for _ in range(2):
        grade(klass, course)
        assert {student for student, _ in grades_in(klass)} == {"ann", "ben", "cho", "zoe"}


def test_what_cannot_be_graded_has_no_score(klass, course):
    (klass / "ben" / ONE / "tiny.py").write_bytes(b"\xff\xfe\x00x = 1")
    ben = graded(klass, course)["ben", ONE]
    assert (ben["score"], ben["status"]) == (None, "not graded") and ben["problem"]


def test_the_time_of_a_platform_is_kept(klass, course, monkeypatch):
    from grader.grading import whole_class

    find_all = whole_class.find_all

    def with_times(*arguments):
        at = "2026-03-01T10:00:00+00:00"
        all_found = find_all(*arguments)
        timed = [msgspec.structs.replace(submission, submitted=at, late=True) for submission in all_found.submissions]
        return msgspec.structs.replace(all_found, submissions=timed)

    grade(klass, course)
    monkeypatch.setattr(whole_class, "find_all", with_times)
    again = grade(klass, course)
    assert again.summary.kept == 4
    ann = grades_in(klass)["ann", ONE]
    assert ann["submitted"] == "2026-03-01T10:00:00+00:00" and ann["late"] is True


def test_a_report_that_was_changed_has_no_points(klass, course):
    grade(klass, course)
    place = klass.parent / "out" / "ben" / f"{ONE}.json"
    place.write_text(place.read_text().replace('"score": 0', '"score": 5'))
    ben = read_grades(klass.parent / "out").find("ben", ONE)
    assert (ben.points, ben.status, "not as it was written" in ben.problem) == (None, "not graded", True)
    assert graded(klass, course)["ben", ONE]["score"] == 0


def test_a_report_that_was_removed_is_not_forgotten(klass, course):
    grade(klass, course)
    shutil.rmtree(klass.parent / "out" / "ben")
    ben = read_grades(klass.parent / "out").find("ben", ONE)
    assert ben.points is None and "removed" in ben.problem


def test_a_link_to_nothing_in_the_place_of_a_report_is_not_as_it_was_written(klass, course):
    grade(klass, course)
    report = klass.parent / "out" / "ben" / f"{ONE}.json"
    report.unlink()
    report.symlink_to("nowhere")
    ben = read_grades(klass.parent / "out").find("ben", ONE)
    assert ben.points is None and "not as it was written" in ben.problem


def test_grades_without_isolation_are_taken_and_said(klass, course):
    (klass.parent / "canvas").mkdir()
    (klass.parent / "canvas" / "dee_LATE_1_2_tiny.py").write_text(RIGHT)
    grade(klass, course, tier="none")
    grade(klass.parent / "canvas", course, tier="none", layout="canvas", assignment=ONE)
    grades = read_grades(klass.parent / "out")
    late = {entry.student: entry.late for entry in grades.all if entry.status == "graded"}
    assert late == {"ann": False, "ben": False, "cho": False, "dee_1": True}
    assert any("without isolation" in note for note in grades.notes)


def test_the_table_is_the_same_as_the_document(klass, course):
    (klass.parent / "roster.csv").write_text("name,login\n=Ann Lee,ann\nDan Fox,dan\n", encoding="utf-8")
    grade(klass, course)
    with (klass.parent / "out" / "grades.csv").open(encoding="utf-8", newline="") as file:
        rows = {(row["student"], row["assignment"]): row for row in csv.DictReader(file)}
    assert rows.keys() == grades_in(klass).keys()
    ann = rows["ann", ONE]
    assert (ann["score"], ann["max"], ann["late"], ann["login"], ann["name"]) == ("2", "5.5", "no", "ann", "'=Ann Lee")
    assert rows["dan", ONE]["score"] == "" and rows["dan", ONE]["status"] == "missing"


def test_only_who_is_on_the_roster_without_a_file_is_missing(klass, course):
    assert not any(entry["status"] == "missing" for entry in graded(klass, course).values())
    (klass.parent / "roster.csv").write_text("name,login\nAnn Lee,ann\nZoe Fox,zfox\n", encoding="utf-8")
    entries = graded(klass, course)
    missing = {key for key, entry in entries.items() if entry["status"] == "missing"}
    assert missing == {("zfox", ONE), ("zfox", TWO)}
    assert entries["zfox", ONE]["score"] is None and entries["zfox", ONE]["name"] == "Zoe Fox"
    assert entries["ann", ONE]["name"] == "Ann Lee" and entries["ben", ONE]["name"] == ""


def test_the_roster_of_one_class_stays_when_another_is_graded(klass, course):
    (klass / "roster.csv").write_text("name,login\nAnn Lee,ann\n", encoding="utf-8")
    grade(klass, course)
    assert graded(late_class(klass), course)["ann", ONE]["name"] == "Ann Lee"


def test_a_second_run_waits_and_then_refuses(klass, course, tmp_path, monkeypatch):
    monkeypatch.setattr("grader.records.folder_lock.PATIENCE_S", 0)
    output = tmp_path / "out"
    output.mkdir()
    with one_run_at_a_time(output):
        with pytest.raises(OutputError, match="Another run"), one_run_at_a_time(output):
            pass
        assert not (output / "ann").exists()
    grade(klass, course)
    assert (output / "grades.json").is_file()


def test_a_run_that_was_stopped_leaves_the_lock_open(klass, course):
    def stopped(*_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(GradeOptions([klass], klass.parent / "out", course), judge=stopped)
    run(GradeOptions([klass], klass.parent / "out", course), judge=pretended)
    assert len(grades_in(klass)) == 4


def test_a_folder_that_holds_no_reports_is_refused(tmp_path):
    for folder in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(UsageError):
            read_grades(folder)


def test_a_roster_that_is_read_later_counts(klass, course):
    """The class was moved, and its roster mended: nobody is there twice."""
    (klass / "roster.csv").write_text("name,login\nAnn Leh,ann\nDan,dan\n", encoding="utf-8")
    (klass / "overrides.csv").write_text(f"student,assignment,points\nben,{ONE},1\n", encoding="utf-8")
    grade(klass, course)
    moved = klass.parent / "moved" / "class"
    moved.parent.mkdir()
    klass.rename(moved)
    (moved / "roster.csv").write_text("name,login,email\nAnn Lee,ann,ann@x\nDan Fox,dan,dan@x\n", encoding="utf-8")
    (moved / "overrides.csv").write_text(f"student,assignment,points\nben,{ONE},2\n", encoding="utf-8")
    run(GradeOptions([moved], klass.parent / "out", course), judge=pretended)
    entries = grades_in(klass)
    assert entries["ann", ONE]["name"] == "Ann Lee" and entries["ben", ONE]["by_hand"] == 2
    assert {student for student, _ in entries} == {"ann", "ben", "cho", "dan"}
