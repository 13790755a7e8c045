"""Hidden checks of `softmax_naive`: exponentials over their sum, written out."""

import torch

from grader.suite import checks, exercise

softmax_naive = exercise("softmax_naive")
softmax_naive.contract(x="T", result="T")


@softmax_naive.check("property", ko="가중치는 음수가 아니고 합이 1입니다.")
def test_sums_to_one(student, draw):
    """No weight is negative, and the weights sum to 1."""
    # Scores of both signs, of which scores / scores.sum() would make negative weights.
    checks.rows_sum_to_one(student.softmax_naive(torch.cat([draw.normal(5) - 4, draw.uniform(1)])))


@softmax_naive.check("document", ko="노트의 점수에서 노트에 찍힌 가중치와 그 합이 나옵니다.")
def test_matches_the_note(student, golden):
    """The note's scores give the weights that the note prints, and their printed sum."""
    inputs = golden("N0 inputs").float32
    weights = student.softmax_naive(inputs @ inputs[1])
    checks.matches_figure(weights, golden("N0 In[8]"))
    checks.matches_figure(weights.sum(), golden("N0 In[8] sum"))


@softmax_naive.check("value", ko="크기가 고르지 않은 점수에서도 지수 값을 그 합으로 나눈 값이 나옵니다.")
def test_uneven_scores(student, reference, draw):
    """Scores of very different sizes give exp(score) over the sum of all exp(score); a wrong base shows most there."""
    peak = 0.3 * draw.normal(40)
    peak[draw.choice((11, 24))] += 3.3  # a single high score among many, which an extra term would dilute
    scores = [torch.tensor([-12.0, 8.0, 10.0, 0.5]) + draw.normal(4), draw.normal(6) - 7, draw.normal(6) - 20, peak]
    checks.matches(student.softmax_naive, reference.softmax_naive, *[checks.given(vector) for vector in scores])
