"""Hidden checks of `softmax_stable`: along any dimension, and finite where the naive form is not."""

import torch

from grader.suite import checks, exercise

softmax_stable = exercise("softmax_stable")
softmax_stable.contract(x="... T", result="... T")

DIMENSIONS = (
    *(((3, 5), 0), ((4, 4), 0), ((3, 4), 1), ((2, 3, 5), 1), ((2, 4, 3), -2), ((4, 3, 2), 0), ((2, 3, 4), -3)),
    *(((2, 3, 5), 2), ((2, 3, 2, 4), 1), ((2, 3, 2, 4), 2), ((3, 3, 3, 3), -4), ((2, 3, 2, 4), -1)),
)


def along(draw):
    """Return random scores of two to four dimensions, and one of them for the softmax."""
    return [checks.given(2 * draw.normal(*shape), dim=dim) for shape, dim in DIMENSIONS]


@softmax_stable.check("property", ko="가중치는 음수가 아니고 합이 1입니다.")
def test_sums_to_one(student, draw):
    """No weight is negative, and the weights sum to 1."""
    checks.rows_sum_to_one(student.softmax_stable(2 * draw.normal(3, 4)))


@softmax_stable.check("document", ko="노트의 점수에서 노트에 찍힌 가중치와 그 합이 나옵니다.")
def test_matches_the_note(student, golden):
    """The note's scores give the weights that the note prints, and their printed sum."""
    inputs = golden("N0 inputs").float32
    weights = student.softmax_stable(inputs @ inputs[1], dim=0)
    checks.matches_figure(weights, golden("N0 In[9]"))
    checks.matches_figure(weights.sum(), golden("N0 In[9] sum"))


@softmax_stable.check("value", ko="dim으로 준 차원을 따라 소프트맥스를 계산합니다. 음수로 센 차원도 같습니다.")
def test_other_dimensions(student, reference, draw):
    """With `dim`, the softmax runs along that dimension, counted from either end."""
    checks.matches(student.softmax_stable, reference.softmax_stable, *along(draw))


@softmax_stable.check(
    "stability",
    needs="test_value",
    ko="점수가 아주 크거나 작아도, 한 행이나 여러 행에 멀리 흩어져 있어도 올바르고 유한한 가중치가 나옵니다.",
)
def test_huge_scores(student, reference, draw):
    """Huge scores give finite and right weights, close together or far apart, in a row and from row to row."""
    near = draw.normal(3, 5)
    scores = [centre + offsets for centre in (200.0, 1e4, -1e4) for offsets in (near, near.double())]
    steps = torch.stack([draw.permutation(5) for _ in range(3)]).float()
    scores += [1e5 + steps, steps - 1e5, steps.double() + 1e8, steps.double() - 1e8]
    for spread in (1e3, 1e4):
        wide = spread * torch.tensor([[-1.0, -0.5, 0.0, 0.5, 1.0], [-1.0, -1.0, -1.0, -1.0, 1.0]])
        scores.append(wide[:, draw.permutation(5)] + draw.normal(2, 5))
    scores.append(torch.tensor([[1e4, 1e4, -1e4, 0.0], [-1e4, 50.0, 50.0, 50.0]]))
    levels = torch.tensor([[1e4], [-1e4], [0.0], [300.0]])
    cases = [*map(checks.given, scores), checks.given(levels + draw.normal(4, 6))]
    cases.append(checks.given(levels.T + draw.normal(5, 4), dim=0))
    checks.matches(student.softmax_stable, reference.softmax_stable, *cases, kind="extreme")


@softmax_stable.check(
    "stability",
    row="values",
    needs="test_value",
    ko="행에 -inf가 섞여 있으면 그 자리의 가중치는 0이고 나머지는 올바릅니다.",
)
def test_rows_with_minus_infinity(student, reference, draw):
    """Where a row holds -inf the weight is 0, and the others share the row rightly."""
    hidden = ~draw.mask(4, 5)
    hidden[0, 0], hidden[0, 1:] = True, False
    scores = draw.normal(4, 5).masked_fill(hidden, -torch.inf)
    answer = checks.matches(student.softmax_stable, reference.softmax_stable, scores)
    checks.is_true(
        bool((answer[hidden] == 0).all()),
        "An entry of -inf has a weight that is not exactly 0.",
        "-inf인 값의 가중치가 정확히 0이 아닙니다.",
    )
    far = torch.tensor([[-torch.inf, -1e5, 1 - 1e5], [-torch.inf, -1e5, -1e5], [-1e4, -torch.inf, 3 - 1e4]])
    hides = torch.triu(torch.ones(4, 4, dtype=torch.bool), diagonal=1)
    cases = [checks.given(far), checks.given(1e3 * draw.normal(2, 4, 4).masked_fill(hides, -torch.inf))]
    checks.matches(student.softmax_stable, reference.softmax_stable, *cases, kind="extreme")


@softmax_stable.check(
    "gradient", needs="test_value", ko="어느 차원을 따르든, -inf가 있어도 점수로 올바른 그래디언트가 흐릅니다."
)
def test_gradients_along_dimensions(student, reference, draw):
    """The right gradients flow to the scores along every dimension, and beside -inf."""
    hidden = torch.eye(3, 5, dtype=torch.bool)
    checks.gradients_match(
        student.softmax_stable, reference.softmax_stable, draw.normal(3, 5).masked_fill(hidden, -torch.inf)
    )
    for dim in (0, 1, -2):
        checks.gradients_match(student.softmax_stable, reference.softmax_stable, draw.normal(4, 3, 2), dim=dim)


@softmax_stable.check("purity", ko="다른 차원을 따라도, -inf가 있어도 받은 점수는 그대로입니다.")
def test_scores_unchanged_along_dimensions(student, draw):
    """The scores are the same after a call along another dimension, and -inf among them."""
    scores = 10 + draw.normal(3, 5)
    scores[1, 2] = -torch.inf
    checks.inputs_unchanged(student.softmax_stable, scores)
    checks.inputs_unchanged(student.softmax_stable, draw.normal(3, 5), dim=0)
