"""The call of a visible check that failed stands in the report as Python that makes the same inputs again."""

import pytest

from ....support.small_suites import HEAD, SmallRun, check

VISIBLE = f"""{HEAD}
@first.check("value", visibility="visible", ko="하나")
def test_open(student):
    '''It is doubled.'''
    checks.close(student.first(torch.tensor([0.1, 2.0]), 3, name="a"), torch.tensor([0.2, 4.0]))

{check("shut", 'checks.close(student.first(torch.tensor([0.7]), 3, name="a"), torch.tensor([1.4]))')}
@second.check("value", visibility="visible", ko="셋")
def test_several(student):
    '''Several at once.'''
    for seen in student.second.on_each([checks.given(torch.ones(1)), checks.given(torch.ones(2))]):
        checks.close(seen, torch.zeros(3))

{check("once", "checks.close(student.second(torch.ones(1)), torch.ones(1))", "second")}"""


@pytest.mark.parametrize("together", [True, False])
def test_a_failing_visible_check_keeps_its_call_and_a_hidden_one_does_not(tmp_path, together):
    wrong = "def first(x, n, name): return x\ndef second(x): return x\n"
    verdicts = SmallRun(tmp_path, wrong, VISIBLE, together=together).verdicts
    assert verdicts["open"].call == "first(torch.tensor([0.1, 2.0]), 3, name='a')"
    assert verdicts["shut"].call == ""
    assert verdicts["several"].call == ""  # which of them failed is not known


def test_a_check_that_passed_keeps_none(tmp_path):
    right = "def first(x, n, name): return 2 * x\ndef second(x): return x\n"
    assert SmallRun(tmp_path, right, VISIBLE).verdicts["open"].call == ""
