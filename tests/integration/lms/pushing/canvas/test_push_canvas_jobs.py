"""`grader push canvas` and the jobs that Canvas makes of scores: watched, failed, endless, without a word."""

import pytest

from grader.lms.pushing import canvas

from .....support.needed import skip_without
from .canvas_pushes import FULL, push
from .canvas_server import COURSE, Stub

skip_without("requests", "canvasapi")


def test_the_job_is_watched_to_its_end(reports, stub):
    stub.job_states = ("queued", "queued", "running", "running", "completed")
    assert push(reports, stub) == 0
    assert sum("/progress/" in path for _, path in stub.asked) == 4


def test_a_job_that_fails_is_told_and_what_it_stored_counts(reports, stub, capsys, monkeypatch):
    """A student is withdrawn between the look and the update."""
    real = Stub.update

    def withdrawn(self, form):
        self.users = [user for user in self.users if user["id"] != 105]
        return real(self, form)

    monkeypatch.setattr(Stub, "update", withdrawn)
    assert push(reports, stub) == 1
    told = capsys.readouterr().out
    assert "4 of 5 scores are there now." in told
    assert "'José 🦊': Canvas's job failed: Couldn't find User(s) with API ids '105'" in told
    assert stub.scores == {user: score for user, score in FULL.items() if user != 105}


def test_a_score_that_canvas_leaves_out_without_a_word_is_found(reports, stub, capsys):
    stub.forgets = {104}
    assert push(reports, stub) == 1
    assert "'=1+1': Canvas reported no error. It has no score." in capsys.readouterr().out


def test_a_job_that_never_ends_is_left_with_a_sentence(reports, stub, capsys, monkeypatch):
    stub.job_states = ("queued",)
    stub.forgets = set(FULL)
    monkeypatch.setattr(canvas, "LONGEST_WAIT_S", 0.05)
    assert push(reports, stub) == 1
    assert "had not finished its job" in capsys.readouterr().out


def test_after_a_job_that_never_ends_nothing_more_is_sent(reports, stub, capsys, monkeypatch):
    stub.job_states = ("queued",)
    monkeypatch.setattr(canvas, "BATCH", 2)
    monkeypatch.setattr(canvas, "LONGEST_WAIT_S", 0.05)
    assert push(reports, stub) == 1
    told = capsys.readouterr().out
    assert len(stub.bodies) == 1 and "Sending 1 to 2 of 5 ..." in told
    assert "2 of 5 scores are there now." in told


@pytest.mark.parametrize(("answer", "code"), [({}, 0), ({"id": 0, "url": ""}, 0), ([], 1)])
def test_a_job_that_says_nothing_of_itself_leads_to_a_look_at_the_scores(
    reports, stub, capsys, monkeypatch, answer, code
):
    real = Stub.update

    def silent(self, form):
        real(self, form)
        return answer

    monkeypatch.setattr(Stub, "update", silent)
    assert push(reports, stub) == code
    assert stub.scores == FULL
    assert "Traceback" not in capsys.readouterr().err


def test_a_course_without_a_name_and_numbers_as_texts_take_no_score(reports, stub, monkeypatch):
    """Canvas shows little of a course that is restricted by date, and large numbers as texts when asked to."""
    real = Stub.answer

    def bare(self, method, path, query, form):
        code, document = real(self, method, path, query, form)
        if path.endswith(f"/courses/{COURSE}"):
            document = {"id": COURSE, "access_restricted_by_date": True}
        if path.endswith("/submissions"):
            document = [{**each, "user_id": str(each["user_id"])} for each in document]
        return code, document

    monkeypatch.setattr(Stub, "answer", bare)
    assert push(reports, stub) == 0
    assert stub.scores == FULL


def test_submissions_that_are_nobodys_end_in_a_sentence(reports, stub, monkeypatch, capsys):
    monkeypatch.setattr(Stub, "submission", lambda *_: {"score": 1.0})
    assert push(reports, stub) == 1
    assert "Traceback" not in capsys.readouterr().err and stub.scores == {}
