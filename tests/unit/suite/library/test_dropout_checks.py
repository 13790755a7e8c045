"""Dropout is judged by the share that falls, by the growth of the rest and by a draw for every weight."""

import pytest
import torch
from torch import nn

from grader.suite import checks
from grader.suite.core.failures import CheckFailed
from grader.suite.library.gradient_checks import gradients_arrive
from grader.suite.library.modules.dropout import drawn_apart, same_draw

P = 0.2
GENERATOR = torch.Generator().manual_seed(3)
WEIGHTS = torch.softmax(torch.randn(40, 30, 20, generator=GENERATOR, dtype=torch.float64), dim=-1)
KEPT = torch.rand(WEIGHTS.shape, generator=GENERATOR) >= P


def test_weights_after_dropout_pass():
    checks.weights_are_dropped((WEIGHTS * KEPT / (1 - P)).float(), WEIGHTS, P)


def test_hidden_weights_say_nothing_of_dropout_and_have_to_be_zero():
    hidden = torch.where(torch.arange(20) < 10, WEIGHTS, 0.0)
    checks.weights_are_dropped((hidden * KEPT / (1 - P)).float(), hidden, P)
    with pytest.raises(CheckFailed, match="entries differ"):
        checks.weights_are_dropped((WEIGHTS * KEPT / (1 - P)).float(), hidden, P)


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        (WEIGHTS, "a share of 0.00"),
        (WEIGHTS * ~KEPT / P, "a share of 0.80"),
        (WEIGHTS * (torch.rand(WEIGHTS.shape, generator=GENERATOR) >= 0.5) * 2, "a share of 0.50"),
        (WEIGHTS * KEPT * (torch.rand(WEIGHTS.shape, generator=GENERATOR) >= P), "a share of 0.36"),
        (WEIGHTS * KEPT, "entries differ"),
        (WEIGHTS * KEPT / P, "entries differ"),
        (WEIGHTS * KEPT / (WEIGHTS * KEPT).sum(-1, keepdim=True), "entries differ"),
        (WEIGHTS.flip(-1) * KEPT / (1 - P), "entries differ"),
        ((WEIGHTS * KEPT).masked_fill(WEIGHTS.max() == WEIGHTS, torch.nan), "NaN"),
    ],
    ids=range(9),
)
def test_another_share_and_other_weights_fail(weights, words):
    with pytest.raises(CheckFailed, match=words):
        checks.weights_are_dropped(weights.float(), WEIGHTS, P)


def test_one_draw_for_several_weights_is_seen_along_each_axis():
    dropped = torch.rand(5, 40, 30, generator=GENERATOR) < P
    drawn_apart(dropped, 0, 1, 2)
    for axis in range(3):
        with pytest.raises(CheckFailed, match="One draw of dropout"):
            drawn_apart(dropped.narrow(axis, 0, 1).expand(5, 40, 30), axis)


def test_a_solution_drops_what_another_draw_dropped():
    module = nn.Sequential(nn.Dropout(P)).eval()
    with same_draw(module, WEIGHTS * KEPT):
        assert torch.allclose(module(WEIGHTS), WEIGHTS * KEPT / (1 - P))
    assert torch.equal(module(WEIGHTS), WEIGHTS)


def test_every_name_without_a_gradient_is_told():
    ones = torch.ones(3)
    gradients_arrive({"a": ones}, {"a": ones, "b": ones * 1e-9, "c": None})
    with pytest.raises(CheckFailed, match="No gradient reaches b, c:"):
        gradients_arrive({"a": ones, "b": ones * 0}, {"a": ones, "b": ones, "c": ones})
