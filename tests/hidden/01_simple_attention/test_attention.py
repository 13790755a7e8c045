"""Hidden checks of `attention`: queries, keys and values of different sizes, unscaled."""

import torch

from grader.suite import checks, exercise

attention = exercise("attention")
attention.contract(query="... Tq d", key="... Tk d", value="... Tk dv", result="... Tq dv")


@attention.check("document", ko="노트의 토큰에서 노트에 찍힌 문맥 벡터가 나오고, 노트의 모양이 그대로 나옵니다.")
def test_matches_the_note(student, reference, golden, draw):
    """The note's tokens in all three roles give its context vectors, and its embedded words their printed shape."""
    inputs = golden("N0 inputs").float32
    checks.matches_figure(student.attention(inputs, inputs, inputs), golden("N0 In[15]"))
    words = [draw.normal(1, 3, 4) for _ in range(3)]
    answer = checks.matches(student.attention, reference.attention, *words)
    checks.has_shape(answer, golden("N1 In[6]").shape)


@attention.check(
    "stability", needs="test_value", ko="점수가 수백이고 행마다 크게 달라도 유한하고 올바른 결과가 나옵니다."
)
def test_scores_in_the_hundreds(student, reference, draw):
    """Scores in the hundreds, far apart from row to row, give finite and right results."""
    query, key, value = draw.normal(4, 4), draw.normal(6, 4), draw.normal(6, 5)
    query[:, 3], key[:, 3] = torch.tensor([60.0, -60.0, 0.0, 40.0]), 15.0
    key[:3:2, 3] = -15.0  # so only a row's maximum can be subtracted, not its mean, smallest or first score
    below = draw.normal(4, 4) + 10, draw.normal(6, 4) - 10  # all scores are far below zero
    cases = checks.given(query, key, value), checks.given(*below, value)
    checks.matches(student.attention, reference.attention, *cases, kind="extreme")
