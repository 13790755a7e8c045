"""Hidden checks of `mask_and_renormalize`: zeros in the future, and rows that share the whole again.

Random weights are uneven but none is small, so that a tiny number added to a divisor against division by zero is told
by the check for tiny weights alone.
"""

import torch
from torch import nn

from grader.suite import checks, exercise

mask_and_renormalize = exercise("mask_and_renormalize")


def weights(draw, *shape, dtype=torch.float32):
    """Return positive rows that sum to 1, none of their weights far below the others."""
    uneven = 0.2 + draw.uniform(*shape, dtype=torch.float64)
    return (uneven / uneven.sum(dim=-1, keepdim=True)).to(dtype)


def weights_of_the_note(golden):
    """Return the weights that the note prints in In[27], with all their digits."""
    tokens = golden("N0 inputs").float32
    torch.default_generator.manual_seed(123)
    with torch.no_grad():
        queries, keys = (nn.Linear(3, 2, bias=False)(tokens) for _ in range(2))
    return torch.softmax(queries @ keys.T / 2**0.5, dim=-1)


mask_and_renormalize.contract(
    attn_weights="... T T",
    result="... T T",
    draws={"attn_weights": weights},
    without={"mixing": "zeros in the future are half of the answer, and they mix nothing"},
)


@mask_and_renormalize.check("document", ko="노트의 가중치에서 노트에 찍힌 인과 가중치가 나옵니다.")
def test_weights_of_the_note(student, golden):
    """The note's weights give the causal weights that the note prints, and their shares of the whole rows too."""
    before = weights_of_the_note(golden)
    after = student.mask_and_renormalize(before)
    checks.matches_figure(after, golden("N0 In[30]"))
    checks.matches_figure(after * before.tril().sum(dim=-1, keepdim=True), golden("N0 In[29]"))


@mask_and_renormalize.check("property", ko="가중치는 음수가 아니고 행의 합은 1입니다.")
def test_rows_sum_to_one(student, draw):
    """No weight is negative, and every row sums to 1."""
    checks.rows_sum_to_one(student.mask_and_renormalize(weights(draw, 2, 5, 5)))


@mask_and_renormalize.check("property", ko="뒤의 토큰의 가중치는 0입니다.")
def test_the_future_gets_nothing(student, draw):
    """The weights of later tokens are 0."""
    answer = checks.has_shape(student.mask_and_renormalize(weights(draw, 2, 5, 5)), (2, 5, 5))
    checks.is_true(
        bool((answer[torch.ones(2, 5, 5, dtype=torch.bool).triu(diagonal=1)] == 0).all()),
        "A later token gets weight.",
        "뒤의 토큰이 가중치를 받습니다.",
    )


@mask_and_renormalize.check("stability", needs=("test_value",), ko="남은 가중치가 아주 작아도 행의 합은 1입니다.")
def test_tiny_weights_left(student, reference, draw):
    """Rows sum to 1 also where the weights that are left are tiny."""
    # float64 shows what is added to the divisor
    for left, dtype in ((3e-5, torch.float32), (1e-5, torch.float64), (1e-9, torch.float64)):
        before = weights(draw, 2, 5, 5)
        before[:, 0, 0] = left
        before[:, 0, 1:] = (1 - left) * weights(draw, 2, 4)
        before[:, 1, :2] = left * weights(draw, 2, 2)
        before[:, 1, 2:] = (1 - left) * weights(draw, 2, 3)
        checks.matches(student.mask_and_renormalize, reference.mask_and_renormalize, before.to(dtype))
