"""Hidden checks of `MultiHeadAttention`: the note's sizes, scores far from zero, and sizes that do not fit."""

import torch

from grader.suite import checks, exercise

multi_head_attention_module = exercise("MultiHeadAttention")
multi_head_attention_module.contract(
    init="H*head_dim H",
    x="B T H*head_dim",
    result="B T H*head_dim",
)

LEVEL = 2000.0  # exp(2000) overflows, even in float64


@multi_head_attention_module.check("document", ko="노트의 크기에서 노트의 모양이 나옵니다.")
def test_shape_of_the_note(twin, golden, draw):
    """With the note's sizes, the output has the note's shape and the correct values."""
    shape = tuple(golden("N4 multi-head output shape").value.int().tolist())
    submitted, solution = twin(shape[-1], 4)
    checks.has_shape(checks.matches(submitted, solution, draw.normal(*shape)), shape)


@multi_head_attention_module.check("stability", ko="점수가 아무리 크거나 작아도 출력이 맞습니다.")
def test_far_scores(twin, draw):
    """Where scores lie far from zero, at 2000 for one query and at -2000 for the next, the output is right."""
    values = {}
    for name in ("attentions.0", "attentions.1"):
        q, k, v = torch.zeros(3, 6), torch.eye(3, 6), 0.5 * draw.normal(3, 6)
        q[0, 5] = 1  # a query is its token's last feature, times the key's first, which is large
        v[:, 0] = 0  # values leave out the large feature
        values |= {
            f"{name}.q.weight": q,
            f"{name}.k.weight": k,
            f"{name}.v.weight": v,
            f"{name}.q.bias": torch.zeros(3),
        }
    x = draw.normal(2, 4, 6, dtype=torch.float64)
    x[:, [0, 1, 3], 0] += LEVEL * 3**0.5  # beside one at 0, so that only a row's maximum can be subtracted
    x[..., 5] = torch.tensor([1.0, -1.0, 1.0, -1.0])
    submitted, solution = twin(6, 2, values=values)
    checks.matches(submitted.to(dtype=torch.float64), solution, x, kind="extreme", dtype="float32")


@multi_head_attention_module.check("errors", ko="나누어떨어지지 않으면 만들 때 오류가 납니다.")
def test_indivisible_features(student):
    """Where d_model is not divisible by num_heads, the constructor raises ValueError or AssertionError."""
    checks.raises(student.MultiHeadAttention, ("ValueError", "AssertionError"), checks.given(10, 4))
