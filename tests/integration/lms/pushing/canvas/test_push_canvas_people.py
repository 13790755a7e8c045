"""`grader push canvas` knows whose score it is and what an assignment counts, or refuses."""

import pytest

from .....support.needed import skip_without
from .canvas_pushes import FULL, ROSTER, push

skip_without("requests", "canvasapi")


def test_nobody_is_matched_by_name_and_an_unknown_student_is_listed(reports, stub, capsys):
    """The folder's, the roster's and Canvas's name are the same, and that is not a proof."""
    reports[1].write_text('student,name,sis_id\nann,Ann,\n"Doe, Jane",,s99\n김철수,,s2\n', encoding="utf-8")
    assert push(reports, stub) == 1
    told = capsys.readouterr().out
    assert stub.scores == {102: 2.3}
    assert "'ann': the roster gives neither canvas_id nor sis_id nor login." in told
    assert "'Doe, Jane': no student of the course in Canvas has the sis_id 's99'." in told
    assert "'=1+1': 'roster.csv' has no row for this folder." in told


def test_an_identity_that_does_not_fit_is_not_replaced_by_the_next(reports, stub, capsys):
    reports[1].write_text("student,canvas_id,login\nann,999,ann@uni\n", encoding="utf-8")
    assert push(reports, stub) == 1
    assert "no student of the course in Canvas has the canvas_id '999'" in capsys.readouterr().out
    assert stub.scores == {}


@pytest.mark.parametrize("row", ["ann,Ann,101,s6,", "ann,Ann,101,,other.ann@uni", "ann,Ann,,s1,other.ann@uni"])
def test_identities_of_two_students_in_one_row_stop_the_push(reports, stub, capsys, row):
    """A column that slipped by a row would give the whole class the scores of others."""
    reports[1].write_text(ROSTER.replace("ann,Ann,101,,", row), encoding="utf-8")
    assert push(reports, stub) == 2
    assert stub.scores == {}
    told = " ".join(capsys.readouterr().err.split())
    assert "for the student whom the row's first identity names. Put the roster right; nothing was sent." in told


def test_a_plan_says_whom_the_platform_has_for_each_folder(reports, stub, capsys):
    push(reports, stub, "--dry-run")
    rows = capsys.readouterr().out.splitlines()
    assert any("'José 🦊'" in row and "'José' 105" in row for row in rows)


def test_a_login_that_canvas_shows_of_nobody_is_said(reports, stub, capsys):
    for user in stub.users:
        user.pop("login_id", None)
    assert push(reports, stub) == 1
    told = " ".join(capsys.readouterr().out.split())
    assert "Canvas shows no login to the owner of this token; use another identity or token." in told


def test_an_identity_that_canvas_does_not_show_contradicts_nothing(reports, stub):
    reports[1].write_text(ROSTER.replace("=1+1,,104,,", "=1+1,,104,s4,four@uni"), encoding="utf-8")
    assert push(reports, stub) == 0
    assert stub.scores == FULL


def test_two_folders_are_never_one_student(reports, stub, capsys):
    """One folder is named by number and the other by SIS id, and both are the same person."""
    reports[1].write_text('student,canvas_id,sis_id\nann,101,\n"Doe, Jane",,s1\n', encoding="utf-8")
    assert push(reports, stub) == 1
    assert stub.scores == {}
    assert "is also" in capsys.readouterr().out


def test_two_students_with_one_login_are_not_guessed_between(reports, stub, capsys):
    stub.users[5]["login_id"] = "ann@uni"
    reports[1].write_text("student,login\nann,ann@uni\n", encoding="utf-8")
    assert push(reports, stub) == 1
    assert "two students of the course have the login 'ann@uni'" in capsys.readouterr().out


def test_who_is_excused_stays_so(reports, stub, capsys):
    stub.excused = {101}
    assert push(reports, stub) == 1
    assert 101 not in stub.scores
    assert "'ann': is excused from this assignment in Canvas" in capsys.readouterr().out


def test_other_points_are_refused_and_converted_when_asked(reports, stub, capsys):
    stub.points = 100
    assert push(reports, stub) == 2
    assert "It is worth 100 points there, and 5.5 in the reports." in capsys.readouterr().err
    assert stub.scores == {}
    assert push(reports, stub, "--scale") == 0
    assert stub.scores == {101: 100, 102: 78.18, 103: 41.82, 104: 100, 105: 100}


def test_nobody_gets_all_points_or_none_by_rounding(reports, stub):
    """5.5 points counted as 0.02 there: 4.3 would round up to all of them, 2.3 stays half."""
    stub.points = 0.02
    assert push(reports, stub, "--scale") == 0
    assert stub.scores == {101: 0.02, 102: 0.01, 103: 0.01, 104: 0.02, 105: 0.02}


def test_a_score_is_never_given_to_a_whole_group(reports, stub, capsys):
    stub.more = {"group_category_id": 5, "grade_group_students_individually": False}
    assert push(reports, stub) == 2
    assert stub.scores == {} and "graded by groups there" in capsys.readouterr().err
    stub.more["grade_group_students_individually"] = True
    assert push(reports, stub) == 0
    assert stub.scores == FULL


@pytest.mark.parametrize("kind", ["pass_fail", "not_graded", "letter_grade", "gpa_scale"])
def test_an_assignment_that_takes_no_points_is_refused(reports, stub, capsys, kind):
    stub.grading_type = kind
    assert push(reports, stub) == 2
    assert f"It is graded as '{kind}' there." in capsys.readouterr().err
