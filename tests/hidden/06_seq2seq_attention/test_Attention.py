"""Hidden checks of `Attention`: weights that sum to 1, and scores far from zero."""

import torch

from grader.suite import checks, exercise

from .steered import steered

attention = exercise("Attention")
attention.contract(
    init="h",
    hidden="B h",
    encoder_outputs="B T h",
    result=("B h", "B T"),
    ignorable=("hidden",),  # without tanh it adds the same to every score, which the softmax cancels
)

FAR = 60.0  # exp(60) fits float32; exp(-120), after subtracting one maximum of the whole batch, is 0


def inputs(draw, B=3, h=4):
    """Return a random (hidden, encoder_outputs)."""
    return draw.normal(B, h), draw.normal(B, 5, h)


@attention.check("property", ko="항목마다 토큰에 대한 가중치의 합이 1입니다.")
def test_weights_sum_to_one(student, draw):
    """The weights of each item are not negative and sum to 1 over its tokens."""
    # Among so many items one has negative scores, whatever is drawn.
    _, weights = checks.has_shape(student.Attention.built(4)(*inputs(draw, B=48)), (48, 4), (48, 5))
    checks.rows_sum_to_one(weights)


@attention.check(
    "stability", ko="점수가 모두 크거나 모두 아주 작아도, 항목마다 또는 한 항목 안에서 달라도 가중치가 정확합니다."
)
def test_far_scores(twin, draw):
    """Scores far above or below zero give the right weights, also where both are in one batch or in one item."""
    for far in (FAR, -FAR):
        values = {"attn.weight": draw.normal(6, 12) * 0.2, "attn.bias": torch.full((6,), 1.5)}
        values["v"] = torch.full((6,), far / 6)
        checks.matches(*twin(6, values=values), *inputs(draw, h=6))
    weight = torch.cat([torch.zeros(6, 6), torch.full((6, 1), 1.5), draw.normal(6, 5) * 0.2], dim=1)
    values = {"attn.weight": weight, "attn.bias": torch.zeros(6), "v": torch.full((6,), FAR / 6)}
    checks.matches(*twin(6, values=values), draw.normal(4, 6), steered(draw, 6), kind="extreme")
