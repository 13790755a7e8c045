"""The checks that you can see and run while you work on multi-head attention.

The numbers are those of the notes, or small enough to work out by hand. More checks, with other numbers and sizes,
grade your work later; each of them says in a sentence what it asks.
"""

import math

import torch

from grader.suite import checks, exercise
from grader.suite.core.compare import as_tensors
from grader.suite.core.figures import printed
from grader.workers.calls.student import ModuleHandle

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

SCALING = checks.Scaling(2, "d", scores=torch.tensor([[2.0, 4.0, 4.0], [4.0, 8.0, 8.0], [4.0, 8.0, 8.0]]))
WEIGHTS = printed("""
    0.1084 0.4458 0.4458
    0.0287 0.4856 0.4856
    0.0287 0.4856 0.4856
""")
CAUSAL_WEIGHTS = printed("""
    1.0000 0.0000 0.0000
    0.0558 0.9442 0.0000
    0.0287 0.4856 0.4856
""")
CONTEXT_OF_HEAD_0 = printed("""
    1.1084 2.6748
    1.0287 2.9139
    1.0287 2.9139
""")
CAUSAL_CONTEXT_OF_HEAD_0 = printed("""
    2.0000 0.0000
    0.1116 3.7768
    1.0287 2.9139
""")


def built(made):
    """Return what a class gave if it is a module."""
    checks.is_true(
        isinstance(made, ModuleHandle),
        "Calling the class does not give an nn.Module; derive the class from nn.Module.",
        "클래스를 불러도 nn.Module이 나오지 않습니다. nn.Module을 상속하세요.",
    )
    return made


@split_heads.check("value", ko="특징 네 개인 토큰 세 개를 두 헤드로 나눕니다.")
def test_three_tokens_two_heads(student):
    """Three tokens with the features 0 to 11 are cut into two heads of two features."""
    heads = student.split_heads(torch.arange(12.0).reshape(1, 3, 4), 2)
    first, second = [[0.0, 1.0], [4.0, 5.0], [8.0, 9.0]], [[2.0, 3.0], [6.0, 7.0], [10.0, 11.0]]
    checks.close(heads, torch.tensor([[first, second]]))


@split_heads.check("errors", needs=("test_three_tokens_two_heads",), ko="특징 다섯 개는 두 헤드로 나눌 수 없습니다.")
def test_five_features_two_heads(student):
    """Five features cannot be shared by two heads: ValueError."""
    checks.raises(student, "split_heads", "ValueError", torch.zeros(1, 3, 5), 2)


@merge_heads.check("value", ko="두 헤드를 토큰마다 나란히 놓습니다.")
def test_two_heads_side_by_side(student):
    """Two heads with the numbers 0 to 11 are put side by side, token by token."""
    merged = student.merge_heads(torch.arange(12.0).reshape(1, 2, 3, 2))
    checks.close(merged, torch.tensor([[[0.0, 1.0, 6.0, 7.0], [2.0, 3.0, 8.0, 9.0], [4.0, 5.0, 10.0, 11.0]]]))


@merge_heads.check("property", needs=("test_two_heads_side_by_side",), ko="결과는 메모리에서 연속입니다.")
def test_merged_numbers_lie_in_order(student):
    """The merged result is contiguous in memory."""
    checks.is_contiguous(student.merge_heads.observe(torch.arange(24.0).reshape(1, 2, 4, 3)))


@multi_head_scores.check("document", ko="노트의 두 헤드에서 노트의 점수가 나옵니다.")
def test_scores_of_two_heads(student):
    """The notes' two heads give the notes' scores."""
    scores = torch.tensor([[2.0, 4.0, 4.0], [4.0, 8.0, 8.0], [4.0, 8.0, 8.0]])
    checks.close(student.multi_head_scores(QUERIES, KEYS), torch.stack([scores, scores]))


@multi_head_scores.check("value", ko="배치 축이 있어도 헤드마다 따로 비교합니다.")
def test_scores_in_a_batch(student):
    """With a batch axis, every item and head is compared for itself: row i holds query i with every key."""
    queries = torch.tensor([[[[1.0, 0.0], [0.0, 1.0]]], [[[1.0, 1.0], [2.0, 0.0]]]])
    keys = torch.tensor([[[[1.0, 2.0], [3.0, 4.0]]], [[[1.0, 0.0], [0.0, 5.0]]]])
    wanted = torch.tensor([[[[1.0, 3.0], [2.0, 4.0]]], [[[1.0, 5.0], [2.0, 0.0]]]])
    checks.close(student.multi_head_scores(queries, keys), wanted)


@scaled_dot_product_attention.check("document", ko="노트의 가중치와 출력이 나옵니다.")
def test_weights_and_output(student):
    """The notes' heads give the notes' weights and, for head 0, the notes' output."""
    output, weights = as_tensors(student.scaled_dot_product_attention(QUERIES, KEYS, VALUES), 2)
    checks.has_shape(output, (2, 3, 2))
    checks.has_shape(weights, (2, 3, 3))
    for head in range(2):
        checks.matches_figure(weights[head], WEIGHTS, SCALING)
    checks.matches_figure(output[0], CONTEXT_OF_HEAD_0)


@scaled_dot_product_attention.check("document", ko="인과 마스크를 주면 노트의 가려진 가중치와 출력이 나옵니다.")
def test_with_a_causal_mask(student):
    """With a mask that hides the future, the notes' masked weights and output come out."""
    mask = torch.tensor([[True, False, False], [True, True, False], [True, True, True]])
    output, weights = as_tensors(student.scaled_dot_product_attention(QUERIES, KEYS, VALUES, mask=mask), 2)
    checks.has_shape(output, (2, 3, 2))
    checks.has_shape(weights, (2, 3, 3))
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


@scaled_dot_product_attention.check(
    "device",
    ko="CPU가 아닌 장치(GPU 등)에서도 결과가 그 장치에 있고 값이 같습니다.",
)
def test_scaled_dot_product_attention_on_another_device(student):
    """On another device than the CPU, such as a GPU, the result is there, with the same values."""
    for mask in (None, torch.ones(3, 3).tril()):
        checks.on_another_device(
            student, "scaled_dot_product_attention", QUERIES, KEYS, VALUES, mask=mask, gradients=False
        )


@multi_head_attention.check("document", ko="노트의 출력이 나옵니다.")
def test_output_for_three_tokens(student):
    """The notes' three tokens and four matrices give the notes' output."""
    wanted = printed("""
        2.3313 4.2894 3.0000 4.5665
        2.2715 4.6280 3.0000 4.8852
        2.2715 4.6280 3.0000 4.8852
    """)
    checks.matches_figure(student.multi_head_attention(X, W_Q, W_K, W_V, W_O, 2), wanted)


@multi_head_attention.check("document", ko="causal=True이면 노트의 마스크 예제와 같습니다.")
def test_causal_output_for_three_tokens(student):
    """With causal=True, they give the output of the notes' masked example."""
    wanted = printed("""
        3.0000 0.5000 3.0000 1.0000
        1.1116 5.6931 2.0558 5.7210
        2.2715 4.6280 3.0000 4.8852
    """)
    checks.matches_figure(student.multi_head_attention(X, W_Q, W_K, W_V, W_O, 2, causal=True), wanted)


@multi_head_attention.check(
    "errors", needs=("test_output_for_three_tokens",), ko="특징 네 개는 세 헤드로 나눌 수 없습니다."
)
def test_four_features_three_heads(student):
    """Four features cannot be shared by three heads: ValueError."""
    checks.raises(student, "multi_head_attention", "ValueError", X, W_Q, W_K, W_V, W_O, 3)


@scaled_dot_product_attention_module.check("document", ko="노트의 가중치와 출력이 나옵니다.")
def test_module_gives_weights_and_output(student):
    """The notes' heads, taken as a batch of two, give the notes' weights and output."""
    output, weights = as_tensors(built(student.ScaledDotProductAttention())(QUERIES, KEYS, VALUES), 2)
    checks.has_shape(output, (2, 3, 2))
    checks.has_shape(weights, (2, 3, 3))
    checks.matches_figure(weights[0], WEIGHTS, SCALING)
    checks.matches_figure(output[0], CONTEXT_OF_HEAD_0)


@scaled_dot_product_attention_module.check(
    "property", needs=("test_module_gives_weights_and_output",), ko="eval에서는 dropout이 꺼집니다."
)
def test_module_drops_nothing_in_eval(student):
    """In eval a module made with dropout gives the same weights as one without."""
    module = built(student.ScaledDotProductAttention(dropout=0.4))
    module.eval()
    weights = as_tensors(module(QUERIES, KEYS, VALUES), 2)[1]
    checks.has_shape(weights, (2, 3, 3))
    checks.matches_figure(weights[0], WEIGHTS, SCALING)


# Of query i, in column i, with keys 0 and 1: two tokens of two features that are the rows of the identity.
UNEVEN = torch.tensor([[0.0, 0.0], [0.0, 2**0.5 * math.log(3)]])


@multi_head_self_attention.check("value", ko="둘째 토큰이 1/4과 3/4의 가중치를 주는 예에서 결과가 맞습니다.")
def test_a_quarter_and_three(student):
    """Where the second token gives 1/4 of its weight to the first and 3/4 to itself, both results show it."""
    module = built(student.MultiHeadSelfAttention(2, 1))
    module.load({"W_q.weight": UNEVEN, **{f"W_{name}.weight": torch.eye(2) for name in "kvo"}})
    weights = torch.tensor([[[0.5, 0.5], [0.25, 0.75]]])
    checks.close(module(torch.eye(2).unsqueeze(0)), (weights, weights.unsqueeze(1)))


@multi_head_self_attention.check(
    "value",
    needs=("test_a_quarter_and_three",),
    ko="W_q가 0이면 모든 토큰에 고르게 주의를 주어 평균이 나옵니다.",
)
def test_zero_queries_give_the_mean(student):
    """With W_q zero and the other matrices the identity, every token attends evenly and gets the mean of the tokens."""
    module = built(student.MultiHeadSelfAttention(4, 2))
    module.load({"W_q.weight": torch.zeros(4, 4), **{f"W_{name}.weight": torch.eye(4) for name in "kvo"}})
    mean = torch.tensor([[[2.0, 3.0, 2.0, 3.0]]]) / 3
    checks.close(module(X.unsqueeze(0)), (mean.repeat(1, 3, 1), torch.full((1, 2, 3, 3), 1 / 3)))


@multi_head_self_attention.check(
    "value", needs=("test_a_quarter_and_three",), ko="패딩 마스크로 가린 토큰은 평균에서 빠집니다."
)
def test_padding_is_left_out(student):
    """With the last token hidden by a padding mask, the mean is that of the first two."""
    module = built(student.MultiHeadSelfAttention(4, 2))
    module.load({"W_q.weight": torch.zeros(4, 4), **{f"W_{name}.weight": torch.eye(4) for name in "kvo"}})
    output = torch.tensor([[[0.5, 1.0, 0.5, 1.0]]]).repeat(1, 3, 1)
    weights = torch.tensor([0.5, 0.5, 0.0]).expand(1, 2, 3, 3)
    checks.close(module(X.unsqueeze(0), mask=torch.tensor([[[[1, 1, 0]]]])), (output, weights))


@multi_head_self_attention.check(
    "errors", needs=("test_zero_queries_give_the_mean",), ko="특징 다섯 개는 두 헤드로 나눌 수 없습니다."
)
def test_module_refuses_five_features_two_heads(student):
    """Five features cannot be shared by two heads: ValueError or AssertionError when the module is made."""
    checks.raises(student, "MultiHeadSelfAttention", ("ValueError", "AssertionError"), 5, 2)


@multi_head_attention_module.check("value", ko="둘째 토큰이 1/4과 3/4의 가중치를 주는 예에서 출력이 맞습니다.")
def test_a_quarter_and_three_of_one_head(student):
    """Where the second token gives 1/4 of its weight to the first and 3/4 to itself, the output shows it."""
    module = built(student.MultiHeadAttention(2, 1))
    layers = {"attentions.0.q": UNEVEN, **dict.fromkeys(("attentions.0.k", "attentions.0.v", "fc"), torch.eye(2))}
    module.load({f"{name}.weight": weight for name, weight in layers.items()})
    module.load({f"{name}.bias": torch.zeros(2) for name in layers})
    checks.close(module(torch.eye(2).unsqueeze(0)), torch.tensor([[[0.5, 0.5], [0.25, 0.75]]]))


@multi_head_attention_module.check(
    "value",
    needs=("test_a_quarter_and_three_of_one_head",),
    ko="쿼리가 0이면 모든 토큰에 고르게 주의를 주어 평균이 나옵니다.",
)
def test_zero_queries_in_every_head(student):
    """With zero queries in both heads and values that copy the features, every token gets the mean of the tokens."""
    module = built(student.MultiHeadAttention(4, 2))
    values = {"fc.weight": torch.eye(4), "fc.bias": torch.zeros(4)}
    for head in range(2):
        for layer in "qkv":
            weight = torch.eye(4)[2 * head : 2 * head + 2] if layer == "v" else torch.zeros(2, 4)
            values[f"attentions.{head}.{layer}.weight"] = weight
            values[f"attentions.{head}.{layer}.bias"] = torch.zeros(2)
    module.load(values)
    mean = torch.tensor([[[2.0, 3.0, 2.0, 3.0]]]) / 3
    checks.close(module(X.unsqueeze(0)), mean.repeat(1, 3, 1))


@multi_head_attention_module.check(
    "errors", needs=("test_zero_queries_in_every_head",), ko="특징 다섯 개는 두 헤드로 나눌 수 없습니다."
)
def test_heads_refuse_five_features(student):
    """Five features cannot be shared by two heads: ValueError or AssertionError when the module is made."""
    checks.raises(student, "MultiHeadAttention", ("ValueError", "AssertionError"), 5, 2)
