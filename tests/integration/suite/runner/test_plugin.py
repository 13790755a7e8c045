"""What a hang costs an exercise, and a submission whose time is over, where workers are processes."""

from grader.workers.process.clock import Allowance

from ....support.exercises.small_suites import ONE, ONE_EACH, SECOND, check

MANY = "".join(check(name, ONE) for name in "abcd") + SECOND


def test_after_one_hang_the_rest_of_an_exercise_is_not_run_neither_time(graded, tmp_path):
    called = f"open({str(tmp_path / 'calls')!r}, 'a').write('.')"
    student = f"def first():\n    {called}\n    while True: pass\ndef second(): return 2\n"
    verdicts = graded(MANY, student, check_cpu_s=0.3)
    assert [verdict.status for verdict in verdicts.values()] == ["passed"] + ["timeout"] * 4
    assert (tmp_path / "calls").stat().st_size == 2


def test_a_submission_past_its_time_keeps_the_verdicts_it_has_and_has_none_where_it_hung(graded):
    student = "def first(): return 1\ndef second():\n    while True: pass\n"
    verdicts = graded(ONE_EACH, student, left=Allowance(1.0))
    assert {name: verdict.status for name, verdict in verdicts.items()} == {"first.first": "passed"}
