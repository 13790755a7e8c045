"""Scores go from reports into nbgrader's gradebook: all of them, once, and nothing else of it is touched."""

import hashlib
import json
import shutil
import sqlite3
from decimal import Decimal

import pytest

from grader.cli import status

from .nbgrader_courses import (
    ASSIGNMENT,
    BROKEN,
    EXAMPLES,
    LATE,
    NOTEBOOK,
    QUESTION,
    SPECIAL,
    Lesson,
    autograded,
    gradebook,
    scores_in,
)

pytestmark = pytest.mark.filterwarnings("ignore")
EMMA, CHECK = "emma_softmax_over_columns", "attention_weights-check"


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """The course after `nbgrader autograde`, whose reports are pushed here."""
    return autograded(tmp_path_factory)


@pytest.fixture
def lesson(graded, tmp_path):
    """A copy of it whose gradebook has nobody's scores and that has no graded notebooks."""
    return graded.copied(tmp_path / "copy", "autograded", "feedback", "downloaded")


@pytest.fixture(scope="module")
def pushed(graded, tmp_path_factory):
    """Such a copy after one push."""
    copy = graded.copied(tmp_path_factory.mktemp("pushed") / "copy", "autograded", "feedback", "downloaded")
    assert push(copy) == 1
    return copy


@pytest.fixture
def after_push(pushed, tmp_path):
    """A copy of the course after one push."""
    shutil.copytree(pushed.root, tmp_path / "again")
    return Lesson(tmp_path / "again", pushed.kit)


def push(lesson, *options):
    """Run `grader nbgrader push` on a course's reports and return its exit code."""
    return status(["nbgrader", "push", str(lesson.root / "reports"), "--gradebook", lesson.url, *options])


def rows(lesson):
    """Return every row of the gradebook."""
    book = sqlite3.connect(lesson.root / "gradebook.db")
    try:
        tables = [name for (name,) in book.execute("select name from sqlite_master where type = 'table'")]
        return {name: sorted(book.execute(f"select * from {name}"), key=repr) for name in tables}
    finally:
        book.close()


def files(lesson):
    """Return the hash of every file of the course."""
    return {
        str(path.relative_to(lesson.root)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(lesson.root.rglob("*"))
        if path.is_file()
    }


def rewritten(lesson, student, change):
    """Change a report as if another run had written it."""
    place = lesson.root / "reports" / student / f"{ASSIGNMENT}.json"
    report = json.loads(place.read_text(encoding="utf-8"))
    change(report)
    place.write_text(json.dumps(report), encoding="utf-8")
    (lesson.root / "reports" / "journal.jsonl").unlink(missing_ok=True)


def without_points(report, name="softmax_naive"):
    """Take all points of an exercise away."""
    for each in report["exercises"]:
        if each["id"] == name:
            report["score"] -= each["score"]
            each["score"], each["status"] = 0, "failed"


@pytest.mark.parametrize("student", [*EXAMPLES, *SPECIAL])
def test_every_score_is_that_of_the_report(pushed, student):
    exercises = pushed.reports.report(student)["exercises"]
    assert scores_in(pushed, student) == {each["id"]: float(each["score"]) for each in exercises}


def test_a_second_push_changes_neither_a_row_nor_a_file(after_push, capsys):
    before = files(after_push)
    assert push(after_push) == 1
    assert files(after_push) == before
    assert "0 submissions entered or changed, 22 submissions unchanged" in capsys.readouterr().out


def test_a_push_and_an_autograde_come_to_the_same(graded, pushed):
    with gradebook(graded) as one, gradebook(pushed) as other:
        for student in ("kofi_crash", "hugo_answer_in_place", "stripped_marks", LATE):
            first, second = (book.find_submission(ASSIGNMENT, student) for book in (one, other))
            assert (first.score, first.timestamp, first.late_submission_penalty) == (
                second.score,
                second.timestamp,
                second.late_submission_penalty,
            )
            comments = [
                {each.name: each.auto_comment for notebook in row.notebooks for each in notebook.comments}
                for row in (first, second)
            ]
            assert comments[0] == comments[1]


def test_a_report_without_a_grade_gives_no_points_and_asks_for_a_person(pushed):
    assert set(scores_in(pushed, BROKEN).values()) == {None}
    with gradebook(pushed) as book:
        assert book.find_submission(ASSIGNMENT, BROKEN).needs_manual_grade


def test_manual_scores_comments_and_extra_credit_stay(after_push, capsys):
    with gradebook(after_push) as book:
        grade = book.find_grade(CHECK, NOTEBOOK, ASSIGNMENT, EMMA)
        grade.manual_score, grade.extra_credit, grade.needs_manual_grade = 2.5, 0.5, False
        answer = book.find_grade(QUESTION, NOTEBOOK, ASSIGNMENT, EMMA)
        answer.manual_score, answer.needs_manual_grade = 4.0, False
        book.find_comment("attention_weights", NOTEBOOK, ASSIGNMENT, EMMA).manual_comment = "Nearly."
        book.db.commit()
    before = rows(after_push)
    assert push(after_push) == 1
    assert rows(after_push) == before


def test_a_lower_score_is_entered_and_said(after_push, capsys):
    rewritten(after_push, EMMA, without_points)
    before = rows(after_push)
    assert push(after_push) == 1
    assert f"'{EMMA}', {ASSIGNMENT}: softmax_naive 3 to 0" in capsys.readouterr().out
    assert scores_in(after_push, EMMA)["softmax_naive"] == 0.0
    changed = {name: [row for row in after if row not in before[name]] for name, after in rows(after_push).items()}
    assert {name: len(found) for name, found in changed.items() if found} == {"grade": 1}


def test_a_changed_score_under_a_manual_one_asks_for_another_look(after_push):
    with gradebook(after_push) as book:
        grade = book.find_grade("softmax_naive-check", NOTEBOOK, ASSIGNMENT, EMMA)
        grade.manual_score, grade.needs_manual_grade = 3.0, False
        book.db.commit()
    rewritten(after_push, EMMA, without_points)
    push(after_push)
    with gradebook(after_push) as book:
        grade = book.find_grade("softmax_naive-check", NOTEBOOK, ASSIGNMENT, EMMA)
        assert (grade.auto_score, grade.score, grade.needs_manual_grade) == (0.0, 3.0, True)


def test_only_the_student_of_a_report_is_touched(lesson):
    with gradebook(lesson) as book:
        book.add_student("someone_else", first_name="So")
        submission = book.update_or_create_submission(ASSIGNMENT, "someone_else")
        for grade in (each for notebook in submission.notebooks for each in notebook.grades):
            grade.auto_score, grade.manual_score = 1.0, 1.5
        book.db.commit()
    before = rows(lesson)
    for other in (lesson.root / "reports").iterdir():
        if other.is_dir() and other.name not in (EMMA, "kofi_crash"):
            shutil.rmtree(other)
    (lesson.root / "reports" / "journal.jsonl").unlink()  # which would remember them, and say that they are gone
    assert push(lesson) == 0
    assert scores_in(lesson, EMMA)["attention"] == 4.0
    for name, old in before.items():
        assert all(row in rows(lesson)[name] for row in old), name


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
    assert scores_in(lesson, "rosa_notebook")["attention"] == 4.0


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
        "'quinn_own_style', 01_simple_attention: The submission of 'quinn_own_style' for 01_simple_attention was graded "
        "without isolation. Grade it again.",
        "is the report of 'ada_solution' for '01_simple_attention'. Grade it again.",
        "is torn: it is no whole JSON document. Grade it again.",
        f"'{EMMA}', 01_simple_attention: the report is of another version of 'simple_attention.ipynb'",
    ):
        assert sentence in said
    with gradebook(lesson) as book:
        entered = {each.student.id for each in book.assignment_submissions(ASSIGNMENT)}
    left_out = {"ada_solution", "quinn_own_style", "rosa_notebook", "chloe_half_done", "kofi_crash", EMMA}
    assert entered == {*EXAMPLES, *SPECIAL, BROKEN} - left_out


def test_a_report_that_was_changed_after_it_was_written_is_left_out(lesson, capsys):
    place = lesson.root / "reports" / EMMA / f"{ASSIGNMENT}.json"
    place.write_text(place.read_text(encoding="utf-8").replace('"score": 27', '"score": 30'), encoding="utf-8")
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


@pytest.mark.parametrize("kind", ["missing", "corrupt", "foreign", "empty", "old", "locked", "no address", "no file"])
def test_a_gradebook_that_cannot_be_worked_with_is_said_in_a_sentence(lesson, capsys, kind):
    place = lesson.root / "gradebook.db"
    url, lock = lesson.url, None
    if kind == "missing":
        place.unlink()
    elif kind == "corrupt":
        place.write_bytes(b"SQLite format 3\0" + b"\xff" * 5000)
    elif kind == "foreign":
        place.unlink()
        other = sqlite3.connect(place)
        other.execute("create table accounts (id integer)")
        other.close()
    elif kind == "empty":
        place.write_bytes(b"")
    elif kind == "old":
        other = sqlite3.connect(place)
        other.execute("drop table alembic_version")
        other.close()
    elif kind == "locked":
        lock = sqlite3.connect(place)
        lock.execute("begin exclusive")
    elif kind == "no address":
        url = "gradebook.db"
    else:
        url = "sqlite://"
    before = place.read_bytes() if place.exists() else None
    try:
        assert status(["nbgrader", "push", str(lesson.root / "reports"), "--gradebook", url]) == 2
    finally:
        if lock is not None:
            lock.close()
    said = capsys.readouterr()
    expected = {
        "missing": "There is no file",
        "corrupt": "damaged",
        "foreign": "is a database of something else",
        "empty": "is empty",
        "old": "was made by another version of nbgrader, or not to the end",
        "locked": "Another program is writing to it",
        "no address": "'gradebook.db' is none",
        "no file": "names no file",
    }
    assert expected[kind] in said.err
    assert said.err.count("\n") == 1
    assert (place.read_bytes() if place.exists() else None) == before


def test_a_py_file_is_shown_as_cells_in_its_graded_notebook(lesson, graded):
    source = lesson.kit.parent / "one"
    (source / "emil" / ASSIGNMENT).mkdir(parents=True)
    text = (graded.kit / "assignments" / ASSIGNMENT / f"{NOTEBOOK}.py").read_text(encoding="utf-8")
    text = text.replace(
        'raise NotImplementedError("normalize_scores is not written yet")', "return scores / scores.sum()"
    )
    (source / "emil" / ASSIGNMENT / f"{NOTEBOOK}.py").write_text(text, encoding="utf-8")
    shutil.copytree(source / "emil", lesson.root / "submitted" / "emil")
    shutil.rmtree(lesson.root / "reports")
    lesson.grader("grade", source, "--output", lesson.root / "reports")
    assert push(lesson) == 0
    assert {name for name, score in scores_in(lesson, "emil").items() if score} == {"normalize_scores"}
    place = lesson.root / "autograded" / "emil" / ASSIGNMENT / f"{NOTEBOOK}.ipynb"
    cells = {
        cell["metadata"].get("nbgrader", {}).get("grade_id"): cell
        for cell in json.loads(place.read_text(encoding="utf-8"))["cells"]
    }
    assert "return scores / scores.sum()" in cells["normalize_scores"]["source"]
    assert "2 of 2 points" in cells["normalize_scores-check"]["outputs"][0]["data"]["text/html"]
    lesson.nbgrader("generate_feedback", ASSIGNMENT)
    page = (lesson.root / "feedback" / "emil" / ASSIGNMENT / f"{NOTEBOOK}.html").read_text(encoding="utf-8")
    assert "2 of 2 points" in page
    assert "This is not written yet, or its name was changed." in page


def test_points_are_exact_to_the_hundredth(pushed):
    report = pushed.reports.report("hugo_answer_in_place")
    parts = {each["id"]: each["score"] for each in report["exercises"]}
    assert any(score % 1 for score in parts.values())
    found = scores_in(pushed, "hugo_answer_in_place")
    assert {name: Decimal(repr(score)) for name, score in found.items()} == parts


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
    assert "ZeroDivisionError: division by zero Mend the file." in capsys.readouterr().err
    with gradebook(lesson) as book:
        assert not book.assignment_submissions(ASSIGNMENT)
