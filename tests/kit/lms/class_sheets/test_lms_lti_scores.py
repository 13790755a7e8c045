"""The scores of a class as LTI's score objects: valid, fresh, and none for who has no score."""

import json
from datetime import datetime
from decimal import Decimal

import pytest

from grader.lms.reports import ClassReports
from grader.lms.roster import Identity, Roster

from .. import lms_schemas as schemas
from ..lms_gradebooks import PEOPLE, class_of_hard_names, run, scores


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> ClassReports:
    """A class of hard names with several scores, one who could not be graded and one who handed nothing in."""
    return class_of_hard_names(tmp_path_factory.mktemp("class") / "reports")


def test_lti_scores_are_valid_and_fresh(reports: ClassReports) -> None:
    documents = json.loads(run(reports, "lti").data, parse_float=Decimal)
    for document in documents:
        schemas.validate(json.loads(json.dumps(document, default=float)), schemas.AGS)
    assert {each["userId"]: each["scoreGiven"] for each in documents} == {
        PEOPLE[name].lti_user_id: score for name, score in scores(reports).items()
    }
    assert {each["timestamp"] for each in documents} == {"2026-03-02T09:30:00.123+00:00"}
    assert {each["scoreMaximum"] for each in documents} == {Decimal("5.5")}
    started = datetime.fromisoformat(reports.graded[0].started)
    assert all(datetime.fromisoformat(each["timestamp"]) > started for each in documents)


def test_lti_leaves_out_who_has_no_score(reports: ClassReports) -> None:
    """A score object without a score would wipe the grade out."""
    people = {**PEOPLE, "bad": Identity(student="bad", lti_user_id="sub-bad"), "=1+1": Identity(student="=1+1")}
    filled = run(reports, "lti", roster=Roster("r", people))
    assert b"sub-bad" not in filled.data
    assert filled.left_out == ["'bad' could not be graded: Not UTF-8.", "'=1+1': the roster has no lti_user_id."]
    zero = json.loads(run(reports, "lti", roster=Roster("r", people), failed_as_zero=True).data)
    assert {each["userId"]: each["scoreGiven"] for each in zero}["sub-bad"] == 0
