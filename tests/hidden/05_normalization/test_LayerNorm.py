"""Hidden checks of `LayerNorm`: weight and bias loaded by name, the formula, and what a module has to do."""

import torch

from grader.suite import checks, exercise

layer_norm_module = exercise("LayerNorm")

NAME = "LayerNorm"
SIZES = ((4, 7), (9, 5))  # samples, features


def rows(draw, *shape, size=8.0, dtype=torch.float32):
    """Return rows whose numbers lie evenly spread in random order but for a little, each with a mean of its own.

    Numbers that lie together by chance would bring eps into checks that do not ask for it, and rounding as well; for
    the same reason the numbers are large unless a check asks for another size.
    """
    order = draw.uniform(*shape, dtype=torch.float64).argsort(dim=-1)
    steps = torch.linspace(-1.5, 1.5, shape[-1], dtype=torch.float64)[order]
    steps = steps + draw.normal(*shape, dtype=torch.float64) / 6 + draw.normal(*shape[:-1], 1, dtype=torch.float64)
    return (steps * size).to(dtype)


@layer_norm_module.check("property", weight=4, ko="결과가 x에 달려 있고, 한 값이 바뀌면 그 행의 다른 값도 바뀝니다.")
def test_uses_every_input(student, reference, draw):
    """The result depends on x, and a number of x changes the others of its row."""
    layer, module = checks.partial_twin(student, reference, draw, NAME, 6)
    checks.module_uses_every_input(layer, module, rows(draw, 4, 6, size=1.0), draw=draw, parameters=())


@layer_norm_module.check("document", weight=1, ko="새 층에 노트의 두 샘플을 넣으면 노트에 찍힌 값이 나옵니다.")
def test_matches_the_note(student, golden):
    """A new layer makes of the note's two samples what the note prints."""
    answer = student.LayerNorm(3)(golden("N2 normalization input").float32)
    checks.matches_figure(answer, golden("N2 In[16]"))


@layer_norm_module.check(
    "parameters", weight=3, needs=("test_uses_every_input",), ko="새 층의 weight는 모두 1이고 bias는 모두 0입니다."
)
def test_starts_as_the_note_prints(student, golden):
    """The weight of a new layer is all ones and its bias all zeros, as the note prints them."""
    layer = student.LayerNorm(3)
    for name in ("weight", "bias"):
        checks.matches_figure(checks.remembered(layer, name), golden(f"N2 In[LayerNorm parameters] {name}"))


@layer_norm_module.check("value", weight=4, ko="weight와 bias를 넣으면 각 행을 정규화하여 곱하고 더합니다.")
def test_random_weights(student, reference, draw):
    """With a random weight and bias loaded, random rows are normalized, scaled and shifted."""
    for samples, features in SIZES:
        handle, module = checks.twin(student, reference, draw, NAME, features)
        for _ in range(2):
            checks.module_matches(handle, module, rows(draw, samples, features))


@layer_norm_module.check(
    "value", weight=2, ko="앞에 차원이 없거나 더 있어도, 모든 크기가 같아도 마지막 차원만 정규화합니다."
)
def test_leading_dimensions(student, reference, draw):
    """A single row, several dimensions in front and equal sizes: only the last dimension is normalized."""
    handle, module = checks.twin(student, reference, draw, NAME, 6)
    for shape in ((6,), (1, 6), (2, 3, 6), (6, 6), (6, 6, 6), (2, 1, 3, 2, 6)):
        checks.module_matches(handle, module, rows(draw, *shape))


@layer_norm_module.check(
    "value", weight=5, ko="eps로 준 값을 분산에 더한 뒤 제곱근을 구하고, 층마다 자기 eps를 씁니다."
)
def test_other_eps(student, reference, draw):
    """Another eps, which may be 0, is added to the variance, under the root, and every layer keeps its own."""
    ways = ((0.0, 1e-2), (0.1, 1.0), (2.0, 1.0))
    layers = [(checks.twin(student, reference, draw, NAME, 7, eps=eps), size) for eps, size in ways]
    for (handle, module), size in layers:
        checks.module_matches(handle, module, rows(draw, 4, 7, size=size))


@layer_norm_module.check(
    "value", weight=2, ko="eps를 주지 않으면 1e-5를 씁니다. 분산이 아주 작거나 0인 행에서도 맞아야 합니다."
)
def test_rows_of_small_variance(student, reference, draw):
    """Without `eps`, rows of very small or no variance come out as with the default of the signature."""
    handle, module = checks.twin(student, reference, draw, NAME, 8)
    for size in (3e-3, 1e-3):
        checks.module_matches(handle, module, rows(draw, 4, 8, size=size), kind="value")
    checks.module_matches(handle, module, torch.tensor([[0.0], [1.0], [-2.5]]).expand(3, 8), kind="extreme")


@layer_norm_module.check(
    "stability",
    weight=15,
    needs=("test_random_weights",),
    ko="값이 크고 서로 가까운 행도 올바르게 정규화합니다.",
)
def test_large_close_rows(student, reference, draw):
    """Rows whose numbers are large and close together are normalized rightly, also beside rows at the other end."""
    handle, module = checks.twin(student, reference, draw, NAME, 6)
    for centre in (1000.0, torch.tensor([1000.0, -1000.0]).repeat(4).unsqueeze(1)):
        checks.module_matches(handle, module, rows(draw, 8, 6, size=1.0) + centre, kind="extreme")


@layer_norm_module.check(
    "property", weight=4, needs=("test_uses_every_input",), ko="eval에서도 학습할 때와 같은 결과가 나옵니다."
)
def test_same_in_eval(student, reference, draw):
    """In eval the layer gives the same as in training, whatever it was given last."""
    handle, _ = checks.partial_twin(student, reference, draw, NAME, 7)
    inputs = [rows(draw, 4, 7) for _ in range(2)]
    handle(rows(draw, 3, 7))
    trained = [checks.has_shape(handle(x), (4, 7)) for x in inputs]
    handle.eval()
    for x, before in zip(inputs, trained, strict=True):
        checks.close(handle(x), before)


@layer_norm_module.check(
    "parameters",
    weight=2,
    needs=("test_uses_every_input",),
    ko="학습되는 매개변수는 weight와 bias뿐이고 모양은 (d,)입니다.",
)
def test_parameters(student):
    """weight and bias have the shape (d,), and there is nothing else to learn."""
    found = {name: tuple(value.shape) for name, value in student.LayerNorm(7).parameters().items()}
    wanted = {"weight": (7,), "bias": (7,)}
    checks.is_true(
        found == wanted,
        f"The parameters are {found}, but {wanted} are asked for.",
        f"매개변수가 {found}인데 {wanted}이어야 합니다.",
    )


@layer_norm_module.check(
    "parameters",
    weight=2,
    needs=("test_uses_every_input",),
    ko="state_dict를 불러온 다른 층은 곧바로 같은 결과를 내고, 두 층은 서로 영향을 주지 않습니다.",
)
def test_state_dict_round_trip(student, reference, draw):
    """A second layer gives the first one's results once it has loaded its state_dict; before, each has its own."""
    (first, _), (second, _) = (checks.twin(student, reference, draw, NAME, 7) for _ in range(2))
    x = rows(draw, 4, 7)
    own, other = (checks.has_shape(layer(x), (4, 7)) for layer in (first, second))
    checks.is_true(
        not torch.equal(own, other),
        "Two layers with other weights give the same.",
        "가중치가 서로 다른 두 층의 결과가 같습니다.",
    )
    second.load_state_dict(first.state_dict())
    checks.close(second(x), own)


@layer_norm_module.check(
    "value", weight=1, needs=("test_random_weights",), ko="특징이나 행이 작은 예보다 훨씬 많아도 맞습니다."
)
def test_large_sizes(student, reference, draw):
    """Far more features or rows than in small examples are treated rightly."""
    for samples, features in ((3, 1024 + draw.large()), (1024 + draw.large(), 6)):
        handle, module = checks.twin(student, reference, draw, NAME, features)
        checks.module_matches(handle, module, rows(draw, samples, features))
    checks.module_matches(handle, module, rows(draw, draw.large(), 2, 6))


@layer_norm_module.check(
    "dtype", weight=2, needs=("test_uses_every_input",), ko="`.to`로 바꾼 층의 결과는 그 dtype입니다."
)
def test_follows_the_dtype(student, draw):
    """The result has the dtype of the layer and its input: float32, or after `.to` float64 or bfloat16."""
    handle = student.LayerNorm(6)
    for dtype in (torch.float32, torch.float64, torch.bfloat16):
        handle.to(dtype=dtype)
        checks.has_dtype(handle(rows(draw, 4, 6, dtype=dtype)), dtype)


@layer_norm_module.check(
    "dtype", weight=1, needs=("test_random_weights",), ko="float64의 정밀도를 잃지 않고, bfloat16에서도 값이 맞습니다."
)
def test_precision(student, reference, draw):
    """In float64 its precision is kept, and in bfloat16 the numbers are right as far as it goes."""
    handle, module = checks.twin(student, reference, draw, NAME, 6)
    for dtype, centre, kind in ((torch.float64, 1e4, "value"), (torch.bfloat16, 0.0, "module")):
        handle.to(dtype=dtype)
        checks.module_matches(handle, module, rows(draw, 4, 6, size=40.0, dtype=dtype) + centre, kind=kind)


@layer_norm_module.check(
    "gradient",
    weight=5,
    needs=("test_uses_every_input",),
    ko="x, weight, bias에 모두 그래디언트가 전달됩니다.",
)
def test_gradients_flow(student, reference, draw):
    """A gradient reaches x, weight and bias, and it is finite in rows of equal numbers too."""
    handle, module = checks.partial_twin(student, reference, draw, NAME, 5)
    for x in (rows(draw, 3, 5, size=3.0), torch.tensor([[0.0], [1.0], [-2.5]]).expand(3, 5)):
        checks.module_gradients_flow(handle, module, x)


@layer_norm_module.check(
    "gradient",
    weight=15,
    needs=("test_random_weights",),
    ko="x, weight, bias로 올바른 그래디언트가 흐르고, 평균과 분산을 거치는 그래디언트도 포함됩니다.",
)
def test_gradients(student, reference, draw):
    """The right gradients flow to x, weight and bias, in training and in eval, and in constant rows."""
    handle, module = checks.twin(student, reference, draw, NAME, 5)
    checks.module_gradients_match(handle, module, rows(draw, 3, 5, size=3.0))
    checks.module_gradients_match(handle, module, torch.tensor([[0.0], [1.0], [-2.5]]).expand(3, 5))
    handle.eval()
    checks.module_gradients_match(handle, module, rows(draw, 2, 2, 5, size=3.0))


@layer_norm_module.check(
    "property",
    weight=1,
    needs=("test_random_weights",),
    ko="전치되었거나 잘라 낸 텐서처럼 메모리에서 연속적이지 않아도 결과가 같습니다.",
)
def test_any_layout(student, reference, draw):
    """Tensors that do not lie in order in memory, such as transposed or sliced ones, give the same."""
    handle, module = checks.twin(student, reference, draw, NAME, 7)
    checks.module_any_layout(handle, module, rows(draw, 2, 4, 7))


@layer_norm_module.check(
    "property",
    weight=1,
    needs=("test_random_weights",),
    ko="같은 텐서에 다른 값이 들어 있으면 새로 계산합니다.",
)
def test_computed_anew(student, reference, draw):
    """A tensor that holds other numbers in a second call gives another answer: nothing is kept for an object."""
    handle, module = checks.twin(student, reference, draw, NAME, 7)
    checks.module_computed_anew(handle, module, rows(draw, 4, 7), before=(rows(draw, 4, 7),))


@layer_norm_module.check(
    "purity", weight=15, needs=("test_uses_every_input",), ko="호출한 뒤에도 x와 매개변수는 그대로입니다."
)
def test_nothing_changes(student, reference, draw):
    """x, weight and bias are the same after the call."""
    handle, module = checks.twin(student, reference, draw, NAME, 7)
    for shape in ((7,), (4, 7)):
        checks.module_input_unchanged(handle, rows(draw, *shape))
    for name, value in module.named_parameters():
        checks.close(checks.remembered(handle, name), value)


@layer_norm_module.check(
    "device",
    weight=5,
    needs=("test_uses_every_input",),
    ko="CPU가 아닌 장치(GPU 등)에서도 결과가 그 장치에 있고 값과 그래디언트가 같습니다.",
)
def test_on_another_device(student, draw):
    """On another device than the CPU, such as a GPU, the result is there, with the same values and gradients."""
    checks.module_on_another_device(student, NAME, (7,), rows(draw, 2, 4, 7))


@layer_norm_module.check(
    "policy",
    needs=("test_random_weights",),
    ko="학습과 eval에서 모두 라이브러리의 정규화를 쓰지 않고 직접 계산합니다.",
)
def test_written_by_hand(student, reference, draw):
    """The result is computed without any normalization of a library, in training and in eval."""
    samples, features = draw.choice(SIZES)
    for options in ({}, {"eps": 0.1}):
        handle, module = checks.twin(student, reference, draw, NAME, features, **options)
        also = [checks.given(rows(draw, *leading, features)) for leading in ((), (2, 3), (2, 2, 3))]
        checks.no_forbidden_call_in_module(handle, module, rows(draw, samples, features), also=also)
