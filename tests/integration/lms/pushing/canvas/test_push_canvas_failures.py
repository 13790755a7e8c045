"""`grader push canvas` with a Canvas that refuses or is busy, and what is said then."""

import json
import logging

import pytest

from grader.cli import status

from .....support.needed import skip_without
from .canvas_pushes import FULL, TOKEN, push
from .canvas_server import ASSIGNMENT, COURSE, Stub

skip_without("requests", "canvasapi")


@pytest.mark.parametrize(
    ("code", "headers", "text", "said"),
    [
        (401, {"WWW-Authenticate": "Bearer"}, '{"errors": [{"message": "Invalid access token."}]}', "(401)"),
        (401, {}, "<html>not even JSON</html>", "(401)"),
        (403, {}, '{"errors": "user not authorized"}', "does not allow this (403)"),
        (404, {}, "{}", "nothing at this address (404)"),
        (422, {}, "unprocessable", "refused the request (422)"),
        (302, {"Location": "https://elsewhere.test/"}, "", "another address"),
        (200, {}, "<html>maintenance</html>", "not what this platform should say"),
        (200, {}, "[]", "not what this platform should say"),
    ],
)
def test_an_answer_that_is_none_is_a_sentence(reports, stub, capsys, code, headers, text, said):
    stub.failures.append((f"/assignments/{ASSIGNMENT}", code, headers, text))
    assert push(reports, stub) == 1
    told = capsys.readouterr().err
    assert said in told and "Traceback" not in told
    assert stub.scores == {}


@pytest.mark.parametrize(
    ("code", "text"), [(429, ""), (500, ""), (503, ""), (403, "403 Forbidden (Rate Limit Exceeded)")]
)
def test_a_canvas_that_is_busy_for_a_moment_is_asked_again(reports, stub, code, text):
    ends = (f"/courses/{COURSE}", f"/assignments/{ASSIGNMENT}", "/search_users", "/submissions", "/update_grades")
    stub.failures += [(end, code, {}, text) for end in ends]
    assert push(reports, stub) == 0
    assert stub.scores == FULL


@pytest.mark.parametrize("code", [429, 500])
def test_a_canvas_that_stays_busy_ends_the_push(reports, stub, capsys, code):
    stub.failures += [("/search_users", code, {}, "")] * 20
    assert push(reports, stub) == 1
    assert f"({code}), 5 times." in capsys.readouterr().err
    assert stub.scores == {}


def test_a_canvas_that_is_not_there_is_a_sentence(reports, stub, capsys):
    stub.address = "http://127.0.0.1:9"
    assert push(reports, stub) == 1
    assert "cannot be reached" in capsys.readouterr().err


def test_the_token_is_shown_nowhere_whatever_canvas_says(reports, stub, capsys, caplog):
    """Canvas sends the token back in every kind of failure."""
    caplog.set_level(logging.INFO)
    told = ""
    for code in (200, 302, 400, 401, 403, 404, 409, 418, 422, 500):
        for end in (f"/courses/{COURSE}", "/search_users", "/update_grades"):
            stub.failures = [(end, code, {}, f'{{"errors": "Bearer {TOKEN} {TOKEN[:-1]}x"}}')] * 5
            push(reports, stub)
            shown = capsys.readouterr()
            told += shown.out + shown.err
    assert "***" in told
    assert TOKEN not in told + caplog.text


def test_a_failed_job_that_quotes_the_token_does_not_show_it(reports, stub, capsys, monkeypatch):
    real = Stub.progress

    def quoting(self, number):
        return {**real(self, number), "workflow_state": "failed", "message": f"job of {TOKEN}"}

    monkeypatch.setattr(Stub, "progress", quoting)
    stub.forgets = set(FULL)
    assert push(reports, stub) == 1
    told = capsys.readouterr().out
    assert "job of ***" in told and TOKEN not in told


def test_a_token_of_netrc_takes_no_place(reports, stub, monkeypatch, tmp_path):
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login someone password else\n")
    netrc.chmod(0o600)
    monkeypatch.setenv("NETRC", str(netrc))
    assert push(reports, stub) == 0


def test_a_missing_token_is_a_sentence_that_names_the_variable(reports, stub, monkeypatch, capsys):
    monkeypatch.delenv("CANVAS_API_TOKEN")
    assert push(reports, stub) == 2
    assert "The variable CANVAS_API_TOKEN is not set." in capsys.readouterr().err


def test_without_the_extra_a_sentence_names_what_to_install(reports, stub, monkeypatch, capsys):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert push(reports, stub) == 2
    told = capsys.readouterr().err
    assert "attention-grader[lms]" in told


def test_it_must_be_said_who_is_who(reports, stub, capsys):
    where = ["--url", stub.address, "--canvas-course", str(COURSE), "--canvas-assignment", str(ASSIGNMENT)]
    assert status(["push", "canvas", str(reports[0]), *where]) == 2
    assert "no roster that says who is who" in capsys.readouterr().err


@pytest.mark.parametrize("value", ['"A"', "[1]", "1e400"])
def test_a_score_that_is_no_number_is_taken_for_none(reports, stub, value):
    row = f'[{{"user_id": 101, "entered_score": {value}}}]'
    stub.failures.append(("/submissions", 200, {}, row))
    assert push(reports, stub) == 0
    assert stub.scores == FULL


@pytest.mark.parametrize("value", ['"many"', "[1]"])
def test_points_that_are_no_number_are_none(reports, stub, capsys, value):
    stub.more = {"points_possible": json.loads(value)}
    assert push(reports, stub) == 2
    assert "It is worth no points there." in capsys.readouterr().err


def test_an_answer_that_is_nested_too_deeply_is_none(reports, stub, capsys):
    stub.failures.append(("/submissions", 200, {}, "[" * 200_000))
    assert push(reports, stub) == 1
    assert "not what this platform should say" in capsys.readouterr().err


@pytest.mark.parametrize(("status", "text"), [(404, "{}"), (200, "<html>")])
def test_a_job_that_cannot_be_looked_at_does_not_keep_the_scores_from_being_read(reports, stub, capsys, status, text):
    stub.failures.append(("/progress/0", status, {}, text))
    stub.forgets = {102}
    assert push(reports, stub) == 1
    told = capsys.readouterr().out
    assert "4 of 5 scores are there now." in told
    assert "What became of Canvas's job could not be read." in told


def test_a_page_that_is_followed_by_itself_is_asked_for_once_more_and_no_further(reports, stub, capsys):
    place = f"/api/v1/courses/{COURSE}/assignments/{ASSIGNMENT}/submissions?page=2"
    page = {"Link": f'<{stub.address}{place}>; rel="next"'}
    stub.failures += [("/submissions", 200, page, '[{"user_id": 101}]')] * 20
    assert push(reports, stub) == 1
    assert "not what this platform should say" in capsys.readouterr().err
    assert len(stub.failures) == 17
    assert not stub.scores
