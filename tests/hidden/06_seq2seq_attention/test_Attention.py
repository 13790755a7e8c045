"""Hidden checks of `Attention`: random parameters loaded by name, both results, any number of items and tokens.

One module is asked several times, with other numbers of items and tokens and with other inputs of the same shape, so
that sizes written into the module and results kept from an earlier call show. Equal sizes stand beside different ones:
an axis taken for another goes unnoticed there unless the numbers are compared.
"""

import torch

from grader.suite import checks, exercise
from grader.suite.module_checks import load

attention = exercise("Attention")

NAME = "Attention"
SIZES = ((3, ((2, 5), (2, 5), (5, 2))), (7, ((4, 3), (2, 6))))  # h, with several B and T
FAR = 60.0  # small enough for a plain exponential in float32


def inputs(draw, B=3, T=5, h=4, dtype=torch.float32):
    """Return a random (hidden, encoder_outputs)."""
    return draw.normal(B, h, dtype=dtype), draw.normal(B, T, h, dtype=dtype)


@attention.check("value", weight=4, ko="무작위 매개변수와 입력에서 문맥 벡터와 가중치가 정의와 같습니다.")
def test_random_parameters(student, reference, draw):
    """With random parameters loaded, the context and the weights are those of the definition, in every call."""
    for h, sizes in SIZES:
        handle, module = checks.twin(student, reference, draw, NAME, h)
        for B, T in sizes:
            checks.module_matches(handle, module, *inputs(draw, B, T, h))


@attention.check("value", weight=2, ko="항목 수, 토큰 수, 특징 수가 같아도 결과가 정의와 같습니다.")
def test_equal_sizes(student, reference, draw):
    """Where items, tokens and features are equally many, every axis still plays its own part."""
    handle, module = checks.twin(student, reference, draw, NAME, 4)
    for _ in range(2):
        checks.module_matches(handle, module, *inputs(draw, 4, 4, 4))


@attention.check(
    "shape",
    weight=2,
    needs=("test_random_parameters",),
    ko="항목, 토큰, 특징이 하나뿐이어도 모양이 (B, h)와 (B, T)입니다.",
)
def test_smallest_sizes(student, reference, draw):
    """A single item, token or feature still gives a context (B, h) and weights (B, T)."""
    for B, T, h in ((1, 5, 3), (4, 1, 3), (4, 5, 1), (1, 1, 2), (1, 1, 1)):
        handle, module = checks.twin(student, reference, draw, NAME, h)
        checks.module_matches(handle, module, *inputs(draw, B, T, h))


@attention.check(
    "value",
    weight=1,
    needs=("test_random_parameters",),
    ko="eval에서도, 다시 학습 모드로 돌아와도 결과가 같습니다.",
)
def test_eval_is_the_same(student, reference, draw):
    """In eval the results are those of the definition too, and in training again afterwards."""
    handle, module = checks.twin(student, reference, draw, NAME, 4)
    for switch in (handle.eval, handle.train):
        switch()
        checks.module_matches(handle, module, *inputs(draw))


@attention.check(
    "stability",
    weight=1,
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
    for B, T, h in ((2, draw.large(), 3), (draw.large(), 4, 3), (2, 4, draw.large())):
        handle, module = checks.twin(student, reference, draw, NAME, h)
        hidden, encoder_outputs = inputs(draw, B, T, h)
        checks.module_matches(handle, module, hidden / h**0.5, encoder_outputs / h**0.5)


@attention.check(
    "dtype", weight=1, needs=("test_random_parameters",), ko="두 결과의 dtype은 모듈과 입력의 dtype과 같습니다."
)
def test_follows_the_dtype(student, reference, draw):
    """Both results have the dtype of the module and its inputs: float32, and float64 after `.to(torch.float64)`."""
    handle, module = checks.twin(student, reference, draw, NAME, 4)
    for dtype in (torch.float32, torch.float64):
        handle.to(dtype=dtype)
        for result in checks.module_matches(handle, module, *inputs(draw, dtype=dtype)):
            checks.has_dtype(result, dtype)


@attention.check(
    "gradient",
    weight=2,
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
    weight=2,
    needs=("test_random_parameters",),
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


@attention.check("parameters", weight=1, needs=("test_random_parameters",), ko="state_dict로 옮기면 결과도 옮겨집니다.")
def test_state_dict_round_trip(student, reference, draw):
    """A second module, used before, gives the first one's results as soon as it has loaded its state_dict."""
    first, module = checks.twin(student, reference, draw, NAME, 4)
    second = student.Attention(4)
    arguments = inputs(draw)
    second(*arguments)
    second.load_state_dict(first.state_dict())
    checks.module_matches(second, module, *arguments)


@attention.check(
    "property", weight=1, needs=("test_random_parameters",), ko="같은 텐서에 다른 값이 들어 있으면 새로 계산합니다."
)
def test_computed_anew(student, reference, draw):
    """A tensor that holds other numbers in a second call gives another answer: nothing is kept for an object."""
    handle, module = checks.twin(student, reference, draw, NAME, 4)
    checks.module_computed_anew(handle, module, *inputs(draw), before=inputs(draw))


@attention.check(
    "purity", weight=1, needs=("test_random_parameters",), ko="호출한 뒤에도 hidden과 encoder_outputs는 그대로입니다."
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
