"""What every format of a class asks for before it writes a score."""

from pathlib import Path

import pytest

from grader.lms.formats import FORMATS
from grader.lms.reports import ClassReports
from grader.lms.roster import Identity, Roster

from ..lms_gradebooks import PEOPLE, canvas_book, class_of_hard_names, refused, write


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> ClassReports:
    """A class of hard names with several scores, one who could not be graded and one who handed nothing in."""
    return class_of_hard_names(tmp_path_factory.mktemp("class") / "reports")


@pytest.mark.parametrize("name", [name for name, each in FORMATS.items() if each.scope == "class"])
def test_every_format_of_a_class_asks_for_a_roster(reports: ClassReports, tmp_path: Path, name: str) -> None:
    into = write(tmp_path, canvas_book())
    assert "There is no roster" in refused(reports, name, roster=None, into=into)


@pytest.mark.parametrize("name", ["canvas", "moodle-worksheet", "blackboard"])
def test_a_format_that_fills_in_asks_for_the_file(reports: ClassReports, name: str) -> None:
    assert "--into" in refused(reports, name)


@pytest.mark.parametrize("name", [name for name, each in FORMATS.items() if each.scope == "class"])
def test_no_format_writes_a_file_in_which_nobody_is(reports: ClassReports, tmp_path: Path, name: str) -> None:
    """The roster of another course, and for what is made from nothing one without the identity that is written."""
    other = Roster("r.csv", {"someone": Identity(student="someone", login="x", lti_user_id="x", canvas_id="1")})
    sentence = refused(reports, name, roster=other, into=None if name == "brightspace" else write(tmp_path, "a,b\n"))
    assert "The students with a score were looked for in r.csv. None of them is there." in sentence


@pytest.mark.parametrize(("name", "by"), [("moodle", "email"), ("lti", None), ("brightspace", None)])
def test_a_column_of_the_roster_that_is_empty_for_all_is_named(
    reports: ClassReports, name: str, by: str | None
) -> None:
    bare = Roster(
        "r.csv", {student: Identity(student=student, canvas_id=who.canvas_id) for student, who in PEOPLE.items()}
    )
    assert "In r.csv nobody who has a score has one. Fill in that column" in refused(reports, name, roster=bare, by=by)
