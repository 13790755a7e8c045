"""Hidden checks of `Attention`: random parameters loaded by name, both results, any number of items and tokens.

One module is asked several times, with other numbers of items and tokens and with other inputs of the same shape, so
that sizes written into the module and results kept from an earlier call show. Equal sizes stand beside different ones:
an axis taken for another goes unnoticed there unless the numbers are compared.
"""

import torch

from grader.suite import checks, exercise
from grader.suite.core import compare
from grader.suite.library.modules.module_checks import load

from .places import attention_placed

attention = exercise("Attention")

NAME = "Attention"
SIZES = ((3, ((2, 5), (2, 5), (5, 2))), (7, ((4, 3), (2, 6))))  # h, with several B and T
FAR = 60.0  # small enough for a plain exponential in float32


def inputs(draw, B=3, T=5, h=4, dtype=torch.float32):
    """Return a random (hidden, encoder_outputs)."""
    return draw.normal(B, h, dtype=dtype), draw.normal(B, T, h, dtype=dtype)


@attention.check(
    "property",
    weight=4,
    ko="문맥 벡터와 가중치가 인코더 출력에 달려 있습니다. 값은 아직 묻지 않습니다.",
)
def test_uses_every_input(student, reference, draw):
    """Context and weights depend on the encoder's outputs; values come later."""
    handle, module = checks.partial_twin(student, reference, draw, NAME, 4)
    handle.eval()  # who drops numbers in training, which is not asked for, keeps what is right in evaluation
    needed = ("encoder_outputs",)  # without tanh the hidden state changes no weight: such a slip keeps its part
    checks.module_uses_every_input(handle, module, *inputs(draw), draw=draw, parameters=(), needed=needed)


@attention.check("value", weight=8, ko="무작위 매개변수와 입력에서 문맥 벡터와 가중치가 정의와 같습니다.")
def test_random_parameters(student, reference, draw):
    """With random parameters loaded, the context and the weights are those of the definition, in every call."""
    for h, sizes in SIZES:
        handle, module = checks.twin(student, reference, draw, NAME, h)
        for B, T in sizes:
            given = inputs(draw, B, T, h)
            with attention_placed(handle, module, *given):
                checks.module_matches(handle, module, *given, scaling=checks.Scaling(1, "", parameters=("v",)))


@attention.check("value", weight=3, ko="항목 수, 토큰 수, 특징 수가 같아도 결과가 정의와 같습니다.")
def test_equal_sizes(student, reference, draw):
    """Where items, tokens and features are equally many, every axis still plays its own part."""
    handle, module = checks.twin(student, reference, draw, NAME, 4)
    for _ in range(2):
        checks.module_matches(handle, module, *inputs(draw, 4, 4, 4))


@attention.check(
    "shape",
    weight=3,
    needs=("test_uses_every_input",),
    ko="항목, 토큰, 특징이 하나뿐이어도 모양이 (B, h)와 (B, T)입니다.",
)
def test_smallest_sizes(student, reference, draw):
    """A single item, token or feature still gives a context (B, h) and weights (B, T)."""
    for B, T, h in ((1, 5, 3), (4, 1, 3), (4, 5, 1), (1, 1, 2), (1, 1, 1)):
        context, weights = compare.as_tensors(student.Attention(h)(*inputs(draw, B, T, h)), 2)
        checks.has_shape(context, (B, h))
        checks.has_shape(weights, (B, T))


@attention.check(
    "property", weight=4, needs=("test_uses_every_input",), ko="항목마다 토큰에 대한 가중치의 합이 1입니다."
)
def test_weights_sum_to_one(student, draw):
    """The weights of each item are not negative and sum to 1 over its tokens."""
    # Among so many items one has negative scores, whatever is drawn.
    _, weights = compare.as_tensors(student.Attention(4)(*inputs(draw, B=64)), 2)
    checks.rows_sum_to_one(checks.has_shape(weights, (64, 5)))


@attention.check(
    "property", weight=3, needs=("test_uses_every_input",), ko="eval에서도, 다시 학습 모드로 돌아와도 결과가 같습니다."
)
def test_eval_is_the_same(student, draw):
    """In eval the results are those of training, one input after the other, and in training again afterwards."""
    handle, several = student.Attention(4), [inputs(draw) for _ in range(2)]
    first = [compare.as_tensors(handle(*arguments), 2) for arguments in several]
    for context, weights in first:
        checks.has_shape(context, (3, 4))
        checks.has_shape(weights, (3, 5))
    for switch in (handle.eval, handle.train):
        switch()
        for arguments, before in zip(several, first, strict=True):
            checks.close(handle(*arguments), tuple(before))


@attention.check(
    "stability",
    weight=15,
    needs=("test_random_parameters",),
    ko="점수가 모두 크거나 모두 아주 작아도, 항목마다 달라도 가중치가 정확합니다.",
)
def test_far_scores(student, reference, draw):
    """Scores that lie far above or far below zero give the right weights, also of one item beside another."""
    handle, module = checks.twin(student, reference, draw, NAME, 6)
    for far in (FAR, -FAR):
        values = {
            "attn.weight": draw.normal(6, 12) * 0.2,
            "attn.bias": torch.full((6,), 1.5),
            "v": torch.full((6,), far / 6),
        }
        load(module, values)
        handle.load(values)
        checks.module_matches(handle, module, *inputs(draw, h=6))
    steered = torch.cat([torch.full((6, 1), 1.5), torch.zeros(6, 5), draw.normal(6, 6) * 0.2], dim=1)
    values = {"attn.weight": steered, "attn.bias": torch.zeros(6), "v": torch.full((6,), FAR / 6)}
    load(module, values)
    handle.load(values)
    hidden, encoder_outputs = inputs(draw, B=4, h=6)
    hidden[:, 0] = torch.tensor([1.0, -1.0, 1.0, -1.0])  # alone decides whether an item's scores are high or low
    checks.module_matches(handle, module, hidden, encoder_outputs)


@attention.check(
    "value",
    weight=1,
    needs=("test_random_parameters",),
    ko="토큰이나 특징이나 항목이 작은 예보다 훨씬 많아도 맞습니다.",
)
def test_large_sizes(student, reference, draw):
    """Far more tokens, features or items than in small examples are treated rightly."""
    for B, T, h in ((2, 1024 + draw.large(), 3), (1024 + draw.large(), 4, 3), (2, 4, 256 + draw.large())):
        handle, module = checks.twin(student, reference, draw, NAME, h)
        hidden, encoder_outputs = inputs(draw, B, T, h)
        checks.module_matches(handle, module, hidden / h**0.5, encoder_outputs / h**0.5)


@attention.check(
    "dtype", weight=3, needs=("test_uses_every_input",), ko="두 결과의 dtype은 모듈과 입력의 dtype과 같습니다."
)
def test_follows_the_dtype(student, reference, draw):
    """Both results have the dtype of the module and its inputs: float32, or after `.to` float64 or bfloat16."""
    handle = student.Attention(4)
    for dtype in (torch.float32, torch.float64, torch.bfloat16):
        handle.to(dtype=dtype)
        checks.have_dtypes(compare.as_tensors(handle(*inputs(draw, dtype=dtype)), 2), (dtype, dtype))


@attention.check(
    "gradient",
    weight=9,
    needs=("test_uses_every_input",),
    ko="두 결과에서 두 입력과 모든 매개변수에 그래디언트가 전달됩니다.",
)
def test_gradients_flow(student, reference, draw):
    """A gradient of both results reaches both arguments and all parameters, also in eval."""
    handle, module = checks.partial_twin(student, reference, draw, NAME, 4)
    for output in (0, 1):
        checks.module_gradients_flow(handle, module, *inputs(draw), output=output)
    handle.eval()
    checks.module_gradients_flow(handle, module, *inputs(draw))


@attention.check(
    "gradient",
    weight=6,
    needs=("test_random_parameters",),
    ko="두 결과에서 두 입력과 모든 매개변수로 올바른 그래디언트가 흐릅니다.",
)
def test_gradients(student, reference, draw):
    """The right gradients flow from both results to both arguments and all parameters, also in eval."""
    handle, module = checks.twin(student, reference, draw, NAME, 4)
    for output in (0, 1):
        checks.module_gradients_match(handle, module, *inputs(draw), output=output)
    handle.eval()
    checks.module_gradients_match(handle, module, *inputs(draw))


@attention.check(
    "parameters",
    weight=3,
    needs=("test_uses_every_input",),
    ko="매개변수는 attn의 가중치와 편향, 그리고 v뿐입니다.",
)
def test_parameters(student):
    """The parameters are those of attn and v, in the shapes that are asked for, and there are no others."""
    for h in (5, 1):
        found = {name: tuple(value.shape) for name, value in student.Attention(h).parameters().items()}
        wanted = {"attn.weight": (h, 2 * h), "attn.bias": (h,), "v": (h,)}
        checks.is_true(
            found == wanted,
            f"The parameters are {found}, but {wanted} are asked for.",
            f"매개변수가 {found}인데 {wanted}이어야 합니다.",
        )


@attention.check("parameters", weight=2, needs=("test_uses_every_input",), ko="state_dict로 옮기면 결과도 옮겨집니다.")
def test_state_dict_round_trip(student, reference, draw):
    """A second module, used before, gives the first one's results as soon as it has loaded its state_dict."""
    first, second, arguments = student.Attention(4), student.Attention(4), inputs(draw)
    second(*arguments)
    second.load_state_dict(first.state_dict())
    wanted = compare.as_tensors(first(*arguments), 2)
    for each, shape, found in zip(wanted, ((3, 4), (3, 5)), compare.as_tensors(second(*arguments), 2), strict=True):
        checks.close(found, checks.has_shape(each, shape))


@attention.check(
    "property",
    weight=2,
    needs=("test_random_parameters",),
    ko="전치되었거나 잘라 낸 텐서처럼 메모리에서 연속적이지 않아도 결과가 같습니다.",
)
def test_any_layout(student, reference, draw):
    """Tensors that do not lie in order in memory, such as transposed or sliced ones, give the same."""
    handle, module = checks.twin(student, reference, draw, NAME, 4)
    checks.module_any_layout(handle, module, *inputs(draw))


@attention.check(
    "property", weight=2, needs=("test_random_parameters",), ko="같은 텐서에 다른 값이 들어 있으면 새로 계산합니다."
)
def test_computed_anew(student, reference, draw):
    """A tensor that holds other numbers in a second call gives another answer: nothing is kept for an object."""
    handle, module = checks.twin(student, reference, draw, NAME, 4)
    checks.module_computed_anew(handle, module, *inputs(draw), before=inputs(draw))


@attention.check(
    "purity", weight=15, needs=("test_uses_every_input",), ko="호출한 뒤에도 hidden과 encoder_outputs는 그대로입니다."
)
def test_inputs_unchanged(student, draw):
    """The hidden state and the encoder's outputs are the same after the call."""
    checks.module_input_unchanged(student.Attention(4), *inputs(draw))


@attention.check(
    "policy",
    needs=("test_random_parameters",),
    ko="라이브러리의 어텐션 함수나 모듈을 쓰지 않고 직접 계산합니다.",
)
def test_written_by_hand(student, reference, draw):
    """The attention is written out, without one of the library calls that are not allowed."""
    h, sizes = draw.choice(SIZES)
    handle, module = checks.twin(student, reference, draw, NAME, h)
    checks.no_forbidden_call_in_module(handle, module, *inputs(draw, *draw.choice(sizes), h))
