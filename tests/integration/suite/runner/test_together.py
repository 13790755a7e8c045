"""Checks pause at their questions and ask together; what each comes to is what it comes to by itself."""

import pytest

from grader.workers.process.clock import Deadline

from ....support.exercises.small_suites import ALL_PASSED, COUNTING, HEAD, SmallRun, check


@pytest.mark.parametrize(
    ("what", "status"),
    [("if x.numel() == 4: time.sleep(60)", "timeout"), ("if x.numel() == 4: os._exit(3)", "crash")],
    ids=["hangs", "ends"],
)
def test_a_call_that_does_not_come_back_costs_its_own_check(tmp_path, what, status):
    graded = SmallRun(tmp_path, COUNTING.format(what=what), check_wall_s=2.0)
    assert graded.statuses == {**ALL_PASSED, "two": status}
    assert graded.run.asks_alone and graded.exchanges[0] == 4 and set(graded.exchanges[1:]) == {1}


def test_checks_that_take_long_together_ask_one_by_one_and_get_back_what_one_check_may_take(tmp_path, monkeypatch):
    given_back, usual = [], Deadline.postpone
    monkeypatch.setattr(Deadline, "postpone", lambda self, seconds: given_back.append(seconds) or usual(self, seconds))
    graded = SmallRun(tmp_path, COUNTING.format(what="time.sleep(0.6)"), check_wall_s=1.5)
    assert graded.statuses == ALL_PASSED
    assert graded.run.asks_alone
    assert given_back.count(1.5) == 1  # exactly that: all four calls take 2.4 s, and the round ended by this limit


def test_a_check_that_waits_when_a_round_goes_wrong_is_left_whatever_it_catches(tmp_path):
    suite = f"""{HEAD}
ends = []

@first.check("value", ko="하나")
def test_one(student):
    '''Catches all that it can, and asks on.'''
    for _ in range(3):
        try:
            assert student.first(1) == 2
        finally:
            ends.append(len(ends))

{check("two", "assert student.second() == 2", "second")}"""
    text = "import time\ndef first(x): return 2 * x\ndef second(): time.sleep(60)\n"
    graded = SmallRun(tmp_path, text, suite, check_wall_s=1.0)
    assert graded.statuses == {"one": "passed", "two": "timeout"}
