"""What a platform packs when all submissions are downloaded is graded as it comes, each file as its student's."""

from pathlib import Path

import pytest

from grader.errors import UsageError
from grader.limits import DEFAULT_LIMITS
from grader.lms.roster import roster_of_folders
from grader.submissions.reading.read import StubTexts, read_submission

from ...support.submission_folders import FOUR, ONE, find, pairs, put, refused

CANVAS = ("leeann_123_456_simple_attention.py", "ray_LATE_124_457_simple_attention-2.ipynb")


def test_canvas_files_side_by_side_are_each_their_students(tmp_path: Path) -> None:
    put(tmp_path, *CANVAS)
    found = find(tmp_path)
    assert pairs(found) == [("leeann_123", ONE), ("ray_124", ONE)]
    assert [each.files for each in found.submissions] == [(tmp_path / name,) for name in CANVAS]
    assert found.warnings == []


def test_anonymous_students_of_canvas_are_told_apart_by_the_names_that_it_made_up(tmp_path: Path) -> None:
    names = ("anon_4fKx9_456_simple_attention.py", "LATE_anon_12345_457_2_simple_attention.py", "anon_zz_text.html")
    put(tmp_path, *names)
    found = find(tmp_path)
    assert pairs(found) == [("anon_12345", ONE), ("anon_4fKx9", ONE), ("anon_zz", ONE)]
    assert [each.files for each in found.submissions[:2]] == [(tmp_path / names[1],), (tmp_path / names[0],)]
    assert found.submissions[2].files == ()


def test_an_anonymous_students_name_is_never_taken_for_a_number_in_canvas() -> None:
    """`anon_12345` has digits by chance; they would be another student's number."""
    with pytest.raises(UsageError, match="'anon_12345' is a name that Canvas made up"):
        roster_of_folders(["leeann_123", "anon_12345"], "canvas_id")
    assert roster_of_folders(["anon_12345"], "login").people["anon_12345"].login == "anon_12345"


def test_a_name_that_says_nothing_belongs_to_the_assignment_of_the_others(tmp_path: Path) -> None:
    put(tmp_path, *CANVAS, "kim_125_458_homework.py")
    assert pairs(find(tmp_path)) == [("kim_125", ONE), ("leeann_123", ONE), ("ray_124", ONE)]


def test_where_no_name_says_it_the_teacher_does(tmp_path: Path) -> None:
    put(tmp_path, "kim_125_458_homework.py", "lee_126_459_final-1.py")
    found = find(tmp_path)
    assert pairs(found) == []
    assert ["'kim_125'" in found.warnings[0], "'lee_126'" in found.warnings[1]] == [True, True]
    assert pairs(find(tmp_path, assignment=FOUR)) == [("kim_125", FOUR), ("lee_126", FOUR)]


def test_one_students_two_files_are_both_looked_at_or_none_is_guessed(tmp_path: Path) -> None:
    put(tmp_path, *CANVAS, "leeann_123_460_simple_attention.ipynb", "ray_LATE_124_461_simple_attention.ipynb")
    lee, ray = find(tmp_path).submissions
    assert len(lee.files) == 2
    assert ray.problem is not None
    assert "Keep one" in ray.problem


def test_an_archive_among_them_is_a_submission_that_cannot_be_graded(tmp_path: Path) -> None:
    put(tmp_path, *CANVAS, "kim_125_458_simple_attention.zip")
    kim = find(tmp_path).submissions[0]
    assert (kim.student, kim.files) == ("kim_125", ())
    assert "simple_attention.zip" in str(kim.problem)


def test_files_of_one_student_with_such_names_stay_one_students(tmp_path: Path) -> None:
    put(tmp_path / "ann", "run_1_2_simple_attention.py", "simple_attention.py")
    assert pairs(find(tmp_path / "ann")) == [("ann", ONE)]


def test_moodles_folders_are_students(tmp_path: Path) -> None:
    put(tmp_path, "Ann Lee_9001_assignsubmission_file_/simple_attention.py", "Bo_9002_assignsubmission_file_/hw (1).py")
    assert pairs(find(tmp_path)) == [
        ("Ann Lee_9001_assignsubmission_file_", ONE),
        ("Bo_9002_assignsubmission_file_", ONE),
    ]


def test_the_number_in_such_a_name_is_the_identity_on_the_platform() -> None:
    canvas = roster_of_folders(["leeann_123", "124"], "canvas_id").people
    assert [canvas[name].canvas_id for name in ("leeann_123", "124")] == ["123", "124"]
    moodle = roster_of_folders(["Ann Lee_9001_assignsubmission_file_", "9002"], "participant").people
    assert [person.participant for person in moodle.values()] == ["9001", "9002"]
    assert roster_of_folders(["leeann_123"], "login").people["leeann_123"].login == "leeann_123"


def test_of_a_downloaded_students_files_the_one_with_the_name_counts(tmp_path: Path) -> None:
    put(tmp_path, *CANVAS, "leeann_123_460_utils.py", "leeann_123_461_report.pdf")
    lee, _ = find(tmp_path).submissions
    assert lee.files == (tmp_path / CANVAS[0],)
    notes = read_submission(lee, StubTexts(), DEFAULT_LIMITS).notes
    assert "'leeann_123_460_utils.py', 'leeann_123_461_report.pdf'" in notes[0]


def test_a_downloaded_name_with_underscores_is_one_name(tmp_path: Path) -> None:
    put(tmp_path, *CANVAS, "van_der_berg_12_34_simple_attention.py")
    assert pairs(find(tmp_path))[-1] == ("van_der_berg_12", ONE)


def test_what_was_typed_into_canvas_is_a_submission_that_cannot_be_graded(tmp_path: Path) -> None:
    put(tmp_path, *CANVAS, "kim_125_text.html")
    kim = find(tmp_path).submissions[0]
    assert (kim.student, kim.files) == ("kim_125", ())


def test_files_of_nobody_in_a_download_are_told(tmp_path: Path) -> None:
    put(tmp_path, *CANVAS, "late list.txt")
    assert "'late list.txt'" in find(tmp_path).warnings[0]


def test_a_program_of_nobody_in_a_download_does_not_hide_the_students(tmp_path: Path) -> None:
    put(tmp_path, *CANVAS, "simple_attention.py")
    assert "whose 'simple_attention.py' is, no name says" in refused(tmp_path)


def test_a_downloaded_file_with_another_assignments_name_is_not_graded_as_the_wanted_one(tmp_path: Path) -> None:
    put(tmp_path, *CANVAS, "kim_125_458_multi_head_attention.py", "lee_126_459_homework.py")
    found = find(tmp_path, assignment=ONE)
    assert pairs(found) == [("lee_126", ONE), ("leeann_123", ONE), ("ray_124", ONE)]
    assert "'kim_125' handed in 'kim_125_458_multi_head_attention.py'" in found.warnings[0]


def test_a_downloaded_copy_may_hold_the_answers_that_the_file_with_the_name_lacks(tmp_path: Path) -> None:
    put(tmp_path, *CANVAS)
    stub = "def scores():\n    raise NotImplementedError\n"
    put(tmp_path, "kim_1_2_simple_attention.py", text=stub)
    put(tmp_path, "kim_1_3_simple_attention (1).py", text="def scores():\n    return 1\n")
    kim = find(tmp_path).submissions[0]
    source = read_submission(kim, StubTexts(py=stub, ipynb=""), DEFAULT_LIMITS)
    assert source.file_name == "kim_1_3_simple_attention (1).py"
