"""What `grader nbgrader push` leaves out or cannot work with: said in a sentence, and the gradebook stays as it was."""

import contextlib
import shutil
import sqlite3

import pytest

from grader.cli import status

from ....support.nbgrader_courses import ASSIGNMENT, BROKEN, EXAMPLES, NOTEBOOK, SPECIAL, gradebook, scores_in
from .nbgrader_pushes import EMMA, push, rewritten, rows

pytestmark = pytest.mark.filterwarnings("ignore")


def test_a_student_who_cannot_be_entered_whole_is_not_entered_at_all(lesson, monkeypatch, capsys):
    from sqlalchemy.exc import OperationalError

    from grader.nbgrader import gradebook as module

    def fails(*_, **__):
        raise OperationalError("UPDATE grade", {}, Exception("disk I/O error"))

    before = rows(lesson)
    real = module.enter
    monkeypatch.setattr(module, "enter", fails)
    assert push(lesson) == 2
    assert rows(lesson) == before
    assert "disk I/O error" in capsys.readouterr().err
    monkeypatch.setattr(module, "enter", real)
    assert push(lesson) == 1
    assert scores_in(lesson, "rosa_notebook")["attention_weights"] == 3.0


def test_what_no_score_may_be_taken_from_is_left_out(lesson, capsys):
    def other_points(report):
        report["max_score"] += 30 - report["exercises"][0]["max_score"]
        report["exercises"][0]["max_score"] = 30

    rewritten(lesson, "ada_solution", other_points)
    rewritten(lesson, "quinn_own_style", lambda report: report["isolation"].update(tier="none"))
    rewritten(lesson, "rosa_notebook", lambda report: report.update(student="ada_solution"))
    rewritten(lesson, "chloe_half_done", lambda report: report.update(assignment="02_other"))
    place = lesson.root / "reports" / "kofi_crash" / f"{ASSIGNMENT}.json"
    place.write_text("{", encoding="utf-8")
    handed_in = lesson.root / "submitted" / EMMA / ASSIGNMENT / f"{NOTEBOOK}.ipynb"
    handed_in.write_bytes(handed_in.read_bytes() + b"\n")
    assert push(lesson) == 1
    said = capsys.readouterr().out
    for sentence in (
        "'ada_solution', 01_simple_attention: the gradebook has other points: attention_scores_for_query-check is",
        "'quinn_own_style', 01_simple_attention: The submission of 'quinn_own_style' for 01_simple_attention was "
        "graded without isolation. Grade it again.",
        "is the report of 'ada_solution' for '01_simple_attention'. Grade it again.",
        "is torn: it is not a complete JSON document. Grade it again.",
        f"'{EMMA}', 01_simple_attention: the report is of another version of 'simple_attention.ipynb'",
    ):
        assert sentence in said
    with gradebook(lesson) as book:
        entered = {each.student.id for each in book.assignment_submissions(ASSIGNMENT)}
    left_out = {"ada_solution", "quinn_own_style", "rosa_notebook", "chloe_half_done", "kofi_crash", EMMA}
    assert entered == {*EXAMPLES, *SPECIAL, BROKEN} - left_out


def test_a_report_that_was_changed_after_it_was_written_is_left_out(lesson, capsys):
    place = lesson.root / "reports" / EMMA / f"{ASSIGNMENT}.json"
    place.write_text(place.read_text(encoding="utf-8").replace('"score": 7.1', '"score": 30'), encoding="utf-8")
    other = lesson.root / "reports" / "ada_solution" / f"{ASSIGNMENT}.json"
    other.write_text(other.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    assert push(lesson) == 1
    said = capsys.readouterr().out
    assert "do not add up. Grade it again." in said
    assert f"'ada_solution', {ASSIGNMENT}: the report is not as it was written. Grade it again." in said


def test_another_course_is_left_alone(lesson, capsys):
    before = rows(lesson)
    assert push(lesson, "--course-id", "physics") == 1
    assert rows(lesson) == before
    assert "the gradebook has this assignment in the course course, not in physics" in capsys.readouterr().out


def refused(lesson, capsys, url, words):
    """Assert that a push ends with one sentence, and that the gradebook stays as it was."""
    place = lesson.root / "gradebook.db"
    before = place.read_bytes() if place.exists() else None
    assert status(["nbgrader", "push", str(lesson.root / "reports"), "--gradebook", url]) == 2
    said = capsys.readouterr().err
    assert words in said and said.count("\n") == 1
    assert (place.read_bytes() if place.exists() else None) == before


@pytest.mark.parametrize(
    ("content", "sql", "words"),
    [
        (b"SQLite format 3\0" + b"\xff" * 5000, "", "damaged"),
        (b"", "create table accounts (id integer)", "is a database of something else"),
        (b"", "", "is empty"),
        (None, "drop table alembic_version", "was made by another version of nbgrader, or not to the end"),
        (None, "begin exclusive", "Another program is writing to it"),
    ],
)
def test_a_gradebook_that_cannot_be_worked_with_is_said_in_a_sentence(lesson, capsys, content, sql, words):
    place = lesson.root / "gradebook.db"
    if content is not None:
        place.write_bytes(content)
    with contextlib.closing(sqlite3.connect(place)) as other:
        if sql:
            other.execute(sql)
        refused(lesson, capsys, lesson.url, words)


@pytest.mark.parametrize(
    ("url", "words"),
    [("", "There is no file"), ("gradebook.db", "'gradebook.db' is not one"), ("sqlite://", "no file")],
)
def test_a_gradebook_that_is_nowhere_is_said_in_a_sentence(lesson, capsys, url, words):
    (lesson.root / "gradebook.db").unlink()
    refused(lesson, capsys, url or lesson.url, words)


def test_a_gradebook_that_lies_alone_gets_scores_and_says_what_is_missing(lesson, tmp_path, capsys):
    alone = tmp_path / "alone" / "gradebook.db"
    alone.parent.mkdir()
    shutil.move(lesson.root / "gradebook.db", alone)
    order = ["nbgrader", "push", str(lesson.root / "reports"), "--gradebook", f"sqlite:///{alone}"]
    assert status(order) == 1
    assert "Name its folder with --nbgrader-course" in capsys.readouterr().out
    assert [path.name for path in alone.parent.iterdir()] == ["gradebook.db"]
    assert status([*order, "--nbgrader-course", str(lesson.root)]) == 1
    assert "22 graded notebooks written." in capsys.readouterr().out
    assert (lesson.root / "autograded" / EMMA / ASSIGNMENT / f"{NOTEBOOK}.ipynb").is_file()


def test_settings_of_nbgrader_that_do_not_work_are_a_sentence(lesson, capsys):
    (lesson.root / "nbgrader_config.py").write_text("c = get_config()\nc.x = 1 / 0\n", encoding="utf-8")
    assert push(lesson) == 2
    assert "ZeroDivisionError: division by zero Correct the file." in capsys.readouterr().err
    with gradebook(lesson) as book:
        assert not book.assignment_submissions(ASSIGNMENT)
