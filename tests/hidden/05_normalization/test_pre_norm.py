"""Hidden checks of `pre_norm`: it is handed layers of torch with random parameters, and the solution their twins.

The layers are tried in several kinds and both modes, since code that fits one pair of layers only is wrong.
"""

import torch

from grader.suite import checks, exercise
from grader.suite.core.gradients import uneven
from grader.suite.library.gradient_checks import gradients_arrive

pre_norm = exercise("pre_norm")

NAME = "pre_norm"


def linear_and_norm(student, draw, features):
    """Return a linear sublayer and a layer norm for tokens of so many features."""
    linear = checks.torch_layer(student, draw, "Linear", features, features)
    return linear, checks.torch_layer(student, draw, "LayerNorm", features)


@pre_norm.check("property", weight=4, ko="결과가 x에 달려 있고, 한 값이 바뀌면 그 토큰의 다른 값도 바뀝니다.")
def test_uses_every_input(student, reference, draw):
    """The result depends on x, and a number of x changes the others of its token."""
    checks.uses_every_input(
        student, reference, NAME, draw.normal(2, 3, 5), *linear_and_norm(student, draw, 5), draw=draw
    )


@pre_norm.check("value", weight=7, ko="선형 서브레이어는 정규화된 입력을 받고, 그 결과를 입력 자체에 더합니다.")
def test_linear_sublayer(student, reference, draw):
    """A linear sublayer sees the normalized input, and what it gives is added to the input itself."""
    for features, leading in ((5, ((2, 3), (2, 3))), (6, ((4,), (6,)))):
        layers = linear_and_norm(student, draw, features)
        for sizes in leading:
            checks.layers_match(student, reference, NAME, draw.normal(*sizes, features), *layers)


@pre_norm.check("value", weight=3, ko="두 층이 무엇이든 먼저 준 것이 서브레이어이고, 나중에 준 것이 그 앞에 옵니다.")
def test_other_layers(student, reference, draw):
    """Whatever the two layers are, the first one given is the sublayer and the second one comes before it."""
    x = draw.normal(2, 3, 5)
    tanh, softplus = (checks.torch_layer(student, draw, name) for name in ("Tanh", "Softplus"))
    first, second = (checks.torch_layer(student, draw, "Linear", 5, 5) for _ in range(2))
    for sublayer, norm in ((tanh, first), (first, second), (second, softplus), (softplus, tanh)):
        checks.layers_match(student, reference, NAME, x, sublayer, norm)


@pre_norm.check(
    "shape",
    weight=6,
    needs=("test_uses_every_input",),
    ko="토큰 하나여도, 앞에 차원이 더 있어도 결과의 모양은 입력의 모양과 같습니다.",
)
def test_any_shape(student, reference, draw):
    """A single token, and one with any dimensions in front, keeps its shape."""
    layers = [layer.handle for layer in linear_and_norm(student, draw, 5)]
    for shape in ((5,), (1, 5), (1, 1, 5), (2, 1, 3, 2, 5)):
        checks.has_shape(student.pre_norm(draw.normal(*shape), *layers), shape)


@pre_norm.check(
    "property",
    weight=10,
    needs=("test_linear_sublayer",),
    ko="서브레이어와 정규화를 받은 모드 그대로 한 번씩만 부릅니다.",
)
def test_each_is_called_once(student, reference, draw):
    """The sublayer and the norm are each called once, in the mode in which they come, and stay in it."""
    layers = [checks.torch_layer(student, draw, "BatchNorm1d", 4) for _ in range(2)]
    same_in_both = linear_and_norm(student, draw, 4)
    for training in (True, False):
        checks.layers_run_once(student, reference, NAME, draw.normal(6, 4), layers, same_in_both, training=training)


@pre_norm.check(
    "value",
    weight=3,
    needs=("test_linear_sublayer",),
    ko="토큰이나 특징이나 항목이 작은 예보다 훨씬 많아도 맞습니다.",
    guard="sizes that are written into an answer",
)
def test_large_sizes(student, reference, draw):
    """Far more tokens, features or items than in small examples are treated rightly."""
    for shape in ((2, 1024 + draw.large(), 5), (1024 + draw.large(), 3, 5), (2, 3, 256 + draw.large())):
        layers = linear_and_norm(student, draw, shape[-1])
        checks.layers_match(student, reference, NAME, draw.normal(*shape), *layers)


@pre_norm.check("dtype", weight=4, needs=("test_uses_every_input",), ko="결과의 dtype은 입력의 dtype과 같습니다.")
def test_keeps_the_dtype(student, reference, draw):
    """The result has the dtype of the input and the layers: float32, float64 or bfloat16."""
    layers = [layer.handle for layer in linear_and_norm(student, draw, 5)]
    for dtype in (torch.float32, torch.float64, torch.bfloat16):
        for layer in layers:
            layer.to(dtype=dtype)
        checks.has_dtype(student.pre_norm(draw.normal(2, 3, 5, dtype=dtype), *layers), dtype)


@pre_norm.check("gradient", weight=10, needs=("test_uses_every_input",), ko="x에 그래디언트가 전달됩니다.")
def test_gradient_flows(student, draw):
    """A gradient reaches x."""
    x, layers = draw.normal(2, 3, 5), [layer.handle for layer in linear_and_norm(student, draw, 5)]
    seen = student.pre_norm.observe(x, *layers, cotangent=uneven(x.shape).float())
    gradients_arrive({"x": seen.input_gradients[0]}, {"x": torch.ones(1)})


@pre_norm.check(
    "gradient",
    weight=15,
    needs=("test_linear_sublayer",),
    ko="서브레이어와 정규화를 거쳐, 그리고 잔차 경로를 따라 x로 올바른 그래디언트가 흐릅니다.",
)
def test_gradient(student, reference, draw):
    """The right gradient flows to x, through the sublayer and the norm and along the residual path."""
    checks.layer_gradients_match(student, reference, NAME, draw.normal(2, 3, 5), *linear_and_norm(student, draw, 5))


@pre_norm.check(
    "property",
    weight=2,
    needs=("test_linear_sublayer",),
    ko="전치되었거나 잘라 낸 텐서처럼 메모리에서 연속적이지 않아도 결과가 같습니다.",
)
def test_any_layout(student, reference, draw):
    """Tensors that do not lie in order in memory, such as transposed or sliced ones, give the same."""
    layers = linear_and_norm(student, draw, 5)
    for layout in ("transposed", "sliced", "expanded"):
        x = checks.laid_out(draw.normal(2, 3, 5), layout)
        checks.layers_match(student, reference, NAME, x, *layers)


@pre_norm.check(
    "purity",
    weight=15,
    needs=("test_uses_every_input",),
    ko="호출한 뒤에도 x와 두 층의 매개변수는 `.grad`까지 그대로입니다.",
)
def test_nothing_changes(student, draw):
    """x and the parameters of both layers, their `.grad` too, are the same after the call."""
    layers = linear_and_norm(student, draw, 5)
    given = draw.normal(2, 3, 5), *(layer.handle for layer in layers)
    checks.layers_left_alone(lambda: checks.input_unchanged(student, NAME, *given), draw, *layers)
    identity = checks.torch_layer(student, draw, "Identity").handle  # what it gives is x itself
    checks.input_unchanged(student, NAME, draw.normal(2, 3, 5), identity, identity)


@pre_norm.check(
    "device",
    weight=5,
    needs=("test_uses_every_input",),
    ko="CPU가 아닌 장치(GPU 등)에서도 결과가 그 장치에 있고 값과 그래디언트가 같습니다.",
)
def test_on_another_device(student, draw):
    """On another device than the CPU, such as a GPU, the result is there, with the same values and gradients."""
    layers = [layer.handle for layer in linear_and_norm(student, draw, 5)]
    checks.on_another_device(student, NAME, draw.normal(2, 3, 5), *layers, moves=layers)
