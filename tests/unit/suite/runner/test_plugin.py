"""The pytest plugin: when a check is run and what becomes of it. pytest runs inside pytest here."""

import re
from types import SimpleNamespace

import pytest

from grader.errors import CourseError

from ....support.exercises.small_suites import HEAD, ONE, ONE_EACH, SECOND, SmallRun, check

RIGHT = "def first(): return 1\ndef second(): return 2\n"


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ("return 7", "failed"),
        ("raise ValueError('x')", "error"),
        ("raise NotImplementedError", "missing"),
        ("import os; os._exit(0)", "crash"),
        ("return bytearray(1 << 62)", "memory"),
        ("import pytest; pytest.skip('free points')", "error"),
    ],
)
def test_each_way_of_failing_has_its_status_and_costs_one_exercise(graded, body, status):
    verdicts = graded(ONE_EACH, f"def first():\n    {body}\ndef second(): return 2\n")
    assert verdicts["first.first"].status == status
    assert verdicts["second.second"].status == "passed"


def test_an_exception_is_told_with_its_type_text_and_line(graded):
    verdict = graded(ONE_EACH, "def first():\n    raise ValueError('seven')\n")["first.first"]
    assert (verdict.exception_type, verdict.exception_text, verdict.line) == ("ValueError", "seven", 2)
    assert verdict.line_text.strip() == "raise ValueError('seven')"
    assert "line 2" in verdict.found
    assert "2번째 줄" in verdict.found_ko


LADDER = check("value", ONE, says="One is returned.") + check("guard", "pass", marks=', needs=("test_value",)') + SECOND


def test_a_rung_is_skipped_with_the_reason_when_the_one_below_failed(graded):
    verdicts = graded(LADDER, "def first(): return 7\n")
    assert verdicts["first.guard"].status == "skipped"
    assert "One is returned." in verdicts["first.guard"].reason
    assert "하나" in verdicts["first.guard"].reason_ko
    assert not verdicts["first.guard"].excused


def test_a_skip_by_the_suite_itself_is_excused(graded):
    suite = ONE_EACH.replace(ONE, "__import__('pytest').skip('There is no GPU here.')")
    verdict = graded(suite, "")["first.first"]
    assert (verdict.status, verdict.excused, verdict.reason) == ("skipped", True, "There is no GPU here.")


def test_a_skip_after_the_students_code_was_asked_is_not_excused(graded):
    suite = ONE_EACH.replace(ONE, "__import__('pytest').skip(str(student.first()))")
    verdict = graded(suite, "def first(): return 'There is no GPU here.'\n")["first.first"]
    assert (verdict.status, verdict.excused, verdict.reason) == ("skipped", False, "There is no GPU here.")


def test_a_suite_that_stumbles_over_an_answer_does_not_pass_it(graded):
    suite = ONE_EACH.replace(ONE, "student.first().no_such_attribute()")
    assert graded(suite, "def first(): return 1\n")["first.first"].status == "failed"


def test_each_check_draws_from_a_seed_of_its_own(graded):
    verdicts = graded(ONE_EACH, "")
    assert len({verdict.input_seed for verdict in verdicts.values()}) == 2


@pytest.mark.parametrize(
    ("suite", "sentence"),
    [
        (ONE_EACH + "\ndef test_bare(student): pass\n", "is not a check of any exercise"),
        (ONE_EACH.replace("second", "third"), "third"),
        (ONE_EACH + "\n1 / 0\n", "ZeroDivisionError"),
        (ONE_EACH + "\nimport no_such_module_at_all\n", "no_such_module_at_all"),
        (LADDER.replace('test_value"', 'test_vlaue"'), "needs 'test_vlaue'.*Name a function above it"),
    ],
)
def test_a_broken_suite_is_the_courses_fault_and_never_the_students(graded, suite, sentence):
    with pytest.raises(CourseError, match=sentence):
        graded(suite, RIGHT)


def test_a_check_that_is_broken_says_so_with_its_line(graded):
    suite = ONE_EACH.replace("(student)", "(student, golden)").replace("student.first()", "golden('N9')")
    raised = graded(suite, RIGHT)["first.first"].suite_raised
    assert re.search(r"CourseError: .*test_all\.py, line 9: There is no figure 'N9'.*visible check", raised)


def test_a_visible_check_has_no_solution_in_grading_either(tmp_path):
    shown = HEAD + check("shown", "assert reference.first() == 1", given="student, reference")
    solution = SimpleNamespace(first=lambda: 1)
    run = SmallRun(tmp_path, RIGHT, HEAD + ONE_EACH, visible=shown, solution=solution, exercises=["first", "second"])
    assert "CourseError: " in run.verdicts["shown"].suite_raised and run.verdicts["first"].status == "passed"


@pytest.mark.parametrize("helper", ["helpers", "library.deep"])
def test_a_suite_imports_the_helper_that_is_beside_it_now(graded, tmp_path, helper):
    suite = ONE_EACH.replace("assert student", f"from .{helper} import ONE\n    assert student").replace(
        "() == 1", "() == ONE"
    )
    file = (tmp_path / "hidden").joinpath(*helper.split(".")).with_suffix(".py")
    file.parent.mkdir(parents=True)
    for value, status in ((1, "passed"), (7, "failed")):
        file.write_text(f"ONE = {value}{' ' * value}\n", encoding="utf-8")
        verdicts = graded(suite, RIGHT)
        assert verdicts["first.first"].status == status


def test_an_exercise_without_hidden_checks_is_refused(graded):
    with pytest.raises(CourseError, match="second of 01_a has no hidden check"):
        graded(check("first", ONE), "")


@pytest.mark.parametrize(
    "suite",
    [
        ONE_EACH.replace("def test_first", "def first_is_one"),
        ONE_EACH + check("first", "assert False"),
        ONE_EACH.replace("@first", "@second.check('value')\n@first"),
        ONE_EACH + "class Helper:\n    @first.check('value')\n    def test_more(self): 'It is asked.'\n",
    ],
)
def test_a_check_that_pytest_passes_over_is_refused_with_its_line(graded, suite):
    with pytest.raises(CourseError, match=r"test_all\.py, line \d+: pytest does not find the check"):
        graded(suite, RIGHT)


def test_files_beside_the_submission_are_no_plugins(graded, tmp_path, monkeypatch):
    (tmp_path / "conftest.py").write_text("raise SystemExit('a planted conftest ran')", encoding="utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --no-such-option\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    inner = tmp_path / "course" / "tests"
    inner.mkdir(parents=True)
    verdicts = graded(ONE_EACH, RIGHT, inner)
    assert [verdict.status for verdict in verdicts.values()] == ["passed", "passed"]
