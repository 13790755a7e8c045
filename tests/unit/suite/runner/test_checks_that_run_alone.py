"""Fixtures, marks, skips and the time of checks are what pytest makes of them, also beside checks that ask together."""

import contextlib

from grader.suite.runner.overtime import Overseer

from ....support.exercises.small_suites import HEAD, RIGHT, SmallRun, check


def test_fixtures_marks_and_parameters_of_a_suite_work_as_ever(tmp_path):
    suite = f"""import pytest
{HEAD}
@pytest.fixture
def doubled(student):
    return student.first(4)

{check("one", "assert doubled == 8", given="doubled")}
@pytest.mark.parametrize("x", [1, 2])
{check("two", "assert student.first(x) == 2 * x", given="student, x")}
@pytest.mark.skip(reason="not today")
{check("three", "assert student.second() == 3", "second")}"""
    graded = SmallRun(tmp_path, RIGHT, suite)
    assert graded.statuses == {"one": "passed", "two[1]": "passed", "two[2]": "passed", "three": "skipped"}
    assert 2 in graded.exchanges


def test_no_check_begins_beside_others_once_the_time_is_over(tmp_path):
    suite = f"""{HEAD}
from grader.suite.runner.overtime import Overtime
begun = []

{check("one", "raise Overtime")}
@first.check("value", ko="둘")
def test_two(student):
    '''It begins once.'''
    begun.append(1)
    assert student.first(1) == 2 and len(begun) == 1
"""
    graded = SmallRun(tmp_path, RIGHT, suite)
    assert graded.statuses == {"one": "timeout", "two": "passed"}


def test_what_passed_before_the_time_was_over_stays_so(tmp_path, monkeypatch):
    suite = f"""{HEAD}
from grader.suite.core.context import current_check

@first.check("value", ko="하나")
def test_one(student):
    '''It passes, and then the time is over.'''
    assert student.first(1) == 2
    current_check.get().session._deadline.at = 0.0

@first.check("value", ko="둘")
def test_two(student):
    '''It would ask once more.'''
    assert student.first(1) == 2
    assert student.first(2) == 4
"""
    usual = Overseer.may_end

    @contextlib.contextmanager
    def with_a_look(overseer):
        with usual(overseer):
            overseer._look(0, None)
            yield

    monkeypatch.setattr(Overseer, "may_end", with_a_look)
    assert SmallRun(tmp_path, RIGHT, suite).statuses == {"one": "passed", "two": "timeout"}


def test_a_check_that_asks_alone_is_not_charged_what_others_asked_together(tmp_path):
    suite = f"""{HEAD}
import pytest

@pytest.fixture
def own():
    return 1

{check("one", "assert student.first(350) > 0")}
{check("two", "assert student.first(350) > 0")}
{check("three", "assert student.first(200 * own) > 0", given="student, own")}
{check("four", "assert student.first(1) > 0")}"""
    busy = """
    import time
    def first(x):
        end = time.process_time() + x / 1000
        while time.process_time() < end: pass
        return x
    def second(): return 2
    """
    graded = SmallRun(tmp_path, busy, suite, check_cpu_s=0.75)
    assert graded.statuses == {"one": "passed", "two": "passed", "three": "passed", "four": "passed"}
    assert {verdict.attempts for verdict in graded.verdicts.values()} == {1}
