"""Scores go from reports into nbgrader's gradebook: all of them, once, and nothing else of it is touched."""

import json
import shutil
from decimal import Decimal

import pytest

from ....support.frozen_students import SCORES
from ....support.nbgrader_courses import (
    ASSIGNMENT,
    BROKEN,
    EXAMPLES,
    LATE,
    NOTEBOOK,
    QUESTION,
    SPECIAL,
    Lesson,
    gradebook,
    scores_in,
)
from .nbgrader_pushes import CHECK, EMMA, files, push, rewritten, rows, without_points

pytestmark = pytest.mark.filterwarnings("ignore")


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


@pytest.mark.parametrize("student", [*EXAMPLES, *SPECIAL])
def test_every_score_is_that_of_the_report(pushed, student):
    exercises = pushed.reports.report(student)["exercises"]
    assert scores_in(pushed, student) == {each["id"]: float(each["score"]) for each in exercises}


def test_a_second_push_changes_neither_a_row_nor_a_file(after_push, capsys):
    before = files(after_push)
    assert push(after_push) == 1
    assert files(after_push) == before
    assert "0 submissions entered or changed, 22 unchanged" in capsys.readouterr().out


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
    assert f"'{EMMA}', {ASSIGNMENT}: {SCORES} 3 to 0" in capsys.readouterr().out
    assert scores_in(after_push, EMMA)[SCORES] == 0.0
    changed = {name: [row for row in after if row not in before[name]] for name, after in rows(after_push).items()}
    assert {name: len(found) for name, found in changed.items() if found} == {"grade": 1}


def test_a_changed_score_under_a_manual_one_asks_for_another_look(after_push):
    with gradebook(after_push) as book:
        grade = book.find_grade(f"{SCORES}-check", NOTEBOOK, ASSIGNMENT, EMMA)
        grade.manual_score, grade.needs_manual_grade = 3.0, False
        book.db.commit()
    rewritten(after_push, EMMA, without_points)
    push(after_push)
    with gradebook(after_push) as book:
        grade = book.find_grade(f"{SCORES}-check", NOTEBOOK, ASSIGNMENT, EMMA)
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
    assert scores_in(lesson, EMMA)["attention_weights"] == 2.1
    for name, old in before.items():
        assert all(row in rows(lesson)[name] for row in old), name


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
