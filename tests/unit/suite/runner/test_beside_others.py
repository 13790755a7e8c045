"""A check comes to the same beside others as by itself, whatever they take and switch, and however it is ended."""

import contextlib

import pytest

from grader.suite.runner.overtime import Overseer, TooSlow

from ....support.exercises.small_suites import HEAD, RIGHT, SmallRun, check


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
