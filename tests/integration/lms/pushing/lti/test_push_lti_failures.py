"""`grader push lti` cut off, or with a platform that fails: asked again, told in a sentence, finished by the next."""

import pytest

from grader.lms.pushing import lti, web

from .....support.needed import skip_without

skip_without("jwt", "requests", "canvasapi", "flask", "lti1p3platform")
from .....support.lti_pushes import push, scores_of  # noqa: E402


def test_a_push_that_was_cut_off_is_finished_by_the_next(reports, platform, capsys):
    posts = []
    real = lti.Lineitem._score

    def cut_off(self, change, wanted):
        if len(posts) == 2:
            raise KeyboardInterrupt
        posts.append(change.user)
        real(self, change, wanted)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lti.Lineitem, "_score", cut_off)
        assert push(reports, platform) == 130
    assert len(platform.newest()) == 2
    assert push(reports, platform) == 0
    assert platform.newest() == scores_of(reports)
    assert all(len(given) == 1 for given in platform.scores.values())


@pytest.mark.parametrize("code", [429, 500, 502, 503])
def test_a_platform_that_fails_for_a_moment_is_asked_again(reports, platform, code):
    platform.failures += [(end, code, {}, "moment") for end in ("/token", "/lineitems/7", "/results", "/scores")]
    assert push(reports, platform) == 0
    assert platform.newest() == scores_of(reports)


@pytest.mark.parametrize(("asked", "kept"), [(7, 7), (100_000, 60)])
def test_a_pause_that_the_platform_asks_for_is_kept_up_to_a_minute(reports, platform, monkeypatch, asked, kept):
    slept = []
    monkeypatch.setattr("time.sleep", slept.append)
    platform.failures.append(("/scores", 429, {"Retry-After": str(asked)}, "slow down"))
    assert push(reports, platform) == 0
    assert kept in slept and max(slept) == kept


@pytest.mark.parametrize("asked", ["abc", "1.5", "-3", "soon, please", "Fri, 31 Dec 99999 23:59:59 GMT"])
def test_a_pause_that_is_no_time_is_passed_over(reports, platform, asked):
    platform.failures += [("/scores", 429, {"Retry-After": asked}, "slow down")] * 2
    assert push(reports, platform) == 0
    assert platform.newest() == scores_of(reports)


def test_a_platform_that_keeps_failing_ends_the_push_with_a_sentence(reports, platform, capsys):
    platform.failures += [("/results", 500, {}, "broken")] * 20
    assert push(reports, platform) == 1
    assert "It failed (500), 5 times." in capsys.readouterr().err
    assert platform.scores == {}


def test_a_platform_that_is_not_there_is_a_sentence(reports, platform, capsys):
    assert push(reports, platform, "--token-url", "http://127.0.0.1:9/token") == 1
    told = capsys.readouterr().err
    assert "cannot be reached" in told and "Traceback" not in told


def test_a_user_whom_the_platform_does_not_know_stops_nobody_else(reports, platform, capsys):
    platform.users.discard("u-2")
    assert push(reports, platform) == 1
    told = capsys.readouterr().out
    assert set(platform.newest()) == {"u-1", "u-3", "u-4"}
    assert "3 of 4 scores are there now." in told
    assert "'Doe, Jane': It has nothing at this address (404)." in told and "user not found" in told


@pytest.mark.parametrize("code", [403, 500])
def test_a_user_over_whom_the_platform_fails_stops_nobody_else(reports, platform, capsys, code):
    platform.refusing = {"u-2": code}
    assert push(reports, platform) == 1
    told = capsys.readouterr().out
    assert set(platform.newest()) == {"u-1", "u-3", "u-4"}
    assert "3 of 4 scores are there now." in told and "Not tried" not in told
    assert f"({code})" in told and "'Doe, Jane': It " in told


def test_three_users_who_are_refused_alike_end_the_push_and_the_rest_is_listed(reports, platform, capsys):
    platform.refusing = dict.fromkeys(["u-1", "u-2", "u-4"], 500)
    assert push(reports, platform) == 1
    told = capsys.readouterr().out
    assert platform.scores == {} and platform.count("POST", "/scores") == 3 * web.TRIES
    assert "0 of 4 scores are there now." in told
    assert "Not taken (3):" in told and "Not tried (1):\n  '김철수'\n" in told
    platform.refusing = dict.fromkeys(["u-1", "u-2"], 500) | {"u-4": 403}
    assert push(reports, platform) == 1
    assert set(platform.newest()) == {"u-3"}


def test_a_platform_that_goes_away_leaves_a_list_of_who_was_not_tried(reports, platform, capsys):
    platform.refusing = {"u-2": 429}
    assert push(reports, platform) == 1
    told = capsys.readouterr()
    assert "1 of 4 scores were accepted; whether they are there was not looked at." in told.out
    assert "Not tried (3):" in told.out and "  'Doe, Jane'\n" in told.out
    assert "It asks for fewer requests (429), 5 times." in told.err


def test_a_platform_without_results_gets_every_score_only_when_asked(reports, platform, capsys):
    platform.failures += [("/results", 403, {}, "scope")] * 2
    assert push(reports, platform) == 1
    assert "--without-reading" in capsys.readouterr().err
    assert platform.scores == {}
    assert push(reports, platform, "--without-reading") == 0
    assert platform.newest() == scores_of(reports)
    assert "4 of 4 scores were accepted; whether they are there was not looked at." in capsys.readouterr().out
