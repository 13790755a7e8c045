"""`grader push canvas` by canvasapi against a server on loopback that keeps Canvas's rules: what arrives."""

from grader.lms.pushing import canvas, web

from .....support.needed import skip_without
from .canvas_pushes import FULL, push
from .canvas_server import Stub

skip_without("requests", "canvasapi")


def test_every_score_arrives_at_the_right_student(reports, stub, capsys):
    assert push(reports, stub) == 0
    assert stub.scores == FULL
    told = capsys.readouterr().out
    assert '"Tiny steps" (4711) of "Deep Learning" (12), 5.5 points' in told
    assert "5 to send, 0 there already, 0 left out." in told
    assert "5 of 5 scores are there now." in told


def test_scores_go_as_texts_under_the_numbers_of_canvas(reports, stub):
    push(reports, stub)
    texts = {101: "5.5", 102: "4.3", 103: "2.3", 104: "5.5", 105: "5.5"}
    assert stub.bodies == [{f"grade_data[{user}][posted_grade]": text for user, text in texts.items()}]


def test_a_dry_run_shows_what_differs_and_sends_nothing(reports, stub, capsys):
    stub.scores = {101: 1.25, 102: 4.3, 104: 5.5}
    assert push(reports, stub, "--dry-run") == 0
    told = capsys.readouterr().out
    rows = [line.split() for line in told.splitlines()]
    assert ["'ann'", "'Ann'", "101", "1.25", "5.5"] in rows
    assert ["'김철수'", "'김철수'", "103", "-", "2.3"] in rows
    assert "3 to send, 2 there already" in told
    assert "Nothing was sent: this is a dry run." in told
    assert stub.bodies == [] and stub.scores[101] == 1.25


def test_what_canvas_takes_off_for_lateness_is_no_difference(reports, stub, capsys):
    """The score after the penalty differs from the one that was entered, which is what counts."""
    push(reports, stub)
    assert push(reports, stub) == 0
    assert len(stub.bodies) == 1
    assert "Nothing had to be sent." in capsys.readouterr().out


def test_a_score_that_goes_down_is_said(reports, stub, capsys):
    stub.scores = {**FULL, 103: 5.0}
    assert push(reports, stub) == 0
    told = capsys.readouterr().out
    assert "LOWER" in told and "1 score goes down." in told
    assert stub.scores == FULL


def test_a_class_is_sent_in_batches_and_a_push_that_was_cut_off_is_finished_by_the_next(
    reports, stub, monkeypatch, capsys
):
    monkeypatch.setattr(canvas, "BATCH", 2)
    real, sent = Stub.update, []

    def second_fails(self, form):
        sent.append(form)
        if len(sent) == 2:
            raise ConnectionError
        return real(self, form)

    monkeypatch.setattr(Stub, "update", second_fails)
    monkeypatch.setattr(web, "TRIES", 1)
    monkeypatch.setattr("socketserver.BaseServer.handle_error", lambda *_: None)
    assert push(reports, stub) == 1
    assert len(stub.scores) == 2
    assert "cannot be reached" in capsys.readouterr().err
    monkeypatch.setattr(Stub, "update", real)
    assert push(reports, stub) == 0
    assert stub.scores == FULL
    assert "3 to send, 2 there already" in capsys.readouterr().out
