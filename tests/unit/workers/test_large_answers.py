"""Answers of any size and form cost the trusted side little memory, whatever a check does with them."""

import pytest
import torch

from grader.suite import checks
from grader.suite.core import compare
from grader.workers.calls.large_answers import MOST, ORDINARY, GuardedTensor, guarded, unguarded
from grader.workers.process.failures import StudentFailure

COLUMN = (1_600_000, 1, 1, 1)
OTHER = torch.ones(16, 2, 15)


def large(*shape, dtype=torch.float32):
    value = guarded(torch.ones(shape, dtype=dtype))
    assert type(value) is GuardedTensor
    return value


def test_an_ordinary_answer_is_a_plain_tensor():
    assert type(guarded(torch.ones(ORDINARY))) is torch.Tensor
    assert type(guarded(torch.ones(ORDINARY + 1))) is GuardedTensor
    assert [type(each) for each in guarded((torch.ones(2), torch.ones(9999)))] == [torch.Tensor, GuardedTensor]


@pytest.mark.parametrize("dtype", [torch.uint8, torch.bool, torch.float16, torch.complex64, torch.int64])
def test_nothing_large_is_made_of_an_answer_that_broadcasts(dtype):
    answer = large(*COLUMN, dtype=dtype)
    for combine in (
        lambda: answer * OTHER,
        lambda: answer == OTHER,
        lambda: OTHER + answer,
        lambda: torch.where(OTHER > 0, answer, OTHER),
        lambda: torch.allclose(answer, OTHER.to(dtype)),
        lambda: torch.isclose(OTHER.to(dtype), answer),
        lambda: answer.expand(-1, 9, 9, 9) * 2,
        lambda: answer.repeat(1, 9, 1, 1),
        lambda: answer.squeeze().outer(answer.squeeze()),
        lambda: answer.reshape(-1, 1) @ answer.reshape(1, -1),
        lambda: torch.stack([answer] * 9),
    ):
        with pytest.raises(StudentFailure) as caught:
            combine()
        assert caught.value.status == "failed" and "far more numbers" in caught.value.sentence
        assert "shape" in caught.value.sentence_ko


def test_a_large_answer_that_is_right_can_be_judged_as_any_other():
    weights = guarded(torch.softmax(torch.randn(4, 70, 70), dim=-1))
    assert float(weights.sum()) == pytest.approx(280, abs=1e-3)
    assert bool((weights >= 0).all()) and weights.shape == (4, 70, 70) and weights.dtype == torch.float32
    assert (weights @ torch.ones(4, 70, 3)).shape == (4, 70, 3)
    assert weights[weights > 0].numel() == weights.numel() and len(weights) == 4
    assert torch.equal(weights, weights.clone()) and not torch.equal(weights, OTHER)
    assert next(row.shape for row in weights) == (70, 70)
    assert weights.max(dim=-1).values.shape == (4, 70) and len(weights.tolist()) == 4
    assert type(unguarded(weights)) is torch.Tensor and type(unguarded(OTHER)) is torch.Tensor
    checks.rows_sum_to_one(weights)
    checks.stays_finite(weights)
    checks.close(weights, unguarded(weights).double())
    checks.has_dtype(weights, torch.float32)
    assert type(checks.has_shape(weights, (4, 70, 70))) is torch.Tensor
    assert compare.is_close(weights, unguarded(weights).double(), torch.full((4, 70, 70), 1e-6))


def test_the_shape_is_what_a_large_answer_is_told_of():
    with pytest.raises(AssertionError, match=r"has the shape \(1600000, 1, 1, 1\), but \(16, 2, 15\) is asked for"):
        checks.close(large(*COLUMN, dtype=torch.uint8), OTHER)


def test_more_numbers_than_any_check_needs_are_not_computed_with_at_all():
    answer = large(MOST + 1, dtype=torch.uint8)
    assert answer.shape == (MOST + 1,) and answer.dim() == 1 and len(answer) == answer.numel() == MOST + 1
    assert answer.dtype is torch.uint8 and not answer.requires_grad and not answer.is_complex()
    for judge in (checks.rows_sum_to_one, checks.stays_finite, lambda value: value.double()):
        with pytest.raises(StudentFailure, match="far more numbers"):
            judge(answer)
