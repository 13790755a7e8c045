"""Grades the example class as `make grade` does and compares every score with `examples/expected_scores.json`.

But for limits on time: an endless loop in the class would take 20 s of processor time, which a busy machine may give it
in more than the two minutes of a submission.
"""

import json
import shutil
from decimal import Decimal
from typing import Any

import pytest

from ...support.course_copy import course_copy
from ...support.grading_runs import ROOT, Graded, grade, timeless

EXAMPLES = ROOT / "examples" / "submissions"
LIMITS = ("--check-cpu-seconds", "2", "--submission-seconds", "600")
EXPECTED: dict[str, dict[str, Any]] = json.loads((ROOT / "examples" / "expected_scores.json").read_text())
FIRST, FOURTH = "01_simple_attention", "04_multi_head_attention"
GRADED = [(s, a) for s, work in EXPECTED.items() for a, scores in work.items() if scores != "problem"]
AGAIN = ("emma_softmax_over_columns", "kofi_crash", "rosa_notebook", "uma_hidden_state", "victor_wrong_file")
UNGRADED = [(s, a) for s, work in EXPECTED.items() for a, scores in work.items() if scores == "problem"]
SINGLE_MISTAKES = {
    "emma_softmax_over_columns": (FIRST, "attention_weights"),
    "farid_no_exponential": (FIRST, "softmax_naive"),
    "hugo_answer_in_place": (FIRST, "normalize_scores"),
    "tomoko_library_softmax": (FIRST, "softmax_naive"),
    "jun_endless_loop": (FIRST, "softmax_stable"),
    "kofi_crash": (FIRST, "context_vector"),
    "lena_memory_eater": (FIRST, "attention_scores"),
    "omar_syntax_error": (FIRST, "softmax_naive"),
    "uma_hidden_state": (FIRST, "softmax_naive"),
    "wanda_misspelt_name": (FIRST, "softmax_naive"),
    "dmitri_no_scaling": (FOURTH, "scaled_dot_product_attention"),
    "grace_heads_not_transposed": (FOURTH, "split_heads"),
    "ivan_dropout_in_eval": (FOURTH, "ScaledDotProductAttention"),
}
FULL_MARKS = [
    ("ada_solution", FIRST),
    ("ada_solution", FOURTH),
    ("quinn_own_style", FIRST),
    ("quinn_own_style", FOURTH),
    ("rosa_notebook", FIRST),
    ("rosa_notebook", FOURTH),
    ("sofia_lively_notebook", FIRST),
    ("dmitri_no_scaling", FIRST),
    ("petra_other_encoding", FOURTH),
]


@pytest.fixture(scope="session")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Graded:
    """Grade the example class."""
    done = grade(tmp_path_factory.mktemp("examples") / "first", EXAMPLES, *LIMITS, cwd=course_copy())
    if done.code == 3:
        pytest.skip(done.stderr.strip())
    return done


@pytest.mark.parametrize(
    ("page", "words"),
    [
        ("reports", ['"score": {},\n  "max_score": 30', '"emma_softmax_over_columns","{}"', "**{} of 30 points**"]),
        ("lms", [",emma,S1,{},", '"scoreGiven": {},', '"comment": "{} of 30', '"scoreboard":[{}]']),
        ("push", ["01_simple_attention: {} of 30 points"]),
        ("due-dates", ["({})"]),
    ],
)
def test_a_page_shows_the_score_of_the_example_class(page, words):
    """Where a page shows what one student of the class got, it is what she gets."""
    score = sum(map(Decimal, EXPECTED["emma_softmax_over_columns"][FIRST].values()))
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    assert [each for each in words if each.format(score) not in text] == []


def test_every_example_is_expected():
    """The file of expected scores names the submissions that are there, at least fifteen students."""
    found = {(path.parent.name, path.name) for path in EXAMPLES.glob("*/*") if path.is_dir()}
    assert found == set(GRADED + UNGRADED)
    assert len(EXPECTED) >= 15


@pytest.mark.parametrize(("student", "assignment"), GRADED)
def test_an_example_has_its_expected_points(graded, student, assignment):
    """Each exercise has exactly the points of the file."""
    report = graded.report(student, assignment)
    expected = {name: Decimal(points) for name, points in EXPECTED[student][assignment].items()}
    assert {exercise["id"]: exercise["score"] for exercise in report["exercises"]} == expected
    assert report["score"] == sum(expected.values())


@pytest.mark.parametrize(("student", "assignment"), UNGRADED)
def test_an_example_that_cannot_be_graded_says_why(graded, student, assignment):
    """It scores 0, and the student's own copy holds the reason."""
    assert graded.report(student, assignment)["score"] == Decimal(0)
    assert graded.copy(student, assignment)["problem"]


def test_the_run_ends_with_1_because_some_could_not_be_graded(graded):
    """The others are graded all the same, and a table of everybody is printed."""
    assert graded.code == 1
    for student in EXPECTED:
        assert student in graded.stdout
    assert f"{len(GRADED)} of {len(GRADED) + len(UNGRADED)} submissions" in graded.stdout


@pytest.mark.parametrize(("student", "assignment"), FULL_MARKS)
def test_right_work_has_full_marks(graded, student, assignment):
    """The solution, the same in a notebook, and everything right in another style."""
    report = graded.report(student, assignment)
    assert report["score"] == report["max_score"] > 0


@pytest.mark.parametrize("assignment", [FIRST, FOURTH])
def test_the_untouched_stub_has_no_points(graded, assignment):
    """Nothing in it is graded as more than missing."""
    report = graded.report("ben_untouched_stub", assignment)
    assert report["score"] == Decimal(0)
    checks = [check for exercise in report["exercises"] for check in exercise["checks"]]
    assert {check["status"] for check in checks} <= {"missing", "skipped"}


@pytest.mark.parametrize("student", list(SINGLE_MISTAKES))
def test_a_single_mistake_costs_its_own_exercise_only(graded, student):
    """That exercise loses points; the points of all others stay whole."""
    assignment, exercise_id = SINGLE_MISTAKES[student]
    for exercise in graded.report(student, assignment)["exercises"]:
        whole = exercise["score"] == exercise["max_score"]
        assert whole == (exercise["id"] != exercise_id), exercise["id"]


@pytest.mark.parametrize(
    ("student", "exercise", "status"),
    [
        ("jun_endless_loop", "softmax_stable", "timeout"),
        ("kofi_crash", "context_vector", "crash"),
        ("lena_memory_eater", "attention_scores", "memory"),
    ],
)
def test_a_runaway_is_named_as_what_it_was(graded, student, exercise, status):
    """An endless loop is a timeout, a dead process a crash, a giant tensor a matter of memory."""
    statuses = {check["status"] for check in graded.checks(student, exercise, FIRST)}
    assert status in statuses
    assert statuses <= {status, "skipped"}


@pytest.mark.parametrize(
    ("student", "assignment", "exercise", "mistake"),
    [
        ("farid_no_exponential", FIRST, "softmax_naive", "no_exponential"),
        ("dmitri_no_scaling", FOURTH, "scaled_dot_product_attention", "sdpa_no_scaling"),
    ],
)
def test_a_known_mistake_is_named_to_the_student(graded, student, assignment, exercise, mistake):
    """The student's copy holds the hint of the mistake that gives the same answer."""
    teachers = [check["diagnosis"] for check in graded.checks(student, exercise, assignment) if check["diagnosis"]]
    assert any(mistake in diagnosis["mistakes"] for diagnosis in teachers)
    hint = next(diagnosis["hint"] for diagnosis in teachers if mistake in diagnosis["mistakes"])
    assert hint in graded.written[f"for-students/{student}/{assignment}.json"]


@pytest.mark.parametrize("assignment", [FIRST, FOURTH])
def test_a_notebook_scores_as_the_file_of_the_same_answer(graded, assignment):
    """Exercise by exercise and check by check."""
    file, notebook = (graded.report(student, assignment) for student in ("ada_solution", "rosa_notebook"))
    assert outcomes(file) == outcomes(notebook)


def outcomes(report: dict[str, Any]) -> dict[str, Any]:
    """Return points and statuses of a report by exercise and check."""
    return {
        exercise["id"]: (exercise["score"], {check["id"]: check["status"] for check in exercise["checks"]})
        for exercise in report["exercises"]
    }


def test_grading_twice_gives_the_same_reports(graded, tmp_path):
    """Times aside, both copies of a report are the same, also in another class and of what crashes."""
    for student in AGAIN:
        shutil.copytree(EXAMPLES / student, tmp_path / "class" / student)
    again = grade(tmp_path / "again", tmp_path / "class", *LIMITS, cwd=course_copy())
    compared = [name for name in again.written if name.endswith(".json") and name != "summary.json"]
    assert len(compared) == 2 * sum(len(EXPECTED[student]) for student in AGAIN)
    for name in compared:
        assert timeless(json.loads(graded.written[name])) == timeless(json.loads(again.written[name])), name


@pytest.mark.parametrize(
    ("schema", "folder"), [("report.schema.json", "."), ("student-report.schema.json", "for-students")]
)
def test_reports_keep_to_the_published_schema(graded, schema, folder):
    """Both copies of every report, also of those that could not be graded."""
    jsonschema = pytest.importorskip("jsonschema")
    published = json.loads((ROOT / "docs" / schema).read_text(encoding="utf-8"))
    validator = jsonschema.Draft202012Validator(published)
    for student, assignment in GRADED + UNGRADED:
        text = graded.written[f"{folder}/{student}/{assignment}.json".removeprefix("./")]
        assert [error.message for error in validator.iter_errors(json.loads(text))] == []


@pytest.mark.parametrize("student", ["mallory_reads_files", "nadia_forges_results"])
def test_a_cheat_keeps_what_it_wrote_itself_and_nothing_more(graded, student):
    """Each wrote one exercise right."""
    earned = graded.points(student, FIRST)
    assert len(earned) == 1
    assert sum(earned.values()) == Decimal(3)
