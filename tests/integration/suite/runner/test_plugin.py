"""The pytest plugin: when a check is run, on which worker, and what becomes of it. pytest runs inside pytest here."""

import pytest

from grader.workers.source_loading import TextReading

from ....support.exercises.small_suites import HEAD, SmallRun, check

ONE = "assert student.first() == 1"
SECOND = check("second", "assert student.second() == 2", "second")
ONE_EACH = check("first", ONE) + SECOND
TOGETHER = [True]


@pytest.fixture(params=[True, False], ids=["together", "alone"], autouse=True)
def _ask(request):
    """Every test here is about checks that ask together, and about checks that ask by themselves."""
    TOGETHER[0] = request.param


def graded(folder, suite, student, **options):
    """Grade a student's text with a suite of the exercises `first` and `second`; returns the verdicts by id."""
    options |= {"together": TOGETHER[0], "exercises": ["first", "second"], "reading": TextReading()}
    run = SmallRun(folder, student, HEAD + suite, **options)
    return {verdict.id: verdict for verdict in run.verdicts.values()}


MANY = "".join(check(name, ONE) for name in "abcd") + SECOND


def test_an_exercise_that_hangs_is_given_up_after_two_checks(tmp_path):
    called = f"open({str(tmp_path / 'calls')!r}, 'a').write('.')"
    student = f"def first():\n    {called}\n    while True: pass\ndef second(): return 2\n"
    verdicts = graded(tmp_path, MANY, student, check_wall_s=0.6)
    assert [verdict.status for verdict in verdicts.values()] == ["timeout"] * 4 + ["passed"]
    assert "2 checks" in verdicts["first.c"].found
    assert (tmp_path / "calls").stat().st_size == (3 if TOGETHER[0] else 2)  # together is once more


def test_a_submission_past_its_time_keeps_the_verdicts_it_has(tmp_path):
    student = "import time\ndef first(): return 1\ndef second(): time.sleep(60)\n"
    verdicts = graded(tmp_path, ONE_EACH, student, seconds=3.0)
    assert verdicts["first.first"].status == "passed"
    assert verdicts["second.second"].status == "timeout"
