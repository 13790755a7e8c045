"""Hidden checks of `attention_weights`: the softmax of every row, whatever stands in front."""

import torch

from grader.suite import checks, exercise

attention_weights = exercise("attention_weights")

DTYPES = (torch.float32, torch.float64, torch.bfloat16)


@attention_weights.check("document", weight=1, ko="노트의 점수 행렬에서 노트에 찍힌 가중치와 행의 합이 나옵니다.")
def test_matches_the_note(student, golden):
    """The note's scores give the weights that the note prints, and their printed sums."""
    inputs = golden("N0 inputs").float32

    weights = student.attention_weights(inputs @ inputs.T)
    checks.matches_figure(weights, golden("N0 In[13]"))
    checks.matches_figure(weights.sum(dim=-1), golden("N0 In[14]"))


@attention_weights.check("value", weight=3, ko="임의의 점수 행렬에서 행마다 소프트맥스가 나옵니다.")
def test_random_scores(student, reference, draw):
    """Random scores, different above and below the diagonal and in every call, give the softmax of each row."""
    cases = [checks.given(2 * draw.normal(tokens, tokens)) for tokens in (4, 7, 7)]
    checks.matches_reference_on_each(student, reference, "attention_weights", cases)


@attention_weights.check(
    "value", weight=2, ko="앞에 차원이 몇 개 더 있어도 마지막 차원을 따라 소프트맥스를 계산합니다."
)
def test_leading_dimensions(student, reference, draw):
    """One to three dimensions in front change nothing for a single matrix of scores."""
    cases = [checks.given(2 * draw.normal(*shape)) for shape in ((2, 3, 5, 5), (2, 4, 4), (3, 3, 3), (2, 1, 3, 4, 4))]
    checks.matches_reference_on_each(student, reference, "attention_weights", cases)


@attention_weights.check(
    "shape",
    weight=1,
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
    weight=2,
    needs=("test_random_scores",),
    ko="점수가 수백이고 행마다 크게 달라도 유한하고 올바른 결과가 나옵니다.",
)
def test_scores_in_the_hundreds(student, reference, draw):
    """Scores in the hundreds, far apart from row to row, give finite and right results."""
    levels = torch.tensor([[300.0], [-300.0], [0.0], [150.0], [-150.0]])
    checks.matches_reference(student, reference, "attention_weights", levels + draw.normal(5, 5), kind="extreme")


@attention_weights.check(
    "dtype",
    weight=1,
    needs=("test_random_scores",),
    ko="결과의 dtype은 입력의 dtype과 같고, bfloat16도 같습니다. float64 입력은 float64로 계산합니다.",
)
def test_keeps_the_dtype(student, reference, draw):
    """The result has the dtype of the scores, float32, float64 or bfloat16; float64 is computed in float64."""
    cases = [checks.given(draw.normal(5, 5, dtype=dtype)) for dtype in DTYPES]
    cases.append(checks.given(500 + draw.normal(5, 5, dtype=torch.float64)))
    checks.have_dtypes(
        checks.matches_reference_on_each(student, reference, "attention_weights", cases), (*DTYPES, torch.float64)
    )


@attention_weights.check("gradient", weight=1, needs=("test_random_scores",), ko="점수로 올바른 그래디언트가 흐릅니다.")
def test_gradients(student, reference, draw):
    """The right gradients flow to the scores."""
    checks.gradient_matches(student, reference, "attention_weights", draw.normal(5, 5))


@attention_weights.check(
    "purity", weight=1, needs=("test_random_scores",), ko="호출한 뒤에도 입력 점수는 그대로입니다."
)
def test_input_unchanged(student, reference, draw):
    """The scores are the same after the call; other numbers in them are computed anew."""
    scores, other = draw.normal(5, 5), draw.normal(5, 5)
    checks.computed_anew(student, reference, "attention_weights", scores, before=(other,), unchanged=True)
