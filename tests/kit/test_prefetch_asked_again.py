"""What does not come back well from calls that were made ahead is asked for again, as if they had not been."""

import pytest

from .open_workers import close_sessions
from .prefetched_runs import ALL_PASSED, COUNTING, FIRST, RIGHT, SUITE, Graded


@pytest.fixture(autouse=True)
def _no_session_stays():
    yield
    close_sessions()


def test_wrong_answers_are_told_as_they_are_without_it(tmp_path):
    text = RIGHT.replace("2 * x", "3 * x if x.numel() == 4 else 2 * x")
    ahead, singly = Graded(tmp_path, text), Graded(tmp_path, text, chosen=())
    assert ahead.statuses == {**ALL_PASSED, "two": "failed"}
    for name, verdict in ahead.verdicts.items():
        other = singly.verdicts[name]
        assert (verdict.status, verdict.found, verdict.attempts) == (other.status, other.found, other.attempts)


@pytest.mark.parametrize(
    ("what", "status"),
    [("if x.numel() == 4: time.sleep(60)", "timeout"), ("if x.numel() == 4: os._exit(3)", "crash")],
    ids=["hangs", "ends"],
)
def test_a_call_that_does_not_come_back_costs_its_own_check(tmp_path, what, status):
    text = "import os, time\n" + COUNTING.format(what=what)
    graded = Graded(tmp_path, text, check_wall_s=2.0)
    assert graded.statuses == {**ALL_PASSED, "two": status}
    assert graded.run.asks_singly
    assert graded.exchanges[0] == 3 and set(graded.exchanges[1:]) == {1}


def test_calls_that_take_long_together_are_asked_one_by_one(tmp_path):
    graded = Graded(tmp_path, "import time\n" + COUNTING.format(what="time.sleep(0.6)"), seconds=60.0)
    assert graded.statuses == ALL_PASSED
    assert graded.run.asks_singly
    assert graded.run.finish.at > graded.finish + 0.9  # the time that the vain calls took is given back


def test_answers_that_are_too_large_together_are_asked_for_one_by_one(tmp_path):
    suite = SUITE.replace("draw.normal(3)", "draw.normal(1000)").replace("draw.normal(4)", "draw.normal(1000)")
    graded = Graded(tmp_path, RIGHT, suite=suite, reply_bytes=6000)
    assert graded.statuses == ALL_PASSED
    assert graded.run.asks_singly


def test_a_failure_is_looked_at_again_on_a_fresh_worker(tmp_path):
    graded = Graded(tmp_path, COUNTING.format(what="if calls > 1: raise KeyError('no')"))
    assert graded.statuses == ALL_PASSED
    assert [graded.verdicts[name].attempts for name in FIRST] == [1, 2, 2]


def test_an_answer_to_another_question_is_not_taken(tmp_path):
    suite = SUITE.replace("x = draw.normal(4)", "x = draw.normal(4) + torch.rand(4)")
    graded = Graded(tmp_path, RIGHT, suite=suite)
    assert graded.statuses == ALL_PASSED
    assert graded.exchanges == [3, 1, 1]


TWICE = """
import torch
from grader.suite import checks, exercise
first = exercise("first")
second = exercise("second")

@first.check("value", ko="하나")
def test_one(student):
    '''Asks twice, so nothing of it goes ahead.'''
    assert student.first(1) == 2
    assert student.first(2) == 4

@second.check("value", ko="둘")
def test_two(student):
    '''Works once the other one ran.'''
    assert student.second() == 2

@second.check("value", ko="셋")
def test_three(student):
    '''Works once the other one ran, too.'''
    assert student.second() == 2
"""


def test_an_answer_that_is_wrong_ahead_is_asked_for_again_where_the_check_would_have_asked(tmp_path):
    text = "ran = []\ndef first(x):\n    ran.append(x)\n    return 2 * x\ndef second(): return 2 if ran else 3\n"
    for chosen in (("second.two", "second.three"), ()):
        graded = Graded(tmp_path, text, suite=TWICE, chosen=chosen)
        assert graded.statuses == {"one": "passed", "two": "passed", "three": "passed"}


AGAIN = """
import torch
from grader.suite import checks, exercise
first = exercise("first")
second = exercise("second")

@first.check("value", ko="하나")
def test_one(student, draw):
    '''Asks once more where the answer is not right.'''
    x = draw.normal(3)
    answer = student.first(x)
    if not torch.equal(answer, 2 * x):
        checks.close(student.first(x), answer)

@first.check("value", ko="둘")
def test_two(student, draw):
    '''Is asked with the one above.'''
    assert student.first(draw.normal(3)).shape == (3,)

@second.check("value", ko="셋")
def test_three(student):
    '''Two is returned.'''
    assert student.second() == 2
"""


def test_random_numbers_of_a_second_call_go_on_behind_those_of_the_first(tmp_path):
    text = "import torch\ndef first(x): return x + torch.rand(3)\ndef second(): return 2\n"
    for chosen in (("first.one", "first.two"), ()):
        graded = Graded(tmp_path, text, suite=AGAIN, chosen=chosen)
        assert graded.statuses == {"one": "failed", "two": "passed", "three": "passed"}


SLOW = {
    "check_wall_s": "if x.numel() == 4: time.sleep(0.8)",
    "check_cpu_s": "end = time.process_time() + 0.8\n    while x.numel() == 4 and time.process_time() < end: pass",
}


@pytest.mark.parametrize("limit", SLOW)
def test_a_limit_below_a_moment_holds_for_calls_that_are_made_ahead(tmp_path, limit):
    graded = Graded(tmp_path, "import time\n" + COUNTING.format(what=SLOW[limit]), **{limit: 0.3})
    assert graded.statuses == {**ALL_PASSED, "two": "timeout"}
