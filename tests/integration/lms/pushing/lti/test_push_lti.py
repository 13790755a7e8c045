"""`grader push lti` against lti1p3platform, a real LTI 1.3 platform, on loopback: each score arrives once and fresh."""

from datetime import UTC, datetime, timedelta

import pytest

from grader.lms.pushing import lti

from .....support.lms_reports import report_of, write_class
from .....support.needed import skip_without

skip_without("jwt", "requests", "canvasapi", "flask", "lti1p3platform")
from .....support.lti_pushes import push, scores_of  # noqa: E402


def test_every_score_arrives_at_the_right_user(reports, platform, capsys):
    assert push(reports, platform) == 0
    assert platform.newest() == scores_of(reports)
    assert platform.newest() == {"u-1": 5.5, "u-2": pytest.approx(3.1), "u-3": 0, "u-4": 5.5}
    assert "4 of 4 scores are there now." in capsys.readouterr().out


def test_a_score_has_what_the_specification_asks_for(reports, platform):
    push(reports, platform)
    score = platform.scores["u-2"][0]
    assert (score["activityProgress"], score["gradingProgress"]) == ("Completed", "FullyGraded")
    assert score["scoreMaximum"] == 5.5
    assert score["comment"].startswith("3.1 of 5.5 points") and "open" not in score["comment"]
    sent = datetime.fromisoformat(score["timestamp"])
    assert sent.tzinfo is not None and "." in score["timestamp"]
    assert abs(datetime.now(UTC) - sent) < timedelta(minutes=1)


def test_only_what_differs_is_sent_the_second_time(reports, platform, capsys):
    push(reports, platform)
    assert push(reports, platform) == 0
    assert platform.count("POST", "/scores") == 4
    assert "Nothing had to be sent." in capsys.readouterr().out


def test_a_regrade_gets_a_later_time_than_the_stored_score(reports, platform):
    push(reports, platform)
    platform.scores["u-1"][-1]["scoreGiven"] = 2
    assert push(reports, platform) == 0
    times = [datetime.fromisoformat(score["timestamp"]) for score in platform.scores["u-1"]]
    assert len(times) == 2 and times[0] < times[1]


def test_a_time_that_is_too_old_is_answered_with_a_fresh_one(reports, platform):
    """The platform's clock is ahead of this machine's, and the stored score has its time."""
    push(reports, platform)
    platform.ahead_s = 3600
    ahead = datetime.now(UTC) + timedelta(seconds=3599)
    platform.scores["u-1"][-1] |= {"scoreGiven": 2, "timestamp": ahead.isoformat(timespec="milliseconds")}
    assert push(reports, platform) == 0
    assert platform.count("POST", "/scores", 409) == 1
    assert platform.newest()["u-1"] == 5.5
    assert datetime.fromisoformat(platform.scores["u-1"][-1]["timestamp"]) > ahead


def test_a_time_that_stays_too_old_is_said_and_the_others_are_sent(reports, platform, capsys):
    push(reports, platform)
    future = datetime.now(UTC) + timedelta(days=300)
    platform.scores["u-1"][-1] |= {"scoreGiven": 2, "timestamp": future.isoformat(timespec="milliseconds")}
    platform.scores["u-4"][-1] |= {"scoreGiven": 2}
    assert push(reports, platform) == 1
    told = capsys.readouterr().out
    assert platform.newest()["u-1"] == 2 and platform.newest()["u-4"] == 5.5
    assert "'ann': It refused the request (409)." in told
    assert platform.count("POST", "/scores", 409) == lti.SEND_TRIES


def test_grades_of_a_run_without_isolation_are_not_sent(reports, platform, capsys):
    write_class(reports / "reports", [report_of("ann", isolation={"tier": "none"})])
    assert push(reports, platform) == 2
    assert "without isolation" in capsys.readouterr().err
    assert platform.asked == []


def test_a_student_whom_the_roster_does_not_name_is_listed_and_the_code_is_1(reports, platform, capsys):
    (reports / "roster.csv").write_text("student,lti_user_id\nann,u-1\n=1+1,\n", encoding="utf-8")
    assert push(reports, platform) == 1
    told = capsys.readouterr().out
    assert set(platform.newest()) == {"u-1"}
    assert "'김철수': 'roster.csv' has no row for this folder." in told
    assert "'=1+1': the roster gives no lti_user_id." in told


def test_a_submission_that_could_not_be_graded_is_left_out_unless_a_zero_is_asked_for(reports, platform, capsys):
    write_class(reports / "reports", [report_of("ann", problem="The file is torn.")], journal=True)
    assert push(reports, platform) == 1
    assert "u-1" not in platform.newest()
    assert "'ann': the submission could not be graded: The file is torn." in capsys.readouterr().out
    assert push(reports, platform, "--failed-as-zero") == 0
    assert platform.newest()["u-1"] == 0


def test_a_line_item_with_other_points_is_compared_by_shares(reports, platform, capsys):
    platform.score_maximum = 100
    push(reports, platform, "--scale")
    for given in platform.scores.values():
        given[-1] |= {"scoreGiven": given[-1]["scoreGiven"] / 5.5 * 100, "scoreMaximum": 100}
    capsys.readouterr()
    assert push(reports, platform, "--scale") == 0
    told = capsys.readouterr().out
    assert "Nothing had to be sent." in told
    assert "Scores are sent out of 5.5; it converts them to its 100." in told


def test_a_line_item_with_other_points_may_be_the_wrong_one(reports, platform, capsys):
    platform.score_maximum = 10
    assert push(reports, platform) == 2
    told = capsys.readouterr().err
    assert "It is worth 10 points there, and 5.5 in the reports. Is it the right one? Add --scale" in told
    assert platform.scores == {}
    assert push(reports, platform, "--scale") == 0
    assert platform.newest() == scores_of(reports)


def test_the_parts_of_a_line_item_come_before_its_question_mark():
    assert lti._below("https://p.test/lti/7?x=1", "scores") == "https://p.test/lti/7/scores?x=1"
