"""The real nbgrader on a course of `grader nbgrader init`: every score is the kit's, and nothing hidden shows."""

import hashlib
import html
import json
import re
import shutil

import pytest

from ...support.frozen_students import POINTS, points_of
from ...support.notebooks.nbgrader_courses import (
    ASSIGNMENT,
    BROKEN,
    CANARIES,
    EXAMPLES,
    LATE,
    LOST,
    NOTEBOOK,
    QUESTION,
    SPECIAL,
    gradebook,
    scores_in,
)

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module")
def feedback(graded):
    """The feedback files that nbgrader made, by student."""
    graded.nbgrader("generate_feedback", ASSIGNMENT)
    return {path.parts[-3]: path.read_text(encoding="utf-8") for path in (graded.root / "feedback").rglob("*.html")}


def reported(graded, student):
    """Return the points of the kit's report as the gradebook must have them."""
    exercises = graded.reports.report(student)["exercises"]
    return {exercise["id"]: float(exercise["score"]) for exercise in exercises}


@pytest.mark.parametrize("student", [*EXAMPLES, *SPECIAL])
def test_every_score_in_the_gradebook_is_that_of_the_report_and_of_the_answers(graded, student):
    """Also where nbgrader alone would get a notebook wrong."""
    points = points_of(student) | dict.fromkeys(LOST.get(student, ()), 0)
    assert scores_in(graded, student) == {name: float(score) for name, score in points.items()}
    assert scores_in(graded, student) == reported(graded, student)


def test_what_was_handed_in_is_left_as_it_was(graded):
    for student in SPECIAL:
        place = graded.root / "submitted" / student / ASSIGNMENT / f"{NOTEBOOK}.ipynb"
        report = graded.reports.report(student)
        assert hashlib.sha256(place.read_bytes()).hexdigest() == report["submission"]["sha256"][place.name]


def test_a_notebook_that_cannot_be_read_gets_no_points_and_a_person_is_asked(graded):
    assert set(scores_in(graded, BROKEN).values()) == {None}
    with gradebook(graded) as book:
        assert book.find_submission(ASSIGNMENT, BROKEN).needs_manual_grade
    text = (graded.root / "autograded" / BROKEN / ASSIGNMENT / f"{NOTEBOOK}.ipynb").read_text(encoding="utf-8")
    assert "is not a whole notebook" in text
    assert f"'{BROKEN}', {ASSIGNMENT}: no points, a person has to grade it" in graded.logs["autograde"]


def test_a_question_that_a_person_grades_stays_with_nbgrader(graded):
    with gradebook(graded) as book:
        grade = book.find_grade(QUESTION, NOTEBOOK, ASSIGNMENT, "rosa_notebook")
        assert (grade.auto_score, grade.needs_manual_grade, grade.max_score) == (None, True, 5.0)


def test_a_late_submission_gets_the_penalty_of_nbgraders_plugin(graded):
    with gradebook(graded) as book:
        late, other = (book.find_submission(ASSIGNMENT, student) for student in (LATE, "rosa_notebook"))
        assert late.late_submission_penalty == late.score > 0
        assert not other.late_submission_penalty


def test_manual_scores_and_extra_credit_survive_another_autograde(graded):
    student, name = "emma_two_mistakes", "attention_weights-check"
    with gradebook(graded) as book:
        grade = book.find_grade(name, NOTEBOOK, ASSIGNMENT, student)
        grade.manual_score, grade.extra_credit, grade.needs_manual_grade = 2.5, 0.5, False
        book.find_comment("attention_weights", NOTEBOOK, ASSIGNMENT, student).manual_comment = "Nearly."
        book.db.commit()
    graded.nbgrader("autograde", ASSIGNMENT, "--student", student)
    with gradebook(graded) as book:
        grade = book.find_grade(name, NOTEBOOK, ASSIGNMENT, student)
        assert (grade.auto_score, grade.manual_score, grade.extra_credit, grade.score) == (2.1, 2.5, 0.5, 3.0)
        assert grade.needs_manual_grade
        assert book.find_comment("attention_weights", NOTEBOOK, ASSIGNMENT, student).comment == "Nearly."


def test_a_gradebook_with_other_points_than_the_kit_gets_none_and_a_person_is_asked(graded, tmp_path):
    """3.0 of 7 would stand there for a perfect answer, without a word."""
    students = ("rosa_notebook", "ada_solution")
    other = graded.copied(tmp_path / "other", "submitted", "autograded", "feedback", "downloaded")
    for student in students:
        shutil.copytree(graded.root / "submitted" / student, other.root / "submitted" / student)
    with gradebook(other) as book:
        book.find_grade_cell("attention_weights-check", NOTEBOOK, ASSIGNMENT).max_score = 7
        book.db.commit()
    log = other.nbgrader("autograde", ASSIGNMENT)
    told = "the gradebook has other points: attention_weights-check is worth 7 there and 3 in the report."
    for student in students:
        assert set(scores_in(other, student).values()) == {None}
        with gradebook(other) as book:
            assert book.find_submission(ASSIGNMENT, student).needs_manual_grade
            assert {comment.comment for comment in book.find_submission_notebook(NOTEBOOK, ASSIGNMENT, student).comments
                    if comment.name != QUESTION} == {None}  # fmt: skip
        assert f"ERROR] '{student}', {ASSIGNMENT}: no points, a person has to grade it: {told}" in log


def test_feedback_shows_the_points_and_the_hint(graded, feedback):
    assert set(feedback) == {*EXAMPLES, *SPECIAL, BROKEN}
    page = feedback["farid_no_exponential"]
    assert "The exponential is missing" in page
    assert "0 of 3 points" in page
    assert "(hidden check)" in page


def test_feedback_and_release_hold_nothing_hidden(graded, feedback):
    for folder in ("feedback", "release", "autograded"):
        for path in (graded.root / folder).rglob("*"):
            if path.is_file():
                text = path.read_text(encoding="utf-8")
                assert not any(canary in text for canary in CANARIES.values()), path
                assert str(graded.kit) not in text, path
                assert "Traceback (most recent" not in text, path
    told = 0
    for student, page in feedback.items():
        text = html.unescape(page)
        checks = graded.reports.checks(student)
        known = {"", *(check["detail"]["found"] for check in checks if check["visibility"] == "visible")}
        for check in checks:
            detail = check["detail"]
            if check["visibility"] != "visible" and detail["found"] not in {*known, check["outcome"]}:
                told += 1
                assert not detail["input_seed"] or detail["input_seed"] not in text
                assert not re.search(r"\d", detail["found"]) or detail["found"] not in text
    assert told


def test_the_release_is_what_students_get(graded):
    release = graded.root / "release" / ASSIGNMENT
    notebook = json.loads((release / f"{NOTEBOOK}.ipynb").read_text(encoding="utf-8"))
    text = "\n".join("".join(cell["source"]) for cell in notebook["cells"])
    assert "SOLUTION" not in text
    assert text.count("raise NotImplementedError") == len(POINTS)
    names = {path.name for path in release.iterdir()}
    assert names == {f"{NOTEBOOK}.ipynb", f"test_{NOTEBOOK}.py", "examples.json", "README.md", "README.ko.md"}
