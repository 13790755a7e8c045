"""Hidden checks of `FeedForward`: random parameters, matched by shape since their names are free.

Where d_model and d_ff are equal both layers have one shape; then each way to match them is tried, and one has to fit.
"""

import torch

from grader.suite import checks, exercise
from grader.suite.core.failures import CheckFailed
from grader.suite.library.modules.free_names import built, shapes_of, twins_by_shape

from .feed_places import network_placed

feed_forward = exercise("FeedForward")

NAME = "FeedForward"


@feed_forward.check("property", weight=4, ko="결과가 x에 달려 있고, 한 값이 바뀌면 그 토큰의 다른 값도 바뀝니다.")
def test_uses_every_input(student, reference, draw):
    """The output depends on x, and a number of x changes the others of its token."""
    # With 16 features a ReLU too many leaves some of each token's numbers, whatever is drawn.
    module = reference.module.FeedForward(16, 32).double()
    handle = built(student, NAME, 16, 32)
    handle.eval()  # who drops numbers in training, which is not asked for, keeps what is right in evaluation
    checks.module_uses_every_input(handle, module, draw.normal(2, 4, 16), draw=draw, parameters=())


@feed_forward.check(
    "parameters", weight=4, needs=("test_uses_every_input",), ko="매개변수는 두 선형 층의 것이고 다른 것은 없습니다."
)
def test_parameters(student):
    """The parameters have the shapes of those of the two linear layers, and there are no others."""
    shapes, wanted = sorted(shapes_of(built(student, NAME, 3, 8)).values()), [(3,), (3, 8), (8,), (8, 3)]
    checks.is_true(
        shapes == wanted,
        f"The parameters have the shapes {shapes}, but {wanted} are asked for.",
        f"매개변수의 모양이 {shapes}인데 {wanted}이어야 합니다.",
    )


@feed_forward.check(
    "property", weight=4, needs=("test_uses_every_input",), ko="한 토큰이 바뀌어도 다른 토큰의 결과는 그대로입니다."
)
def test_tokens_are_apart(student, draw):
    """Another token leaves the results of all others as they were."""
    module, x = built(student, NAME, 3, 8), draw.normal(2, 4, 3)
    other = torch.cat([x[:, :1] + draw.normal(2, 1, 3), x[:, 1:]], dim=1)
    before, after = (checks.has_shape(module(each), (2, 4, 3)) for each in (x, other))
    checks.close(after[:, 1:], before[:, 1:])


@feed_forward.check("value", weight=18, ko="매개변수를 넣으면 출력이 정의와 같습니다.")
def test_random_parameters(student, reference, draw):
    """With random parameters loaded, every token becomes what the definition makes of it, in every call."""
    for d_model, d_ff in ((3, 8), (7, 5)):
        handle, module = next(twins_by_shape(student, reference, draw, NAME, d_model, d_ff))
        for B, T, size in ((2, 4, 1), (2, 4, 1), (5, 3, 20)):
            x = draw.normal(B, T, d_model) * size
            with network_placed(handle, module, x / size):
                checks.module_matches(handle, module, x)


@feed_forward.check("value", weight=6, ko="d_ff가 d_model과 같아도 두 층이 차례로 쓰입니다.")
def test_equal_features(student, reference, draw):
    """Where d_ff equals d_model, the two layers still follow each other, with the ReLU between."""
    first = None
    x = draw.normal(4, 4, 4)
    for handle, module in twins_by_shape(student, reference, draw, NAME, 4, 4):
        try:
            checks.module_matches(handle, module, x)
            return
        except CheckFailed as failure:
            first = first or failure
    raise first


@feed_forward.check(
    "shape",
    weight=4,
    needs=("test_random_parameters",),
    ko="항목, 토큰, 특징이 하나뿐이어도 모양이 그대로입니다.",
)
def test_smallest_sizes(student, reference, draw):
    """A single item, token or feature keeps its shape."""
    for B, T, d_model, d_ff in ((1, 1, 3, 5), (1, 4, 3, 1), (3, 1, 1, 4)):
        handle, module = next(twins_by_shape(student, reference, draw, NAME, d_model, d_ff))
        checks.module_matches(handle, module, draw.normal(B, T, d_model))


@feed_forward.check(
    "value",
    weight=4,
    needs=("test_random_parameters",),
    ko="eval에서도, 다시 학습 모드로 돌아와도, 다른 모듈이 있어도 결과가 같습니다.",
)
def test_eval_is_the_same(student, reference, draw):
    """In eval the output is that of the definition too, and in training again afterwards, whatever else was made."""
    handle, module = next(twins_by_shape(student, reference, draw, NAME, 3, 8))
    built(student, NAME, 5, 4)(draw.normal(2, 4, 5))
    for switch in (handle.eval, handle.train):
        switch()
        for _ in range(2):
            checks.module_matches(handle, module, draw.normal(2, 4, 3))


@feed_forward.check(
    "value",
    weight=2,
    needs=("test_random_parameters",),
    ko="토큰이나 특징이나 항목이 작은 예보다 훨씬 많아도 맞습니다.",
    guard="sizes that are written into an answer",
)
def test_large_sizes(student, reference, draw):
    """Far more tokens, features or items than in small examples are treated rightly."""
    for B, T, d_model, d_ff in (
        (2, 1024 + draw.large(), 3, 8),
        (1024 + draw.large(), 4, 3, 8),
        (2, 4, 1024 + draw.large(), 7),
        (2, 4, 3, 1024 + draw.large()),
    ):
        handle, module = next(twins_by_shape(student, reference, draw, NAME, d_model, d_ff))
        checks.module_matches(handle, module, draw.normal(B, T, d_model) / d_model**0.5)


@feed_forward.check(
    "dtype", weight=4, needs=("test_uses_every_input",), ko="결과의 dtype은 모듈과 입력의 dtype과 같습니다."
)
def test_follows_the_dtype(student, draw):
    """The output has the dtype of the module and its input: float32, or after `.to` float64 or bfloat16."""
    module = built(student, NAME, 3, 8)
    for dtype in (torch.float32, torch.float64, torch.bfloat16):
        module.to(dtype=dtype)
        checks.has_dtype(module(draw.normal(2, 4, 3, dtype=dtype)), dtype)


@feed_forward.check(
    "gradient", weight=10, needs=("test_uses_every_input",), ko="x와 모든 매개변수에 그래디언트가 전달됩니다."
)
def test_gradients_flow(student, reference, draw):
    """A gradient reaches the input and the parameters of both layers, also in eval."""
    handle, module = next(twins_by_shape(student, reference, draw, NAME, 3, 8))
    checks.module_gradients_flow(handle, module, draw.normal(2, 4, 3))
    handle.handle.eval()
    checks.module_gradients_flow(handle, module, draw.normal(2, 4, 3))


@feed_forward.check(
    "gradient", weight=5, needs=("test_random_parameters",), ko="x와 모든 매개변수로 올바른 그래디언트가 흐릅니다."
)
def test_gradients(student, reference, draw):
    """The right gradients flow to the input and to the parameters of both layers, also in eval."""
    handle, module = next(twins_by_shape(student, reference, draw, NAME, 3, 8))
    checks.module_gradients_match(handle, module, draw.normal(2, 4, 3))
    handle.handle.eval()
    checks.module_gradients_match(handle, module, draw.normal(2, 4, 3))


@feed_forward.check(
    "parameters", weight=3, needs=("test_uses_every_input",), ko="state_dict로 옮기면 결과도 옮겨집니다."
)
def test_state_dict_round_trip(student, draw):
    """A second module, used before, gives the first one's output as soon as it has loaded its state_dict."""
    (first, second), x = (built(student, NAME, 3, 8) for _ in range(2)), draw.normal(2, 4, 3)
    second(x)
    second.load_state_dict(first.state_dict())
    checks.close(second(x), checks.has_shape(first(x), (2, 4, 3)))


@feed_forward.check(
    "property",
    weight=2,
    needs=("test_random_parameters",),
    ko="전치되었거나 잘라 낸 텐서처럼 메모리에서 연속적이지 않아도 결과가 같습니다.",
)
def test_any_layout(student, reference, draw):
    """Tensors that do not lie in order in memory, such as transposed or sliced ones, give the same."""
    handle, module = next(twins_by_shape(student, reference, draw, NAME, 3, 8))
    checks.module_any_layout(handle, module, draw.normal(2, 4, 3))


@feed_forward.check(
    "property",
    weight=2,
    needs=("test_random_parameters",),
    ko="같은 텐서에 다른 값이 들어 있으면 새로 계산합니다.",
)
def test_computed_anew(student, reference, draw):
    """A tensor that holds other numbers in a second call gives another answer: nothing is kept for an object."""
    handle, module = next(twins_by_shape(student, reference, draw, NAME, 3, 8))
    checks.module_computed_anew(handle, module, draw.normal(2, 4, 3), before=(draw.normal(2, 4, 3),))


@feed_forward.check("purity", weight=15, needs=("test_uses_every_input",), ko="호출한 뒤에도 x는 그대로입니다.")
def test_input_unchanged(student, draw):
    """`x` is the same after the call."""
    checks.module_input_unchanged(built(student, NAME, 3, 8), draw.normal(2, 4, 3))


@feed_forward.check(
    "device",
    weight=5,
    needs=("test_uses_every_input",),
    ko="CPU가 아닌 장치(GPU 등)에서도 결과가 그 장치에 있고 값과 그래디언트가 같습니다.",
)
def test_on_another_device(student, draw):
    """On another device than the CPU, such as a GPU, the result is there, with the same values and gradients."""
    checks.module_on_another_device(student, NAME, (3, 8), draw.normal(2, 4, 3))
