"""Hidden checks of `split_heads`: every feature at its head and its place, and features that cannot be shared."""

import torch

from grader.suite import checks, exercise

split_heads = exercise("split_heads")
split_heads.contract(x="B T H*d", num_heads="=H", result="B H T d")


def numbered(B, T, d_model):
    """Return (B, T, d_model) numbers, all different."""
    return torch.arange(float(B * T * d_model)).reshape(B, T, d_model)


@split_heads.check("document", ko="노트의 Q, K, V가 노트에 찍힌 대로 헤드로 나뉩니다.")
def test_heads_of_the_note(student, golden):
    """The note's queries, keys and values are cut into the heads that the note prints."""
    batch = torch.stack([golden(f"N2 In[35] {name}").float32 for name in "QKV"])
    split = checks.has_shape(student.split_heads(batch, 2), (3, 2, 3, 2))
    for name, heads in zip("QKV", split, strict=True):
        checks.matches_figure(heads, golden(f"N2 In[39] {name}h transposed"))


@split_heads.check("property", ko="헤드마다 토큰 자리에는 그 토큰의 특징만 있습니다.")
def test_tokens_keep_their_features(student):
    """In every head a token's place holds features of that token."""
    heads = checks.has_shape(student.split_heads(numbered(2, 5, 12), 3), (2, 3, 5, 4))
    owner = torch.arange(10.0, dtype=torch.float64).reshape(2, 1, 5, 1).expand(2, 3, 5, 4)
    checks.close((heads / 12).floor(), owner)


@split_heads.check("errors", ko="특징 수가 헤드 수로 나누어떨어지지 않으면 ValueError입니다.")
def test_indivisible_features(student, draw):
    """Features that cannot be shared equally among the heads raise ValueError."""
    sizes = ((10, 4), (3, 5))
    cases = [checks.given(draw.normal(2, 4, d_model), heads) for d_model, heads in sizes]
    checks.raises(student.split_heads, "ValueError", *cases)
