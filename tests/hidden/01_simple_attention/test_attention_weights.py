"""Hidden checks of `attention_weights`: the softmax of every row, whatever stands in front."""

import torch

from grader.suite import checks, exercise

attention_weights = exercise("attention_weights")

DTYPES = (torch.float32, torch.float64, torch.bfloat16)


@attention_weights.check(
    "property",
    weight=4,
    ko="결과에 든 수의 개수가 맞고, 주어진 것이 바뀌면 결과도 따라 바뀝니다. 값은 아직 묻지 않습니다.",
)
def test_the_gate(student, reference, draw):
    """The result holds as many numbers as asked for and changes with everything that is given; values come later."""
    checks.uses_every_input(student, reference, "attention_weights", draw.normal(4, 4), draw=draw)


@attention_weights.check(
    "shape", weight=4, needs=("test_the_gate",), ko="하나뿐인 크기가 있어도 결과의 모양은 글에 적힌 그대로입니다."
)
def test_shape(student, draw):
    """The result has the shape that the text says, also where a size is 1."""
    cases = [checks.given(draw.normal(*shape)) for shape in ((4, 4), (2, 3, 3), (1, 1))]
    for answer, case in zip(checks.answers(student.attention_weights, cases), cases, strict=True):
        checks.has_shape(answer, case.args[0].shape)


@attention_weights.check(
    "dtype",
    weight=4,
    needs=("test_the_gate",),
    ko="결과의 dtype은 입력의 dtype과 같습니다: float32, float64, bfloat16.",
)
def test_keeps_the_dtype(student, draw):
    """The result has the dtype of what is given: float32, float64 or bfloat16."""
    cases = [checks.given(draw.normal(5, 5, dtype=dtype)) for dtype in DTYPES]
    checks.have_dtypes(checks.answers(student.attention_weights, cases), DTYPES)


@attention_weights.check("property", weight=5, needs=("test_the_gate",), ko="가중치는 음수가 아니고 합이 1입니다.")
def test_sums_to_one(student, draw):
    """No weight is negative, and the weights sum to 1."""
    checks.rows_sum_to_one(student.attention_weights(2 * draw.normal(3, 4, 4)))


@attention_weights.check(
    "gradient", weight=7, needs=("test_the_gate",), ko="결과에서 모든 입력으로 그래디언트가 흐릅니다."
)
def test_gradients_flow(student, reference, draw):
    """From the result a gradient flows to everything that is given."""
    checks.gradients_flow(student, reference, "attention_weights", draw.normal(5, 5))


@attention_weights.check(
    "purity", weight=15, needs=("test_the_gate",), ko="호출한 뒤에도 주어진 것은 그대로이고 기울기를 요구하지 않습니다."
)
def test_inputs_unchanged(student, draw):
    """What is given is the same after the call."""
    checks.input_unchanged(student, "attention_weights", draw.normal(5, 5))


@attention_weights.check("document", weight=3, ko="노트의 점수 행렬에서 노트에 찍힌 가중치와 행의 합이 나옵니다.")
def test_matches_the_note(student, golden):
    """The note's scores give the weights that the note prints, and their printed sums."""
    inputs = golden("N0 inputs").float32

    weights = student.attention_weights(inputs @ inputs.T)
    checks.matches_figure(weights, golden("N0 In[13]"))
    checks.matches_figure(weights.sum(dim=-1), golden("N0 In[14]"))


@attention_weights.check("value", weight=7, ko="임의의 점수 행렬에서 행마다 소프트맥스가 나옵니다.")
def test_random_scores(student, reference, draw):
    """Random scores, different above and below the diagonal and in every call, give the softmax of each row."""
    cases = [checks.given(2 * draw.normal(tokens, tokens)) for tokens in (4, 7, 7)]
    checks.matches_reference_on_each(student, reference, "attention_weights", cases)


@attention_weights.check(
    "value", weight=5, ko="앞에 차원이 몇 개 더 있어도 마지막 차원을 따라 소프트맥스를 계산합니다."
)
def test_leading_dimensions(student, reference, draw):
    """One to three dimensions in front change nothing for a single matrix of scores."""
    cases = [checks.given(2 * draw.normal(*shape)) for shape in ((2, 3, 5, 5), (2, 4, 4), (3, 3, 3), (2, 1, 3, 4, 4))]
    checks.matches_reference_on_each(student, reference, "attention_weights", cases)


@attention_weights.check(
    "shape",
    weight=4,
    needs=("test_random_scores",),
    ko="토큰이 하나뿐인 항목이 많아도 가중치는 1이고, 토큰이 노트보다 훨씬 많아도 맞습니다.",
)
def test_few_and_many(student, reference, draw):
    """A single token has the weight 1 in each of many items; far more tokens than in the note come out right."""
    many, items = 300 + draw.large(), 1025 + draw.large()
    cases = [checks.given(2 * draw.normal(*shape)) for shape in ((items, 1, 1), (many, many))]
    checks.matches_reference_on_each(student, reference, "attention_weights", cases)


@attention_weights.check(
    "stability",
    weight=15,
    needs=("test_random_scores",),
    ko="점수가 수백이고 행마다 크게 달라도 유한하고 올바른 결과가 나옵니다.",
)
def test_scores_in_the_hundreds(student, reference, draw):
    """Scores in the hundreds, far apart from row to row and within a row, give finite and right results."""
    scores = torch.tensor([[300.0], [-300.0], [0.0], [150.0], [-150.0]]) + draw.normal(5, 5)
    scores[3:, 1] += 300  # beyond an exponential also where a row's mean or its smallest score is subtracted
    checks.matches_reference(student, reference, "attention_weights", scores, kind="extreme")


@attention_weights.check("dtype", weight=2, needs=("test_random_scores",), ko="float64 입력은 float64로 계산합니다.")
def test_float64_stays_float64(student, reference, draw):
    """What is given in float64 is computed in float64."""
    scores = 500 + draw.normal(5, 5, dtype=torch.float64)
    checks.matches_reference(student, reference, "attention_weights", scores)


@attention_weights.check("gradient", weight=8, needs=("test_random_scores",), ko="점수로 올바른 그래디언트가 흐릅니다.")
def test_gradients(student, reference, draw):
    """The right gradients flow to the scores."""
    checks.gradient_matches(student, reference, "attention_weights", draw.normal(5, 5))


@attention_weights.check(
    "value",
    weight=2,
    needs=("test_random_scores",),
    ko="입력이 메모리에 이어져 있지 않아도(전치, 간격을 둔 조각, expand) 결과가 맞습니다.",
)
def test_any_layout(student, reference, draw):
    """Inputs that are transposed, sliced or expanded views, not contiguous in memory, give the right result."""
    checks.any_layout(student, reference, "attention_weights", draw.normal(2, 3, 4, 4))


@attention_weights.check(
    "property",
    weight=2,
    needs=("test_random_scores",),
    ko="같은 텐서에 다른 값이 들어 있으면 새로 계산합니다.",
    guard="an answer that is kept for a tensor, as functools.cache keeps it",
)
def test_computed_anew(student, reference, draw):
    """A tensor that holds other numbers in a second call gives another answer: nothing is kept for an object."""
    scores, other = draw.normal(5, 5), draw.normal(5, 5)
    checks.computed_anew(student, reference, "attention_weights", scores, before=(other,))


@attention_weights.check(
    "device",
    weight=5,
    needs=("test_the_gate",),
    ko="CPU가 아닌 장치(GPU 등)에서도 결과가 그 장치에 있고 값과 그래디언트가 같습니다.",
)
def test_on_another_device(student, draw):
    """On another device than the CPU, such as a GPU, the result is there, with the same values and gradients."""
    checks.on_another_device(student, "attention_weights", draw.normal(2, 3, 4, 4))
