"""Hidden checks of `scaled_attention_weights`: by the root of `d_k`, and of nothing else, over the keys.

`d_k` differs from every size of the scores and is mostly no perfect square, so that every other divisor shows.
"""

import torch

from grader.suite import checks, exercise

scaled_attention_weights = exercise("scaled_attention_weights")

NAME = "scaled_attention_weights"


def scores_of(draw, *shape, d_k=7, dtype=torch.float32):
    """Return random scores of the size that dot products of `d_k` features have."""
    return draw.normal(*shape, dtype=dtype) * (1.5 * d_k**0.5)


@scaled_attention_weights.check("document", weight=1, ko="노트의 점수에서 노트에 찍힌 가중치가 나옵니다.")
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
    "document", weight=1, ko="두 가중치의 비의 로그는 점수의 차를 노트에 찍힌 제곱근으로 나눈 것입니다."
)
def test_divisor_of_the_note(student, golden):
    """For keys of three features, the log of two weights' ratio is the scores' difference over the note's root."""
    root = golden("N2 In[12]")
    weights = checks.has_shape(student.scaled_attention_weights(torch.tensor([[0.0, 1.0]]), 3), (1, 2)).double()
    checks.matches_figure(1 / (weights[0, 1] / weights[0, 0]).log(), root)


@scaled_attention_weights.check("value", weight=5, ko="임의의 점수에서 sqrt(d_k)로 나눈 소프트맥스가 행마다 나옵니다.")
def test_random_scores(student, reference, draw):
    """Random scores with several key sizes give the softmax of each row of scores / sqrt(d_k)."""
    for Tq, Tk, d_k in ((3, 5, 7), (3, 5, 7), (6, 2, 3), (4, 4, 12), (2, 6, 64), (5, 3, 1)):
        scaling = checks.Scaling(d_k, argument=0, sizes={"the number of queries": Tq, "the number of keys": Tk})
        checks.matches_reference(student, reference, NAME, scores_of(draw, Tq, Tk, d_k=d_k), d_k, scaling=scaling)


@scaled_attention_weights.check("value", weight=3, ko="앞에 차원이 하나 또는 둘 더 있어도 키 방향으로 계산합니다.")
def test_leading_dimensions(student, reference, draw):
    """With one or two dimensions in front, the softmax still runs over the keys."""
    for shape in ((2, 3, 5), (2, 6, 3, 5), (3, 3, 3), (4, 4, 4, 4), (1, 1, 1, 2)):
        checks.matches_reference(student, reference, NAME, scores_of(draw, *shape), 7)


@scaled_attention_weights.check(
    "shape", weight=1, needs=("test_random_scores",), ko="쿼리나 키가 하나뿐이어도 모양은 (Tq, Tk)입니다."
)
def test_smallest_sizes(student, reference, draw):
    """A single query or key still gives a tensor of shape (Tq, Tk)."""
    for shape in ((1, 4), (4, 1), (1, 1)):
        checks.matches_reference(student, reference, NAME, scores_of(draw, *shape), 7)


@scaled_attention_weights.check(
    "value", weight=1, needs=("test_random_scores",), ko="토큰이나 특징이나 항목이 작은 예보다 훨씬 많아도 맞습니다."
)
def test_large_sizes(student, reference, draw):
    """Far more tokens, features or items than in small examples are treated rightly."""
    for shape in ((draw.large(), 3), (3, draw.large()), (draw.large(), 2, 4)):
        checks.matches_reference(student, reference, NAME, scores_of(draw, *shape), 7)
    many = draw.large()
    checks.matches_reference(student, reference, NAME, scores_of(draw, 3, 5, d_k=many), many)


@scaled_attention_weights.check(
    "dtype", weight=1, needs=("test_random_scores",), ko="결과의 dtype은 점수의 dtype과 같습니다."
)
def test_keeps_the_dtype(student, reference, draw):
    """The result has the dtype of the scores, float32 or float64."""
    for dtype in (torch.float32, torch.float64):
        answer = checks.matches_reference(student, reference, NAME, scores_of(draw, 3, 5, dtype=dtype), 7)
        checks.has_dtype(answer, dtype)


@scaled_attention_weights.check(
    "gradient", weight=2, needs=("test_random_scores",), ko="점수로 올바른 그래디언트가 흐릅니다."
)
def test_gradients(student, reference, draw):
    """The right gradients flow to the scores."""
    checks.gradient_matches(student, reference, NAME, scores_of(draw, 2, 3, 5), 7)


@scaled_attention_weights.check(
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
        scores_of(draw, 3, 5),
        7,
        before=(
            scores_of(draw, 3, 5),
            7,
        ),
    )


@scaled_attention_weights.check(
    "purity", weight=1, needs=("test_random_scores",), ko="호출한 뒤에도 점수는 그대로입니다."
)
def test_input_unchanged(student, draw):
    """The scores are the same after the call."""
    checks.input_unchanged(student, NAME, scores_of(draw, 3, 5), 7)
