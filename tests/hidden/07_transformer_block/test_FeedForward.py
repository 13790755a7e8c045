"""Hidden checks of `FeedForward`: random parameters, matched by shape since their names are free.

Where d_model and d_ff are equal both layers have one shape; then each way to match them is tried, and one has to fit.
"""

import torch

from grader.suite import checks, exercise
from grader.suite.failures import CheckFailed
from grader.suite.free_names import built, twins_by_shape

feed_forward = exercise("FeedForward")

NAME = "FeedForward"


@feed_forward.check("value", weight=5, ko="매개변수를 넣으면 출력이 정의와 같습니다.")
def test_random_parameters(student, reference, draw):
    """With random parameters loaded, every token becomes what the definition makes of it, in every call."""
    for d_model, d_ff in ((3, 8), (7, 5)):
        handle, module = next(twins_by_shape(student, reference, draw, NAME, d_model, d_ff))
        for B, T, size in ((2, 4, 1), (2, 4, 1), (5, 3, 20)):
            checks.module_matches(handle, module, draw.normal(B, T, d_model) * size)


@feed_forward.check("value", weight=2, ko="d_ff가 d_model과 같아도 두 층이 차례로 쓰입니다.")
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
    weight=1,
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
    weight=1,
    needs=("test_random_parameters",),
    ko="eval에서도, 다시 학습 모드로 돌아와도, 다른 모듈이 있어도 결과가 같습니다.",
)
def test_eval_is_the_same(student, reference, draw):
    """In eval the output is that of the definition too, and in training again afterwards, whatever else was made."""
    handle, module = next(twins_by_shape(student, reference, draw, NAME, 3, 8))
    built(student, NAME, 5, 4)(draw.normal(2, 4, 5))
    for switch in (handle.handle.eval, handle.handle.train):
        switch()
        checks.module_matches(handle, module, draw.normal(2, 4, 3))


@feed_forward.check(
    "value",
    weight=1,
    needs=("test_random_parameters",),
    ko="토큰이나 특징이나 항목이 작은 예보다 훨씬 많아도 맞습니다.",
    guard="sizes that are written into an answer",
)
def test_large_sizes(student, reference, draw):
    """Far more tokens, features or items than in small examples are treated rightly."""
    for B, T, d_model, d_ff in (
        (2, draw.large(), 3, 8),
        (draw.large(), 4, 3, 8),
        (2, 4, draw.large(), 7),
        (2, 4, 3, draw.large()),
    ):
        handle, module = next(twins_by_shape(student, reference, draw, NAME, d_model, d_ff))
        checks.module_matches(handle, module, draw.normal(B, T, d_model) / d_model**0.5)


@feed_forward.check(
    "dtype", weight=1, needs=("test_random_parameters",), ko="결과의 dtype은 모듈과 입력의 dtype과 같습니다."
)
def test_follows_the_dtype(student, reference, draw):
    """The output has the dtype of the module and its input: float32, and float64 after `.to(torch.float64)`."""
    handle, module = next(twins_by_shape(student, reference, draw, NAME, 3, 8))
    for dtype in (torch.float32, torch.float64):
        handle.handle.to(dtype=dtype)
        checks.has_dtype(checks.module_matches(handle, module, draw.normal(2, 4, 3, dtype=dtype)), dtype)


@feed_forward.check(
    "gradient", weight=2, needs=("test_random_parameters",), ko="x와 모든 매개변수로 올바른 그래디언트가 흐릅니다."
)
def test_gradients(student, reference, draw):
    """The right gradients flow to the input and to the parameters of both layers, also in eval."""
    handle, module = next(twins_by_shape(student, reference, draw, NAME, 3, 8))
    checks.module_gradients_match(handle, module, draw.normal(2, 4, 3))
    handle.handle.eval()
    checks.module_gradients_match(handle, module, draw.normal(2, 4, 3))


@feed_forward.check(
    "parameters", weight=1, needs=("test_random_parameters",), ko="state_dict로 옮기면 결과도 옮겨집니다."
)
def test_state_dict_round_trip(student, reference, draw):
    """A second module, used before, gives the first one's output as soon as it has loaded its state_dict."""
    first, module = next(twins_by_shape(student, reference, draw, NAME, 3, 8))
    second = built(student, NAME, 3, 8)
    x = draw.normal(2, 4, 3)
    second(x)
    second.load_state_dict(first.handle.state_dict())
    checks.module_matches(second, module, x)


@feed_forward.check(
    "property",
    weight=1,
    needs=("test_random_parameters",),
    ko="같은 텐서에 다른 값이 들어 있으면 새로 계산합니다.",
    guard="an answer that is kept for a tensor, as functools.cache keeps it",
)
def test_computed_anew(student, reference, draw):
    """A tensor that holds other numbers in a second call gives another answer: nothing is kept for an object."""
    handle, module = next(twins_by_shape(student, reference, draw, NAME, 3, 8))
    checks.module_computed_anew(handle, module, draw.normal(2, 4, 3), before=(draw.normal(2, 4, 3),))


@feed_forward.check("purity", weight=1, needs=("test_random_parameters",), ko="호출한 뒤에도 x는 그대로입니다.")
def test_input_unchanged(student, draw):
    """`x` is the same after the call."""
    checks.module_input_unchanged(built(student, NAME, 3, 8), draw.normal(2, 4, 3))
