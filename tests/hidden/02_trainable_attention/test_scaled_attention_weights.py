"""Hidden checks of `scaled_attention_weights`: by the root of `d_k`, and of nothing else, over the keys.

`d_k` differs from every size of the scores and is mostly no perfect square, so that every other divisor shows.
"""

import torch

from grader.suite import checks, exercise

scaled_attention_weights = exercise("scaled_attention_weights")

NAME = "scaled_attention_weights"
DTYPES = (torch.float32, torch.float64, torch.bfloat16)


def scores_of(draw, *shape, d_k=7, dtype=torch.float32):
    """Return random scores of the size that dot products of `d_k` features have."""
    return draw.normal(*shape, dtype=dtype) * (1.5 * d_k**0.5)


@scaled_attention_weights.check(
    "property",
    weight=4,
    ko="결과에 든 수의 개수가 맞고, 주어진 것이 바뀌면 결과도 따라 바뀝니다. 값은 아직 묻지 않습니다.",
)
def test_the_gate(student, reference, draw):
    """The result holds as many numbers as asked for and changes with the scores; values come later."""
    checks.uses_every_input(student, reference, NAME, scores_of(draw, 3, 5), 7, draw=draw)


@scaled_attention_weights.check(
    "shape", weight=4, needs=("test_the_gate",), ko="쿼리나 키가 하나뿐이어도 결과의 모양은 점수의 모양과 같습니다."
)
def test_shape(student, draw):
    """The result has the shape of the scores, also with a single query or key."""
    shapes = (3, 5), (1, 4), (4, 1), (2, 1, 1)
    cases = [checks.given(scores_of(draw, *shape), 7) for shape in shapes]
    for answer, shape in zip(checks.answers(student.scaled_attention_weights, cases), shapes, strict=True):
        checks.has_shape(answer, shape)


@scaled_attention_weights.check(
    "dtype",
    weight=5,
    needs=("test_the_gate",),
    ko="결과의 dtype은 입력의 dtype과 같습니다: float32, float64, bfloat16.",
)
def test_keeps_the_dtype(student, draw):
    """The result has the dtype of what is given: float32, float64 or bfloat16."""
    cases = [checks.given(scores_of(draw, 3, 5, dtype=dtype), 7) for dtype in DTYPES]
    checks.have_dtypes(checks.answers(student.scaled_attention_weights, cases), DTYPES)


@scaled_attention_weights.check(
    "property", weight=5, needs=("test_the_gate",), ko="가중치는 음수가 아니고 행마다 합이 1입니다."
)
def test_rows_sum_to_one(student, draw):
    """No weight is negative, and every row sums to 1."""
    checks.rows_sum_to_one(student.scaled_attention_weights(scores_of(draw, 3, 5), 7))


@scaled_attention_weights.check(
    "gradient", weight=7, needs=("test_the_gate",), ko="결과에서 모든 입력으로 그래디언트가 흐릅니다."
)
def test_gradients_flow(student, reference, draw):
    """From the result a gradient flows to everything that is given."""
    checks.gradients_flow(student, reference, NAME, scores_of(draw, 2, 3, 5), 7)


@scaled_attention_weights.check(
    "purity", weight=15, needs=("test_the_gate",), ko="호출한 뒤에도 주어진 것은 그대로이고 기울기를 요구하지 않습니다."
)
def test_inputs_unchanged(student, draw):
    """What is given is the same after the call."""
    checks.input_unchanged(student, NAME, scores_of(draw, 3, 5), 7)


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


@scaled_attention_weights.check("value", weight=6, ko="임의의 점수에서 sqrt(d_k)로 나눈 소프트맥스가 행마다 나옵니다.")
def test_random_scores(student, reference, draw):
    """Random scores with several key sizes give the softmax of each row of scores / sqrt(d_k)."""
    for Tq, Tk, d_k in ((3, 5, 7), (3, 5, 7), (6, 2, 3), (4, 4, 12), (2, 6, 64), (5, 3, 1)):
        scaling = checks.Scaling(d_k, argument=0, sizes={"the number of queries": Tq, "the number of keys": Tk})
        checks.matches_reference(student, reference, NAME, scores_of(draw, Tq, Tk, d_k=d_k), d_k, scaling=scaling)


@scaled_attention_weights.check("value", weight=5, ko="앞에 차원이 몇 개 더 있어도 키 방향으로 계산합니다.")
def test_leading_dimensions(student, reference, draw):
    """With one to three dimensions in front, the softmax still runs over the keys."""
    shapes = ((2, 3, 5), (2, 6, 3, 5), (3, 3, 3), (4, 4, 4, 4), (1, 1, 1, 2), (2, 1, 3, 4, 2))
    cases = [checks.given(scores_of(draw, *shape), 7) for shape in shapes]
    checks.matches_reference_on_each(student, reference, NAME, cases)


@scaled_attention_weights.check(
    "value", weight=2, needs=("test_random_scores",), ko="토큰이나 특징이나 항목이 작은 예보다 훨씬 많아도 맞습니다."
)
def test_large_sizes(student, reference, draw):
    """Far more tokens, features or items than in small examples are treated rightly."""
    many = 1025 + draw.large()
    cases = [checks.given(scores_of(draw, *shape), 7) for shape in ((many, 3), (3, many), (many, 2, 2))]
    cases.append(checks.given(scores_of(draw, 3, 5, d_k=many), many))
    checks.matches_reference_on_each(student, reference, NAME, cases)


@scaled_attention_weights.check(
    "stability",
    weight=15,
    needs=("test_random_scores",),
    ko="점수가 수백이고 행마다 크게 달라도 유한하고 올바른 결과가 나옵니다.",
)
def test_scores_in_the_hundreds(student, reference, draw):
    """Scores in the hundreds, far apart from row to row and within a row, give finite and right results."""
    scores = torch.tensor([[900.0], [-900.0], [0.0], [400.0]]) + scores_of(draw, 4, 5)
    scores[2:, 1] += 500  # beyond an exponential also where a row's mean or its smallest score is subtracted
    checks.matches_reference(student, reference, NAME, scores, 7, kind="extreme")


@scaled_attention_weights.check(
    "dtype", weight=2, needs=("test_random_scores",), ko="float64 입력은 float64로 계산합니다."
)
def test_float64_stays_float64(student, reference, draw):
    """What is given in float64 is computed in float64."""
    checks.matches_reference(student, reference, NAME, 1400 + scores_of(draw, 3, 5, dtype=torch.float64), 7)


@scaled_attention_weights.check(
    "gradient", weight=8, needs=("test_random_scores",), ko="점수로 올바른 그래디언트가 흐릅니다."
)
def test_gradients(student, reference, draw):
    """The right gradients flow to the scores."""
    checks.gradient_matches(student, reference, NAME, scores_of(draw, 2, 3, 5), 7)


@scaled_attention_weights.check(
    "value",
    weight=2,
    needs=("test_random_scores",),
    ko="입력이 메모리에 이어져 있지 않아도(전치, 간격을 둔 조각, expand) 결과가 맞습니다.",
)
def test_any_layout(student, reference, draw):
    """Inputs that are transposed, sliced or expanded views, not contiguous in memory, give the right result."""
    checks.any_layout(student, reference, NAME, scores_of(draw, 2, 4, 3, 5), 7)


@scaled_attention_weights.check(
    "property",
    weight=2,
    needs=("test_random_scores",),
    ko="같은 텐서에 다른 값이 들어 있으면 새로 계산합니다.",
    guard="an answer that is kept for a tensor, as functools.cache keeps it",
)
def test_computed_anew(student, reference, draw):
    """A tensor that holds other numbers in a second call gives another answer: nothing is kept for an object."""
    checks.computed_anew(student, reference, NAME, scores_of(draw, 3, 5), 7, before=(scores_of(draw, 3, 5), 7))
