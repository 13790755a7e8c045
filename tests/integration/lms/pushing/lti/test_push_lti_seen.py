"""`grader push lti` believes what the platform shows afterwards, and no number that cannot be a score."""

import json

import pytest

from .....support.needed import skip_without

skip_without("jwt", "requests", "canvasapi", "flask", "lti1p3platform")
from .....support.lti_pushes import STUDENTS, push, scores_of  # noqa: E402

JSON = {"Content-Type": "application/json"}


def shows(platform, *rows):
    """Let the platform show other results than it has, the next time it is asked."""
    platform.failures.append(("/results", 200, JSON, json.dumps(list(rows))))


def test_a_platform_that_takes_scores_and_keeps_none_is_not_believed(reports, platform, capsys):
    platform.failures += [("/scores", 200, {}, "")] * 4
    assert push(reports, platform) == 1
    told = capsys.readouterr().out
    assert "0 of 4 scores are there now." in told
    assert "Accepted, but not seen there (4):" in told and "'ann': the platform shows no score." in told


def test_a_platform_that_keeps_another_score_is_told_apart(reports, platform, capsys):
    platform.failures.append(("/scores", 200, {}, ""))
    shows(platform)
    for _ in range(3):
        shows(platform, *({"userId": user, "resultScore": 1 / 7, "resultMaximum": 5.5} for user in STUDENTS.values()))
    assert push(reports, platform) == 1
    assert "'ann': the platform shows 0.1429, not 5.5." in capsys.readouterr().out


def test_results_that_a_platform_shows_a_moment_late_are_waited_for(reports, platform, capsys):
    for _ in range(3):  # once for the plan, twice afterwards
        shows(platform)
    assert push(reports, platform) == 0
    assert "4 of 4 scores are there now." in capsys.readouterr().out


def test_results_that_are_scaled_are_compared_by_shares(reports, platform):
    shows(platform)
    rows = ({"userId": user, "resultScore": score / 5.5} for user, score in scores_of(reports).items())
    shows(platform, *rows)
    assert push(reports, platform) == 0


def test_results_that_cannot_be_read_afterwards_are_no_refusal(reports, platform, capsys):
    shows(platform)
    platform.failures.append(("/results", 404, {}, "gone"))
    assert push(reports, platform) == 1
    told = capsys.readouterr().out
    assert platform.newest() == scores_of(reports)
    assert "Accepted, but not seen there (4):" in told and "what is there could not be read." in told


def test_a_score_that_was_kept_although_the_platform_failed_counts_as_there(reports, platform, capsys):
    platform.refusing = {"u-1": 500}
    shows(platform)
    shows(platform, *({"userId": u, "resultScore": s, "resultMaximum": 5.5} for u, s in scores_of(reports).items()))
    assert push(reports, platform) == 0
    assert "4 of 4 scores are there now." in capsys.readouterr().out


@pytest.mark.parametrize("number", ["3e30", "-1", "1e400", '"3"', "true", "1e-320"])
def test_what_is_no_score_on_the_platform_is_taken_for_none(reports, platform, capsys, number):
    row = f'[{{"userId": "u-1", "resultScore": {number}, "resultMaximum": 5.5}}]'
    platform.failures.append(("/results", 200, JSON, row))
    assert push(reports, platform) == 0
    told = capsys.readouterr().out
    assert platform.newest() == scores_of(reports)
    assert ("'ann' has something there that is not a number of points." in told) == (number != "1e-320")


def test_a_maximum_that_is_next_to_nothing_makes_no_score(reports, platform):
    shows(platform, {"userId": "u-1", "resultScore": 5, "resultMaximum": 1e-300})
    assert push(reports, platform) == 0
    assert platform.newest() == scores_of(reports)


def test_a_periodic_number_is_shown_with_four_digits(reports, platform, capsys):
    shows(platform, {"userId": "u-1", "resultScore": 1 / 7, "resultMaximum": 1})
    push(reports, platform, "--dry-run")
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["'ann'", "'u-1'", "0.7857", "5.5"] in lines
    assert ["'김철수'", "'u-3'", "-", "0"] in lines
    assert platform.newest() == {}
