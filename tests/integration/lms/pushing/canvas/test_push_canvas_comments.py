"""`grader push canvas --comments`: each student reads once what to do next, and nothing that is hidden."""

import pytest

from grader.lms.pushing import canvas

from .....support.lms_reports import CANARY
from .....support.needed import skip_without
from .canvas_pushes import FULL, TOKEN, push
from .canvas_server import TEACHER, Handler, Stub

skip_without("requests", "canvasapi")

DONE = "01_tiny: 5.5 of 5.5 points. Every exercise has passed. There is nothing left to do."
JANE = "01_tiny: 4.3 of 5.5 points. What to do next: Shift \u2039by\u203a a parameter: Divide by the sum."


def comments(stub):
    """Return the comments of each user who has one."""
    return {user: [each["comment"] for each in said] for user, said in stub.comments.items() if said}


def test_every_student_gets_a_comment_with_the_score(reports, stub, capsys):
    assert push(reports, stub, "--comments") == 0
    assert stub.scores == FULL
    assert comments(stub).keys() == FULL.keys()
    assert comments(stub)[101] == [DONE]
    assert comments(stub)[102] == [JANE]
    assert CANARY not in str(stub.comments)
    assert "5 of 5 scores are there now." in capsys.readouterr().out


def test_without_being_asked_for_there_is_no_comment(reports, stub):
    assert push(reports, stub) == 0
    assert comments(stub) == {}


def test_a_second_push_says_nothing_twice(reports, stub, capsys):
    for _ in range(2):
        assert push(reports, stub, "--comments") == 0
    assert comments(stub)[102] == [JANE]
    assert len(stub.bodies) == 1
    assert "0 to send, 5 there already" in capsys.readouterr().out


def test_a_dry_run_shows_who_would_get_a_comment(reports, stub, capsys):
    assert push(reports, stub, "--comments", "--dry-run") == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["'ann'", "'Ann'", "101", "-", "5.5", "comment"] in rows
    assert comments(stub) == {}


def test_a_score_that_is_there_is_not_sent_again_with_its_comment(reports, stub):
    push(reports, stub)
    assert push(reports, stub, "--comments") == 0
    assert all("posted_grade" not in name for name in stub.bodies[1])
    assert len(stub.bodies[1]) == len(FULL)


def test_after_another_grading_the_new_comment_follows_also_where_it_is_an_old_one(reports, stub):
    """Of 5.5, 3.5 and 5.5 points the last is told too, or the student would read that it is 3.5."""
    for before in (DONE, "01_tiny: 3.5 of 5.5 points."):
        stub.say(101, before, author=TEACHER)
    stub.say(101, "Thank you!", author=101)
    assert push(reports, stub, "--comments") == 0
    assert comments(stub)[101][-1] == DONE
    count = len(stub.comments[101])
    assert push(reports, stub, "--comments") == 0
    assert len(stub.comments[101]) == count


def test_other_comments_neither_keep_one_back_nor_bring_it_again(reports, stub):
    """A teacher's own word comes after ours, and a student writes what looks like ours."""
    stub.say(102, JANE, author=102)
    assert push(reports, stub, "--comments") == 0
    stub.say(102, "Come and see me.", author=TEACHER)
    stub.say(102, "01_tiny: 5.5 of 5.5 points.", author=102)
    assert push(reports, stub, "--comments") == 0
    assert comments(stub)[102].count(JANE) == 2


def test_how_canvas_writes_blanks_and_signs_makes_no_difference(reports, stub):
    push(reports, stub, "--comments")
    for said in stub.comments.values():
        said[-1]["comment"] = said[-1]["comment"].replace("\u2039", "&lsaquo;").replace(" ", "\n", 1) + " "
    assert push(reports, stub, "--comments") == 0
    assert len(stub.bodies) == 1


@pytest.mark.parametrize(
    ("code", "said"), [*((code, f"It failed ({code}).") for code in (500, 502, 503, 504)), (None, "cannot be reached")]
)
def test_a_comment_that_canvas_may_have_taken_is_not_sent_again_in_the_same_push(
    reports, stub, monkeypatch, capsys, code, said
):
    """Canvas takes the request, then its gateway fails or hangs up: another try would say everything twice."""
    real = Handler.send

    def lost(self, *answer):
        if self.command != "POST" or len(self.stub.bodies) > 1:
            real(self, *answer)
        elif code is None:
            self.close_connection = True
        else:
            real(self, code, b"", {"Retry-After": "0"})

    monkeypatch.setattr(Handler, "send", lost)
    assert push(reports, stub, "--comments") == 1
    told = capsys.readouterr().err
    assert said in told and "5 times" not in told and TOKEN not in told
    assert len(stub.bodies) == 1
    assert push(reports, stub, "--comments") == 0
    assert comments(stub)[102] == [JANE]


def test_a_canvas_that_has_too_much_to_do_before_it_takes_anything_is_asked_again(reports, stub):
    stub.failures += [
        ("/update_grades", 429, {}, ""),
        ("/update_grades", 403, {}, "403 Forbidden (Rate Limit Exceeded)"),
    ]
    assert push(reports, stub, "--comments") == 0
    assert comments(stub)[102] == [JANE]


def test_a_comment_that_is_not_there_afterwards_is_named(reports, stub, capsys, monkeypatch):
    monkeypatch.setattr(canvas, "BATCH", 2)
    monkeypatch.setattr(Stub, "say", lambda *_, **__: None)
    assert push(reports, stub, "--comments") == 1
    told = capsys.readouterr().out
    assert "Not taken (5):" in told and "'ann': Canvas reported no error. It does not have the comment." in told


@pytest.mark.parametrize("odd", ["x", 5, [5], [{}], [{"comment": None, "author_id": None}]])
def test_comments_that_cannot_be_read_are_none(reports, stub, monkeypatch, odd):
    real, first = Stub.submission, []

    def strange(self, user, *more):
        found = real(self, user, *more)
        if len(first) < len(self.users):
            first.append(user)
            found["submission_comments"] = odd
        return found

    monkeypatch.setattr(Stub, "submission", strange)
    assert push(reports, stub, "--comments") == 0
    assert comments(stub)[101] == [DONE]
