"""What a hang costs an exercise, and a submission whose time is over, where workers are processes."""

from grader.workers.process.clock import Allowance

from ....support.exercises.small_suites import ONE_EACH


def test_a_submission_past_its_time_keeps_the_verdicts_it_has_and_has_none_where_it_hung(graded):
    student = "def first(): return 1\ndef second():\n    while True: pass\n"
    verdicts = graded(ONE_EACH, student, left=Allowance(1.0))
    assert {name: verdict.status for name, verdict in verdicts.items()} == {"first.first": "passed"}
