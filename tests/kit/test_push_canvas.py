"""`grader push canvas` by canvasapi against a server on loopback that keeps Canvas's rules."""

import logging

import pytest

from grader.cli import status
from grader.lms.pushing import canvas, web

from .lms_reports import report_of, write_class
from .lms_server import ASSIGNMENT, COURSE, Stub, running, skip_without

skip_without("jwt", "requests", "canvasapi")

TOKEN = "7~secret-of-a-teacher-0123456789abcdef"
STUDENTS = ("ann", "Doe, Jane", "김철수", "=1+1", "José 🦊")
LOST = {"Doe, Jane": {"Shift.open": "failed"}, "김철수": {"shares.shut": "failed", "Shift.shut": "failed"}}
USERS = [
    {"id": 101, "name": "Ann", "sis_user_id": "s1", "login_id": "ann@uni"},
    {"id": 102, "name": "Doe, Jane", "sis_user_id": "s2", "login_id": "jane@uni"},
    {"id": 103, "name": "김철수", "sis_user_id": None, "login_id": "chulsoo@uni"},
    {"id": 104, "name": "=1+1", "sis_user_id": "s4"},
    {"id": 105, "name": "José", "sis_user_id": "s5", "login_id": "jose@uni"},
    {"id": 106, "name": "Ann", "sis_user_id": "s6", "login_id": "other.ann@uni"},
]
ROSTER = """\
student,name,canvas_id,sis_id,login
ann,Ann,101,,
"Doe, Jane",,,s2,
김철수,,,,chulsoo@uni
=1+1,,104,,
José 🦊,,,,jose@uni
"""


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(web, "PAUSE_S", 0.0)
    monkeypatch.setattr(canvas, "POLL_S", 0.0)
    monkeypatch.setenv("CANVAS_API_TOKEN", TOKEN)


@pytest.fixture
def stub():
    with running(Stub(TOKEN, [dict(user) for user in USERS])) as there:
        yield there


@pytest.fixture(scope="module")
def class_reports(tmp_path_factory):
    return write_class(
        tmp_path_factory.mktemp("class"), [report_of(name, LOST.get(name)) for name in STUDENTS], ["absent one"]
    )


@pytest.fixture
def reports(class_reports, tmp_path):
    (tmp_path / "roster.csv").write_text(ROSTER, encoding="utf-8")
    return class_reports, tmp_path / "roster.csv"


def push(reports, stub, *more):
    where = ["--url", stub.address, "--canvas-course", str(COURSE), "--canvas-assignment", str(ASSIGNMENT)]
    return status(["push", "canvas", str(reports[0]), "--roster", str(reports[1]), *where, *more])


FULL = {101: 5.5, 102: 4.33, 103: 2.33, 104: 5.5, 105: 5.5}


def test_every_score_arrives_at_the_right_student(reports, stub, capsys):
    assert push(reports, stub) == 0
    assert stub.scores == FULL
    told = capsys.readouterr().out
    assert '"Tiny steps" (4711) of "Deep Learning" (12), 5.5 points' in told
    assert "5 to send, 0 there already, 0 left out, 1 without a submission." in told
    assert "5 of 5 scores are there now." in told


def test_scores_go_as_texts_under_the_numbers_of_canvas(reports, stub):
    push(reports, stub)
    texts = {101: "5.5", 102: "4.33", 103: "2.33", 104: "5.5", 105: "5.5"}
    assert stub.bodies == [{f"grade_data[{user}][posted_grade]": text for user, text in texts.items()}]


def test_a_dry_run_shows_what_differs_and_sends_nothing(reports, stub, capsys):
    stub.scores = {101: 1.25, 102: 4.33, 104: 5.5}
    assert push(reports, stub, "--dry-run") == 0
    told = capsys.readouterr().out
    rows = [line.split() for line in told.splitlines()]
    assert ["'ann'", "'Ann'", "101", "1.25", "5.5"] in rows
    assert ["'김철수'", "'김철수'", "103", "-", "2.33"] in rows
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


@pytest.mark.parametrize("answer", [{}, {"id": 0, "url": ""}, []])
def test_a_job_that_says_nothing_of_itself_leads_to_a_look_at_the_scores(reports, stub, capsys, monkeypatch, answer):
    real = Stub.update

    def silent(self, form):
        real(self, form)
        return answer

    monkeypatch.setattr(Stub, "update", silent)
    assert push(reports, stub) in (0, 1)
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
    monkeypatch.setattr(Stub, "submission", lambda self, user: {"score": 1.0})
    assert push(reports, stub) == 1
    assert "Traceback" not in capsys.readouterr().err and stub.scores == {}


def test_nobody_is_matched_by_name_and_an_unknown_student_is_listed(reports, stub, capsys):
    """The folder's, the roster's and Canvas's name are the same, and that is no proof."""
    reports[1].write_text('student,name,sis_id\nann,Ann,\n"Doe, Jane",,s99\n김철수,,s2\n', encoding="utf-8")
    assert push(reports, stub) == 1
    told = capsys.readouterr().out
    assert stub.scores == {102: 2.33}
    assert "'ann': the roster gives neither canvas_id nor sis_id nor login." in told
    assert "'Doe, Jane': no student of the course in Canvas has the sis_id 's99'." in told
    assert "'=1+1': 'roster.csv' has no row for this folder." in told


def test_an_identity_that_does_not_fit_is_not_replaced_by_the_next(reports, stub, capsys):
    reports[1].write_text("student,canvas_id,login\nann,999,ann@uni\n", encoding="utf-8")
    assert push(reports, stub) == 1
    assert "no student of the course in Canvas has the canvas_id '999'" in capsys.readouterr().out
    assert stub.scores == {}


@pytest.mark.parametrize("row", ["ann,Ann,101,s6,", "ann,Ann,101,,other.ann@uni", "ann,Ann,,s1,other.ann@uni"])
def test_identities_of_two_students_in_one_row_stop_the_push(reports, stub, capsys, row):
    """A column that slipped by a row would give the whole class the scores of others."""
    reports[1].write_text(ROSTER.replace("ann,Ann,101,,", row), encoding="utf-8")
    assert push(reports, stub) == 2
    assert stub.scores == {}
    told = " ".join(capsys.readouterr().err.split())
    assert "for the student whom the row's first identity names. Put the roster right; nothing was sent." in told


def test_a_plan_says_whom_the_platform_has_for_each_folder(reports, stub, capsys):
    push(reports, stub, "--dry-run")
    rows = capsys.readouterr().out.splitlines()
    assert any("'José 🦊'" in row and "'José' 105" in row for row in rows)


def test_a_login_that_canvas_shows_of_nobody_is_said(reports, stub, capsys):
    for user in stub.users:
        user.pop("login_id", None)
    assert push(reports, stub) == 1
    told = " ".join(capsys.readouterr().out.split())
    assert "Canvas shows no login to the owner of this token; use another identity or token." in told


def test_an_identity_that_canvas_does_not_show_contradicts_nothing(reports, stub):
    reports[1].write_text(ROSTER.replace("=1+1,,104,,", "=1+1,,104,s4,four@uni"), encoding="utf-8")
    assert push(reports, stub) == 0
    assert stub.scores == FULL


def test_two_folders_are_never_one_student(reports, stub, capsys):
    """One folder is named by number and the other by SIS id, and both are the same person."""
    reports[1].write_text('student,canvas_id,sis_id\nann,101,\n"Doe, Jane",,s1\n', encoding="utf-8")
    assert push(reports, stub) == 1
    assert stub.scores == {}
    assert "is also" in capsys.readouterr().out


def test_two_students_with_one_login_are_not_guessed_between(reports, stub, capsys):
    stub.users[5]["login_id"] = "ann@uni"
    reports[1].write_text("student,login\nann,ann@uni\n", encoding="utf-8")
    assert push(reports, stub) == 1
    assert "two students of the course have the login 'ann@uni'" in capsys.readouterr().out


def test_who_is_excused_stays_so(reports, stub, capsys):
    stub.excused = {101}
    assert push(reports, stub) == 1
    assert 101 not in stub.scores
    assert "'ann': is excused from this assignment in Canvas" in capsys.readouterr().out


def test_other_points_are_refused_and_converted_when_asked(reports, stub, capsys):
    stub.points = 100
    assert push(reports, stub) == 2
    assert "It is worth 100 points there, and 5.5 in the reports." in capsys.readouterr().err
    assert stub.scores == {}
    assert push(reports, stub, "--scale") == 0
    assert stub.scores == {101: 100, 102: 78.73, 103: 42.36, 104: 100, 105: 100}


def test_nobody_gets_all_points_or_none_by_rounding(reports, stub):
    """5.5 points counted as 0.02 there: 4.33 would round up to all of them, 2.33 stays half."""
    stub.points = 0.02
    assert push(reports, stub, "--scale") == 0
    assert stub.scores == {101: 0.02, 102: 0.01, 103: 0.01, 104: 0.02, 105: 0.02}


def test_a_score_is_never_given_to_a_whole_group(reports, stub, capsys):
    stub.more = {"group_category_id": 5, "grade_group_students_individually": False}
    assert push(reports, stub) == 2
    assert stub.scores == {} and "graded by groups there" in capsys.readouterr().err
    stub.more["grade_group_students_individually"] = True
    assert push(reports, stub) == 0
    assert stub.scores == FULL


@pytest.mark.parametrize("kind", ["pass_fail", "not_graded", "letter_grade", "gpa_scale"])
def test_an_assignment_that_takes_no_points_is_refused(reports, stub, capsys, kind):
    stub.grading_type = kind
    assert push(reports, stub) == 2
    assert f"It is graded as '{kind}' there." in capsys.readouterr().err


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


def test_reports_of_another_version_are_refused_before_canvas_is_asked(reports, stub, capsys, tmp_path):
    whole = write_class(tmp_path / "other", [report_of("ann")], journal=False)
    file = whole / "ann" / "01_tiny.json"
    file.write_text(file.read_text().replace('"schema_version": "1.0"', '"schema_version": "9.0"'))
    assert push((whole, reports[1]), stub) == 2
    assert "has the schema version '9.0'" in capsys.readouterr().err
    assert stub.asked == []


def test_it_must_be_said_who_is_who(reports, stub, capsys):
    where = ["--url", stub.address, "--canvas-course", str(COURSE), "--canvas-assignment", str(ASSIGNMENT)]
    assert status(["push", "canvas", str(reports[0]), *where]) == 2
    assert "Neither --roster nor --folders-are is given." in capsys.readouterr().err
