"""A check comes to the same beside others as by itself, whatever they take and switch, and however it is ended."""

import contextlib

import pytest

from grader.suite.runner.overtime import Overseer, TooSlow

from ....support.small_suites import HEAD, RIGHT, SmallRun, check


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


def test_a_check_that_takes_too_long_just_as_it_pauses_lets_others_go_on_that_wait_for_it(tmp_path, monkeypatch):
    suite = f"""{HEAD}
from grader.suite.core.context import current_check

def found(student):
    findings = current_check.get().findings
    while findings.get("it") == "in progress":
        student._session.request_each([], "first")
    if "it" not in findings:
        findings["it"] = "in progress"
        try:
            findings["it"] = student.first(1)
        finally:
            if findings["it"] == "in progress":
                del findings["it"]
    return findings["it"]

{check("one", "assert found(student) == 2")}
{check("two", "assert found(student) == 2")}"""
    late = [TooSlow]

    @contextlib.contextmanager
    def for_a_moment(_):
        yield
        if late:
            raise late.pop()

    monkeypatch.setattr(Overseer, "for_a_moment", for_a_moment)
    graded = SmallRun(tmp_path, RIGHT, suite, seconds=5.0)
    assert graded.statuses == {"one": "passed", "two": "passed"} and graded.exchanges == [1]


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


@pytest.mark.parametrize("together", [True, False])
def test_torch_is_switched_for_one_check_alone(tmp_path, together):
    suite = f"""{HEAD}
def usual():
    assert torch.get_default_dtype() == torch.float32 and torch.is_grad_enabled()
    assert not torch.is_inference_mode_enabled() and not torch.is_autocast_enabled("cpu")
    assert torch.get_autocast_dtype("cpu") == torch.bfloat16 and torch.get_num_threads() == threads

threads = torch.get_num_threads()

@first.check("value", ko="하나")
def test_one(student):
    '''It switches all it can.'''
    usual()
    torch.set_default_dtype(torch.float64)
    torch.set_num_threads(threads + 1)
    torch.set_autocast_dtype("cpu", torch.float16)
    torch.set_autocast_enabled("cpu", True)
    torch.set_grad_enabled(False)
    student.first(1)
    assert torch.get_default_dtype() == torch.float64 and torch.get_num_threads() == threads + 1

@first.check("value", ko="둘")
def test_two(student):
    '''It asks in a mode that torch leaves only where it was entered.'''
    usual()
    with torch.inference_mode():
        student.first(1)
        assert torch.is_inference_mode_enabled()

@first.check("value", ko="셋")
def test_three(student):
    '''It finds everything as usual.'''
    usual()
    student.first(1)
    usual()
"""
    graded = SmallRun(tmp_path, RIGHT, suite, together=together)
    assert graded.statuses == {"one": "passed", "two": "passed", "three": "passed"}, graded.verdicts
