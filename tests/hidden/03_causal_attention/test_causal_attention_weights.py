"""Hidden checks of `causal_attention_weights`: hidden, scaled, shared, in an order that loses nothing.

The number of features is no perfect square and differs from the number of tokens, so that every wrong divisor shows;
cases where they are equal follow.
"""

import torch

from grader.suite import checks, exercise

causal_attention_weights = exercise("causal_attention_weights")

NAME = "causal_attention_weights"
FAR = 150.0  # beyond a fill of -100, and within what a plain exponential of float64 can hold


@causal_attention_weights.check("document", weight=1, ko="두 노트의 점수에서 노트에 찍힌 인과 가중치가 나옵니다.")
def test_weights_of_the_notes(student, golden, draw):
    """The scores of both notes give the causal weights that the notes print."""
    masked = golden("N0 In[32]").float32
    scores = torch.where(masked.isinf(), 0.2 * draw.normal(6, 6), masked)  # the note prints the visible ones
    checks.matches_figure(student.causal_attention_weights(scores, 2), golden("N0 In[33]"))
    checks.matches_figure(student.causal_attention_weights(golden("N2 In[54]").float32, 2), golden("N2 In[63]"))


@causal_attention_weights.check("value", weight=4, ko="임의의 점수와 d_k에서 올바른 인과 가중치가 나옵니다.")
def test_random_scores(student, reference, draw):
    """Random scores give the right causal weights, whatever the number of features."""
    for tokens, d_k in ((5, 7), (5, 7), (2, 3), (8, 10), (6, 1), (3, 3)):
        scaling = checks.Scaling(d_k, argument=0, sizes={"the number of tokens": tokens})
        checks.matches_reference(student, reference, NAME, 2 * draw.normal(tokens, tokens), d_k, scaling=scaling)


@causal_attention_weights.check("value", weight=3, ko="앞에 차원이 하나 또는 둘 더 있어도 항목마다 똑같이 계산합니다.")
def test_leading_dimensions(student, reference, draw):
    """With one or two dimensions in front, every item is treated in the same way."""
    for shape in ((2, 4, 4), (4, 4, 4), (2, 3, 5, 5), (3, 1, 4, 4)):
        checks.matches_reference(student, reference, NAME, 2 * draw.normal(*shape), 7)


@causal_attention_weights.check(
    "value", weight=2, needs=("test_random_scores",), ko="점수가 0인 보이는 토큰도 자기 몫의 가중치를 받습니다."
)
def test_scores_of_zero(student, reference, draw):
    """A visible token whose score is zero gets its share like any other."""
    scores = 2 * draw.normal(4, 4) * draw.mask(4, 4)
    scores[2, 0] = scores[3, 3] = scores[0, 3] = 0
    for zeros in (scores, torch.zeros(3, 3)):
        checks.matches_reference(student, reference, NAME, zeros, 7)


@causal_attention_weights.check(
    "stability", weight=2, needs=("test_random_scores",), ko="미래의 점수가 아무리 커도 가중치는 0입니다."
)
def test_large_hidden_scores(student, reference, draw):
    """A future token gets no weight even where its score lies far above the visible ones."""
    future = torch.ones(5, 5, dtype=torch.bool).triu(diagonal=1)
    for seen, hidden in ((-FAR, 0.0), (0.0, FAR)):
        scores = (draw.normal(5, 5, dtype=torch.float64) + torch.where(future, hidden, seen)) * 7**0.5
        weights = checks.has_shape(student.causal_attention_weights(scores, 7), (5, 5))
        short = bool((weights.sum(-1) < 0.5).any()) and bool((weights[future].abs() < 1e-3).all())
        checks.is_true(
            not short,
            "The future gets no weight, and yet a row sums to less than 1.",
            "미래의 가중치는 0인데 행의 합이 1보다 작습니다.",
        )
        checks.close(weights, reference.causal_attention_weights(scores, 7), dtype="float32")  # the dtype is not asked


@causal_attention_weights.check(
    "shape", weight=1, needs=("test_random_scores",), ko="토큰이 하나이면 모양이 그대로인 텐서 1이 나옵니다."
)
def test_single_token(student, reference, draw):
    """A single token gives a tensor of the same shape that holds 1."""
    for shape in ((1, 1), (3, 1, 1)):
        checks.matches_reference(student, reference, NAME, draw.normal(*shape), 7)


@causal_attention_weights.check(
    "value", weight=1, needs=("test_random_scores",), ko="토큰이나 특징이나 항목이 작은 예보다 훨씬 많아도 맞습니다."
)
def test_large_sizes(student, reference, draw):
    """Far more tokens, features or items than in small examples are treated rightly."""
    many = draw.large()
    for shape in ((many, many), (many, 4, 4)):
        checks.matches_reference(student, reference, NAME, 2 * draw.normal(*shape), 7)
    checks.matches_reference(student, reference, NAME, 2 * draw.normal(5, 5) * many**0.5, many)


@causal_attention_weights.check(
    "dtype", weight=1, needs=("test_random_scores",), ko="결과의 dtype은 점수의 dtype과 같습니다."
)
def test_keeps_the_dtype(student, reference, draw):
    """The result has the dtype of the scores, float32 or float64."""
    for dtype in (torch.float32, torch.float64):
        answer = checks.matches_reference(student, reference, NAME, draw.normal(5, 5, dtype=dtype), 7)
        checks.has_dtype(answer, dtype)


@causal_attention_weights.check(
    "gradient", weight=2, needs=("test_random_scores",), ko="점수로 올바른 그래디언트가 흐릅니다."
)
def test_gradients(student, reference, draw):
    """The right gradients flow to the scores."""
    checks.gradient_matches(student, reference, NAME, draw.normal(2, 5, 5), 7)


@causal_attention_weights.check(
    "property",
    weight=1,
    needs=("test_random_scores",),
    ko="같은 텐서에 다른 값이 들어 있으면 새로 계산합니다.",
    guard="an answer that is kept for a tensor, as functools.cache keeps it",
)
def test_computed_anew(student, reference, draw):
    """A tensor that holds other numbers in a second call gives another answer: nothing is kept for an object."""
    checks.computed_anew(
        student,
        reference,
        NAME,
        draw.normal(5, 5),
        7,
        before=(
            draw.normal(5, 5),
            7,
        ),
    )


@causal_attention_weights.check(
    "purity", weight=2, needs=("test_random_scores",), ko="호출한 뒤에도 입력 점수는 그대로입니다."
)
def test_input_unchanged(student, draw):
    """The scores are the same after the call."""
    checks.input_unchanged(student, NAME, draw.normal(5, 5), 7)
