"""Hidden checks of `batch_norm`: which axis, which variance, where eps stands, and numbers that cancel."""

import torch

from grader.suite import checks, exercise

batch_norm = exercise("batch_norm")

NAME = "batch_norm"
SIZES = ((7, 4), (7, 4), (5, 12), (2, 3))  # samples, features


def batch(draw, samples, features, *, size=8.0, dtype=torch.float32):
    """Return features whose numbers lie evenly spread in random order but for a little, each with a mean of its own.

    Numbers that lie together by chance would bring eps into checks that do not ask for it, and rounding as well; for
    the same reason the numbers are large unless a check asks for another size.
    """
    order = draw.uniform(samples, features, dtype=torch.float64).argsort(dim=0)
    steps = torch.linspace(-1.5, 1.5, samples, dtype=torch.float64)[order]
    steps = steps + draw.normal(samples, features, dtype=torch.float64) / 6 + draw.normal(features, dtype=torch.float64)
    return (steps * size).to(dtype)


def arguments(draw, samples, features, size=8.0, dtype=torch.float32):
    """Return random (x, gamma, beta)."""
    gamma, beta = draw.normal(2, features, dtype=dtype)
    return batch(draw, samples, features, size=size, dtype=dtype), gamma, beta


@batch_norm.check(
    "property",
    weight=2,
    ko="결과는 x와 gamma 또는 beta에 달려 있고, 한 값이 바뀌면 다른 샘플의 결과도 바뀝니다.",
)
def test_uses_every_input(student, reference, draw):
    """The result depends on x and on gamma or beta, and a number of x changes the result of other samples."""
    checks.uses_every_input(student, reference, NAME, *arguments(draw, 6, 4, size=1.0), draw=draw)


@batch_norm.check("document", weight=1, ko="노트의 두 샘플에서 노트에 찍힌 값이 나옵니다.")
def test_matches_the_note(student, golden):
    """The note's two samples give what it prints; its mean and standard deviation as beta and gamma give them back."""
    x = golden("N2 normalization input").float32
    normalized = student.batch_norm(x, torch.ones(3), torch.zeros(3))
    checks.matches_figure(normalized, golden("N2 In[27]"))
    checks.matches_figure(normalized, golden("N2 In[31]"))
    mean, std = golden("N2 In[30] mean").float32, golden("N2 In[30] std").float32
    checks.close(student.batch_norm(x, std, mean), x, kind="extreme")


@batch_norm.check("value", weight=3, ko="각 특징을 배치 방향으로 정규화한 다음 gamma를 곱하고 beta를 더합니다.")
def test_random_batches(student, reference, draw):
    """Every feature of random batches is normalized over the samples, scaled by gamma and shifted by beta."""
    for samples, features in SIZES:
        checks.matches_reference(student, reference, NAME, *arguments(draw, samples, features))


@batch_norm.check("value", weight=1, ko="샘플 수와 특징 수가 같아도 배치 방향의 평균과 분산을 씁니다.")
def test_equal_sizes(student, reference, draw):
    """With as many samples as features, the mean and the variance are still those over the samples."""
    checks.matches_reference(student, reference, NAME, *arguments(draw, 6, 6))


@batch_norm.check("value", weight=3, ko="eps로 준 값을 분산에 더한 뒤 제곱근을 구합니다.")
def test_other_eps(student, reference, draw):
    """Another eps, which may be 0, is added to the variance, under the root."""
    ways = ((7, 1.0, 0.1), (5, 1.0, 2.0), (2, 1.0, 0.5), (6, 1e-2, 0.0))
    cases = [checks.given(*arguments(draw, samples, 4, size=size), eps=eps) for samples, size, eps in ways]
    checks.matches_reference_on_each(student, reference, NAME, cases)


@batch_norm.check("value", weight=2, ko="eps를 주지 않으면 1e-5를 씁니다. 분산이 아주 작은 특징에서도 맞아야 합니다.")
def test_features_of_small_variance(student, reference, draw):
    """Without `eps`, features of very small variance come out as with the default of the signature."""
    for size in (3e-3, 1e-3):
        checks.matches_reference(student, reference, NAME, *arguments(draw, 6, 4, size=size))


@batch_norm.check(
    "stability", weight=2, needs=("test_random_batches",), ko="모든 샘플에서 값이 같은 특징에서는 beta가 나옵니다."
)
def test_constant_features(student, reference, draw):
    """A feature that is the same in all samples gives its beta."""
    _, gamma, beta = arguments(draw, 4, 3)
    x = torch.tensor([[0.0, -2.5, 3.0]]).expand(4, 3)
    checks.matches_reference(student, reference, NAME, x, gamma, beta, kind="extreme")


@batch_norm.check(
    "stability",
    weight=15,
    needs=("test_random_batches",),
    ko="값이 크고 서로 가까운 특징도 올바르게 정규화합니다.",
)
def test_large_close_features(student, reference, draw):
    """Features whose numbers are large and close together are normalized rightly, also beside some at the other end."""
    x, gamma, beta = arguments(draw, 6, 8, size=1.0)
    cases = [checks.given(x + centre, gamma, beta) for centre in (1000.0, torch.tensor([1000.0, -1000.0]).repeat(4))]
    checks.matches_reference_on_each(student, reference, NAME, cases, kind="extreme")


@batch_norm.check(
    "shape", weight=5, needs=("test_uses_every_input",), ko="특징이 하나뿐이어도 결과의 모양은 (N, C)입니다."
)
def test_smallest_sizes(student, reference, draw):
    """A single feature gives a tensor of shape (N, C)."""
    for samples, features in ((6, 1), (9, 1)):
        checks.has_shape(student.batch_norm(*arguments(draw, samples, features)), (samples, features))


@batch_norm.check(
    "value",
    weight=1,
    needs=("test_random_batches",),
    ko="특징이나 샘플이 작은 예보다 훨씬 많아도 맞습니다.",
    guard="sizes that are written into an answer",
)
def test_large_sizes(student, reference, draw):
    """Far more features or samples than in small examples are treated rightly."""
    sizes = ((1024 + draw.large(), 4), (6, 1024 + draw.large()))
    cases = [checks.given(*arguments(draw, samples, features)) for samples, features in sizes]
    checks.matches_reference_on_each(student, reference, NAME, cases)


@batch_norm.check("dtype", weight=3, needs=("test_uses_every_input",), ko="결과의 dtype은 입력의 dtype과 같습니다.")
def test_keeps_the_dtype(student, draw):
    """The result has the dtype of the input: float32, float64 or bfloat16."""
    for dtype in (torch.float32, torch.float64, torch.bfloat16):
        checks.has_dtype(student.batch_norm(*arguments(draw, 6, 4, dtype=dtype)), dtype)


@batch_norm.check(
    "dtype", weight=2, needs=("test_random_batches",), ko="float64의 정밀도를 잃지 않고, bfloat16에서도 값이 맞습니다."
)
def test_precision(student, reference, draw):
    """In float64 its precision is kept, and in bfloat16 the numbers are right as far as it goes."""
    x, gamma, beta = arguments(draw, 6, 4, size=40.0, dtype=torch.float64)
    checks.matches_reference(student, reference, NAME, x + 1e4, gamma, beta)
    parts = (draw.normal(32, 4), 0.25 + draw.uniform(4) / 4, draw.normal(4) / 4)
    checks.matches_reference(student, reference, NAME, *(part.bfloat16() for part in parts))


@batch_norm.check(
    "gradient", weight=10, needs=("test_uses_every_input",), ko="x, gamma, beta에 모두 그래디언트가 전달됩니다."
)
def test_gradients_flow(student, reference, draw):
    """A gradient reaches x, gamma and beta, and it is finite in features of equal numbers too."""
    checks.gradients_flow(student, reference, NAME, *arguments(draw, 5, 3, size=3.0))
    _, gamma, beta = arguments(draw, 4, 3)
    checks.gradients_flow(student, reference, NAME, torch.tensor([0.0, 1.0, -2.5]).expand(4, 3), gamma, beta)


@batch_norm.check(
    "gradient",
    weight=15,
    needs=("test_random_batches",),
    ko="x, gamma, beta로 올바른 그래디언트가 흐르고, 평균과 분산을 거치는 그래디언트도 포함됩니다.",
)
def test_gradients(student, reference, draw):
    """The right gradients flow to x, gamma and beta, through mean and variance too and in constant features."""
    for samples, features in ((5, 3), (4, 6)):
        checks.gradient_matches(student, reference, NAME, *arguments(draw, samples, features, size=3.0))
    _, gamma, beta = arguments(draw, 4, 3)
    checks.gradient_matches(student, reference, NAME, torch.tensor([0.0, 1.0, -2.5]).expand(4, 3), gamma, beta)


@batch_norm.check(
    "property",
    weight=3,
    needs=("test_uses_every_input",),
    ko="한 특징의 값이 바뀌어도 다른 특징의 결과는 그대로입니다.",
)
def test_features_are_apart(student, draw):
    """Other numbers in one feature leave the results of the other features as they were."""
    x, gamma, beta = arguments(draw, 6, 4)
    other = torch.cat([x[:, :1] * 2 + draw.normal(6, 1), x[:, 1:]], dim=1)
    before, after = (checks.has_shape(student.batch_norm(each, gamma, beta), (6, 4)) for each in (x, other))
    checks.close(after[:, 1:], before[:, 1:])


@batch_norm.check(
    "property",
    weight=1,
    needs=("test_random_batches",),
    ko="전치되었거나 잘라 낸 텐서처럼 메모리에서 연속적이지 않아도 결과가 같습니다.",
    guard="an answer that needs its input to lie in order in memory",
)
def test_any_layout(student, reference, draw):
    """Tensors that do not lie in order in memory, such as transposed or sliced ones, give the same."""
    checks.any_layout(student, reference, NAME, *arguments(draw, 7, 4), layouts=("transposed", "sliced"))


@batch_norm.check(
    "property",
    weight=1,
    needs=("test_random_batches",),
    ko="같은 텐서에 다른 값이 들어 있으면 새로 계산합니다.",
    guard="an answer that is kept for a tensor, as functools.cache keeps it",
)
def test_computed_anew(student, reference, draw):
    """A tensor that holds other numbers in a second call gives another answer: nothing is kept for an object."""
    checks.computed_anew(student, reference, NAME, *arguments(draw, 7, 4), before=arguments(draw, 7, 4))


@batch_norm.check(
    "purity", weight=15, needs=("test_uses_every_input",), ko="호출한 뒤에도 x, gamma, beta는 그대로입니다."
)
def test_inputs_unchanged(student, draw):
    """x, gamma and beta are the same after the call."""
    checks.input_unchanged(student, NAME, *arguments(draw, 7, 4))


@batch_norm.check(
    "device",
    weight=5,
    needs=("test_uses_every_input",),
    ko="CPU가 아닌 장치(GPU 등)에서도 결과가 그 장치에 있고 값과 그래디언트가 같습니다.",
)
def test_on_another_device(student, draw):
    """On another device than the CPU, such as a GPU, the result is there, with the same values and gradients."""
    checks.on_another_device(student, NAME, *arguments(draw, 7, 4))


@batch_norm.check(
    "policy",
    needs=("test_random_batches",),
    ko="라이브러리의 정규화를 쓰지 않고 직접 계산합니다.",
)
def test_written_by_hand(student, reference, draw):
    """The result is computed without any normalization of a library."""
    also = [checks.given(*arguments(draw, 7, 4), eps=0.1), checks.given(*arguments(draw, 2, 3))]
    checks.no_forbidden_call(student, reference, NAME, *arguments(draw, *draw.choice(SIZES)), also=also)
