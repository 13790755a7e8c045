"""Brightspace and Blackboard: never above the maximum, never a changed identity, never a column of text."""

import pytest

from grader.lms.roster import Identity, Roster

from ..lms_gradebooks import (
    PEOPLE,
    blackboard_book,
    blackboard_course,
    blackboard_grades,
    brightspace_book,
    brightspace_course,
)


def test_brightspace_says_which_maximum_the_grade_item_must_have(desk):
    assert "must have a maximum of 5.5" in desk.run("brightspace").notes[0]


@pytest.mark.parametrize(
    ("details", "choice", "words"),
    [
        ("<Numeric MaxPoints:5>", {"column": "HW"}, "the platform 5"),
        ("", {"column": "HW"}, "does not say it"),
        ("", {}, "Columns of points are: 'HW'"),
    ],
)
def test_a_grade_item_of_brightspace_must_be_clear_and_of_the_same_points(desk, details, choice, words):
    assert words in desk.refused("brightspace", brightspace_book(details=details), **choice)


def test_brightspace_itself_would_cut_at_the_maximum():
    course = brightspace_course()
    course.items["HW"] = 5.0
    course.upload(brightspace_book({"=1+1": "5.5"}).encode())
    assert course.grades["HW", "=1+1"] == 5.0


def test_brightspace_identities_are_never_changed(desk):
    formula = Roster("r", {**PEOPLE, "=1+1": Identity(student="=1+1", login="=1+1")})
    assert "begins like a formula" in desk.refused("brightspace", roster=formula)
    nobody = Roster("r", {**PEOPLE, "=1+1": Identity(student="=1+1")})
    assert "neither sis_id nor login" in " ".join(desk.run("brightspace", roster=nobody).left_out)
    assert "use --title" in desk.refused("brightspace", column="HW")


def test_blackboards_file_of_commas_is_filled_in_too(desk):
    scores = {name: str(score) for name, score in desk.scores.items()}
    filled = desk.run("blackboard", blackboard_book(tabs=False), column="HW")
    assert filled.data == blackboard_book(scores, tabs=False)
    assert blackboard_grades(filled.data)["김철수"] == float(scores["김철수"])


@pytest.mark.parametrize(
    ("heading", "column", "words"),
    [
        ("HW", "HW", "Blackboard would make a column of text of it"),
        ("HW [Total Pts: 5.5 Score] |12345", "Total", "It is computed by Blackboard"),
        ("HW [Total Pts: 100 Percentage] |12345", "HW", "does not show a score"),
        ("HW [Total Pts: 6 Score] |12345", "HW", "the platform 6"),
        ("HW [Total Pts: 5.5 Score] |12345", "Nothing", "Columns with a number behind a bar are: 'HW', 'Total'"),
    ],
)
def test_a_column_of_blackboard_must_be_one_of_scores(desk, heading, column, words):
    assert words in desk.refused("blackboard", blackboard_book(heading=heading), column=column)


def test_blackboard_itself_would_make_text_of_a_bare_heading():
    course = blackboard_course()
    course.upload(blackboard_book({"=1+1": "5"}, "HW"))
    assert (course.text_columns, course.grades) == (["HW"], {})
