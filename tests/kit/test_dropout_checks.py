"""Dropout is judged by the share that falls, by the growth of the rest and by a draw for every weight."""

import pytest
import torch

from grader.suite import checks
from grader.suite.failures import CheckFailed

P = 0.2
GENERATOR = torch.Generator().manual_seed(3)
WEIGHTS = torch.softmax(torch.randn(40, 30, 20, generator=GENERATOR, dtype=torch.float64), dim=-1)
KEPT = torch.rand(WEIGHTS.shape, generator=GENERATOR) >= P


def test_weights_after_dropout_pass():
    checks.weights_are_dropped((WEIGHTS * KEPT / (1 - P)).float(), WEIGHTS, P)


def test_hidden_weights_say_nothing_of_dropout():
    hidden = torch.where(torch.arange(20) < 10, WEIGHTS, 0.0)
    checks.weights_are_dropped((hidden * KEPT / (1 - P)).float(), hidden, P)


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        (WEIGHTS, "No weight is dropped"),
        (WEIGHTS.flip(-1), "what was dropped was not the weights"),
        (WEIGHTS * ~KEPT / P, "p is the probability to drop"),
        (WEIGHTS * (torch.rand(WEIGHTS.shape, generator=GENERATOR) >= 0.5) * 2, "a share of 0.50"),
        (WEIGHTS * KEPT, "not divided by 1 - p"),
        (WEIGHTS * KEPT / P, "entries differ"),
    ],
)
def test_each_way_to_get_dropout_wrong_has_its_sentence(weights, words):
    with pytest.raises(CheckFailed, match=words):
        checks.weights_are_dropped(weights.float(), WEIGHTS, P)


def test_one_draw_for_several_weights_is_seen_along_each_axis():
    dropped = torch.rand(5, 40, 30, generator=GENERATOR) < P
    checks.drawn_apart(dropped, 0, 1, 2)
    for axis in range(3):
        with pytest.raises(CheckFailed, match="One draw of dropout"):
            checks.drawn_apart(dropped.narrow(axis, 0, 1).expand(5, 40, 30), axis)
