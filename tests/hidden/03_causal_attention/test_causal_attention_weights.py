"""Hidden checks of `causal_attention_weights`: hidden, scaled, shared, in an order that loses nothing."""

import torch

from grader.suite import checks, exercise

causal_attention_weights = exercise("causal_attention_weights")
causal_attention_weights.contract(scores="... T T", d_k="=d", result="... T T")

FAR = 150.0  # beyond a fill of -100, and within what a softmax of float64 leaves of the visible scores
FUTURE = torch.ones(5, 5, dtype=torch.bool).triu(diagonal=1)


@causal_attention_weights.check("document", ko="두 노트의 점수에서 노트에 찍힌 인과 가중치가 나옵니다.")
def test_weights_of_the_notes(student, golden, draw):
    """The scores of both notes give the causal weights that the notes print."""
    masked = golden("N0 In[32]").float32
    scores = torch.where(masked.isinf(), 0.2 * draw.normal(6, 6), masked)  # the note prints the visible ones
    checks.matches_figure(student.causal_attention_weights(scores, 2), golden("N0 In[33]"))
    checks.matches_figure(student.causal_attention_weights(golden("N2 In[54]").float32, 2), golden("N2 In[63]"))


@causal_attention_weights.check("property", ko="가중치는 음수가 아니고 행의 합은 1입니다.")
def test_rows_sum_to_one(student, draw):
    """No weight is negative, and every row sums to 1."""
    checks.rows_sum_to_one(student.causal_attention_weights(2 * draw.normal(2, 5, 5), 7))


@causal_attention_weights.check("property", ko="뒤의 토큰은 가중치를 받지 않습니다.")
def test_the_future_gets_nothing(student, draw):
    """No later token gets any weight."""
    weights = checks.has_shape(student.causal_attention_weights(2 * draw.normal(2, 5, 5), 7), (2, 5, 5))
    checks.is_true(
        bool((weights[FUTURE.expand(2, 5, 5)] == 0).all()),
        "A later token gets weight.",
        "뒤의 토큰이 가중치를 받습니다.",
    )


@causal_attention_weights.check(
    "stability", row="properties", needs=("test_value",), ko="미래의 점수가 아무리 커도 가중치는 0입니다."
)
def test_large_hidden_scores(student, reference, draw):
    """A future token gets no weight even where its score lies far above the visible ones."""
    for seen, hidden in ((-FAR, 0.0), (0.0, FAR)):
        scores = (draw.normal(5, 5, dtype=torch.float64) + torch.where(FUTURE, hidden, seen)) * 7**0.5
        weights = checks.has_shape(student.causal_attention_weights(scores, 7), (5, 5))
        short = bool((weights.sum(-1) < 0.5).any()) and bool((weights[FUTURE].abs() < 1e-3).all())
        checks.is_true(
            not short,
            "The future gets no weight, and yet a row sums to less than 1.",
            "미래의 가중치는 0인데 행의 합이 1보다 작습니다.",
        )
        checks.close(weights, reference.causal_attention_weights(scores, 7), dtype="float32")  # the dtype is not asked


@causal_attention_weights.check(
    "stability", needs=("test_value",), ko="점수가 -2000이나 2000쯤이어도 가중치가 맞습니다."
)
def test_far_scores(student, reference, draw):
    """Where scores lie near -2000 or 2000, another from row to row, the weights are right and the future gets none."""
    future = torch.ones(8, 8, dtype=torch.bool).triu(diagonal=1)
    scores = 10 * draw.far_scores(8, 8, hidden=future)
    asked = student.causal_attention_weights, reference.causal_attention_weights
    checks.matches(*asked, scores, 100, kind="extreme", dtype="float32")
