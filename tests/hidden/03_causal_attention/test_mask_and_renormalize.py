"""Hidden checks of `mask_and_renormalize`: zeros in the future, and rows that share the whole again.

Random weights are uneven but none is small, so that a tiny number added to a divisor against division by zero is told
by the check for tiny weights alone.
"""

import torch
from torch import nn

from grader.suite import checks, exercise
from grader.suite.core.compare import is_close
from grader.tolerances import tolerance

mask_and_renormalize = exercise("mask_and_renormalize")

NAME = "mask_and_renormalize"
BOUND = tolerance("value", "float32")


def weights(draw, *shape, dtype=torch.float32):
    """Return positive rows that sum to 1, none of their weights far below the others."""
    uneven = 0.2 + draw.uniform(*shape, dtype=torch.float64)
    return (uneven / uneven.sum(dim=-1, keepdim=True)).to(dtype)


def weights_of_the_note(golden):
    """Return the weights that the note prints in In[27], with all their digits."""
    tokens = golden("N0 inputs").float32
    with torch.random.fork_rng(devices=[]), torch.no_grad():
        torch.manual_seed(123)
        queries, keys = (nn.Linear(3, 2, bias=False)(tokens) for _ in range(2))
    return torch.softmax(queries @ keys.T / 2**0.5, dim=-1)


FUTURE = torch.ones(5, 5, dtype=torch.bool).triu(diagonal=1)


@mask_and_renormalize.check(
    "property", weight=4, ko="결과는 가중치와 모양이 같고, 받은 그대로가 아니며, 가중치가 바뀌면 바뀝니다."
)
def test_the_gate(student, draw):
    """The result has the shape of the weights, is not the weights themselves, and changes with them."""
    inputs = [weights(draw, 5, 5) for _ in range(2)]
    results = [checks.has_shape(student.mask_and_renormalize(each), (5, 5)).double() for each in inputs]
    checks.is_true(
        not any(is_close(result, each.double(), BOUND) for result, each in zip(results, inputs, strict=True)),
        "The result is the weights that were given.",
        "결과가 받은 가중치 그대로입니다.",
    )
    checks.is_true(
        not is_close(results[0], results[1], BOUND),
        "Other weights give the same result.",
        "다른 가중치를 주어도 결과가 같습니다.",
    )


@mask_and_renormalize.check("document", weight=2, ko="노트의 가중치에서 노트에 찍힌 인과 가중치가 나옵니다.")
def test_weights_of_the_note(student, golden):
    """The note's weights give the causal weights that the note prints, and their shares of the whole rows too."""
    before = weights_of_the_note(golden)
    after = student.mask_and_renormalize(before)
    checks.matches_figure(after, golden("N0 In[30]"))
    checks.matches_figure(after * before.tril().sum(dim=-1, keepdim=True), golden("N0 In[29]"))


@mask_and_renormalize.check(
    "value", weight=3, ko="임의의 가중치에서 미래는 0이 되고 나머지는 행마다 다시 나누어집니다."
)
def test_random_weights(student, reference, draw):
    """Of random weights the future ones become zero, and each row's others are divided by their own sum."""
    cases = [checks.given(weights(draw, tokens, tokens)) for tokens in (5, 5, 2, 8, 1)]
    checks.matches_reference_on_each(student, reference, NAME, cases)


@mask_and_renormalize.check("value", weight=5, ko="앞에 차원이 몇 개 더 있어도 항목마다 똑같이 계산합니다.")
def test_leading_dimensions(student, reference, draw):
    """With one, two, three or four dimensions in front, every item is treated in the same way."""
    shapes = ((2, 4, 4), (4, 4, 4), (2, 3, 5, 5), (3, 1, 4, 4), (2, 3, 2, 4, 4), (2, 1, 3, 2, 4, 4))
    cases = [checks.given(weights(draw, *shape)) for shape in shapes]
    checks.matches_reference_on_each(student, reference, NAME, cases)


@mask_and_renormalize.check(
    "property", weight=5, needs=("test_the_gate",), ko="가중치는 음수가 아니고 행의 합은 1입니다."
)
def test_rows_sum_to_one(student, draw):
    """No weight is negative, and every row sums to 1."""
    checks.rows_sum_to_one(student.mask_and_renormalize(weights(draw, 2, 5, 5)))


@mask_and_renormalize.check("property", weight=4, needs=("test_the_gate",), ko="뒤의 토큰의 가중치는 0입니다.")
def test_the_future_gets_nothing(student, draw):
    """The weights of later tokens are 0."""
    answer = checks.has_shape(student.mask_and_renormalize(weights(draw, 2, 5, 5)), (2, 5, 5))
    checks.is_true(
        bool((answer[FUTURE.expand(2, 5, 5)] == 0).all()),
        "A later token gets weight.",
        "뒤의 토큰이 가중치를 받습니다.",
    )


@mask_and_renormalize.check("shape", weight=4, needs=("test_the_gate",), ko="토큰이 하나여도 모양이 그대로입니다.")
def test_single_token(student, draw):
    """A single token gives a tensor of the same shape."""
    for shape in ((1, 1), (3, 1, 1)):
        checks.has_shape(student.mask_and_renormalize(weights(draw, *shape)), shape)


@mask_and_renormalize.check(
    "stability", weight=15, needs=("test_random_weights",), ko="남은 가중치가 아주 작아도 행의 합은 1입니다."
)
def test_tiny_weights_left(student, reference, draw):
    """Rows sum to 1 also where the weights that are left are tiny."""
    for left, dtype in ((3e-5, torch.float32), (1e-5, torch.float64)):  # float64 shows what is added to the divisor
        before = weights(draw, 2, 5, 5)
        before[:, 0, 0] = left
        before[:, 0, 1:] = (1 - left) * weights(draw, 2, 4)
        checks.matches_reference(student, reference, NAME, before.to(dtype))


@mask_and_renormalize.check(
    "value",
    weight=1,
    needs=("test_random_weights",),
    ko="전치하거나 잘라내거나 늘린 뷰를 주어도 결과가 맞습니다.",
)
def test_views(student, reference, draw):
    """Tensors that are views of others (transposed, sliced, expanded) are treated like any others."""
    checks.any_layout(student, reference, NAME, weights(draw, 2, 5, 5))


@mask_and_renormalize.check(
    "value", weight=2, needs=("test_random_weights",), ko="토큰이나 항목이 작은 예보다 훨씬 많아도 맞습니다."
)
def test_large_sizes(student, reference, draw):
    """Far more tokens or items than in small examples are treated rightly."""
    tokens, items = 300 + draw.large(), 1000 + draw.large()
    cases = [checks.given(weights(draw, *shape)) for shape in ((tokens, tokens), (items, 4, 4))]
    checks.matches_reference_on_each(student, reference, NAME, cases)


@mask_and_renormalize.check("dtype", weight=6, needs=("test_the_gate",), ko="결과의 dtype은 가중치의 dtype과 같습니다.")
def test_keeps_the_dtype(student, draw):
    """The result has the dtype of the weights: float32, float64, bfloat16 and float16."""
    dtypes = (torch.float32, torch.float64, torch.bfloat16, torch.float16)
    checks.keeps_dtypes(student, NAME, [checks.given(weights(draw, 5, 5, dtype=dtype)) for dtype in dtypes])


@mask_and_renormalize.check(
    "dtype", weight=2, needs=("test_random_weights",), ko="float64 가중치에서는 float64의 정밀도로 계산합니다."
)
def test_float64_is_exact(student, reference, draw):
    """Weights in float64 give a result as exact as float64."""
    checks.matches_reference(student, reference, NAME, weights(draw, 9, 9, dtype=torch.float64), kind="exact")


@mask_and_renormalize.check("gradient", weight=9, needs=("test_the_gate",), ko="그래디언트가 가중치까지 흐릅니다.")
def test_gradients_flow(student, reference, draw):
    """Gradients reach the weights."""
    checks.gradients_flow(student, reference, NAME, weights(draw, 2, 5, 5))


@mask_and_renormalize.check(
    "gradient", weight=7, needs=("test_random_weights",), ko="가중치로 올바른 그래디언트가 흐릅니다."
)
def test_gradients(student, reference, draw):
    """The right gradients flow to the weights."""
    checks.gradient_matches(student, reference, NAME, weights(draw, 2, 5, 5))


@mask_and_renormalize.check(
    "property",
    weight=3,
    needs=("test_random_weights",),
    ko="같은 텐서에 다른 값이 들어 있으면 새로 계산합니다.",
    guard="an answer that is kept for a tensor, as functools.cache keeps it",
)
def test_computed_anew(student, reference, draw):
    """A tensor that holds other numbers in a second call gives another answer: nothing is kept for an object."""
    checks.computed_anew(student, reference, NAME, weights(draw, 5, 5), before=(weights(draw, 5, 5),))


@mask_and_renormalize.check(
    "purity", weight=15, needs=("test_the_gate",), ko="호출한 뒤에도 입력 가중치는 그대로입니다."
)
def test_input_unchanged(student, draw):
    """The weights are the same after the call."""
    checks.input_unchanged(student, NAME, weights(draw, 5, 5))


@mask_and_renormalize.check(
    "device",
    weight=5,
    needs=("test_the_gate",),
    ko="CPU가 아닌 장치(GPU 등)에서도 결과가 그 장치에 있고 값과 그래디언트가 같습니다.",
)
def test_on_another_device(student, draw):
    """On another device than the CPU, such as a GPU, the result is there, with the same values and gradients."""
    checks.on_another_device(student, NAME, weights(draw, 2, 5, 5))
