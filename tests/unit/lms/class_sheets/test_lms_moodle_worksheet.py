"""Moodle's grading worksheet, filled in: in every language, with the teacher's comments, times and locks left alone."""

from datetime import datetime

import pytest

from grader.lms.class_sheets.moodle import HEADINGS
from grader.lms.roster import Identity, Roster

from ..lms_gradebooks import PEOPLE, moodle_assignment, worksheet

NAME = "moodle-worksheet"


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_a_worksheet_is_taken_in_every_language(desk, language, encoding):
    filled = desk.run(NAME, worksheet(language=language).encode(encoding))
    assignment = moodle_assignment(language)
    assignment.upload(filled.data)
    assert assignment.grades == {name: float(score) for name, score in desk.scores.items()}
    assert assignment.skipped == []
    assert "Shift &lt;by&gt; a parameter" in assignment.feedback["=1+1"]


def test_a_worksheet_keeps_its_line_ends(desk):
    without = [worksheet(each, end="\r\n").replace(",Feedback comments", ",Marker")
               for each in ({}, {name: str(score) for name, score in desk.scores.items()})]  # fmt: skip
    assert desk.run(NAME, without[0]).data.decode() == without[1]


def test_a_comment_of_the_teacher_stays(desk):
    book = worksheet(comments={"김철수": "By hand, see me"})
    filled = desk.run(NAME, book)
    assert '"By hand, see me"' in filled.data.decode()
    assert "left as they are: 1 (see --overwrite-comments)" in filled.notes[0]
    assert b"By hand" not in desk.run(NAME, book, overwrite_comments=True).data


def test_a_comma_in_a_grade_would_lose_its_decimals(desk):
    """The trap itself: an English site reads `4,83` as 4. What is written reads the same on every site."""
    assignment = moodle_assignment()
    assignment.upload(worksheet({"@SUM(A1)": '"4,83"'}).encode())
    assert assignment.grades == {"@SUM(A1)": 4.0}
    assert b"4,83" not in desk.run(NAME, worksheet(language="de")).data


def test_points_above_the_maximum_are_refused_where_moodle_would_drop_them(desk):
    low = worksheet().replace("5.50", "5.00")
    assert "The report counts 5.5 points, the platform 5" in desk.refused(NAME, low)
    assignment, fresh = moodle_assignment(), moodle_assignment()
    assignment.maximum = fresh.maximum = 5.0
    assignment.upload(worksheet(dict.fromkeys(PEOPLE, "5.5")).encode())
    assert sorted(assignment.skipped) == sorted(PEOPLE)
    fresh.upload(desk.run(NAME, low, scale=True).data)
    assert fresh.skipped == [] and max(fresh.grades.values()) == 5


def test_a_locked_grade_is_said(desk):
    filled = desk.run(NAME, worksheet(language="de", locked="=1+1"))
    assert any("'=1+1': the grade is locked in Moodle" in sentence for sentence in filled.left_out)
    assignment = moodle_assignment("de", locked={"=1+1"})
    assignment.upload(filled.data)
    assert assignment.skipped == [] and "=1+1" not in assignment.grades


def test_the_time_of_a_row_stays_so_that_moodle_can_see_a_later_grade(desk):
    assignment = moodle_assignment(modified={"=1+1": datetime(2026, 3, 1, 12)}, grades={"=1+1": 1.0})
    assignment.upload(desk.run(NAME, worksheet()).data)
    assert (assignment.skipped, assignment.grades["=1+1"]) == (["=1+1"], 1.0)


def test_participants_may_be_known_by_their_address(desk):
    people = {name: Identity(student=name, email=who.email) for name, who in PEOPLE.items()}
    assert desk.run(NAME, worksheet(), roster=Roster("r", people)).written == len(PEOPLE)
    small = {name: Identity(student=name, email=who.email.lower()) for name, who in PEOPLE.items()}
    assert "None of them is there" in desk.refused(NAME, worksheet(), roster=Roster("r", small))


@pytest.mark.parametrize("language", [0, 1, 2, 3])
def test_headings_of_four_languages_are_known(desk, language):
    """The same worksheet with the headings of each site comes back with the same cells."""
    english, body = worksheet().split("\n", 1)
    words = {known[0]: known[min(language, len(known) - 1)] for known in HEADINGS.values()}
    words["Maximum Grade"] = ("Maximum Grade", "Bestwertung", "Calificación máxima", "Note maximale")[language]
    head = ",".join(words.get(text, text) for text in english.split(","))
    filled = desk.run(NAME, f"{head}\n{body}")
    plain = desk.run(NAME, worksheet())
    assert filled.data.decode() == plain.data.decode().replace(english, head) and filled.written == len(PEOPLE)


def test_a_worksheet_without_comments_gets_none_and_says_so(desk):
    filled = desk.run(NAME, worksheet().replace("Feedback comments", "X"))
    assert filled.notes == ["No column of comments was found, so none were written (see --columns comments=HEADING)."]


def test_a_worksheet_that_does_not_say_what_is_locked_gets_a_note(desk):
    book = worksheet(locked="=1+1").replace("Grade can be changed", "Muutettavissa")
    (note,) = desk.run(NAME, book).notes
    assert "No column says whose grade can be changed (see --columns changeable=HEADING)" in note
    named = desk.run(NAME, book, columns={"changeable": "Muutettavissa"})
    assert named.notes == [] and named.written == len(PEOPLE) - 1


def test_a_comment_beside_a_scaled_grade_of_the_worksheet_has_both_numbers(desk):
    filled = desk.run(NAME, worksheet().replace("5.50", "11.00"), scale=True)
    assert "11 of 11 points = 5.5 of 5.5 points: " in filled.data.decode()


def test_headings_of_another_language_are_named(desk):
    book = worksheet().replace("Grade,Maximum", "Arvosana,Maximum")
    sentence = desk.refused(NAME, book)
    assert "There is no column 'Grade' or 'Bewertung'" in sentence and "--columns grade=HEADING" in sentence
    assert desk.run(NAME, book, columns={"grade": "Arvosana"}).written == len(PEOPLE)
    assert "Did you mean `grade`" in desk.refused(NAME, book, columns={"grad": "Arvosana"})
