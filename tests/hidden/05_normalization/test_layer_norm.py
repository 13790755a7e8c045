"""Hidden checks of `layer_norm`: which axis, which variance, where eps stands, and numbers that cancel."""

import torch

from grader.suite import checks, exercise

layer_norm = exercise("layer_norm")

NAME = "layer_norm"
SHAPES = ((4, 7), (4, 7), (3, 10), (12, 5))


def rows(draw, *shape, size=8.0, dtype=torch.float32):
    """Return rows whose numbers lie evenly spread in random order but for a little, each with a mean of its own.

    Numbers that lie together by chance would bring eps into checks that do not ask for it, and rounding as well; for
    the same reason the numbers are large unless a check asks for another size.
    """
    order = draw.uniform(*shape, dtype=torch.float64).argsort(dim=-1)
    steps = torch.linspace(-1.5, 1.5, shape[-1], dtype=torch.float64)[order]
    steps = steps + draw.normal(*shape, dtype=torch.float64) / 6 + draw.normal(*shape[:-1], 1, dtype=torch.float64)
    return (steps * size).to(dtype)


def arguments(draw, *shape, size=8.0, dtype=torch.float32):
    """Return random (x, gamma, beta) for an x of this shape."""
    gamma, beta = draw.normal(2, shape[-1], dtype=dtype)
    return rows(draw, *shape, size=size, dtype=dtype), gamma, beta


@layer_norm.check(
    "property",
    weight=3,
    ko="결과는 x와 gamma 또는 beta에 달려 있고, 한 값이 바뀌면 그 행의 다른 값도 바뀝니다.",
)
def test_uses_every_input(student, reference, draw):
    """The result depends on x and on gamma or beta, and a number of x changes the others of its row."""
    checks.uses_every_input(student, reference, NAME, *arguments(draw, 4, 6, size=1.0), draw=draw)


@layer_norm.check("document", weight=1, ko="노트의 두 샘플에서 노트에 찍힌 값이 나옵니다.")
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


@layer_norm.check("value", weight=3, ko="각 행을 특징 방향으로 정규화한 다음 gamma를 곱하고 beta를 더합니다.")
def test_random_rows(student, reference, draw):
    """Random rows are normalized over their features, scaled by gamma and shifted by beta."""
    for shape in SHAPES:
        checks.matches_reference(student, reference, NAME, *arguments(draw, *shape))


@layer_norm.check("value", weight=1, ko="모든 크기가 같아도 마지막 차원의 평균과 분산을 씁니다.")
def test_equal_sizes(student, reference, draw):
    """Where all sizes are equal, the mean and the variance are still those of the last dimension."""
    for shape in ((6, 6), (5, 5, 5)):
        checks.matches_reference(student, reference, NAME, *arguments(draw, *shape))


@layer_norm.check("value", weight=1, ko="앞에 차원이 없거나 더 있어도 마지막 차원만 정규화합니다.")
def test_leading_dimensions(student, reference, draw):
    """A single row and tensors with two or more dimensions in front are normalized over the last one only."""
    shapes = ((7,), (2, 3, 5), (3, 4, 6), (2, 1, 3, 2, 5))
    cases = [checks.given(*arguments(draw, *shape)) for shape in shapes]
    checks.matches_reference_on_each(student, reference, NAME, cases)


@layer_norm.check("value", weight=3, ko="eps로 준 값을 분산에 더한 뒤 제곱근을 구합니다.")
def test_other_eps(student, reference, draw):
    """Another eps, which may be 0, is added to the variance, under the root."""
    cases = [
        checks.given(*arguments(draw, 4, 7, size=size), eps=eps) for size, eps in ((1, 0.1), (1, 2.0), (1e-2, 0.0))
    ]
    checks.matches_reference_on_each(student, reference, NAME, cases)


@layer_norm.check("value", weight=2, ko="eps를 주지 않으면 1e-5를 씁니다. 분산이 아주 작은 행에서도 맞아야 합니다.")
def test_rows_of_small_variance(student, reference, draw):
    """Without `eps`, rows of very small variance come out as with the default of the signature."""
    for size in (3e-3, 1e-3):
        checks.matches_reference(student, reference, NAME, *arguments(draw, 4, 6, size=size))


@layer_norm.check(
    "stability", weight=2, needs=("test_random_rows",), ko="값이 모두 같은 행에서는 beta가 그대로 나옵니다."
)
def test_constant_rows(student, reference, draw):
    """A row whose numbers are all equal gives beta, and a row of a single feature as well."""
    _, gamma, beta = arguments(draw, 4, 5)
    x = torch.tensor([[0.0], [1.0], [-2.5], [3.0]]).expand(4, 5)
    checks.matches_reference(student, reference, NAME, x, gamma, beta, kind="extreme")
    checks.matches_reference(student, reference, NAME, *arguments(draw, 3, 1, size=1.0), kind="extreme")


@layer_norm.check(
    "stability",
    weight=15,
    needs=("test_random_rows",),
    ko="값이 크고 서로 가까운 행도 올바르게 정규화합니다.",
)
def test_large_close_rows(student, reference, draw):
    """Rows whose numbers are large and close together are normalized rightly, also beside rows at the other end."""
    x, gamma, beta = arguments(draw, 8, 6, size=1.0)
    centres = torch.tensor([1000.0, -1000.0]).repeat(4).unsqueeze(1)
    cases = [checks.given(x + centre, gamma, beta) for centre in (1000.0, centres)]
    checks.matches_reference_on_each(student, reference, NAME, cases, kind="extreme")


@layer_norm.check(
    "shape",
    weight=2,
    needs=("test_uses_every_input",),
    ko="행이 하나여도, 앞에 차원이 더 있어도 결과의 모양은 입력의 모양과 같습니다.",
)
def test_any_shape(student, reference, draw):
    """A single row, and one with any dimensions in front, keeps its shape."""
    for shape in ((7,), (1, 7), (1, 1, 6), (2, 1, 3, 2, 5)):
        checks.has_shape(student.layer_norm(*arguments(draw, *shape)), shape)


@layer_norm.check("value", weight=1, needs=("test_random_rows",), ko="특징이나 행이 작은 예보다 훨씬 많아도 맞습니다.")
def test_large_sizes(student, reference, draw):
    """Far more features or rows than in small examples are treated rightly."""
    shapes = ((3, 1024 + draw.large()), (1024 + draw.large(), 5), (draw.large(), 2, 5))
    cases = [checks.given(*arguments(draw, *shape)) for shape in shapes]
    checks.matches_reference_on_each(student, reference, NAME, cases)


@layer_norm.check("dtype", weight=5, needs=("test_uses_every_input",), ko="결과의 dtype은 입력의 dtype과 같습니다.")
def test_keeps_the_dtype(student, draw):
    """The result has the dtype of the input: float32, float64 or bfloat16."""
    for dtype in (torch.float32, torch.float64, torch.bfloat16):
        checks.has_dtype(student.layer_norm(*arguments(draw, 4, 6, dtype=dtype)), dtype)


@layer_norm.check(
    "dtype", weight=2, needs=("test_random_rows",), ko="float64의 정밀도를 잃지 않고, bfloat16에서도 값이 맞습니다."
)
def test_precision(student, reference, draw):
    """In float64 its precision is kept, and in bfloat16 the numbers are right as far as it goes."""
    x, gamma, beta = arguments(draw, 4, 6, size=40.0, dtype=torch.float64)
    checks.matches_reference(student, reference, NAME, x + 1e4, gamma, beta)
    parts = (draw.normal(4, 32), 0.25 + draw.uniform(32) / 4, draw.normal(32) / 4)
    checks.matches_reference(student, reference, NAME, *(part.bfloat16() for part in parts))


@layer_norm.check(
    "gradient", weight=9, needs=("test_uses_every_input",), ko="x, gamma, beta에 모두 그래디언트가 전달됩니다."
)
def test_gradients_flow(student, reference, draw):
    """A gradient reaches x, gamma and beta, and it is finite in rows of equal numbers too."""
    checks.gradients_flow(student, reference, NAME, *arguments(draw, 3, 5, size=3.0))
    _, gamma, beta = arguments(draw, 3, 4)
    checks.gradients_flow(student, reference, NAME, torch.tensor([[0.0], [1.0], [-2.5]]).expand(3, 4), gamma, beta)


@layer_norm.check(
    "gradient",
    weight=15,
    needs=("test_random_rows",),
    ko="x, gamma, beta로 올바른 그래디언트가 흐르고, 평균과 분산을 거치는 그래디언트도 포함됩니다.",
)
def test_gradients(student, reference, draw):
    """The right gradients flow to x, gamma and beta, also through the mean and the variance and in constant rows."""
    for shape in ((3, 5), (2, 2, 6)):
        checks.gradient_matches(student, reference, NAME, *arguments(draw, *shape, size=3.0))
    _, gamma, beta = arguments(draw, 3, 4)
    checks.gradient_matches(student, reference, NAME, torch.tensor([[0.0], [1.0], [-2.5]]).expand(3, 4), gamma, beta)


@layer_norm.check(
    "property",
    weight=2,
    needs=("test_random_rows",),
    ko="전치되었거나 잘라 낸 텐서처럼 메모리에서 연속적이지 않아도 결과가 같습니다.",
)
def test_any_layout(student, reference, draw):
    """Tensors that do not lie in order in memory, such as transposed or sliced ones, give the same."""
    checks.any_layout(student, reference, NAME, *arguments(draw, 2, 4, 7))


@layer_norm.check(
    "property",
    weight=1,
    needs=("test_random_rows",),
    ko="같은 텐서에 다른 값이 들어 있으면 새로 계산합니다.",
    guard="an answer that is kept for a tensor, as functools.cache keeps it",
)
def test_computed_anew(student, reference, draw):
    """A tensor that holds other numbers in a second call gives another answer: nothing is kept for an object."""
    checks.computed_anew(student, reference, NAME, *arguments(draw, 4, 7), before=arguments(draw, 4, 7))


@layer_norm.check(
    "purity", weight=15, needs=("test_uses_every_input",), ko="호출한 뒤에도 x, gamma, beta는 그대로입니다."
)
def test_inputs_unchanged(student, draw):
    """x, gamma and beta are the same after the call."""
    for shape in ((7,), (4, 7)):
        checks.input_unchanged(student, NAME, *arguments(draw, *shape))


@layer_norm.check(
    "policy",
    needs=("test_random_rows",),
    ko="라이브러리의 정규화를 쓰지 않고 직접 계산합니다.",
)
def test_written_by_hand(student, reference, draw):
    """The result is computed without any normalization of a library."""
    also = [checks.given(*arguments(draw, *shape)) for shape in ((7,), (2, 3, 5), (2, 2, 3, 4))]
    also.append(checks.given(*arguments(draw, 4, 7), eps=0.1))
    checks.no_forbidden_call(student, reference, NAME, *arguments(draw, *draw.choice(SHAPES)), also=also)
