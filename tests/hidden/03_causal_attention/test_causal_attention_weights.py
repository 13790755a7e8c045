"""Hidden checks of `causal_attention_weights`: hidden, scaled, shared, in an order that loses nothing.

The number of features is no perfect square and differs from the number of tokens, so that every wrong divisor shows;
cases where they are equal follow.
"""

import torch

from grader.suite import checks, exercise

causal_attention_weights = exercise("causal_attention_weights")

NAME = "causal_attention_weights"
FAR = 150.0  # beyond a fill of -100, and within what a softmax of float64 leaves of the visible scores
LEVEL = 2000.0  # beyond a fill of -1000 and every plain exponential
FUTURE = torch.ones(5, 5, dtype=torch.bool).triu(diagonal=1)


@causal_attention_weights.check(
    "property", weight=4, ko="결과의 차원과 원소의 수가 맞고, 점수가 바뀌면 결과도 바뀝니다."
)
def test_the_gate(student, reference, draw):
    """The result has as many dimensions and entries as the scores, and other scores give other weights."""
    checks.uses_every_input(student, reference, NAME, 2 * draw.normal(5, 5), 7, draw=draw)


@causal_attention_weights.check("document", weight=2, ko="두 노트의 점수에서 노트에 찍힌 인과 가중치가 나옵니다.")
def test_weights_of_the_notes(student, golden, draw):
    """The scores of both notes give the causal weights that the notes print."""
    masked = golden("N0 In[32]").float32
    scores = torch.where(masked.isinf(), 0.2 * draw.normal(6, 6), masked)  # the note prints the visible ones
    checks.matches_figure(student.causal_attention_weights(scores, 2), golden("N0 In[33]"))
    checks.matches_figure(student.causal_attention_weights(golden("N2 In[54]").float32, 2), golden("N2 In[63]"))


@causal_attention_weights.check("value", weight=5, ko="임의의 점수와 d_k에서 올바른 인과 가중치가 나옵니다.")
def test_random_scores(student, reference, draw):
    """Random scores give the right causal weights, whatever the number of features."""
    for tokens, d_k in ((5, 7), (5, 7), (2, 3), (8, 10), (6, 1), (3, 3), (1, 7)):
        scaling = checks.Scaling(d_k, argument=0, sizes={"the number of tokens": tokens})
        checks.matches_reference(student, reference, NAME, 2 * draw.normal(tokens, tokens), d_k, scaling=scaling)


@causal_attention_weights.check("value", weight=4, ko="앞에 차원이 몇 개 더 있어도 항목마다 똑같이 계산합니다.")
def test_leading_dimensions(student, reference, draw):
    """With one, two, three or four dimensions in front, every item is treated in the same way."""
    shapes = ((2, 4, 4), (4, 4, 4), (2, 3, 5, 5), (3, 1, 4, 4), (2, 3, 2, 4, 4), (2, 1, 3, 2, 4, 4))
    cases = [checks.given(2 * draw.normal(*shape), 7) for shape in shapes]
    checks.matches_reference_on_each(student, reference, NAME, cases)


@causal_attention_weights.check(
    "value", weight=2, needs=("test_random_scores",), ko="점수가 0인 보이는 토큰도 자기 몫의 가중치를 받습니다."
)
def test_scores_of_zero(student, reference, draw):
    """A visible token whose score is zero gets its share like any other."""
    scores = 2 * draw.normal(4, 4) * draw.mask(4, 4)
    scores[2, 0] = scores[3, 3] = scores[0, 3] = 0
    cases = [checks.given(zeros, 7) for zeros in (scores, torch.zeros(3, 3))]
    checks.matches_reference_on_each(student, reference, NAME, cases)


@causal_attention_weights.check(
    "property", weight=3, needs=("test_the_gate",), ko="가중치는 음수가 아니고 행의 합은 1입니다."
)
def test_rows_sum_to_one(student, draw):
    """No weight is negative, and every row sums to 1."""
    checks.rows_sum_to_one(student.causal_attention_weights(2 * draw.normal(2, 5, 5), 7))


@causal_attention_weights.check(
    "property", weight=4, needs=("test_the_gate",), ko="뒤의 토큰은 가중치를 받지 않습니다."
)
def test_the_future_gets_nothing(student, draw):
    """No later token gets any weight."""
    weights = checks.has_shape(student.causal_attention_weights(2 * draw.normal(2, 5, 5), 7), (2, 5, 5))
    checks.is_true(
        bool((weights[FUTURE.expand(2, 5, 5)] == 0).all()),
        "A later token gets weight.",
        "뒤의 토큰이 가중치를 받습니다.",
    )


@causal_attention_weights.check(
    "stability", weight=3, needs=("test_random_scores",), ko="미래의 점수가 아무리 커도 가중치는 0입니다."
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
    "stability", weight=15, needs=("test_random_scores",), ko="점수가 -2000이나 2000쯤이어도 가중치가 맞습니다."
)
def test_far_scores(student, reference, draw):
    """Where scores lie near -2000 or 2000, also row by row, the weights are right and the future gets none."""
    rows = torch.tensor([1.0, -1.0, -1.0, 1.0, -1.0]).unsqueeze(1) * LEVEL
    for level in (-LEVEL, LEVEL, rows):
        scores = (draw.normal(5, 5, dtype=torch.float64) + level + torch.where(FUTURE, FAR, 0.0)) * 7**0.5
        checks.matches_reference(student, reference, NAME, scores, 7)


@causal_attention_weights.check("shape", weight=2, needs=("test_the_gate",), ko="토큰이 하나여도 모양이 그대로입니다.")
def test_single_token(student, draw):
    """A single token gives a tensor of the same shape."""
    for shape in ((1, 1), (3, 1, 1)):
        checks.has_shape(student.causal_attention_weights(draw.normal(*shape), 7), shape)


@causal_attention_weights.check(
    "value",
    weight=2,
    needs=("test_random_scores",),
    ko="전치하거나 잘라내거나 늘린 뷰를 주어도 결과가 맞습니다.",
)
def test_views(student, reference, draw):
    """Tensors that are views of others (transposed, sliced, expanded) are treated like any others."""
    checks.any_layout(student, reference, NAME, 2 * draw.normal(2, 5, 5), 7)


@causal_attention_weights.check(
    "value", weight=2, needs=("test_random_scores",), ko="토큰이나 특징이나 항목이 작은 예보다 훨씬 많아도 맞습니다."
)
def test_large_sizes(student, reference, draw):
    """Far more tokens, features or items than in small examples are treated rightly."""
    tokens, many = 300 + draw.large(), 1000 + draw.large()
    cases = [checks.given(2 * draw.normal(*shape), 7) for shape in ((tokens, tokens), (many, 4, 4))]
    cases.append(checks.given(2 * draw.normal(5, 5) * many**0.5, many))
    checks.matches_reference_on_each(student, reference, NAME, cases)


@causal_attention_weights.check(
    "dtype", weight=5, needs=("test_the_gate",), ko="결과의 dtype은 점수의 dtype과 같습니다."
)
def test_keeps_the_dtype(student, draw):
    """The result has the dtype of the scores: float32, float64 and bfloat16."""
    dtypes = (torch.float32, torch.float64, torch.bfloat16)
    checks.keeps_dtypes(student, NAME, [checks.given(draw.normal(5, 5, dtype=dtype), 7) for dtype in dtypes])


@causal_attention_weights.check(
    "dtype", weight=2, needs=("test_random_scores",), ko="float64 점수에서는 float64의 정밀도로 계산합니다."
)
def test_float64_is_exact(student, reference, draw):
    """Scores in float64 give weights as exact as float64."""
    checks.matches_reference(student, reference, NAME, draw.normal(9, 9, dtype=torch.float64), 9, kind="exact")


@causal_attention_weights.check("gradient", weight=8, needs=("test_the_gate",), ko="그래디언트가 점수까지 흐릅니다.")
def test_gradients_flow(student, reference, draw):
    """Gradients reach the scores."""
    checks.gradients_flow(student, reference, NAME, draw.normal(2, 5, 5), 7)


@causal_attention_weights.check(
    "gradient", weight=7, needs=("test_random_scores",), ko="점수로 올바른 그래디언트가 흐릅니다."
)
def test_gradients(student, reference, draw):
    """The right gradients flow to the scores."""
    checks.gradient_matches(student, reference, NAME, draw.normal(2, 5, 5), 7)


@causal_attention_weights.check(
    "property",
    weight=2,
    needs=("test_random_scores",),
    ko="같은 텐서에 다른 값이 들어 있으면 새로 계산합니다.",
    guard="an answer that is kept for a tensor, as functools.cache keeps it",
)
def test_computed_anew(student, reference, draw):
    """A tensor that holds other numbers in a second call gives another answer: nothing is kept for an object."""
    checks.computed_anew(student, reference, NAME, draw.normal(5, 5), 7, before=(draw.normal(5, 5), 7))


@causal_attention_weights.check(
    "purity", weight=15, needs=("test_the_gate",), ko="호출한 뒤에도 입력 점수는 그대로입니다."
)
def test_input_unchanged(student, draw):
    """The scores are the same after the call."""
    checks.input_unchanged(student, NAME, draw.normal(5, 5), 7)


@causal_attention_weights.check(
    "device",
    weight=5,
    needs=("test_the_gate",),
    ko="CPU가 아닌 장치(GPU 등)에서도 결과가 그 장치에 있고 값과 그래디언트가 같습니다.",
)
def test_on_another_device(student, draw):
    """On another device than the CPU, such as a GPU, the result is there, with the same values and gradients."""
    checks.on_another_device(student, NAME, 2 * draw.normal(2, 5, 5), 7)
