"""`grader push lti` at a platform whose answers are odd: nothing is sent on a guess, and there is no traceback."""

import json

import pytest

from .....support.needed import skip_without

skip_without("jwt", "requests", "canvasapi", "flask", "lti1p3platform")
from .....support.lti_pushes import STUDENTS, push, scores_of  # noqa: E402

JSON = {"Content-Type": "application/json"}
DEEP = "[" * 200_000


def following(address):
    """Return the header of a page that has another one behind it."""
    return {**JSON, "Link": f'<{address}>; rel="next"'}


@pytest.mark.parametrize(
    ("end", "headers", "text", "told"),
    [
        ("/results", following("http://[no"), "[]", "next page of results is at another place"),
        ("/results", following("http://127.0.0.2:1/results"), "[]", "next page of results is at another place"),
        ("/results", JSON, DEEP, "not what this platform should say"),
        ("/token", JSON, '{"access_token": "abc", "expires_in": 1' + "0" * 400 + "}", "not what this platform should"),
        ("/lineitems/7", {}, "<html>maintenance</html>", "not what this platform should say"),
        ("/lineitems/7", JSON, "[]", "not what this platform should say"),
        ("/lineitems/7", JSON, '{"label": "x", "scoreMaximum": "100"}', "worth 100 points there, and 5.5"),
    ],
)
def test_an_answer_that_cannot_be_meant_ends_the_push_with_a_sentence(
    reports, platform, capsys, end, headers, text, told
):
    platform.failures.append((end, 200, headers, text))
    assert push(reports, platform) == (2 if "worth" in told else 1)
    assert told in capsys.readouterr().err
    assert platform.newest() == {}


def test_a_page_of_results_that_is_followed_by_itself_is_asked_for_once(reports, platform, capsys):
    platform.failures += [("/results", 200, following(f"{platform.lineitem}/results"), "[]")] * 20
    assert push(reports, platform) == 1
    assert platform.count("GET", "/results") == 1
    assert "not what this platform should say" in capsys.readouterr().err


def test_a_platform_that_does_not_say_what_the_line_item_is_worth_is_told(reports, platform, capsys):
    platform.failures.append(("/lineitems/7", 200, JSON, '{"label": "x"}'))
    assert push(reports, platform) == 0
    assert "does not say what the line item is worth" in capsys.readouterr().out


def test_a_maximum_that_differs_by_a_rounding_error_is_the_same(reports, platform):
    platform.score_maximum = 5.50000001
    assert push(reports, platform) == 0
    assert platform.newest() == scores_of(reports)


def test_a_score_is_not_taken_where_the_platform_points_elsewhere_without_an_address(reports, platform, capsys):
    platform.failures += [("/scores", 302, {}, "")] * 4
    assert push(reports, platform, "--without-reading") == 1
    assert "0 of 4 scores were accepted" in capsys.readouterr().out


def rounded(platform, reports, worth):
    """Return results as a platform shows them that keeps hundredths of its own points."""
    rows = [
        {"userId": user, "resultScore": round(score / 5.5 * worth, 2), "resultMaximum": worth}
        for user, score in scores_of(reports).items()
    ]
    return ("/results", 200, JSON, json.dumps(rows))


def test_a_score_that_the_platform_rounds_to_hundredths_of_its_points_is_there(reports, platform, capsys):
    platform.score_maximum = 100
    platform.failures += [("/results", 200, JSON, "[]"), rounded(platform, reports, 100)]
    assert push(reports, platform, "--scale") == 0
    assert "4 of 4 scores are there now." in capsys.readouterr().out
    platform.failures.append(rounded(platform, reports, 100))
    assert push(reports, platform, "--scale") == 0
    assert "Nothing had to be sent." in capsys.readouterr().out


def test_a_score_that_stayed_what_it_was_is_not_there_however_near_it_is(reports, platform, capsys):
    platform.score_maximum = 1
    near = [{"userId": user, "resultScore": 0.998, "resultMaximum": 1} for user in STUDENTS.values()]
    platform.failures += [("/results", 200, JSON, json.dumps(near))] * 4
    assert push(reports, platform, "--scale") == 1
    assert "'ann': the platform shows 5.489, not 5.5." in capsys.readouterr().out
