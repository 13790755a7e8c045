"""The call of a visible check that failed stands in the report as Python that makes the same inputs again."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from grader.suite.diagnosis.call_text import call_text
from grader.workers.calls.requests import Given

from ....support.exercises.small_suites import HEAD, SmallRun, check

DTYPES = (torch.float32, torch.float64, torch.bfloat16, torch.float16, torch.int64, torch.int32, torch.bool)


def made_again(*args, **kwargs):
    seen = []
    text = call_text("f", Given(args, kwargs))
    exec(text, {"torch": torch, "f": lambda *given, **words: seen.append((given, words))})
    return seen[0]


@pytest.mark.parametrize("dtype", DTYPES)
@given(st.lists(st.floats(width=16, allow_nan=False), max_size=6))
def test_a_pasted_call_has_the_same_inputs(dtype, numbers):
    tensor = torch.tensor(numbers, dtype=torch.float32).nan_to_num(0, 9, -9).mul(1.1).to(dtype)
    ((again,), _) = made_again(tensor)
    assert again.dtype == dtype and torch.equal(again, tensor)


def test_numbers_without_a_name_in_python_are_made_too():
    ((tensor, number), _) = made_again(torch.tensor([math.inf, -math.inf, math.nan]), -math.inf)
    assert str(tensor) == str(torch.tensor([math.inf, -math.inf, math.nan])) and number == -math.inf


def test_every_kind_of_argument_is_written_down():
    text = call_text("f", Given((torch.ones(2, 1), [1, (2.5,)], {"a": None}), {"mask": True, "name": "x"}))
    assert text == "f(torch.tensor([[1.0], [1.0]]), [1, (2.5,)], {'a': None}, mask=True, name='x')"


@pytest.mark.parametrize("large", [torch.ones(65), torch.ones(2, dtype=torch.complex64), object(), ["x" * 3000]])
def test_what_no_short_text_makes_again_has_none(large):
    assert call_text("f", Given((large,), {})) == ""


VISIBLE = f"""{HEAD}
@first.check("value", ko="하나")
def test_open(student):
    '''It is doubled.'''
    checks.close(student.first(torch.tensor([0.1, 2.0]), 3, name="a"), torch.tensor([0.2, 4.0]))

@second.check("value", ko="셋")
def test_several(student):
    '''Several at once.'''
    for seen in student.second.on_each([checks.given(torch.ones(1)), checks.given(torch.ones(2))]):
        checks.close(seen, torch.zeros(3))
"""
HIDDEN = f"""{HEAD}
{check("shut", 'checks.close(student.first(torch.tensor([0.7]), 3, name="a"), torch.tensor([1.4]))')}
{check("once", "checks.close(student.second(torch.ones(1)), torch.ones(1))", "second")}"""


def test_a_failing_visible_check_keeps_its_call_and_a_hidden_one_does_not(tmp_path):
    wrong = "def first(x, n, name): return x\ndef second(x): return x\n"
    verdicts = SmallRun(tmp_path, wrong, HIDDEN, visible=VISIBLE).verdicts
    assert verdicts["open"].call == "first(torch.tensor([0.1, 2.0]), 3, name='a')"
    assert verdicts["shut"].call == ""
    assert verdicts["several"].call == ""  # which of them failed is not known


def test_a_check_that_passed_keeps_none(tmp_path):
    right = "def first(x, n, name): return 2 * x\ndef second(x): return x\n"
    assert SmallRun(tmp_path, right, HIDDEN, visible=VISIBLE).verdicts["open"].call == ""
