"""What every format of a class must do: by the platform's own rules each score reaches its student, or nobody."""

import pytest

from grader.lms.formats import FORMATS
from grader.lms.roster import Identity, Roster

from ..lms_gradebooks import COLUMNS, FILLED, MADE, PEOPLE, canvas_book

CLASS = [name for name, each in FORMATS.items() if each.scope == "class" and not name.endswith("-feedback")]
MARKED = (",Feedback comments", ",Marker")  # a worksheet without a column of comments, which are filled in too


@pytest.mark.parametrize("name", FILLED)
def test_a_platforms_own_file_brings_every_student_their_own_score_and_changes_in_nothing_else(desk, name):
    book, grades = FILLED[name]
    filled = desk.run(name, book(), **COLUMNS.get(name, {}))
    expected = {student: float(score) for student, score in desk.scores.items()}
    assert grades(filled.data) == expected and len(set(expected.values())) == 4
    assert (filled.written, filled.left_out) == (len(PEOPLE), ["'bad' could not be graded: Not UTF-8."])
    books = [book(), book({student: str(score) for student, score in desk.scores.items()})]
    if name == "moodle-worksheet":
        books = [each.replace(*MARKED) for each in books]
    data = desk.run(name, books[0], **COLUMNS.get(name, {})).data
    assert data == (books[1] if isinstance(books[1], bytes) else books[1].encode())


@pytest.mark.parametrize("name", MADE)
def test_a_file_that_is_made_brings_every_student_their_own_score(desk, name):
    made = desk.run(name)
    assert MADE[name](made.data) == {student: float(score) for student, score in desk.scores.items()}
    assert (made.written, made.left_out) == (len(PEOPLE), ["'bad' could not be graded: Not UTF-8."])


@pytest.mark.parametrize("name", CLASS)
def test_every_format_of_a_class_asks_for_a_roster(desk, name):
    assert "There is no roster" in desk.refused(name, canvas_book(), roster=None)


@pytest.mark.parametrize("name", ["canvas", "moodle-worksheet", "blackboard"])
def test_a_format_that_fills_in_asks_for_the_file(desk, name):
    assert "--into" in desk.refused(name)


@pytest.mark.parametrize("name", CLASS)
def test_no_format_writes_a_file_in_which_nobody_is(desk, name):
    """The roster of another course, and for what is made from nothing one without the identity that is written."""
    other = Roster("r.csv", {"someone": Identity(student="someone", login="x", canvas_id="1")})
    sentence = desk.refused(name, None if name == "brightspace" else "a,b\n", roster=other)
    assert "The students with a score were looked for in r.csv. None of them is there." in sentence


@pytest.mark.parametrize(("name", "by"), [("moodle", "email"), ("brightspace", None)])
def test_a_column_of_the_roster_that_is_empty_for_all_is_named(desk, name, by):
    bare = {student: Identity(student=student, canvas_id=who.canvas_id) for student, who in PEOPLE.items()}
    sentence = desk.refused(name, roster=Roster("r.csv", bare), by=by)
    assert "In r.csv nobody who has a score has one. Fill in that column" in sentence
