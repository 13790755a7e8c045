"""Hidden checks of `layer_norm`: which axis, which variance, where eps stands, and numbers that cancel."""

import torch

from grader.suite import checks, exercise

from .samples import rows

layer_norm = exercise("layer_norm")
layer_norm.contract(
    x="... d",
    gamma="d",
    beta="d",
    result="... d",
    draws={"x": rows},
    without={"gradients_flow": "the gradients themselves are asked for, in constant rows too"},
)


def arguments(draw, *shape, spread=8.0, dtype=torch.float32):
    """Return random (x, gamma, beta) for an x of this shape."""
    gamma, beta = draw.normal(2, shape[-1], dtype=dtype)
    return rows(draw, *shape, spread=spread, dtype=dtype), gamma, beta


@layer_norm.check("document", ko="노트의 두 샘플에서 노트에 찍힌 값이 나옵니다.")
def test_matches_the_note(student, golden):
    """The note's two samples give what it prints; its mean and standard deviation as beta and gamma give them back."""
    x = golden("N2 normalization input").float32
    normalized = student.layer_norm(x, torch.ones(3), torch.zeros(3))
    checks.matches_figure(normalized, golden("N2 In[16]"))
    checks.matches_figure(normalized, golden("N2 In[24]"))
    for row, mean, std in zip(
        x, golden("N2 In[mean/std] mean").value, golden("N2 In[mean/std] std").value, strict=True
    ):
        checks.close(student.layer_norm(row, std.float().expand(3), mean.float().expand(3)), row, kind="extreme")


@layer_norm.check("value", weight=6, ko="eps로 준 값을 분산에 더한 뒤 제곱근을 구합니다.")
def test_other_eps(student, reference, draw):
    """Another eps, which may be 0, is added to the variance, under the root."""
    cases = [
        checks.given(*arguments(draw, 4, 7, spread=spread), eps=eps)
        for spread, eps in ((1, 0.1), (1, 2.0), (1e-2, 0.0))
    ]
    checks.matches(student.layer_norm, reference.layer_norm, *cases)


@layer_norm.check("value", ko="eps를 주지 않으면 1e-5를 씁니다. 분산이 아주 작은 행에서도 맞아야 합니다.")
def test_rows_of_small_variance(student, reference, draw):
    """Without `eps`, rows of very small variance come out as with the default of the signature."""
    cases = [checks.given(*arguments(draw, 4, 6, spread=spread)) for spread in (3e-3, 1e-3)]
    checks.matches(student.layer_norm, reference.layer_norm, *cases)


@layer_norm.check(
    "stability", row="values", needs=("test_value",), ko="값이 모두 같은 행에서는 beta가 그대로 나옵니다."
)
def test_constant_rows(student, reference, draw):
    """A row whose numbers are all equal gives beta, and a row of a single feature as well."""
    _, gamma, beta = arguments(draw, 4, 5)
    x = torch.tensor([[0.0], [1.0], [-2.5], [3.0]]).expand(4, 5)
    cases = [checks.given(x, gamma, beta), checks.given(*arguments(draw, 3, 1, spread=1.0))]
    checks.matches(student.layer_norm, reference.layer_norm, *cases, kind="extreme")


@layer_norm.check(
    "stability",
    needs=("test_value",),
    ko="값이 크고 서로 가까운 행도 올바르게 정규화합니다.",
)
def test_large_close_rows(student, reference, draw):
    """Rows whose numbers are large and close together are normalized rightly, also beside rows at the other end."""
    x, gamma, beta = arguments(draw, 8, 6, spread=1.0)
    centres = torch.tensor([1000.0, -1000.0]).repeat(4).unsqueeze(1)
    cases = [checks.given(x + centre, gamma, beta) for centre in (1000.0, centres)]
    checks.matches(student.layer_norm, reference.layer_norm, *cases, kind="extreme")


@layer_norm.check("dtype", needs=("test_value",), ko="float64의 정밀도를 잃지 않고, bfloat16에서도 값이 맞습니다.")
def test_precision(student, reference, draw):
    """In float64 its precision is kept, and in bfloat16 the numbers are right as far as it goes."""
    x, gamma, beta = arguments(draw, 4, 6, spread=40.0, dtype=torch.float64)
    checks.matches(student.layer_norm, reference.layer_norm, x + 1e4, gamma, beta)
    parts = (draw.normal(4, 32), 0.25 + draw.uniform(32) / 4, draw.normal(32) / 4)
    checks.matches(student.layer_norm, reference.layer_norm, *(part.bfloat16() for part in parts))


@layer_norm.check(
    "gradient",
    needs=("test_value",),
    ko="x, gamma, beta로 올바른 그래디언트가 흐르고, 평균과 분산을 거치는 그래디언트도 포함됩니다.",
)
def test_gradients_of_constant_rows(student, reference, draw):
    """The right gradients flow to x, gamma and beta, also through the mean and the variance and in constant rows."""
    for shape in ((3, 5), (2, 2, 6)):
        checks.gradients_match(student.layer_norm, reference.layer_norm, *arguments(draw, *shape, spread=3.0))
    _, gamma, beta = arguments(draw, 3, 4)
    checks.gradients_match(
        student.layer_norm, reference.layer_norm, torch.tensor([[0.0], [1.0], [-2.5]]).expand(3, 4), gamma, beta
    )
