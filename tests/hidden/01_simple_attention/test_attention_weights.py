"""Hidden checks of `attention_weights`: every row is distributed for itself."""

import torch

from grader.suite import checks, exercise

attention_weights = exercise("attention_weights")
attention_weights.contract(scores="... T T", result="... T T")


@attention_weights.check("property", ko="가중치는 음수가 아니고 합이 1입니다.")
def test_sums_to_one(student, draw):
    """No weight is negative, and the weights sum to 1."""
    checks.rows_sum_to_one(student.attention_weights(2 * draw.normal(3, 4, 4)))


@attention_weights.check("document", ko="노트의 점수 행렬에서 노트에 찍힌 가중치와 행의 합이 나옵니다.")
def test_matches_the_note(student, golden):
    """The note's scores give the weights that the note prints, and their printed sums."""
    inputs = golden("N0 inputs").float32
    weights = student.attention_weights(inputs @ inputs.T)
    checks.matches_figure(weights, golden("N0 In[13]"))
    checks.matches_figure(weights.sum(dim=-1), golden("N0 In[14]"))


@attention_weights.check(
    "stability", needs="test_value", ko="점수가 수백이고 행마다 크게 달라도 유한하고 올바른 결과가 나옵니다."
)
def test_scores_in_the_hundreds(student, reference, draw):
    """Scores in the hundreds, far apart from row to row and within a row, give finite and right results."""
    scores = torch.tensor([[900.0], [-900.0], [0.0], [150.0], [-150.0]]) + draw.normal(5, 5)
    scores[3:, 1] += 300  # beyond an exponential also where a row's mean or its smallest score is subtracted
    checks.matches(student.attention_weights, reference.attention_weights, scores, kind="extreme")
