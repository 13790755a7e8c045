"""The pytest plugin: when a check is run, on which worker, and what becomes of it. pytest runs inside pytest here."""

from ....support.exercises.small_suites import ONE, ONE_EACH, SECOND, check

MANY = "".join(check(name, ONE) for name in "abcd") + SECOND


def test_an_exercise_that_hangs_is_given_up_after_two_checks(graded, together, tmp_path):
    called = f"open({str(tmp_path / 'calls')!r}, 'a').write('.')"
    student = f"def first():\n    {called}\n    while True: pass\ndef second(): return 2\n"
    verdicts = graded(MANY, student, check_wall_s=0.6)
    assert [verdict.status for verdict in verdicts.values()] == ["timeout"] * 4 + ["passed"]
    assert "2 checks" in verdicts["first.c"].found
    assert (tmp_path / "calls").stat().st_size == (3 if together else 2)  # together is once more


def test_a_submission_past_its_time_keeps_the_verdicts_it_has(graded):
    student = "import time\ndef first(): return 1\ndef second(): time.sleep(60)\n"
    verdicts = graded(ONE_EACH, student, seconds=3.0)
    assert verdicts["first.first"].status == "passed"
    assert verdicts["second.second"].status == "timeout"
