"""Hidden checks of `scaled_attention_weights`: by the root of `d_k`, and of nothing else, over the keys."""

import torch

from grader.suite import checks, exercise

scaled_attention_weights = exercise("scaled_attention_weights")
scaled_attention_weights.contract(scores="... Tq Tk", d_k="=d_k", result="... Tq Tk")


@scaled_attention_weights.check("property", ko="가중치는 음수가 아니고 행마다 합이 1입니다.")
def test_rows_sum_to_one(student, draw):
    """No weight is negative, and every row sums to 1."""
    checks.rows_sum_to_one(student.scaled_attention_weights(4 * draw.normal(3, 5), 7))


@scaled_attention_weights.check("document", ko="노트의 점수에서 노트에 찍힌 가중치가 나옵니다.")
def test_weights_of_the_notes(student, golden):
    """The notes' scores and key sizes give the weights that the notes print."""
    generator = torch.Generator().manual_seed(123)
    inputs = golden("N0 inputs").float32
    queries, keys = (inputs @ torch.rand(3, 2, generator=generator) for _ in range(2))
    weights = checks.has_shape(student.scaled_attention_weights(queries[1:2] @ keys.T, 2), (1, 6))
    checks.matches_figure(weights[0], golden("N0 In[22]"))
    scores = golden("N2 In[4]").float32
    checks.matches_figure(student.scaled_attention_weights(scores, 3), golden("N2 In[14]"))


@scaled_attention_weights.check(
    "document", ko="두 가중치의 비의 로그는 점수의 차를 노트에 찍힌 제곱근으로 나눈 것입니다."
)
def test_divisor_of_the_note(student, golden):
    """For keys of three features, the log of two weights' ratio is the scores' difference over the note's root."""
    root = golden("N2 In[12]")
    weights = checks.has_shape(student.scaled_attention_weights(torch.tensor([[0.0, 1.0]]), 3), (1, 2)).double()
    checks.matches_figure(1 / (weights[0, 1] / weights[0, 0]).log(), root)


@scaled_attention_weights.check(
    "stability", needs="test_value", ko="점수가 수백이고 행마다 크게 달라도 유한하고 올바른 결과가 나옵니다."
)
def test_scores_in_the_hundreds(student, reference, draw):
    """Scores in the hundreds, far apart from row to row and within a row, give finite and right results."""
    scores = torch.tensor([[900.0], [-900.0], [0.0], [400.0]]) + 4 * draw.normal(4, 5)
    scores[2:, 1] += 500  # beyond an exponential also where a row's mean or its smallest score is subtracted
    checks.matches(
        student.scaled_attention_weights, reference.scaled_attention_weights, 10 * scores, 100, kind="extreme"
    )
