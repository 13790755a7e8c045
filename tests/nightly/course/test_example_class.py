"""What reports of the example class hold beside its scores, which are compared where `make grade` ran (see .ci/run).

But for less processor time a check, since an endless loop in the class takes all that there is.
"""

import json
import shutil
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from ...support.classes.grading_runs import ROOT, Graded, grade, set_limits, timeless
from ...support.course_copy import course_copy

EXAMPLES = ROOT / "examples" / "submissions"
EXPECTED: dict[str, dict[str, Any]] = json.loads((ROOT / "examples" / "expected_scores.json").read_text())
FIRST, FOURTH = "01_simple_attention", "04_multi_head_attention"
GRADED = [(s, a) for s, work in EXPECTED.items() for a, scores in work.items() if scores != "problem"]
AGAIN = ("emma_softmax_over_columns", "kofi_crash", "rosa_notebook", "uma_hidden_state", "victor_wrong_file")
UNGRADED = [(s, a) for s, work in EXPECTED.items() for a, scores in work.items() if scores == "problem"]


def limited_course() -> Path:
    """Return this course with less processor time for a check."""
    set_limits(course_copy(), check_cpu_s=2.0, submission_cpu_s=600.0)
    return course_copy()


@pytest.fixture(scope="session")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Graded:
    """Grade the example class."""
    done = grade(tmp_path_factory.mktemp("examples") / "first", EXAMPLES, cwd=limited_course())
    if done.code == 3:
        pytest.skip(done.stderr.strip())
    return done


def test_an_example_that_cannot_be_graded_says_why(graded):
    """It has no score, and the student's own copy holds the reason."""
    for student, assignment in UNGRADED:
        assert graded.report(student, assignment)["score"] is None
        assert graded.copy(student, assignment)["problem"]


def test_the_run_ends_with_1_because_some_could_not_be_graded(graded):
    """The others are graded all the same, and a table of everybody is printed."""
    assert graded.code == 1
    assert [student for student in EXPECTED if student not in graded.stdout] == []
    assert f"{len(GRADED)} of {len(GRADED) + len(UNGRADED)} submissions" in graded.stdout


def test_a_runaway_is_named_as_what_it_was(graded):
    """An endless loop is a timeout, a dead process a crash, a giant tensor a matter of memory."""
    runaways = {
        ("jun_endless_loop", "softmax_stable"): "timeout",
        ("kofi_crash", "context_vector"): "crash",
        ("lena_memory_eater", "attention_scores"): "memory",
    }
    for (student, exercise), status in runaways.items():
        statuses = {check["status"] for check in graded.checks(student, exercise, FIRST)}
        assert status in statuses and statuses <= {status, "skipped"}, student


def test_a_known_mistake_is_named_to_the_student(graded):
    """The student's copy holds the hint of the mistake that gives the same answer."""
    for student, assignment, exercise, mistake in (
        ("farid_no_exponential", FIRST, "softmax_naive", "no_exponential"),
        ("dmitri_no_scaling", FOURTH, "scaled_dot_product_attention", "sdpa_no_scaling"),
    ):
        teachers = [check["diagnosis"] for check in graded.checks(student, exercise, assignment) if check["diagnosis"]]
        hint = next(diagnosis["hint"] for diagnosis in teachers if mistake in diagnosis["mistakes"])
        assert hint in graded.written[f"for-students/{student}/{assignment}.json"]


def test_a_notebook_scores_as_the_file_of_the_same_answer(graded):
    """Exercise by exercise and check by check."""
    for assignment in (FIRST, FOURTH):
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
    again = grade(tmp_path / "again", tmp_path / "class", cwd=limited_course())
    compared = [name for name in again.written if name.endswith(".json") and "/" in name]
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


def test_a_cheat_keeps_what_it_wrote_itself_and_nothing_more(graded):
    """Each wrote one exercise right."""
    for student in ("mallory_reads_files", "nadia_forges_results"):
        earned = graded.points(student, FIRST)
        assert len(earned) == 1 and sum(earned.values()) == Decimal(3)
