"""Canvas's gradebook: every score reaches its own student by the rules of Canvas's import, or nobody, and says so."""

from decimal import Decimal

import pytest

from grader.lms.roster import Identity, Roster

from ..lms_gradebooks import CANVAS_HEAD, PEOPLE, canvas_book, canvas_course, canvas_grades, fields_of
from ..lms_importers import Refused


@pytest.mark.parametrize("missing", [("canvas_id",), ("canvas_id", "sis_id")])
def test_canvas_is_matched_by_id_then_sis_then_login(desk, missing):
    people = {name: Identity(**{**fields_of(who), **dict.fromkeys(missing, "")}) for name, who in PEOPLE.items()}
    assert desk.run("canvas", canvas_book(), roster=Roster("r", people)).data == desk.run("canvas", canvas_book()).data


def test_a_name_alone_is_never_a_match(desk):
    filled = desk.run("canvas", canvas_book().replace("104,s004,user4", "7777,x,y"))
    assert any("'김철수' is not in 'book.csv': canvas_id '104'" in sentence for sentence in filled.left_out)
    assert '"김철수",7777,x,y,S1,9.00,,88.1' in filled.data.decode()


def test_who_is_not_in_the_roster_is_listed(desk):
    few = Roster("few.csv", {name: who for name, who in PEOPLE.items() if name != "=1+1"})
    filled = desk.run("canvas", canvas_book(), roster=few)
    assert "'=1+1' is not in few.csv." in filled.left_out
    assert filled.written == len(PEOPLE) - 1


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("102,s002", "101,s002", "could be line 4 and line 5"),
        ("102,s002", "102,s001", "could be line 4 and line 5"),
        ("102,s002,user2", "102,s002,other", "login is 'user2' in the roster, and 'other' in line 5"),
        ("Section", "Group", "The last of the columns about the student is not Section"),
        ("Student,ID", "Name,ID", "It does not begin with Student and ID"),
        ("01_tiny (4711)", "01_tiny", "Canvas would make a new assignment"),
        ("01_tiny (4711)", "Another (4711)", "There is none called '01_tiny'. There are: 'Old work (12)'"),
        ("Old work (12)", "01_tiny (12)", "2 columns are called '01_tiny'"),
        ("10,5.5,", "10,10,", "The report counts 5.5 points, the platform 10"),
        ("10,5.5,", "10,(read only),", "Canvas only reads it out"),
        ("10,5.5,", "10,,", "Say it with --out-of"),
        ("10,5.5,", '10,"1,000",', "Say it with --out-of"),  # a thousand or one
    ],
)
def test_a_gradebook_that_is_not_clear_is_refused(desk, old, new, words):
    assert old in canvas_book()
    assert words in desk.refused("canvas", canvas_book().replace(old, new))


def test_canvas_itself_would_take_the_traps():
    """The importer of these tests has the traps: a bare title is a new assignment, no Section is not a gradebook."""
    course = canvas_course()
    course.upload(canvas_book(head=CANVAS_HEAD.replace("01_tiny (4711)", "HW")).encode())
    assert course.new_assignments == ["HW"]
    with pytest.raises(Refused, match="Invalid header row"):
        course.upload(canvas_book(head=CANVAS_HEAD.replace("Section", "Group")).encode())


def test_the_gradebook_of_another_course_is_refused(desk):
    book = canvas_book()
    for n in range(len(PEOPLE)):
        book = book.replace(f"{100 + n},s{n:03},user{n},", f"{500 + n},t{n},other{n},")
    assert "Is it the file of another course?" in desk.refused("canvas", book)


def test_canvas_scores_are_scaled_only_when_asked_and_never_above_the_maximum(desk):
    got = list(canvas_grades(desk.run("canvas", canvas_book(top="10"), scale=True).data).values())
    assert got[0] == max(got) == 10 and got[1] == 8.73
    assert got.count(10) == list(desk.scores.values()).count(Decimal("5.5"))


def test_a_semicolon_and_a_decimal_comma_are_read(desk):
    book = canvas_book({"=1+1": "3.1"}).replace(",", ";").replace(";5.5;", ";5,5;").replace(";3.1;", ";3,1;")
    filled = desk.run("canvas", book.replace("Doe; Jane", "Doe, Jane"))
    assert canvas_grades(filled.data)["Doe, Jane"] == float(desk.scores["Doe, Jane"])
    assert filled.notes == ["Other scores were there before: '=1+1' 3,1 -> 5.5."]


def test_who_is_excused_stays_excused(desk):
    filled = desk.run("canvas", canvas_book({"=1+1": "EX"}))
    assert ",EX,88.1" in filled.data.decode()
    assert any("'=1+1' is excused in Canvas" in sentence for sentence in filled.left_out)


def test_an_equal_score_leaves_its_cell_as_it_is(desk):
    filled = desk.run("canvas", canvas_book({"=1+1": "5.50"}))
    assert ",5.50,88.1" in filled.data.decode() and filled.notes == []


def test_no_submission_and_no_grade_leave_the_cell_empty(desk):
    both = {"bad": Identity(student="bad", canvas_id="201"), "away": Identity(student="away", canvas_id="202")}
    book, roster = canvas_book() + "Bad,201,,,S1,,,\r\nAway,202,,,S1,,,\r\n", Roster("r", {**PEOPLE, **both})
    assert desk.run("canvas", book, roster=roster).data.endswith(b"Bad,201,,,S1,,,\r\nAway,202,,,S1,,,\r\n")
    zero = desk.run("canvas", book, roster=roster, failed_as_zero=True)
    assert zero.data.endswith(b"Bad,201,,,S1,,0,\r\nAway,202,,,S1,,,\r\n") and zero.left_out == []


def test_first_and_last_names_in_columns_of_their_own(desk):
    book = "LastName,FirstName,ID,SIS Login ID,Section,01_tiny (4711)\n    Points Possible,,,,,5.5\nX,Y,100,user0,S,\n"
    few = Roster("r", {"=1+1": PEOPLE["=1+1"]})
    assert desk.run("canvas", book, roster=few).data.endswith(b"X,Y,100,user0,S,5.5\n")


def test_two_maxima_that_contradict_are_refused(desk):
    assert "--out-of is 10, and the file says 5.5" in desk.refused("canvas", canvas_book(), out_of=Decimal(10))


def test_two_students_in_one_row_are_refused(desk):
    people = {**PEOPLE, "=1+1": Identity(student="=1+1", login="user1")}
    people["@SUM(A1)"] = Identity(student="@SUM(A1)", canvas_id="101")
    sentence = desk.refused("canvas", canvas_book(), roster=Roster("r", people))
    assert "Line 4 could be '=1+1' and '@SUM(A1)'" in sentence
