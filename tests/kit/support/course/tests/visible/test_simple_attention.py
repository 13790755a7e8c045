"""Visible checks of the frozen course: printed figures and small examples to work out by hand."""

import torch

from grader.suite import checks, exercise
from grader.suite.core.figures import printed

attention_scores_for_query = exercise("attention_scores_for_query")
normalize_scores = exercise("normalize_scores")
softmax_naive = exercise("softmax_naive")
attention_weights = exercise("attention_weights")

# The six tokens of the study note, and what it prints for them.
INPUTS = torch.tensor(
    [
        [0.43, 0.15, 0.89],
        [0.55, 0.87, 0.66],
        [0.57, 0.85, 0.64],
        [0.22, 0.58, 0.33],
        [0.77, 0.25, 0.10],
        [0.05, 0.80, 0.55],
    ]
)
SCORES_2 = torch.tensor([0.9544, 1.4950, 1.4754, 0.8434, 0.7070, 1.0865])
WEIGHTS_2 = printed("0.1385 0.2379 0.2333 0.1240 0.1082 0.1581")
SCORES = printed(
    """
    0.9995 0.9544 0.9422 0.4753 0.4576 0.6310
    0.9544 1.4950 1.4754 0.8434 0.7070 1.0865
    0.9422 1.4754 1.4570 0.8296 0.7154 1.0605
    0.4753 0.8434 0.8296 0.4937 0.3474 0.6565
    0.4576 0.7070 0.7154 0.3474 0.6654 0.2935
    0.6310 1.0865 1.0605 0.6565 0.2935 0.9450
    """
)


@attention_scores_for_query.check(
    "document", weight=5, ko="노트의 두 번째 토큰을 쿼리로 하면 노트에 찍힌 점수가 나옵니다."
)
def test_scores_for_the_second_token(student):
    """The note's second token as the query gives the six scores that the note prints."""
    figure = printed("0.9544 1.4950 1.4754 0.8434 0.7070 1.0865")
    checks.matches_figure(student.attention_scores_for_query(INPUTS, INPUTS[1]), figure)


@attention_scores_for_query.check(
    "value", weight=5, ko="[[1, 2], [3, 4], [0, -1]]과 쿼리 [10, -1]에서 [8, 26, 1]이 나옵니다."
)
def test_scores_by_hand(student):
    """Tokens [[1, 2], [3, 4], [0, -1]] and the query [10, -1] give [8, 26, 1]."""
    tokens = torch.tensor([[1.0, 2.0], [3.0, 4.0], [0.0, -1.0]])
    checks.close(student.attention_scores_for_query(tokens, torch.tensor([10.0, -1.0])), torch.tensor([8.0, 26.0, 1.0]))


@normalize_scores.check("document", weight=3, ko="노트의 점수에서 노트에 찍힌 가중치가 나옵니다.")
def test_divided_scores_as_printed(student):
    """The note's scores give the weights that the note prints."""
    figure = printed("0.1455 0.2278 0.2249 0.1285 0.1077 0.1656")
    checks.matches_figure(student.normalize_scores(SCORES_2), figure)


@normalize_scores.check("value", weight=3, ko="[1, 4, -2, 5]에서 [0.125, 0.5, -0.25, 0.625]가 나옵니다.")
def test_divided_scores_by_hand(student):
    """Scores [1, 4, -2, 5] give [0.125, 0.5, -0.25, 0.625]."""
    expected = torch.tensor([0.125, 0.5, -0.25, 0.625])
    checks.close(student.normalize_scores(torch.tensor([1.0, 4.0, -2.0, 5.0])), expected)


@softmax_naive.check("document", weight=3, ko="노트의 점수에서 노트에 찍힌 가중치가 나옵니다.")
def test_naive_weights_as_printed(student):
    """The note's scores give the weights that the note prints."""
    checks.matches_figure(student.softmax_naive(SCORES_2), WEIGHTS_2)


@softmax_naive.check("value", weight=3, ko="[log 1, log 2, log 5]에서 [0.125, 0.25, 0.625]가 나옵니다.")
def test_naive_weights_by_hand(student):
    """Scores [log 1, log 2, log 5] give [0.125, 0.25, 0.625]."""
    scores = torch.tensor([1.0, 2.0, 5.0]).log()
    checks.close(student.softmax_naive(scores), torch.tensor([0.125, 0.25, 0.625]))


@attention_weights.check("document", weight=4, ko="노트의 점수 행렬에서 노트에 찍힌 가중치가 나옵니다.")
def test_all_weights_as_printed(student):
    """The note's scores give the weights that the note prints."""
    figure = printed(
        """
        0.2098 0.2006 0.1981 0.1242 0.1220 0.1452
        0.1385 0.2379 0.2333 0.1240 0.1082 0.1581
        0.1390 0.2369 0.2326 0.1242 0.1108 0.1565
        0.1435 0.2074 0.2046 0.1462 0.1263 0.1720
        0.1526 0.1958 0.1975 0.1367 0.1879 0.1295
        0.1385 0.2184 0.2128 0.1420 0.0988 0.1896
        """
    )
    checks.matches_figure(student.attention_weights(SCORES.float32), figure)


@attention_weights.check("value", weight=4, ko="앞에 배치 차원이 있어도 각 행이 따로 합이 1이 됩니다.")
def test_rows_in_a_batch(student):
    """In a batch of two matrices every row is distributed for itself."""
    parts = torch.tensor([[[1.0, 3.0], [1.0, 1.0]], [[4.0, 1.0], [9.0, 1.0]]])
    expected = torch.tensor([[[0.25, 0.75], [0.5, 0.5]], [[0.8, 0.2], [0.9, 0.1]]])
    checks.close(student.attention_weights(parts.log()), expected)
