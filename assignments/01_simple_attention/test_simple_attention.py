"""The checks that you can see and run while you work on simple attention.

The numbers are those of the notes, or small enough to work out by hand. The examples in `examples.json` are checked
beside them. More checks, with other numbers and sizes, grade your work later; each of them says in a sentence what it
asks.
"""

import torch

from grader.suite import checks, exercise

attention_scores_for_query = exercise("attention_scores_for_query")
normalize_scores = exercise("normalize_scores")
softmax_naive = exercise("softmax_naive")
softmax_stable = exercise("softmax_stable")
context_vector = exercise("context_vector")
attention_scores = exercise("attention_scores")
attention_weights = exercise("attention_weights")
all_context_vectors = exercise("all_context_vectors")
attention = exercise("attention")

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
WEIGHTS_2 = "0.1385 0.2379 0.2333 0.1240 0.1082 0.1581"
SCORES = """
    0.9995 0.9544 0.9422 0.4753 0.4576 0.6310
    0.9544 1.4950 1.4754 0.8434 0.7070 1.0865
    0.9422 1.4754 1.4570 0.8296 0.7154 1.0605
    0.4753 0.8434 0.8296 0.4937 0.3474 0.6565
    0.4576 0.7070 0.7154 0.3474 0.6654 0.2935
    0.6310 1.0865 1.0605 0.6565 0.2935 0.9450
    """
CONTEXT = """
    0.4421 0.5931 0.5790
    0.4419 0.6515 0.5683
    0.4431 0.6496 0.5671
    0.4304 0.6298 0.5510
    0.4671 0.5910 0.5266
    0.4177 0.6503 0.5645
    """


@attention_scores_for_query.check("document", ko="노트의 두 번째 토큰을 쿼리로 하면 노트에 찍힌 점수가 나옵니다.")
def test_scores_for_the_second_token(student):
    """The note's second token as the query gives the six scores that the note prints."""
    figure = "0.9544 1.4950 1.4754 0.8434 0.7070 1.0865"
    checks.matches_figure(student.attention_scores_for_query(INPUTS, INPUTS[1]), figure)


@normalize_scores.check("document", ko="노트의 점수에서 노트에 찍힌 가중치가 나옵니다.")
def test_divided_scores_as_printed(student):
    """The note's scores give the weights that the note prints."""
    figure = "0.1455 0.2278 0.2249 0.1285 0.1077 0.1656"
    checks.matches_figure(student.normalize_scores(SCORES_2), figure)


@softmax_naive.check("document", ko="노트의 점수에서 노트에 찍힌 가중치가 나옵니다.")
def test_naive_weights_as_printed(student):
    """The note's scores give the weights that the note prints."""
    checks.matches_figure(student.softmax_naive(SCORES_2), WEIGHTS_2)


@softmax_stable.check("document", ko="노트의 점수에서 노트에 찍힌 가중치가 나옵니다.")
def test_stable_weights_as_printed(student):
    """The note's scores give the weights that the note prints."""
    checks.matches_figure(student.softmax_stable(SCORES_2), WEIGHTS_2)


@softmax_stable.check("value", ko="dim=0이면 열마다 합이 1입니다.")
def test_columns_by_hand(student):
    """With dim=0 every column of [[0, 0], [log 3, log 4]] sums to 1."""
    scores = torch.tensor([[1.0, 1.0], [3.0, 4.0]]).log()
    checks.close(student.softmax_stable(scores, dim=0), torch.tensor([[0.25, 0.2], [0.75, 0.8]]))


@softmax_stable.check("stability", row="values", ko="[1000, 1001, 1002]에서 NaN 없이 올바른 가중치가 나옵니다.")
def test_scores_of_a_thousand(student):
    """Scores [1000, 1001, 1002] give the weights of [0, 1, 2], without NaN."""
    expected = torch.tensor([0.0900306, 0.2447285, 0.6652410])
    checks.close(student.softmax_stable(torch.tensor([1000.0, 1001.0, 1002.0])), expected, kind="extreme")


@context_vector.check("document", ko="노트의 가중치와 토큰에서 노트에 찍힌 문맥 벡터가 나옵니다.")
def test_context_as_printed(student):
    """The note's weights (here with more digits) and tokens give the context vector that the note prints."""
    weights = torch.tensor([0.1385476, 0.2378913, 0.2332740, 0.1239916, 0.1081819, 0.1581136])
    checks.matches_figure(student.context_vector(weights, INPUTS), "0.4419 0.6515 0.5683")


@attention_scores.check("document", ko="노트의 토큰에서 노트에 찍힌 점수 행렬이 나옵니다.")
def test_all_scores_as_printed(student):
    """The note's tokens give the matrix of scores that the note prints."""
    checks.matches_figure(student.attention_scores(INPUTS), SCORES)


@attention_weights.check("document", ko="노트의 점수 행렬에서 노트에 찍힌 가중치가 나옵니다.")
def test_all_weights_as_printed(student):
    """The note's scores give the weights that the note prints."""
    figure = """
        0.2098 0.2006 0.1981 0.1242 0.1220 0.1452
        0.1385 0.2379 0.2333 0.1240 0.1082 0.1581
        0.1390 0.2369 0.2326 0.1242 0.1108 0.1565
        0.1435 0.2074 0.2046 0.1462 0.1263 0.1720
        0.1526 0.1958 0.1975 0.1367 0.1879 0.1295
        0.1385 0.2184 0.2128 0.1420 0.0988 0.1896
        """
    checks.matches_figure(student.attention_weights(INPUTS @ INPUTS.T), figure)


@all_context_vectors.check("document", ko="노트의 토큰에서 노트에 찍힌 문맥 벡터가 나옵니다.")
def test_all_contexts_as_printed(student):
    """The note's tokens give the context vectors that the note prints."""
    checks.matches_figure(student.all_context_vectors(INPUTS), CONTEXT)


@attention.check("document", ko="노트의 토큰을 쿼리, 키, 값으로 모두 쓰면 노트에 찍힌 문맥 벡터가 나옵니다.")
def test_tokens_in_all_roles(student):
    """The note's tokens as query, key and value give the context vectors that the note prints."""
    checks.matches_figure(student.attention(INPUTS, INPUTS, INPUTS), CONTEXT)
