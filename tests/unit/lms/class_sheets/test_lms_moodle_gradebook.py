"""Moodle's gradebook: no row that its import would give to another student, refuse or read as another number."""

from decimal import Decimal

import pytest

from grader.lms.reports import read_class
from grader.lms.roster import Identity, Roster
from grader.results.assemble import PlannedExercise

from ....support.lms_reports import PLAN, report_of, write_class
from ..lms_gradebooks import PEOPLE, Desk, fields_of, moodle_gradebook
from ..lms_importers import Refused


@pytest.mark.parametrize("by", ["email", "sis_id", "login", "moodle_id"])
@pytest.mark.parametrize("decimal_sign", [".", ","])
def test_moodle_takes_every_grade_in_every_language(desk, by, decimal_sign):
    book = moodle_gradebook(by, decimal_sign=decimal_sign)
    book.upload(desk.run("moodle", by=by).data)
    assert {name: grade for name, (grade, _) in book.grades.items()} == {
        name: float(score) for name, score in desk.scores.items()
    }
    assert all("points: Shares of a whole" in feedback for _, feedback in book.grades.values())
    assert all("Shift &lt;by&gt; a parameter" in feedback for _, feedback in book.grades.values())


def test_moodle_gets_no_row_without_an_identity(desk):
    """Such a row would give its grade to the student of the row before."""
    people = {**PEOPLE, "Doe, Jane": Identity(student="Doe, Jane", sis_id="s2")}
    filled = desk.run("moodle", by="email", roster=Roster("r", people))
    book = moodle_gradebook()
    book.upload(filled.data)
    assert book.grades.keys() == PEOPLE.keys() - {"Doe, Jane"}
    assert book.grades["@SUM(A1)"][0] == float(desk.scores["@SUM(A1)"])
    assert "'Doe, Jane': the roster has no email." in filled.left_out
    trap = moodle_gradebook()
    trap.upload(b"email,g,f\nU0@x.example,1,\n,2,\n")
    assert trap.grades == {"=1+1": (2.0, "")}


def test_one_bad_row_ends_moodles_import_so_none_is_written(desk):
    with pytest.raises(Refused, match="no user"):
        moodle_gradebook().upload(b"email,g,f\nU0@x.example,1,\nnobody@x.example,2,\n")
    zero = Roster("r", {**PEOPLE, "Doe, Jane": Identity(student="Doe, Jane", moodle_id="0")})
    assert "'Doe, Jane': the roster has no moodle_id." in desk.run("moodle", by="moodle_id", roster=zero).left_out
    formula = Roster("r", {**PEOPLE, "Doe, Jane": Identity(student="Doe, Jane", login="=cmd")})
    assert "begins like a formula" in desk.refused("moodle", by="login", roster=formula)


def test_moodle_refuses_more_than_a_hundred_points(tmp_path):
    plan = [PLAN[0], PlannedExercise(id="Shift", title="S", points=Decimal(118))]
    desk = Desk(read_class(write_class(tmp_path / "reports", [report_of("=1+1", plan=plan)])), tmp_path)
    assert "120 is above 100" in desk.refused("moodle")
    unlimited = desk.run("moodle", out_of=Decimal(120)).data
    with pytest.raises(Refused, match="too big"):
        moodle_gradebook().upload(unlimited)
    for data, book, grade in (
        (desk.run("moodle", out_of=Decimal(100), scale=True).data, moodle_gradebook(), 100),
        (unlimited, moodle_gradebook(unlimited=True), 120),
    ):
        book.upload(data)
        assert book.grades["=1+1"][0] == grade


def test_moodle_writes_grade_and_feedback_together(desk):
    lines = desk.run("moodle", title="HW 1").data.decode().split("\r\n")
    assert lines[0] == "email,HW 1,HW 1 (feedback)"
    assert all(line.count(",") >= 2 for line in lines[:-1])


def test_moodle_takes_the_first_identity_that_everybody_has(desk):
    people = {name: Identity(**{**fields_of(who), "email": "", "sis_id": ""}) for name, who in PEOPLE.items()}
    assert desk.run("moodle", roster=Roster("r", people)).data.startswith(b"username,")
    none = Roster("r", {name: Identity(student=name, canvas_id=who.canvas_id) for name, who in PEOPLE.items()})
    found = "None of email, sis_id, login, moodle_id is there for everybody"
    assert found in desk.refused("moodle", roster=none)
    assert "Did you mean `email`" in desk.refused("moodle", by="mail")


def test_a_comment_beside_a_scaled_grade_has_both_numbers(desk):
    book = moodle_gradebook()
    book.upload(desk.run("moodle", out_of=Decimal(11), scale=True).data)
    grade, feedback = book.grades["=1+1"]
    assert grade == 11 and feedback.startswith("11 of 11 points = 5.5 of 5.5 points: Shares of a whole 2/2;")
    assert all(text.startswith(f"{grade:g} of 11 points = ") for grade, text in book.grades.values())
