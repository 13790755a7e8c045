"""Hidden checks of `MultiHeadAttention`: the note's sizes, scores far from zero, and sizes that do not fit."""

import torch

from grader.suite import checks, exercise

multi_head_attention_module = exercise("MultiHeadAttention")
multi_head_attention_module.contract(
    init="H*head_dim H",
    x="B T H*head_dim",
    result="B T H*head_dim",
)

NAME = "MultiHeadAttention"
LEVEL = 2000.0  # beyond every plain exponential


@multi_head_attention_module.check("document", ko="노트의 크기에서 노트의 모양이 나옵니다.")
def test_shape_of_the_note(student, reference, golden, draw):
    """The note's sizes give the note's shape, and what the loaded weights make of the tokens."""
    shape = tuple(golden("N4 multi-head output shape").value.int().tolist())
    handle, module = checks.twin(student, reference, draw, NAME, shape[-1], 4)
    checks.has_shape(checks.matches(handle, module, draw.normal(*shape)), shape)


@multi_head_attention_module.check("stability", ko="점수가 아무리 크거나 작아도 출력이 맞습니다.")
def test_far_scores(student, reference, draw):
    """Where scores lie far from zero, at 2000 for one query and at -2000 for the next, the output is right."""
    values = {}
    for head in (f"attentions.{head}" for head in range(2)):  # a query is its token's last feature, a key the first
        values[f"{head}.q.weight"], values[f"{head}.q.bias"] = torch.zeros(3, 6), torch.zeros(3)
        values[f"{head}.q.weight"][0, 5] = 1
        values[f"{head}.k.weight"], values[f"{head}.v.weight"] = torch.eye(3, 6), 0.5 * draw.normal(3, 6)
        values[f"{head}.v.weight"][:, 0] = 0  # what makes the scores far is not mixed
    x = draw.normal(2, 4, 6, dtype=torch.float64)
    x[..., 0] += LEVEL * 3**0.5
    x[..., 5] = torch.tensor([1.0, -1.0, 1.0, -1.0])
    handle, module = checks.twin(student, reference, draw, NAME, 6, 2, values=values)
    checks.matches(handle.to(dtype=torch.float64), module, x, kind="extreme", dtype="float32")


@multi_head_attention_module.check("errors", needs="test_the_gate", ko="나누어떨어지지 않으면 만들 때 오류가 납니다.")
def test_indivisible_features(student):
    """Features that cannot be shared equally among the heads raise ValueError or AssertionError when constructed."""
    checks.raises(student.MultiHeadAttention, ("ValueError", "AssertionError"), checks.given(10, 4))
