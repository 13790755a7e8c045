"""Moodle's gradebook: no row that its import would give to another student, refuse or read as another number."""

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from grader.lms.reports import ClassReports, read_class
from grader.lms.roster import Identity, Roster
from grader.results.assemble import PlannedExercise

from ..lms_gradebooks import PEOPLE, class_of_hard_names, fields_of, refused, run, scores
from ..lms_importers import MoodleGradebook, Refused
from ..lms_reports import PLAN, report_of, write_class


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> ClassReports:
    """A class of hard names with several scores, one who could not be graded and one who handed nothing in."""
    return class_of_hard_names(tmp_path_factory.mktemp("class") / "reports")


def moodle(by: str = "email", **more: Any) -> MoodleGradebook:
    return MoodleGradebook({getattr(who, by): name for name, who in PEOPLE.items()}, **more)


@pytest.mark.parametrize("by", ["email", "sis_id", "login", "moodle_id"])
@pytest.mark.parametrize("decimal_sign", [".", ","])
def test_moodle_takes_every_grade_in_every_language(reports: ClassReports, by: str, decimal_sign: str) -> None:
    book = moodle(by, decimal_sign=decimal_sign)
    book.upload(run(reports, "moodle", by=by).data)
    assert {name: grade for name, (grade, _) in book.grades.items()} == {
        name: float(score) for name, score in scores(reports).items()
    }
    assert all("points: Shares of a whole" in feedback for _, feedback in book.grades.values())
    assert all("Shift &lt;by&gt; a parameter" in feedback for _, feedback in book.grades.values())


def test_moodle_gets_no_row_without_an_identity(reports: ClassReports) -> None:
    """Such a row would give its grade to the student of the row before."""
    people = {**PEOPLE, "Doe, Jane": Identity(student="Doe, Jane", sis_id="s2")}
    filled = run(reports, "moodle", by="email", roster=Roster("r", people))
    book = moodle()
    book.upload(filled.data)
    assert book.grades.keys() == PEOPLE.keys() - {"Doe, Jane"}
    assert book.grades["@SUM(A1)"][0] == float(scores(reports)["@SUM(A1)"])
    assert "'Doe, Jane': the roster has no email." in filled.left_out
    trap = moodle()
    trap.upload(b"email,g,f\nU0@x.example,1,\n,2,\n")
    assert trap.grades == {"=1+1": (2.0, "")}


def test_one_bad_row_ends_moodles_import_so_none_is_written(reports: ClassReports) -> None:
    with pytest.raises(Refused, match="no user"):
        moodle().upload(b"email,g,f\nU0@x.example,1,\nnobody@x.example,2,\n")
    zero = {**PEOPLE, "Doe, Jane": Identity(student="Doe, Jane", moodle_id="0")}
    assert (
        "'Doe, Jane': the roster has no moodle_id."
        in run(reports, "moodle", by="moodle_id", roster=Roster("r", zero)).left_out
    )
    formula = {**PEOPLE, "Doe, Jane": Identity(student="Doe, Jane", login="=cmd")}
    assert "begins like a formula" in refused(reports, "moodle", by="login", roster=Roster("r", formula))


def test_moodle_refuses_more_than_a_hundred_points(tmp_path: Path) -> None:
    plan = [PLAN[0], PlannedExercise(id="Shift", title="S", points=Decimal(118))]
    reports = read_class(write_class(tmp_path / "reports", [report_of("=1+1", plan=plan)]))
    assert "120 is above 100" in refused(reports, "moodle")
    scaled = run(reports, "moodle", out_of=Decimal(100), scale=True)
    book = moodle()
    book.upload(scaled.data)
    assert book.grades["=1+1"][0] == 100
    unlimited = moodle(unlimited=True)
    unlimited.upload(run(reports, "moodle", out_of=Decimal(120)).data)
    assert unlimited.grades["=1+1"][0] == 120
    with pytest.raises(Refused, match="too big"):
        moodle().upload(run(reports, "moodle", out_of=Decimal(120)).data)


def test_moodle_writes_grade_and_feedback_together(reports: ClassReports) -> None:
    lines = run(reports, "moodle", title="HW 1").data.decode().split("\r\n")
    assert lines[0] == "email,HW 1,HW 1 (feedback)"
    assert all(line.count(",") >= 2 for line in lines[:-1])


def test_moodle_takes_the_first_identity_that_everybody_has(reports: ClassReports) -> None:
    people = {name: Identity(**{**fields_of(who), "email": "", "sis_id": ""}) for name, who in PEOPLE.items()}
    assert run(reports, "moodle", roster=Roster("r", people)).data.startswith(b"username,")
    none = {name: Identity(student=name, canvas_id=who.canvas_id) for name, who in PEOPLE.items()}
    assert "None of email, sis_id, login, moodle_id is there for everybody" in refused(
        reports, "moodle", roster=Roster("r", none)
    )
    assert "Did you mean `email`" in refused(reports, "moodle", by="mail")


def test_a_comment_beside_a_scaled_grade_has_both_numbers(reports: ClassReports) -> None:
    filled = run(reports, "moodle", out_of=Decimal(11), scale=True)
    book = moodle()
    book.upload(filled.data)
    assert book.grades["=1+1"] == (11.0, book.grades["=1+1"][1])
    assert book.grades["=1+1"][1].startswith("11 of 11 points = 5.5 of 5.5 points: Shares of a whole 2/2;")
    assert all(f"{grade:g} of 11 points = " in feedback for grade, feedback in book.grades.values())
