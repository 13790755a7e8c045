"""The checks that you can see and run while you work on multi-head attention.

The numbers are those of the notes, or small enough to work out by hand. The examples in `examples.json` are checked
beside them. More checks, with other numbers and sizes, grade your work later; each of them says in a sentence what it
asks.
"""

import torch

from grader.suite import checks, exercise

split_heads = exercise("split_heads")
merge_heads = exercise("merge_heads")
multi_head_scores = exercise("multi_head_scores")
scaled_dot_product_attention = exercise("scaled_dot_product_attention")
multi_head_attention = exercise("multi_head_attention")
scaled_dot_product_attention_module = exercise("ScaledDotProductAttention")
multi_head_self_attention = exercise("MultiHeadSelfAttention")
multi_head_attention_module = exercise("MultiHeadAttention")

# The notes' example: three tokens of four features, two heads of two features each.
X = torch.tensor([[1.0, 0.0, 1.0, 0.0], [0.0, 2.0, 0.0, 2.0], [1.0, 1.0, 1.0, 1.0]])
W_Q = torch.tensor([[1.0, 0.0, 1.0, 0.0], [1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 1.0, 0.0], [0.0, 1.0, 0.0, 1.0]])
W_K = torch.tensor([[0.0, 1.0, 0.0, 1.0], [1.0, 0.0, 1.0, 0.0], [0.0, 1.0, 1.0, 0.0], [1.0, 0.0, 0.0, 1.0]])
W_V = torch.tensor([[1.0, 0.0, 2.0, 0.0], [0.0, 1.0, 0.0, 2.0], [1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 1.0, 0.0]])
W_O = torch.tensor([[1.0, 0.0, 0.5, 0.0], [0.0, 1.0, 0.0, 0.5], [0.5, 0.0, 1.0, 0.0], [0.0, 0.5, 0.0, 1.0]])

# Its queries, keys and values, cut into heads: (2, 3, 2).
QUERIES = torch.tensor([[[1.0, 1.0], [2.0, 2.0], [2.0, 2.0]], [[2.0, 0.0], [0.0, 4.0], [2.0, 2.0]]])
KEYS = torch.tensor([[[0.0, 2.0], [4.0, 0.0], [2.0, 2.0]], [[1.0, 1.0], [2.0, 2.0], [2.0, 2.0]]])
VALUES = torch.tensor([[[2.0, 0.0], [0.0, 4.0], [2.0, 2.0]], [[2.0, 1.0], [2.0, 4.0], [3.0, 3.0]]])

SHAPES = (2, 3, 2), (2, 3, 3)  # of the output and the weights
WEIGHTS = """
    0.1084 0.4458 0.4458
    0.0287 0.4856 0.4856
    0.0287 0.4856 0.4856
"""
CAUSAL_WEIGHTS = """
    1.0000 0.0000 0.0000
    0.0558 0.9442 0.0000
    0.0287 0.4856 0.4856
"""
CONTEXT_OF_HEAD_0 = """
    1.1084 2.6748
    1.0287 2.9139
    1.0287 2.9139
"""
CAUSAL_CONTEXT_OF_HEAD_0 = """
    2.0000 0.0000
    0.1116 3.7768
    1.0287 2.9139
"""


@split_heads.check("errors", ko="특징 다섯 개는 두 헤드로 나눌 수 없습니다.")
def test_five_features_two_heads(student):
    """Five features cannot be shared by two heads: ValueError."""
    checks.raises(student.split_heads, "ValueError", torch.zeros(1, 3, 5), 2)


@multi_head_scores.check("document", ko="노트의 두 헤드에서 노트의 점수가 나옵니다.")
def test_scores_of_two_heads(student):
    """The notes' two heads give the notes' scores."""
    scores = torch.tensor([[2.0, 4.0, 4.0], [4.0, 8.0, 8.0], [4.0, 8.0, 8.0]])
    checks.close(student.multi_head_scores(QUERIES, KEYS), torch.stack([scores, scores]))


@scaled_dot_product_attention.check("document", ko="노트의 가중치와 출력이 나옵니다.")
def test_weights_and_output(student):
    """The notes' heads give the notes' weights and, for head 0, the notes' output."""
    output, weights = checks.has_shape(student.scaled_dot_product_attention(QUERIES, KEYS, VALUES), *SHAPES)
    for head in range(2):
        checks.matches_figure(weights[head], WEIGHTS)
    checks.matches_figure(output[0], CONTEXT_OF_HEAD_0)


@scaled_dot_product_attention.check("document", ko="인과 마스크를 주면 노트의 가려진 가중치와 출력이 나옵니다.")
def test_with_a_causal_mask(student):
    """With a mask that hides the future, the notes' masked weights and output come out."""
    mask = torch.tensor([[True, False, False], [True, True, False], [True, True, True]])
    answer = student.scaled_dot_product_attention(QUERIES, KEYS, VALUES, mask=mask)
    output, weights = checks.has_shape(answer, *SHAPES)
    for head in range(2):
        checks.matches_figure(weights[head], CAUSAL_WEIGHTS)
    checks.matches_figure(output[0], CAUSAL_CONTEXT_OF_HEAD_0)


@scaled_dot_product_attention.check(
    "value",
    needs=("test_weights_and_output",),
    ko="0과 1로 된 마스크도 되고, 보이는 키가 하나면 그 값이 그대로 나옵니다.",
)
def test_one_visible_key(student):
    """A query that sees one key only, by a mask of the numbers 0 and 1, gets exactly that key's value."""
    query, key = torch.tensor([[1.0, 2.0, 3.0]]), torch.tensor([[4.0, 0.0, 1.0], [0.0, 5.0, 2.0]])
    value = torch.tensor([[1.0, 2.0], [7.0, 8.0]])
    results = student.scaled_dot_product_attention(query, key, value, mask=torch.tensor([[1.0, 0.0]]))
    checks.close(results, (torch.tensor([[1.0, 2.0]]), torch.tensor([[1.0, 0.0]])))


@multi_head_attention.check("document", ko="노트의 출력이 나옵니다.")
def test_output_for_three_tokens(student):
    """The notes' three tokens and four matrices give the notes' output."""
    wanted = """
        2.3313 4.2894 3.0000 4.5665
        2.2715 4.6280 3.0000 4.8852
        2.2715 4.6280 3.0000 4.8852
    """
    checks.matches_figure(student.multi_head_attention(X, W_Q, W_K, W_V, W_O, 2), wanted)


@multi_head_attention.check("document", ko="causal=True이면 노트의 마스크 예제와 같습니다.")
def test_causal_output_for_three_tokens(student):
    """With causal=True, they give the output of the notes' masked example."""
    wanted = """
        3.0000 0.5000 3.0000 1.0000
        1.1116 5.6931 2.0558 5.7210
        2.2715 4.6280 3.0000 4.8852
    """
    checks.matches_figure(student.multi_head_attention(X, W_Q, W_K, W_V, W_O, 2, causal=True), wanted)


@multi_head_attention.check(
    "errors", needs=("test_output_for_three_tokens",), ko="특징 네 개는 세 헤드로 나눌 수 없습니다."
)
def test_four_features_three_heads(student):
    """Four features cannot be shared by three heads: ValueError."""
    checks.raises(student.multi_head_attention, "ValueError", X, W_Q, W_K, W_V, W_O, 3)


@scaled_dot_product_attention_module.check("document", ko="노트의 가중치와 출력이 나옵니다.")
def test_module_gives_weights_and_output(student):
    """The notes' heads, taken as a batch of two, give the notes' weights and output."""
    answer = student.ScaledDotProductAttention.built()(QUERIES, KEYS, VALUES)
    output, weights = checks.has_shape(answer, *SHAPES)
    checks.matches_figure(weights[0], WEIGHTS)
    checks.matches_figure(output[0], CONTEXT_OF_HEAD_0)


@multi_head_self_attention.check("errors", ko="특징 다섯 개는 두 헤드로 나눌 수 없습니다.")
def test_module_refuses_five_features_two_heads(student):
    """Five features cannot be shared by two heads: ValueError or AssertionError when the module is made."""
    checks.raises(student.MultiHeadSelfAttention, ("ValueError", "AssertionError"), 5, 2)


@multi_head_attention_module.check("errors", ko="특징 다섯 개는 두 헤드로 나눌 수 없습니다.")
def test_heads_refuse_five_features(student):
    """Five features cannot be shared by two heads: ValueError or AssertionError when the module is made."""
    checks.raises(student.MultiHeadAttention, ("ValueError", "AssertionError"), 5, 2)
