"""`grader push canvas` by canvasapi, against a server on loopback that keeps Canvas's rules."""

import io
import logging
from decimal import Decimal

import pytest

from grader.cli import status
from grader.export.grades import ClassGrades
from grader.results.grades import Grade

from ...support.needed import skip_without
from .canvas_server import ASSIGNMENT, COURSE, CanvasStub, running

skip_without("canvasapi")

from grader.push import canvas  # noqa: E402

TOKEN = "7~secret-of-a-teacher-0123456789abcdef"
USERS = [
    {"id": 101, "name": "Ann", "sis_user_id": "s1", "login_id": "ann@uni", "email": "ann@mail"},
    {"id": 102, "name": "Doe, Jane", "sis_user_id": "s2", "login_id": "jane@uni"},
    {"id": 103, "name": "김철수", "sis_user_id": None, "login_id": "chulsoo@uni"},
    {"id": 104, "name": "=1+1", "sis_user_id": "s4", "email": "four@mail"},
    {"id": 105, "name": "José", "sis_user_id": "s5", "login_id": "jose@uni"},
]
# folder, identities, score, points by hand
CLASS = [
    ("ann", {"canvas_id": "101"}, 30, None),
    ("Doe, Jane", {"sis_id": "s2", "login": "Jane@uni"}, 28.1, 29.5),
    ("김철수", {"login": "chulsoo@uni"}, 0, None),
    ("=1+1", {"email": "four@mail"}, None, 12),
    ("José 🦊", {"login": "jose@uni"}, 7.35, None),
]
FULL = {101: 30.0, 102: 29.5, 103: 0.0, 104: 12.0, 105: 7.35}


@pytest.fixture
def stub(monkeypatch):
    """A server with Canvas's rules, and an environment with a token; nothing makes pauses."""
    monkeypatch.setattr(canvas, "POLL_S", 0.0)
    with running(CanvasStub(TOKEN, list(USERS))) as stub:
        monkeypatch.setenv("CANVAS_API_TOKEN", TOKEN)
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        yield stub


def points(number):
    return None if number is None else Decimal(str(number))


@pytest.fixture
def push(stub, tmp_path, monkeypatch):
    """What pushes the class, with more students where they are given."""

    def push(*more, students=CLASS, options=("--yes",), to=f"{stub.address}/courses/{COURSE}/assignments/{ASSIGNMENT}"):
        given = {"name": "", "assignment": "01_simple_attention", "max": Decimal(30), "status": "graded"}
        grades = [
            Grade(**given, student=folder, ids=ids, score=points(score), by_hand=points(by_hand))
            for folder, ids, score, by_hand in sorted(students)
        ]
        known = ClassGrades(tmp_path, [*grades, *more], {}, [], ["A note."])
        monkeypatch.setattr("grader.export.grades.read_grades", lambda folder: known)
        return status(["push", "canvas", str(tmp_path), "--to", to, *options])

    return push


def test_every_score_arrives_at_the_right_student_and_nothing_is_sent_twice(stub, push, capsys):
    """Points by hand count, and what Canvas takes off for lateness is no difference."""
    assert push() == 0
    assert stub.scores == FULL
    assert len(stub.bodies) == 1
    told = capsys.readouterr()
    assert "0 to send, 5 there already, 0 left out." in told.out and "A note." in told.err
    assert push() == 0
    assert len(stub.bodies) == 1


def test_a_plan_is_shown_and_nothing_is_sent_unless_it_is_confirmed(stub, push, capsys, monkeypatch):
    stub.scores = {101: 1.25, 102: 29.5, 103: 5.0}
    for answer, code in (("n\n", 1), ("", 130), ("y\n", 0)):
        monkeypatch.setattr("sys.stdin", io.StringIO(answer))
        assert push(options=()) == code
        shown = capsys.readouterr().out
        rows = [line.split() for line in shown.splitlines()]
        assert ["'ann'", "'Ann'", "101", "1.25", "30"] in rows
        assert ["'김철수'", "'김철수'", "103", "5", "0", "LOWER"] in rows
        assert "4 to send, 1 there already, 0 left out." in shown
        assert bool(stub.bodies) == (code == 0)
    assert stub.scores == FULL


def test_who_has_no_score_or_is_excused_keeps_what_canvas_has(stub, push, capsys):
    stub.scores, stub.excused = {105: 20.0}, {101}
    nothing = {"name": "", "assignment": "01_simple_attention", "score": None, "by_hand": None, "max": Decimal(30)}
    torn = Grade(**nothing, student="torn", ids={"canvas_id": "105"}, status="not graded", problem="No file.")
    away = Grade(**nothing, student="away", ids={"canvas_id": "104"}, status="missing")
    assert push(torn, away, students=CLASS[:3]) == 1
    assert stub.scores == {102: 29.5, 103: 0.0, 105: 20.0}
    shown = capsys.readouterr().out
    for left in ("'torn' was not graded: No file.", "'ann' is excused"):
        assert left in shown
    assert "away" not in shown


def test_an_assignment_that_cannot_take_the_scores_is_refused(stub, push, subtests):
    for fields in (
        *({"grading_type": kind} for kind in canvas.UNUSABLE),
        {"group_category_id": 5, "grade_group_students_individually": False},
        {"anonymize_students": True},
        {"published": False},
        {"points_possible": 100},
        {"points_possible": None},
    ):
        with subtests.test(fields):
            stub.fields = {"points_possible": 30, "grading_type": "points", **fields}
            assert push() == 2
            assert stub.bodies == []
    stub.fields = {"points_possible": 30, "group_category_id": 5, "grade_group_students_individually": True}
    assert push() == 0


def test_a_student_whom_canvas_does_not_find_any_more_keeps_nobody_else_from_a_score(stub, push, capsys):
    """A job of Canvas that fails has stored the scores of the others."""
    stub.withdrawn = {102}
    assert push() == 1
    assert stub.scores == {user: score for user, score in FULL.items() if user != 102}
    shown = capsys.readouterr().out
    assert "API ids '102'" in shown
    assert "0 to send, 4 there already, 1 left out." in shown


def test_a_score_that_canvas_leaves_out_without_a_word_is_named(stub, push, capsys):
    stub.forgets = {104}
    assert push() == 1
    read_back = capsys.readouterr().out.partition("Read back")[2]
    assert "'=1+1'" in read_back and "'ann'" not in read_back


def test_a_job_that_never_ends_is_said_and_the_next_push_goes_on(stub, push, capsys, monkeypatch):
    monkeypatch.setattr(canvas, "MOST_POLLS", 3)
    stub.job_states = ("queued",)
    assert push() == 2
    assert "not finished" in capsys.readouterr().err
    assert push() == 0
    assert len(stub.bodies) == 1


def test_a_canvas_that_is_busy_is_asked_again_by_the_next_push(stub, push, capsys, subtests):
    ends = (f"/courses/{COURSE}", f"/assignments/{ASSIGNMENT}", "/search_users", "/submissions", "/update_grades")
    for code, text in ((429, ""), (500, ""), (503, ""), (403, "403 Forbidden (Rate Limit Exceeded)")):
        with subtests.test(code):
            stub.scores = {}
            for end in ends:
                stub.failures = [(end, code, {"Retry-After": "900"}, text)]
                assert push() == 2
                told = "".join(capsys.readouterr())
                assert f"({code})" in told and "the command again later" in told
            assert push() == 0
            assert stub.scores == FULL


def test_an_answer_that_is_none_ends_in_a_sentence(stub, push, capsys, monkeypatch, subtests):
    for code, text, words in (
        (401, "<html>not even JSON</html>", "(401)"),
        (404, "{}", "(404)"),
        (200, "<html>maintenance</html>", "no usable answer"),
        (200, "[]", "no usable answer"),
    ):
        with subtests.test(code):
            stub.failures = [(f"/assignments/{ASSIGNMENT}", code, {}, text)]
            assert push() == 2
            assert words in capsys.readouterr().err
    for path, text in (("/search_users", '[{"name": "a proxy"}]'), ("/update_grades", "{}")):
        stub.failures = [(path, 200, {}, text)]
        assert push() == 2
        told = capsys.readouterr()
        assert "no usable answer" in told.out + told.err
    assert push(to="http://127.0.0.1:9/courses/1/assignments/2") == 2
    assert "no usable answer" in capsys.readouterr().err
    assert stub.bodies == []


def test_the_token_is_shown_nowhere_whatever_canvas_says(stub, push, capsys, caplog, monkeypatch):
    """Canvas sends it back in every kind of failure, and it may hold what no header can."""
    caplog.set_level(logging.INFO)
    shown = ""
    for code in (200, 302, 400, 401, 403, 404, 409, 418, 422, 500):
        for end in (f"/courses/{COURSE}", "/search_users", "/update_grades"):
            headers = {"WWW-Authenticate": f"Bearer {TOKEN}"}
            stub.failures = [(end, code, headers, f'{{"errors": "Bearer {TOKEN}"}}')]
            push()
            shown += "".join(capsys.readouterr())
    for token in (TOKEN[:-1] + "x", f"{TOKEN}\n{TOKEN}", f"{TOKEN}é", f"{TOKEN} {TOKEN}"):
        monkeypatch.setenv("CANVAS_API_TOKEN", token)
        assert push() in (1, 2)
        shown += "".join(capsys.readouterr())
    assert "(401)" in shown and "(418)" in shown
    assert TOKEN[:-1] not in shown + caplog.text


def test_a_token_of_netrc_takes_no_place(stub, push, monkeypatch, tmp_path):
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login someone password else\n")
    netrc.chmod(0o600)
    monkeypatch.setenv("NETRC", str(netrc))
    assert push() == 0


def test_what_does_not_say_where_canvas_is_or_who_asks_is_refused(stub, push, capsys, monkeypatch, subtests):
    end = f"/courses/{COURSE}/assignments/{ASSIGNMENT}"
    for address in ("", f"canvas.test{end}", f"http://canvas.test{end}", f"https://me:secret@canvas.test{end}",
                    "https://canvas.test", f"{stub.address}{end}0x", f"{stub.address}/courses/{COURSE}"):  # fmt: skip
        with subtests.test(address):
            assert push(to=address) == 2
            told = capsys.readouterr().err
            assert "--to is not the address of an assignment" in told and "secret" not in told
    for token in ("", " ", "two words"):
        with subtests.test(token), monkeypatch.context() as patch:
            patch.setenv("CANVAS_API_TOKEN", token)
            assert push() == 2
            assert "CANVAS_API_TOKEN" in capsys.readouterr().err
    assert stub.bodies == []


@pytest.mark.parametrize("end", ["", "/edit", "?module_item_id=7", "#fragment"])
def test_the_address_is_taken_as_the_browser_shows_it(stub, push, end):
    assert push(to=f" {stub.address}/courses/{COURSE}/assignments/{ASSIGNMENT}{end}") == 0
    assert stub.scores == FULL


def test_without_the_extra_a_sentence_says_what_to_install(stub, push, capsys, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "canvasapi.course", None)
    assert push() == 2
    assert "attention-grader[push]" in capsys.readouterr().err
