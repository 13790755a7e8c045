"""Hidden checks of `batch_norm`: which axis, which variance, where eps stands, and numbers that cancel."""

import torch

from grader.suite import checks, exercise

from .samples import batch

batch_norm = exercise("batch_norm")
batch_norm.contract(
    x="N C",
    gamma="C",
    beta="C",
    result="N C",
    draws={"x": batch},
    without={"gradients_flow": "the gradients themselves are asked for, in constant features too"},
)


def arguments(draw, samples, features, spread=8.0, dtype=torch.float32):
    """Return random (x, gamma, beta)."""
    gamma, beta = draw.normal(2, features, dtype=dtype)
    return batch(draw, samples, features, spread=spread, dtype=dtype), gamma, beta


@batch_norm.check("document", ko="노트의 두 샘플에서 노트에 찍힌 값이 나옵니다.")
def test_matches_the_note(student, golden):
    """The note's two samples give what it prints; its mean and standard deviation as beta and gamma give them back."""
    x = golden("N2 normalization input").float32
    normalized = student.batch_norm(x, torch.ones(3), torch.zeros(3))
    checks.matches_figure(normalized, golden("N2 In[27]"))
    checks.matches_figure(normalized, golden("N2 In[31]"))
    mean, std = golden("N2 In[30] mean").float32, golden("N2 In[30] std").float32
    checks.close(student.batch_norm(x, std, mean), x, kind="extreme")


@batch_norm.check("value", weight=6, ko="eps로 준 값을 분산에 더한 뒤 제곱근을 구합니다.")
def test_other_eps(student, reference, draw):
    """Another eps, which may be 0, is added to the variance, under the root."""
    ways = ((7, 1.0, 0.1), (5, 1.0, 2.0), (2, 1.0, 0.5), (6, 1e-2, 0.0))
    cases = [checks.given(*arguments(draw, samples, 4, spread=spread), eps=eps) for samples, spread, eps in ways]
    checks.matches(student.batch_norm, reference.batch_norm, *cases)


@batch_norm.check("value", ko="eps를 주지 않으면 1e-5를 씁니다. 분산이 아주 작은 특징에서도 맞아야 합니다.")
def test_features_of_small_variance(student, reference, draw):
    """Without `eps`, features of very small variance come out as with the default of the signature."""
    cases = [checks.given(*arguments(draw, 6, 4, spread=spread)) for spread in (3e-3, 1e-3)]
    checks.matches(student.batch_norm, reference.batch_norm, *cases)


@batch_norm.check(
    "stability", row="values", needs=("test_value",), ko="모든 샘플에서 값이 같은 특징에서는 beta가 나옵니다."
)
def test_constant_features(student, reference, draw):
    """A feature that is the same in all samples gives its beta."""
    _, gamma, beta = arguments(draw, 4, 3)
    x = torch.tensor([[0.0, -2.5, 3.0]]).expand(4, 3)
    checks.matches(student.batch_norm, reference.batch_norm, x, gamma, beta, kind="extreme")


@batch_norm.check("stability", needs=("test_value",), ko="값이 크고 서로 가까운 특징도 올바르게 정규화합니다.")
def test_large_close_features(student, reference, draw):
    """Features whose numbers are large and close together are normalized rightly, also beside some at the other end."""
    x, gamma, beta = arguments(draw, 6, 8, spread=1.0)
    cases = [checks.given(x + centre, gamma, beta) for centre in (1000.0, torch.tensor([1000.0, -1000.0]).repeat(4))]
    checks.matches(student.batch_norm, reference.batch_norm, *cases, kind="extreme")


@batch_norm.check("dtype", needs=("test_value",), ko="float64의 정밀도를 잃지 않고, bfloat16에서도 값이 맞습니다.")
def test_precision(student, reference, draw):
    """In float64 its precision is kept, and in bfloat16 the numbers are right as far as it goes."""
    x, gamma, beta = arguments(draw, 6, 4, spread=40.0, dtype=torch.float64)
    checks.matches(student.batch_norm, reference.batch_norm, x + 1e4, gamma, beta)
    parts = (draw.normal(32, 4), 0.25 + draw.uniform(4) / 4, draw.normal(4) / 4)
    checks.matches(student.batch_norm, reference.batch_norm, *(part.bfloat16() for part in parts))


@batch_norm.check(
    "gradient",
    needs=("test_value",),
    ko="x, gamma, beta로 올바른 그래디언트가 흐르고, 평균과 분산을 거치는 그래디언트도 포함됩니다.",
)
def test_gradients_of_constant_features(student, reference, draw):
    """The right gradients flow to x, gamma and beta, through mean and variance too and in constant features."""
    for samples, features in ((5, 3), (4, 6)):
        checks.gradients_match(
            student.batch_norm, reference.batch_norm, *arguments(draw, samples, features, spread=3.0)
        )
    _, gamma, beta = arguments(draw, 4, 3)
    checks.gradients_match(
        student.batch_norm, reference.batch_norm, torch.tensor([0.0, 1.0, -2.5]).expand(4, 3), gamma, beta
    )


@batch_norm.check("property", ko="한 특징의 값이 바뀌어도 다른 특징의 결과는 그대로입니다.")
def test_features_are_apart(student, draw):
    """Other numbers in one feature leave the results of the other features as they were."""
    x, gamma, beta = arguments(draw, 6, 4)
    other = torch.cat([x[:, :1] * 2 + draw.normal(6, 1), x[:, 1:]], dim=1)
    before, after = (checks.has_shape(student.batch_norm(matrix, gamma, beta), (6, 4)) for matrix in (x, other))
    checks.close(after[:, 1:], before[:, 1:])
