"""A wrong divisor is measured and named, an earlier result is recognised, a report is matched with a mistake."""

from types import SimpleNamespace

import pytest
import torch

from grader.suite import checks
from grader.suite.core.failures import CheckFailed

from ....support.open_workers import open_student

REMEMBERS = """
first = None
def answer(x):
    global first
    first = 2 * x if first is None else first
    return first
"""
THIRD = "import torch\ndef answer(x): return {}\n"


@pytest.mark.parametrize(
    ("text", "factor", "inputs", "mistakes"),
    [
        (REMEMBERS, 2, ([1.0, 1.0], [5.0, 5.0]), ["earlier_result"]),
        (THIRD.format("torch.round(x / 3, decimals=3)"), 1 / 3, ([1.0, 2.0, 4.0],), ["rounded_result"]),
        (THIRD.format("torch.zeros_like(x)"), 1 / 3, ([0.1, 0.2, 0.3],), None),  # zeros are no rounded small numbers
    ],
)
def test_an_earlier_result_and_a_rounded_one_are_recognised(text, factor, inputs, mistakes):
    student, reference = open_student(text), SimpleNamespace(answer=lambda x: x.double() * factor)
    *right, wrong = map(torch.tensor, inputs)
    for x in right:
        checks.matches_reference(student, reference, "answer", x)
    with pytest.raises(CheckFailed) as failed:
        checks.matches_reference(student, reference, "answer", wrong)
    found = failed.value.diagnosis
    assert (found and found.mistakes) == mistakes


# -- which mistakes are run ------------------------------------------------------------------------------------------
