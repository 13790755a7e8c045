"""`grader push lti` against lti1p3platform, a real LTI 1.3 platform, on loopback."""

import json
import logging
from datetime import UTC, datetime, timedelta

import pytest

from grader.cli import status
from grader.lms.pushing import lti, token, web

from .lms_reports import report_of, write_class
from .lms_server import skip_without

skip_without("jwt", "requests", "canvasapi", "flask", "lti1p3platform")
from .lti_platforms import CLIENT, KEY_ID, Platform, new_key, running  # noqa: E402

STUDENTS = {"ann": "u-1", "Doe, Jane": "u-2", "김철수": "u-3", "=1+1": "u-4"}


@pytest.fixture(scope="module")
def keys():
    return new_key(), new_key()


@pytest.fixture(autouse=True)
def quick(monkeypatch, keys):
    monkeypatch.setattr(web, "PAUSE_S", 0.0)
    monkeypatch.setenv("LTI_PRIVATE_KEY", keys[0])


@pytest.fixture
def platform(keys):
    with running(Platform(keys[0], set(STUDENTS.values()))) as there:
        yield there


@pytest.fixture
def reports(tmp_path):
    """Four students with 5.5, 3.75, 0 and 5.5 points, and a roster of them."""
    failed = {"Doe, Jane": {"Shift.open": "failed", "Shift.late": "failed"}, "김철수": dict.fromkeys(ALL, "failed")}
    write_class(tmp_path / "reports", [report_of(student, failed.get(student)) for student in STUDENTS])
    rows = [f'"{student}",{user}' for student, user in STUDENTS.items()]
    (tmp_path / "roster.csv").write_text("student,lti_user_id\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return tmp_path


ALL = ("shares.open", "shares.shut", "Shift.open", "Shift.late", "Shift.shut")


def scores_of(reports):
    return {
        user: json.loads((reports / "reports" / student / "01_tiny.json").read_text())["score"]
        for student, user in STUDENTS.items()
    }


def push(reports, platform, *more, lineitem=None):
    whose = ["--roster", str(reports / "roster.csv"), "--client-id", CLIENT, "--key-id", KEY_ID]
    where = ["--lineitem", lineitem or platform.lineitem, "--token-url", platform.token_url]
    return status(["push", "lti", str(reports / "reports"), *whose, *where, *more])


def test_every_score_arrives_at_the_right_user(reports, platform, capsys):
    assert push(reports, platform) == 0
    assert platform.newest() == scores_of(reports)
    assert platform.newest() == {"u-1": 5.5, "u-2": pytest.approx(2 + 3.5 / 3, abs=0.01), "u-3": 0, "u-4": 5.5}
    assert "4 of 4 scores are there now." in capsys.readouterr().out


def test_a_score_has_what_the_specification_asks_for(reports, platform):
    push(reports, platform)
    score = platform.scores["u-2"][0]
    assert (score["activityProgress"], score["gradingProgress"]) == ("Completed", "FullyGraded")
    assert score["scoreMaximum"] == 5.5
    assert score["comment"].startswith("3.17 of 5.5 points") and "open" not in score["comment"]
    sent = datetime.fromisoformat(score["timestamp"])
    assert sent.tzinfo is not None and "." in score["timestamp"]
    assert abs(datetime.now(UTC) - sent) < timedelta(minutes=1)


def test_a_dry_run_shows_what_differs_and_sends_nothing(reports, platform, capsys):
    push(reports, platform)
    platform.scores["u-1"][-1]["scoreGiven"] = 1.0
    platform.scores["u-4"][-1]["scoreGiven"] = 5.5
    del platform.scores["u-3"]
    capsys.readouterr()
    assert push(reports, platform, "--dry-run") == 0
    told = capsys.readouterr().out
    assert platform.newest() == {"u-1": 1.0, "u-2": pytest.approx(3.17), "u-4": 5.5}
    lines = [line.split() for line in told.splitlines()]
    assert ["'ann'", "1", "5.5"] in lines
    assert ["'김철수'", "-", "0"] in lines
    assert "2 to send, 2 there already, 0 left out." in told
    assert "Nothing was sent: this is a dry run." in told


def test_only_what_differs_is_sent_the_second_time(reports, platform, capsys):
    push(reports, platform)
    assert push(reports, platform) == 0
    assert platform.count("POST", "/scores") == 4
    assert "Nothing had to be sent." in capsys.readouterr().out


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


def test_a_score_that_goes_down_is_said(reports, platform, capsys):
    push(reports, platform)
    platform.scores["u-3"][-1]["scoreGiven"] = 4
    capsys.readouterr()
    assert push(reports, platform) == 0
    told = capsys.readouterr().out
    assert "LOWER" in told and "1 score goes down." in told
    assert platform.newest()["u-3"] == 0


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
    assert platform.count("POST", "/scores", 409) == lti.STAMPS


def test_another_key_is_refused_with_a_sentence(reports, platform, keys, monkeypatch, capsys):
    monkeypatch.setenv("LTI_PRIVATE_KEY", keys[1])
    assert push(reports, platform) == 1
    told = capsys.readouterr().err
    assert "does not accept the credentials (401)" in told and "--key-id" in told
    assert platform.scores == {}


def test_an_unknown_key_id_is_refused(reports, platform, capsys):
    assert push(reports, platform, "--key-id", "another") == 1
    assert "Unable to find public key" in capsys.readouterr().err


def test_a_token_is_renewed_before_its_end(reports, platform, monkeypatch):
    clock = iter(range(0, 100_000, 3000))
    monkeypatch.setattr(token.time, "monotonic", lambda: float(next(clock)))
    assert push(reports, platform) == 0
    assert len(platform.tokens) > 2
    assert platform.newest() == scores_of(reports)
    assert not any(code == 401 for _, _, code in platform.asked)


def test_a_token_that_ended_early_is_renewed(reports, platform):
    platform.failures.append(("/scores", 401, {"WWW-Authenticate": "Bearer"}, "expired"))
    assert push(reports, platform) == 0
    assert len(platform.tokens) == 2
    assert platform.newest() == scores_of(reports)


def test_a_token_that_is_never_accepted_ends_the_push(reports, platform, capsys):
    platform.failures += [("/scores", 401, {}, "no")] * 2
    assert push(reports, platform) == 1
    assert "does not accept the credentials (401)" in capsys.readouterr().err


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


def test_grades_of_a_run_without_isolation_are_not_sent(reports, platform, capsys):
    write_class(reports / "reports", [report_of("ann", isolation={"tier": "none"})])
    assert push(reports, platform) == 2
    assert "without isolation" in capsys.readouterr().err
    assert platform.asked == []


def test_no_token_goes_where_the_platform_sends_a_request_on_to(reports, platform, capsys):
    platform.failures.append(("/lineitems/7", 302, {"Location": "https://elsewhere.test/7"}, ""))
    assert push(reports, platform) == 1
    assert "It sends the request on to another address." in capsys.readouterr().err


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
    push(reports, platform)
    for given in platform.scores.values():
        given[-1] |= {"scoreGiven": given[-1]["scoreGiven"] / 5.5 * 100, "scoreMaximum": 100}
    capsys.readouterr()
    assert push(reports, platform) == 0
    told = capsys.readouterr().out
    assert "Nothing had to be sent." in told
    assert "Scores are sent out of 5.5; it converts them to its 100." in told


def test_a_platform_without_results_gets_every_score_only_when_asked(reports, platform, capsys):
    platform.failures += [("/results", 403, {}, "scope")] * 2
    assert push(reports, platform) == 1
    assert "--without-reading" in capsys.readouterr().err
    assert platform.scores == {}
    assert push(reports, platform, "--without-reading") == 0
    assert platform.newest() == scores_of(reports)


def test_results_at_another_place_are_not_asked_for(reports, platform, capsys):
    link = {"Link": '<http://127.0.0.2:1/results>; rel="next"', "Content-Type": "application/json"}
    platform.failures.append(("/results", 200, link, "[]"))
    assert push(reports, platform) == 1
    assert "is at another place" in capsys.readouterr().err


def test_an_answer_that_is_no_json_is_a_sentence(reports, platform, capsys):
    platform.failures.append(("/lineitems/7", 200, {}, "<html>maintenance</html>"))
    assert push(reports, platform) == 1
    assert "Its answer is not what this platform should say." in capsys.readouterr().err


def test_no_secret_is_shown_whatever_the_platform_says(reports, platform, keys, monkeypatch, capsys, caplog):
    """The platform sends back what it was sent, in every kind of failure."""
    caplog.set_level(logging.DEBUG)
    real = lti.Lineitem._request

    def remembered(self, method, address, **more):
        for code in (401, 403, 418, 500):
            platform.failures.append(("/scores", code, {}, f"you sent {self._tokens.token()} and {keys[0]}"))
        return real(self, method, address, **more)

    monkeypatch.setattr(lti.Lineitem, "_request", remembered)
    for _ in range(3):
        push(reports, platform)
    shown = capsys.readouterr()
    told = shown.out + shown.err + caplog.text
    assert "***" in told
    for secret in (*platform.tokens, keys[0], *[line for line in keys[0].splitlines() if len(line) > 30]):
        assert secret not in told


@pytest.mark.parametrize("text", ["", "no key", "-----BEGIN PRIVATE KEY-----\nMIIBdead\n-----END PRIVATE KEY-----\n"])
def test_what_is_no_key_is_refused_without_being_shown(reports, platform, monkeypatch, capsys, text):
    monkeypatch.setenv("LTI_PRIVATE_KEY", text)
    assert push(reports, platform) == 2
    told = capsys.readouterr().err
    assert "private key was looked for" in told
    assert "MIIBdead" not in told


def test_the_key_can_come_from_a_file_that_nobody_else_can_read(reports, platform, keys, monkeypatch, tmp_path, capsys):
    monkeypatch.delenv("LTI_PRIVATE_KEY")
    assert push(reports, platform) == 2
    assert "The variable LTI_PRIVATE_KEY is not set." in capsys.readouterr().err
    file = tmp_path / "key.pem"
    file.write_text(keys[0])
    file.chmod(0o644)
    assert push(reports, platform, "--key-file", str(file)) == 2
    assert "has the mode 0644, so other users can read it." in capsys.readouterr().err
    file.chmod(0o600)
    assert push(reports, platform, "--key-file", str(file)) == 0


@pytest.mark.parametrize(
    ("lineitem", "said"),
    [
        ("http://platform.test/lineitems/7", "unencrypted"),
        ("ftp://platform.test/7", "is the address of a platform"),
        ("https://me:pass@platform.test/7", "holds a name or a password"),
        ("https://platform.test/lineitems/7/scores", "without /scores"),
    ],
)
def test_an_address_that_secrets_must_not_go_to_is_refused(reports, platform, capsys, lineitem, said):
    assert push(reports, platform, lineitem=lineitem) == 2
    assert said in capsys.readouterr().err
    assert platform.asked == []


def test_the_parts_of_a_line_item_come_before_its_question_mark():
    assert lti._below("https://p.test/lti/7?x=1", "scores") == "https://p.test/lti/7/scores?x=1"
