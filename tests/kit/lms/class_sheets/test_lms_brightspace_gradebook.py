"""Brightspace's gradebook: made or filled in, never above the maximum and never with a changed identity."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from grader.lms.reports import ClassReports
from grader.lms.roster import Identity, Roster

from ..lms_gradebooks import PEOPLE, class_of_hard_names, refused, run, scores, write
from ..lms_importers import Brightspace
from ..lms_reports import ASSIGNMENT


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> ClassReports:
    """A class of hard names with several scores, one who could not be graded and one who handed nothing in."""
    return class_of_hard_names(tmp_path_factory.mktemp("class") / "reports")


def brightspace() -> Brightspace:
    ids = {who.sis_id: name for name, who in PEOPLE.items()}
    return Brightspace({**ids, **{who.login: name for name, who in PEOPLE.items()}}, {"HW": 5.5, ASSIGNMENT: 5.5})


def brightspace_book(cells: Mapping[str, str] | None = None, details: str = "<Numeric MaxPoints:5.5 Weight:10>") -> str:
    lines = [f"OrgDefinedId,Username,HW Points Grade {details},End-of-Line Indicator"]
    for name, who in PEOPLE.items():
        lines.append(f"#{who.sis_id},#{who.login},{(cells or {}).get(name, '')},#")
    return "\r\n".join([*lines, ""])


def test_brightspace_takes_a_file_that_is_made(reports: ClassReports) -> None:
    course = brightspace()
    filled = run(reports, "brightspace")
    course.upload(filled.data)
    assert course.errors == []
    assert {name: grade for (_, name), grade in course.grades.items()} == {
        name: float(score) for name, score in scores(reports).items()
    }
    assert "must have a maximum of 5.5" in filled.notes[0]


def test_brightspace_gets_its_own_file_filled_in(reports: ClassReports, tmp_path: Path) -> None:
    filled = run(reports, "brightspace", into=write(tmp_path, brightspace_book()), column="HW")
    assert filled.data.decode() == brightspace_book({name: str(score) for name, score in scores(reports).items()})
    course = brightspace()
    course.upload(filled.data)
    assert course.grades["HW", "김철수"] == float(scores(reports)["김철수"]) and course.errors == []


def test_brightspace_would_cut_at_the_maximum(reports: ClassReports, tmp_path: Path) -> None:
    low = brightspace_book(details="<Numeric MaxPoints:5>")
    assert "the platform 5" in refused(reports, "brightspace", into=write(tmp_path, low), column="HW")
    none = brightspace_book(details="")
    assert "does not say it" in refused(reports, "brightspace", into=write(tmp_path, none), column="HW")
    assert "Columns of points are: 'HW'" in refused(reports, "brightspace", into=write(tmp_path, low))
    cut = brightspace()
    cut.items["HW"] = 5.0
    cut.upload(brightspace_book({"=1+1": "5.5"}).encode())
    assert cut.grades["HW", "=1+1"] == 5.0


def test_brightspace_identities_are_never_changed(reports: ClassReports) -> None:
    formula = Roster("r", {**PEOPLE, "=1+1": Identity(student="=1+1", login="=1+1")})
    assert "begins like a formula" in refused(reports, "brightspace", roster=formula)
    nobody = Roster("r", {**PEOPLE, "=1+1": Identity(student="=1+1")})
    assert "neither sis_id nor login" in " ".join(run(reports, "brightspace", roster=nobody).left_out)
    assert "use --title" in refused(reports, "brightspace", column="HW")
