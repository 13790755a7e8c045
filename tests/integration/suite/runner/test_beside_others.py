"""A check comes to the same beside others as by itself, whatever they take and switch, and however it is ended."""

import pytest

from ....support.exercises.small_suites import HEAD, SmallRun, check


@pytest.mark.parametrize("caught", ["pass", "raise AssertionError('caught')"])
def test_a_check_that_catches_even_its_own_end_is_run_by_itself(tmp_path, caught):
    suite = f"""{HEAD}
@first.check("value", ko="하나")
def test_one(student):
    '''Catches whatever ends its second call.'''
    answer = student.first(1)
    try:
        again = student.first(answer)
    except BaseException:
        {caught}
    else:
        assert again == 4

@second.check("value", ko="둘")
def test_two(student):
    '''Its second call never comes back.'''
    assert student.second(1) == 2
    assert student.second(2) == 4
"""
    text = "import time\ndef first(x): return {}\ndef second(x): return 2 * x if x == 1 else time.sleep(60)\n"
    for what, status in (("2 * x", "passed"), ("2 * x if x == 1 else 5", "failed")):
        graded = SmallRun(tmp_path, text.format(what), suite, check_wall_s=0.5)
        assert graded.statuses == {"one": status, "two": "timeout"}


@pytest.mark.parametrize("beside", ["return 2", "time.sleep(60)"], ids=["that answers", "that hangs"])
@pytest.mark.parametrize("together", [True, False])
def test_a_check_has_the_same_time_whatever_stands_beside_it(tmp_path, beside, together):
    suite = f"""{HEAD}
@first.check("value", ko="하나")
def test_one(student):
    '''Four calls take much longer than a check may.'''
    for x in range(4):
        assert student.first(x) == 2 * x

{check("two", "assert student.second() == 2", "second")}"""
    text = f"import time\ndef first(x):\n    time.sleep(0.5)\n    return 2 * x\ndef second(): {beside}\n"
    graded = SmallRun(tmp_path, text, suite, check_wall_s=0.7, together=together)
    assert graded.statuses == {"one": "timeout", "two": "passed" if "return" in beside else "timeout"}
