"""`overrides.csv`: what a teacher decides stands beside what was graded, in every table, page and export."""

import json

import pytest

from grader.errors import UsageError
from grader.export.fill import fill
from grader.export.grades import read_grades
from grader.grading import GradeOptions, run
from grader.pages.write import write_pages

from ...support.classes.class_runs import grade
from ...support.workers.pretended_engine import pretended

ONE, TWO = "01_tiny", "02_tiny_again"


def graded(klass, course, *rows):
    """Grade the class with these rows in `overrides.csv`, and return its grades."""
    (klass / "overrides.csv").write_text("\n".join(["student,assignment,exercise,points,reason", *rows]))
    grade(klass, course)
    return read_grades(klass.parent / "out")


def test_both_points_are_known(klass, course):
    ben = graded(klass, course, f"ben,{ONE},,3.5,A slip of the pen").find("ben", ONE)
    assert (ben.score, ben.by_hand, ben.points, ben.reason) == (0, 3.5, 3.5, "A slip of the pen")
    document = json.loads((klass.parent / "out" / "grades.json").read_bytes())
    assert [entry["by_hand"] for entry in document["grades"] if entry["student"] == "ben"] == [3.5]


def test_points_by_hand_go_into_a_gradebook(klass, course, tmp_path):
    grades = graded(klass, course, f"ben,{ONE},,3.5,")
    (tmp_path / "book.csv").write_text("login,HW1\nann,\nben,\n")
    done = fill(tmp_path / "book.csv", "HW1", None, grades, ONE)
    assert done.data.decode().replace('"', "") == "login,HW1\nann,2\nben,3.5\n"


def test_points_of_an_exercise_are_added_to_the_others(klass, course):
    ann = graded(klass, course, f"ann,{ONE},Shift,1,").find("ann", ONE)
    assert (ann.score, ann.by_hand) == (2, 3)


def test_an_assignment_may_be_named_without_its_number_and_a_student_by_login(klass, course):
    (klass / "roster.csv").write_text("folder,name,login\nben,Ben Fox,bfox\n")
    ben = graded(klass, course, "bfox,tiny,,1,").find("ben", ONE)
    assert ben.by_hand == 1


def test_who_handed_nothing_in_has_points_by_hand_and_a_row_in_the_table(klass, course):
    (klass / "roster.csv").write_text("name,login\nZoe Fox,zfox\nYan Wu,yan\n")
    (klass / "overrides.csv").write_text(f"student,assignment,points,reason\nzfox,{ONE},4,oral exam\n")
    done = grade(klass, course)
    zoe = read_grades(klass.parent / "out").find("zfox", ONE)
    assert (zoe.status, zoe.score, zoe.points, zoe.max) == ("missing", None, 4, 5.5)
    assert [row.score for row in done.rows if row.student == "zfox"] == [4]
    assert "zfox" in done.students and "yan" not in done.students


def test_an_identity_stays_understood_once_that_student_has_handed_in(klass, course):
    (klass / "roster.csv").write_text("name,login,Canvas ID\nZoe Fox,zfox,77\n")
    graded(klass, course, f"zfox,{ONE},,4,")
    (klass / "ann").rename(klass / "zoefox_77")
    zoe = graded(klass, course, f"zfox,{ONE},,4,").find("zoefox_77", ONE)
    assert (zoe.status, zoe.by_hand) == ("graded", 4)


def test_what_could_not_be_graded_has_points_by_hand_for_the_whole_only(klass, course):
    (klass / "ben" / ONE / "tiny.py").write_bytes(b"\xff\xfe\x00x = 1")
    ben = graded(klass, course, f"ben,{ONE},,2,").find("ben", ONE)
    assert (ben.status, ben.points) == ("not graded", 2)
    grades = graded(klass, course, f"ben,{ONE},Shift,2,")
    ben = grades.find("ben", ONE)
    assert ben.points is None
    assert any("'ben'" in note for note in grades.notes)


def test_points_by_hand_that_are_taken_away_are_said_once(klass, course):
    graded(klass, course, f"ben,{ONE},,3.5,")
    (klass / "overrides.csv").unlink()
    first, second = (grade(klass, course).grades for _ in range(2))
    assert any("'ben'" in note and ONE in note for note in first.notes)
    assert not any("'ben'" in note for note in second.notes)


def test_another_run_keeps_the_points_of_this_class(klass, course):
    graded(klass, course, f"ben,{ONE},,3.5,")
    (klass / "ann").rename(klass.parent / "zoe")
    (klass.parent / "late").mkdir()
    (klass.parent / "zoe").rename(klass.parent / "late" / "zoe")
    grade(klass.parent / "late", course)
    ben = read_grades(klass.parent / "out").find("ben", ONE)
    assert ben.by_hand == 3.5


def test_a_row_that_is_taken_out_counts_no_longer(klass, course):
    graded(klass, course, f"ben,{ONE},,3.5,")
    ben = graded(klass, course).find("ben", ONE)
    assert ben.points == 0


@pytest.mark.parametrize(
    "rows",
    [
        [f"nobody,{ONE},,1,"],
        ["ben,09_other,,1,"],
        [f"ben,{ONE},Shift_it,1,"],
        [f"ben,{ONE},,six,"],
        [f"ben,{ONE},,-1,"],
        [f"ben,{ONE},,6,"],
        [f"ben,{ONE},,nan,"],
        [f",{ONE},,1,"],
        [f"ben,{ONE},,1,", f"ben,{ONE},,2,"],
        [f"ben,{ONE},,1,", f"ben,{ONE},Shift,1,"],
        [f"ben,{ONE},Shift,1,", f"ben,{ONE},Shift,2,"],
    ],
)
def test_what_cannot_be_meant_is_refused_before_anything_is_graded(klass, course, rows):
    with pytest.raises(UsageError, match=r"overrides\.csv"):
        graded(klass, course, *rows)
    assert not (klass.parent / "out" / "ben").exists()


def test_a_table_without_a_column_is_refused(klass, course):
    (klass / "overrides.csv").write_text("student,points\nben,1\n")
    with pytest.raises(UsageError, match="assignment"):
        grade(klass, course)


def test_table_and_pages_show_the_points_by_hand(klass, course):
    (klass / "roster.csv").write_text("folder,name\nben,Ben Fox\n,Zoe Fox\n")
    (klass / "overrides.csv").write_text(f"student,assignment,points,reason\nben,{ONE},3.5,A slip of the pen\n")
    done = grade(klass, course)
    assert [row.score for row in done.rows if row.student == "ben"] == [3.5]
    assert any("by hand" in line and "ben" in line for line in done.grades.lines())
    out = klass.parent / "out"
    write_pages(out)
    page = (out / "for-students" / "ben" / f"{ONE}.html").read_text(encoding="utf-8")
    assert "A slip of the pen" in page and "Ben Fox" in page
    whole = (out / "for-teachers" / ONE / "class.html").read_text(encoding="utf-8")
    assert "A slip of the pen" in whole and "Zoe Fox" in whole and "3.5*" in whole


@pytest.mark.parametrize("where", ["{}", "{}/01_tiny"])
def test_a_student_cannot_give_points(klass, course, where):
    """What lies in a student's own folder is the student's, also where that folder alone is graded."""
    folder = klass / where.format("ben")
    text = f"student,assignment,points\nben,{ONE},5.5\n"
    (folder / "overrides.csv").write_text(text)
    for path in (klass, klass / "ben", klass / "ben" / ONE, klass / "ben" / ONE / "tiny.py"):
        student = None if path == klass else "ben"
        run(GradeOptions([path], klass.parent / "out", course, student=student), judge=pretended)
        ben = read_grades(klass.parent / "out").find("ben", ONE)
        assert ben.by_hand is None
