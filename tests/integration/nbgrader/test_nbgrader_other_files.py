"""Submissions without a notebook of the released name, to which the real nbgrader gives 0, and points by hand."""

import json

import pytest

from ...support.classes.downloads import zipped
from ...support.classes.grading_runs import grade
from ...support.frozen_students import ANSWERS, POINTS, file_of, points_of
from ...support.notebooks.nbgrader_courses import ASSIGNMENT, NOTEBOOK, QUESTION, as_notebook, gradebook, scores_in

pytestmark = pytest.mark.filterwarnings("ignore")

FULL = {name: float(points) for name, points in POINTS.items()}
NONE = dict.fromkeys(POINTS)
NO_EXPONENTIAL = "farid_no_exponential"
RIGHT = json.dumps(as_notebook("rosa_notebook"))
WRONG = json.dumps(as_notebook(NO_EXPONENTIAL))
PROGRAM = file_of(ANSWERS[NO_EXPONENTIAL])
FILES = {
    "program": {f"{NOTEBOOK}.py": PROGRAM},
    "copy": {f"Copy of {NOTEBOOK}.ipynb": WRONG},
    "again": {f"{NOTEBOOK} (1).ipynb": WRONG},
    "document": {"answers.pdf": "%PDF-1.4"},
    "pictures": {"Screenshot 10.15.30.png": "", "Screenshot 10.15.42.png": ""},
    "beside": {f"{NOTEBOOK}.ipynb": RIGHT, f"{NOTEBOOK}.py": file_of(ANSWERS["rosa_notebook"])},
    "changed": {f"{NOTEBOOK}.py": PROGRAM},
    "report_changed": {f"{NOTEBOOK}.ipynb": WRONG},
    "by_exercise": {f"{NOTEBOOK}.py": PROGRAM},
    "by_whole": {f"{NOTEBOOK}.ipynb": RIGHT},
}
BY_HAND = f"""student,assignment,exercise,points,reason
by_exercise,{ASSIGNMENT},softmax_naive,1.5,Right but for the exponential
by_whole,{ASSIGNMENT},,5,Oral exam
"""


@pytest.fixture(scope="module")
def lesson(graded, tmp_path_factory):
    """The course with a class of its own, collected, graded and autograded."""
    lesson = graded.copied(
        tmp_path_factory.mktemp("other") / "files", "submitted", "autograded", "feedback", "downloaded", "reports"
    )
    archive = lesson.root / "downloaded" / ASSIGNMENT / "archive"
    archive.mkdir(parents=True)
    for student, files in FILES.items():
        (archive / f"{student}.zip").write_bytes(zipped(files))
    lesson.nbgrader("zip_collect", ASSIGNMENT)
    (lesson.root / "submitted" / "overrides.csv").write_text(BY_HAND, encoding="utf-8")
    grade(lesson.root / "reports", lesson.root / "submitted", "--from", "nbgrader", cwd=lesson.kit)
    changed = lesson.root / "submitted" / "changed" / ASSIGNMENT / f"{NOTEBOOK}.py"
    changed.write_text(changed.read_text(encoding="utf-8") + "\n# later\n", encoding="utf-8")
    report = lesson.root / "reports" / "report_changed" / f"{ASSIGNMENT}.json"
    report.write_text(report.read_text(encoding="utf-8").replace('"failed"', '"passed"'), encoding="utf-8")
    lesson.nbgrader("autograde", ASSIGNMENT)
    return lesson


def needs_a_person(lesson, student):
    with gradebook(lesson) as book:
        return book.find_submission(ASSIGNMENT, student).needs_manual_grade


@pytest.mark.parametrize("student", ["program", "copy", "again"])
def test_a_file_of_another_name_has_the_points_of_its_report(lesson, student):
    assert scores_in(lesson, student) == {name: float(points) for name, points in points_of(NO_EXPONENTIAL).items()}
    with gradebook(lesson) as book:
        notebook = book.find_submission_notebook(NOTEBOOK, ASSIGNMENT, student)
        assert {grade.name for grade in notebook.grades if grade.needs_manual_grade} == {QUESTION}


def test_a_program_that_was_collected_beside_the_notebook_costs_nothing(lesson):
    assert scores_in(lesson, "beside") == FULL


@pytest.mark.parametrize(
    ("student", "why"),
    [
        ("document", ""),
        ("changed", ": the report is of another file"),
        ("report_changed", ": Its report is not as it was written"),
    ],
)
def test_what_has_no_points_waits_for_a_person_and_has_no_0(lesson, student, why):
    assert scores_in(lesson, student) == NONE
    assert needs_a_person(lesson, student)
    assert f"'{student}', {ASSIGNMENT}: no points, a person has to grade it{why}" in lesson.logs["autograde"]


@pytest.mark.parametrize("student", ["program", "copy"])
def test_the_notebook_that_is_made_shows_the_report_of_what_was_graded(lesson, student):
    place = lesson.root / "autograded" / student / ASSIGNMENT / f"{NOTEBOOK}.ipynb"
    report, reason, *_ = json.loads(place.read_text(encoding="utf-8"))["cells"]
    [name] = FILES[student]
    assert name in "".join(report["outputs"][0]["text"])
    assert "".join(reason["source"]) == f"# There is no {NOTEBOOK}.ipynb."
    assert not (lesson.root / "submitted" / student / ASSIGNMENT / f"{NOTEBOOK}.ipynb").exists()


def test_points_by_hand_of_an_exercise_are_entered_in_place_of_the_graded_ones(lesson):
    assert scores_in(lesson, "by_exercise") == FULL | {"softmax_naive": 1.5}


def test_points_by_hand_of_the_whole_assignment_wait_for_a_person(lesson):
    assert scores_in(lesson, "by_whole") == NONE
    assert needs_a_person(lesson, "by_whole")
    assert "its points by hand are for the whole assignment" in lesson.logs["autograde"]


def test_feedback_is_made_of_all_of_them(lesson):
    lesson.nbgrader("generate_feedback", ASSIGNMENT)
    assert {path.parts[-3] for path in (lesson.root / "feedback").rglob("*.html")} == set(FILES)
