"""Hidden checks of `multi_head_attention`: the whole way from tokens to tokens, with every matrix drawn at random."""

import torch

from grader.suite import checks, exercise

multi_head_attention = exercise("multi_head_attention")


def matrix(draw, d_in, d_out, dtype=torch.float32):
    """Return a random matrix that keeps numbers of the order of one."""
    return (draw.normal(d_in, d_out, dtype=torch.float64) * d_in**-0.5).to(dtype)


multi_head_attention.contract(
    x="... T H*head_dim",
    **dict.fromkeys(("W_Q", "W_K", "W_V", "W_O"), "H*head_dim H*head_dim"),
    num_heads="=H",
    result="... T H*head_dim",
    items=(1, 2),
    further={"causal": True},
    draws=dict.fromkeys(("W_Q", "W_K", "W_V", "W_O"), matrix),
)


def inputs(draw, *lead, T=5, H=3, head_dim=7):
    """Return (x, W_Q, W_K, W_V, W_O, num_heads); the scores are of the order of one."""
    d_model = H * head_dim
    matrices = [matrix(draw, d_model, d_model) for _ in range(4)]
    x = draw.normal(*lead, T, d_model)
    x[..., 1:2, :] = 0  # all scores of this token are 0
    return (x, *matrices, H)


def scored(draw, scores, *, H=2, head_dim=9):
    """Return float64 inputs for which every head's scores, after the scaling, are the given ones (T, T)."""
    T, d_model = len(scores), H * head_dim
    W_Q, W_K = torch.zeros(2, d_model, d_model, dtype=torch.float64)
    for start in range(0, d_model, head_dim):
        W_Q[:T, start : start + T] = torch.eye(T)
        W_K[:T, start : start + T] = scores.T * head_dim**0.5
    W_V, W_O = draw.normal(2, d_model, d_model, dtype=torch.float64) * d_model**-0.5
    x = torch.cat([torch.eye(T, dtype=torch.float64), draw.normal(T, d_model - T, dtype=torch.float64)], dim=-1)
    return x, W_Q, W_K, W_V, W_O, H


def of_the_note(golden):
    """Return the note's example: tokens, four matrices and two heads."""
    names = ("N2 multi-head x", "N2 W_Q", "N2 W_K", "N2 W_V", "N2 W_O")
    return (*(golden(name).float32 for name in names), 2)


@multi_head_attention.check("document", ko="노트의 토큰과 행렬에서 노트에 찍힌 출력이 나옵니다.")
def test_output_of_the_note(student, golden):
    """The note's tokens and matrices give the output that the note prints."""
    checks.matches_figure(student.multi_head_attention(*of_the_note(golden)), golden("N2 In[45]"))


@multi_head_attention.check("document", ko="causal=True이면 노트의 마스크 예제와 같은 출력이 나옵니다.")
def test_causal_output_of_the_note(student, golden):
    """With causal=True they give the output of the note's masked example."""
    checks.matches_figure(student.multi_head_attention(*of_the_note(golden), causal=True), golden("N2 In[last]"))


@multi_head_attention.check("value", ko="causal=True이면 각 토큰이 자신과 그 앞만 봅니다.")
def test_causal(student, reference, draw):
    """With causal=True, every token sees itself and what stands before it."""
    sizes = (
        ((), 5, 3, 7),
        ((2,), 1, 3, 7),
        ((), draw.large(), 1, 2),
        ((2, 4), 4, 4, 2),
    )
    cases = [checks.given(*inputs(draw, *lead, T=T, H=H, head_dim=size), causal=True) for lead, T, H, size in sizes]
    checks.matches(student.multi_head_attention, reference.multi_head_attention, *cases)


@multi_head_attention.check(
    "stability", needs="test_causal", ko="점수가 아무리 크거나 작아도 결과가 맞고 미래의 토큰은 가중치를 받지 않습니다."
)
def test_far_scores(student, reference, draw):
    """Where scores lie far from zero, at 2000 or -2000, the result is right, and a later token gets no weight."""
    future = torch.ones(8, 8).triu(diagonal=1).bool()
    causal = checks.given(*scored(draw, draw.far_scores(8, 8, hidden=future)), causal=True)
    plain = checks.given(*scored(draw, draw.far_scores(8, 8)))
    asked = student.multi_head_attention, reference.multi_head_attention
    checks.matches(*asked, causal, plain, kind="extreme", dtype="float32")


@multi_head_attention.check("errors", ko="나누어떨어지지 않으면 ValueError입니다.")
def test_indivisible_features(student, draw):
    """Features that cannot be shared equally among the heads raise ValueError."""
    checks.raises(student.multi_head_attention, "ValueError", checks.given(*inputs(draw, H=2, head_dim=5)[:-1], 4))
