"""Hidden checks of `self_attention`: projections, scaling, softmax axis and mixture, sequence by sequence."""

import torch

from grader.suite import checks, exercise

self_attention = exercise("self_attention")


def matrix(draw, d_in, d_out, dtype=torch.float32):
    """Return a random matrix of which scaled scores are of the size of one."""
    return (draw.normal(d_in, d_out, dtype=torch.float64) * 1.2 * d_in**-0.5).to(dtype)


self_attention.contract(
    x="... T d_in",
    W_query="d_in d_out",
    W_key="d_in d_out",
    W_value="d_in d_out",
    result="... T d_out",
    draws=dict.fromkeys(("W_query", "W_key", "W_value"), matrix),
)


@self_attention.check("document", ko="노트의 토큰과 행렬에서 노트에 찍힌 문맥 벡터가 나옵니다.")
def test_tokens_of_the_note(student, golden):
    """The note's tokens, with matrices drawn as the note draws them, give the context vectors that it prints."""
    generator = torch.Generator().manual_seed(123)
    matrices = [torch.rand(3, 2, generator=generator) for _ in range(3)]
    context = student.self_attention(golden("N0 inputs").float32, *matrices)
    checks.matches_figure(context, golden("N0 In[24]"))
    checks.matches_figure(context[1], golden("N0 In[23]"))


@self_attention.check("document", ko="노트의 정수 예제에서 노트에 찍힌 문맥 벡터가 나옵니다.")
def test_whole_numbers_of_the_note(student, golden):
    """The note's whole numbers give the context vectors that it prints."""
    matrices = (golden(f"N2 w_{name}").float32 for name in ("query", "key", "value"))
    checks.matches_figure(student.self_attention(golden("N2 x").float32, *matrices), golden("N2 In[15]"))


@self_attention.check(
    "stability", needs="test_value", ko="점수가 수백이고 행마다 크게 달라도 유한하고 올바른 결과가 나옵니다."
)
def test_scores_in_the_hundreds(student, reference, draw):
    """Scores in the hundreds, far apart from row to row, give finite and right results."""
    query, key, value = (matrix(draw, 3, 7) for _ in range(3))
    apart = checks.given(20 * draw.normal(8, 3), query, key, value)
    below = checks.given(15 + draw.normal(8, 3), query, -query, value)  # all scores are far below zero
    checks.matches(student.self_attention, reference.self_attention, apart, below, kind="extreme")
