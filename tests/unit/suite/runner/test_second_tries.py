"""A check that fails on a shared worker is tried once more by itself, and no worker is asked the same twice."""

import pytest

from ....support.exercises.small_suites import ALL_PASSED, COUNTING, HEAD, RIGHT, SmallRun, check, suite_with


def test_a_failed_check_is_tried_again_by_itself_on_a_fresh_worker(tmp_path):
    graded = SmallRun(tmp_path, COUNTING.format(what="if calls > 1: raise KeyError('no')"))
    assert graded.statuses == ALL_PASSED
    assert [graded.verdicts[name].attempts for name in ("one", "two", "three")] == [1, 2, 2]


def test_the_checks_of_an_exercise_that_fail_again_alike_share_a_fresh_worker(tmp_path):
    graded = SmallRun(tmp_path, RIGHT.replace("2 * x", "3 * x"))
    assert graded.statuses == {"one": "failed", "two": "failed", "three": "failed", "four": "passed"}
    assert graded.session.generation == 2


def test_a_check_that_fails_otherwise_on_the_shared_worker_is_tried_on_one_of_its_own(tmp_path):
    text = """
    sizes = []
    def first(x):
        before = [*sizes]
        sizes.append(x.numel())
        if x.numel() == 5 and before: raise ValueError(before)
        return 2 * x if x.numel() > 3 else 3 * x
    def second(): return 2
    """
    graded = SmallRun(tmp_path, text)
    assert graded.statuses == {"one": "failed", "two": "passed", "three": "passed", "four": "passed"}
    assert graded.verdicts["three"].attempts == 2
    assert graded.session.generation == 3


def test_later_checks_are_asked_on_the_worker_of_the_last_second_try(tmp_path):
    suite = suite_with(one=', visibility="visible"')
    graded = SmallRun(tmp_path, RIGHT.replace("2 * x", "3 * x"), suite)
    assert graded.statuses == {"one": "failed", "two": "failed", "three": "failed", "four": "passed"}
    assert graded.session.generation == 3


@pytest.mark.parametrize("together", [True, False])
def test_no_worker_is_asked_the_same_twice(tmp_path, together):
    text = "seen = []\ndef first(x):\n    again = x.tolist() in seen\n    seen.append(x.tolist())\n    {}\n"
    wrong_at_first = text.format("return 2 * x if again else 3 * x") + "def second(): return 2\n"
    graded = SmallRun(tmp_path, wrong_at_first, together=together)
    assert graded.statuses == {"one": "failed", "two": "failed", "three": "failed", "four": "passed"}


def test_what_was_seen_to_happen_once_counts(tmp_path):
    suite = f"""{HEAD}
{check("one", 'checks.input_unchanged(student, "first", torch.ones(3))')}
{check("two", "assert student.second() == 2", "second")}"""
    text = """
import os
def second(): return 2
def first(x):
    if os.getpid() % 2 == {odd}:
        x.zero_()
    return x
"""
    for odd in (0, 1):  # the worker of one of both runs changes its input, whichever number it has
        verdict = SmallRun(tmp_path, text.format(odd=odd), suite).verdicts["one"]
        assert verdict.attempts == 1 and verdict.status in ("passed", "failed")
    always = SmallRun(tmp_path, text.replace("os.getpid() % 2", "0").format(odd=0), suite)
    assert always.verdicts["one"].status == "failed" and always.session.generation == 1


def test_a_check_that_was_too_slow_beside_others_is_tried_on_a_fresh_worker(tmp_path):
    suite = f"""{HEAD}
from grader.suite.runner.overtime import TooSlow
compared = []

@first.check("value", ko="하나")
def test_one(student):
    '''Its first comparison takes too long beside others.'''
    answer = student.first(torch.ones(3))
    compared.append(answer)
    if len(compared) == 1:
        raise TooSlow
    assert torch.equal(answer, torch.full((3,), 2.0)), "not doubled"
"""
    text = "calls = 0\ndef first(x):\n    global calls\n    calls += 1\n    return x * (3 if calls == 1 else 2)\n"
    graded = SmallRun(tmp_path, text, suite)
    assert graded.statuses == {"one": "failed"} and graded.session.generation == 2


@pytest.mark.parametrize("of_first", ["return x", "if x: raise NotImplementedError"], ids=["written", "half written"])
def test_a_check_that_another_exercise_made_unwritten_is_tried_again_whoever_had_the_worker_since(tmp_path, of_first):
    suite = f"""{HEAD}
{check("one", "student.first(0)")}
{check("two", "student.first(1)")}
{check("three", "assert student.second() == 2", "second")}"""
    text = f"ran = False\ndef first(x):\n    global ran\n    ran = True\n    {of_first}\n"
    text += "def second():\n    if ran: raise NotImplementedError\n    return 2\n"
    assert SmallRun(tmp_path, text, suite).statuses["three"] == "passed"
