"""Visible checks of the frozen course: figures that a note prints for its six tokens, and a row to work out by hand."""

import torch

from grader.suite import checks, exercise
from grader.suite.core.figures import printed

attention_scores_for_query = exercise("attention_scores_for_query")
normalize_scores = exercise("normalize_scores")
softmax_naive = exercise("softmax_naive")
attention_weights = exercise("attention_weights")

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
SCORES = printed("0.9544 1.4950 1.4754 0.8434 0.7070 1.0865")


@attention_scores_for_query.check("document", weight=1, ko="노트에 찍힌 점수가 나옵니다.")
def test_scores_as_printed(student):
    """The second token as the query gives the scores that the note prints."""
    checks.matches_figure(student.attention_scores_for_query(INPUTS, INPUTS[1]), SCORES)


@normalize_scores.check("document", weight=1, ko="노트에 찍힌 가중치가 나옵니다.")
def test_divided_scores_as_printed(student):
    """The note's scores give the weights that the note prints."""
    figure = printed("0.1455 0.2278 0.2249 0.1285 0.1077 0.1656")
    checks.matches_figure(student.normalize_scores(SCORES.float32), figure)


@softmax_naive.check("document", weight=6, ko="노트에 찍힌 가중치가 나옵니다.")
def test_naive_weights_as_printed(student):
    """The note's scores give the weights that the note prints."""
    figure = printed("0.1385 0.2379 0.2333 0.1240 0.1082 0.1581")
    checks.matches_figure(student.softmax_naive(SCORES.float32), figure)


@attention_weights.check("value", weight=1, ko="각 행의 합이 1이 됩니다.")
def test_rows_by_hand(student):
    """The rows [log 1, log 3] and [log 4, log 1] are distributed each for itself."""
    scores = torch.tensor([[1.0, 3.0], [4.0, 1.0]]).log()
    checks.close(student.attention_weights(scores), torch.tensor([[0.25, 0.75], [0.8, 0.2]]))
