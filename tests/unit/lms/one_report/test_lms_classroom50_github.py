"""What Classroom 50 and GitHub Classroom get of one submission: whole points, alike for all students."""

import base64
import json
import re
from decimal import Decimal

import pytest

from grader.errors import UsageError
from grader.lms.formats import ExportOptions, find_format
from grader.lms.one_report.whole_points import factor_of
from grader.lms.visibility import platform_view
from grader.results.assemble import PlannedExercise

from ....support.lms_reports import PLAN, RUNNER, report_of
from ..lms_documents import made, written


def test_classroom50_has_whole_points_that_add_up() -> None:
    document = made("classroom50", report_of("ann", {"shares.open": "failed"}))
    assert (document["score"], document["max-score"]) == (480, 550)
    assert [(test["score"], test["max-score"]) for test in document["tests"]] == [(130, 200), (350, 350)]
    assert document["score"] == sum(test["score"] for test in document["tests"])
    assert document["review"] == RUNNER["COMMIT_URL"] and document["assignment_type"] == "individual"


def test_classroom50_scales_all_students_of_an_assignment_alike() -> None:
    everybody = [
        report_of("ann"),
        report_of("ben", {"shares.open": "failed"}),
        report_of("cy", {"Shift.open": "error"}),
    ]
    assert {made("classroom50", each)["max-score"] for each in everybody} == {550}
    fine = [PlannedExercise(id="shares", title="S", points=Decimal("0.05")), PLAN[1]]
    report = report_of("ann", {"shares.open": "failed"}, plan=fine)
    assert factor_of(platform_view(report).exercises) == 1000
    document = made("classroom50", report)
    assert [(test["score"], test["max-score"]) for test in document["tests"]] == [(33, 50), (3500, 3500)]


def test_classroom50_has_zero_of_zero_for_what_could_not_be_graded() -> None:
    report = report_of("ann", problem="Not UTF-8.")
    assert (made("classroom50", report)["max-score"], made("classroom50", report)["tests"]) == (0, [])
    assert made("classroom50", report, failed_as_zero=True)["max-score"] == 550


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"CLASSROOM": "", "OWNER": ""}, "Not set: CLASSROOM, OWNER"),
        ({"SUBMISSION_TAG": "v1"}, "does not begin with submit/"),
        ({"ASSIGNMENT_TYPE": "pair"}, "ASSIGNMENT_TYPE is 'pair'"),
        ({"SUBMISSION_TIME": "yesterday"}, "SUBMISSION_TIME is 'yesterday'"),
        ({"SUBMISSION_TIME": "2026-02-28T18:00:00"}, "SUBMISSION_TIME is '2026-02-28T18:00:00'"),
    ],
)
def test_classroom50_asks_for_what_its_runner_says(change: dict[str, str], words: str) -> None:
    with pytest.raises(UsageError, match=re.escape(words)):
        find_format("classroom50").write(platform_view(report_of("ann")), ExportOptions(environ={**RUNNER, **change}))


def test_classroom50_has_the_time_of_the_submission_and_not_of_its_grading() -> None:
    environ = {**RUNNER, "SUBMISSION_TIME": "2026-02-28T18:00:00+09:00"}
    seen = platform_view(report_of("ann"))
    document = json.loads(find_format("classroom50").write(seen, ExportOptions(environ=environ)))
    assert (document["datetime"], document["graded_at"]) == ("2026-02-28T09:00:00Z", "2026-03-01T10:00:00Z")
    without = json.loads(find_format("classroom50").write(seen, ExportOptions(environ=RUNNER)))
    assert without["datetime"] == without["graded_at"] == "2026-03-01T10:00:00Z"


def test_github_gets_a_number_for_every_test_and_a_whole_maximum() -> None:
    text = written("github", report_of("ann", {"shares.open": "failed"}))
    document = json.loads(base64.b64decode(base64.b64encode(text)), parse_float=Decimal)
    assert (document["max_score"], [test["score"] for test in document["tests"]]) == (55, [Decimal("13"), 35])
    whole = [PLAN[0], PlannedExercise(id="Shift", title="Shift", points=Decimal(3))]
    assert made("github", report_of("ann", plan=whole))["max_score"] == 5
    assert made("github", report_of("ann"))["status"] == "pass"
    failed = made("github", report_of("ann", problem="Not UTF-8."))
    assert failed["status"] == "error" and [test["score"] for test in failed["tests"]] == [0, 0]
