"""Hidden checks of `CausalAttention`: what only it has, which are its mask, and dropout of the weights alone.

The weights are not returned: where they have to be seen, W_value is loaded so that the output holds them.
"""

import torch

from grader.suite import checks, exercise
from grader.suite.core.compare import is_close
from grader.suite.library.modules.module_checks import load
from grader.tolerances import tolerance

causal_attention = exercise("CausalAttention")
causal_attention.contract(
    init="d_in d_out T+ p",
    further={"qkv_bias": True},
    x="B T d_in",
    result="B T d_out",
    causal=True,
    scaling=("d_out", "W_query.weight"),
)

NAME = "CausalAttention"
P, MORE = 0.2, 0.7
FAR = 150.0  # beyond a fill of -100, and within what a softmax of float64 leaves of the visible scores
LEVEL = 2000.0  # beyond a fill of -1000 and every plain exponential
FUTURE = torch.ones(4, 4, dtype=torch.bool).triu(diagonal=1)


def showing_weights(student, reference, draw, *, T=24, d_out=48, p=P):
    """Return the student's module with dropout p, in which every T outputs in a row are a token's weights, and a twin.

    The solution's is in eval. Their tokens are made by `marked`.
    """
    handle, module = checks.twin(student, reference, draw, NAME, T + 5, d_out, T, p)
    values = {"W_value.weight": torch.eye(T, T + 5).repeat(d_out // T, 1)}
    load(module, values)
    handle.load(values)
    return handle, module.eval()


def marked(draw, B, *, T=24, features=5, dtype=torch.float32):
    """Return tokens (B, T, T + features) that begin with the rows of the identity."""
    return torch.cat([torch.eye(T, dtype=dtype).expand(B, T, T), draw.normal(B, T, features, dtype=dtype)], dim=-1)


def scoring(handle, module, scores):
    """Load what gives four tokens of `marked` these scaled scores, into modules with d_in 9 and d_out 6."""
    values = {"W_query.weight": torch.eye(6, 9), "W_key.weight": torch.zeros(6, 9)}
    values["W_query.weight"][4:] = 0
    values["W_key.weight"][:4, :4] = scores * 6**0.5
    load(module, values)
    handle.load(values)


@causal_attention.check("document", ko="노트의 배치에서 노트에 찍힌 모양의 올바른 결과가 나옵니다.")
def test_shape_of_the_note(student, reference, golden, draw):
    """The note's batch, the same sentence twice, gives its printed shape and the right output."""
    inputs = golden("N0 inputs").float32
    batch = torch.stack([inputs, inputs])
    shape = tuple(golden("N0 In[38]").value.int().tolist())
    handle, module = checks.twin(student, reference, draw, NAME, inputs.shape[-1], shape[-1], shape[1], 0.0)
    checks.has_shape(checks.matches(handle, module, batch), shape)


@causal_attention.check("value", ko="점수가 0인 보이는 토큰도 자기 몫의 가중치를 받습니다.")
def test_scores_of_zero(student, reference, draw):
    """A token of zeros, whose scores are all zero, attends and is attended to like any other."""
    handle, module = checks.twin(student, reference, draw, NAME, 3, 7, 5, 0.0)
    x = draw.normal(2, 5, 3)
    x[0, 1] = x[1, 3] = x[1, 4] = 0
    checks.matches(handle, module, x)


@causal_attention.check(
    "stability",
    ko="점수가 아무리 크거나 작아도 미래는 가려지고 가중치가 맞습니다.",
)
def test_far_scores(student, reference, draw):
    """Where scores lie far from zero, at 2000 or -2000, the weights are right and a token of the future gets none."""
    handle, module = checks.twin(student, reference, draw, NAME, 9, 6, 4, 0.0)
    handle.to(dtype=torch.float64)
    rows = torch.tensor([1.0, -1.0, -1.0, 1.0]).unsqueeze(1) * LEVEL
    ways = ((-FAR, FAR), (0.0, FAR), (-LEVEL, 0.0), (-LEVEL, FAR), (LEVEL, 0.0), (rows, FAR), (-3 * LEVEL, 6 * LEVEL))
    for level, hidden in ways:
        scoring(handle, module, draw.normal(4, 4) + level + torch.where(FUTURE, hidden, 0.0))
        checks.matches(handle, module, marked(draw, 2, T=4, dtype=torch.float64), kind="extreme", dtype="float32")


@causal_attention.check(
    "property",
    weight=4,
    needs="test_the_gate",
    ko="학습 중에는 보이는 가중치가 dropout 비율만큼 0이 되고 나머지는 커집니다.",
)
def test_dropout_in_training(student, reference, draw):
    """In training the asked share of eval's weights is dropped, and the others are divided by 1 - dropout."""
    for p in (P, MORE):
        handle, _ = showing_weights(student, reference, draw, d_out=24, p=p)
        x = marked(draw, 8)
        handle.eval()
        expected = checks.has_shape(handle(x), (8, 24, 24)).double()
        handle.train()
        checks.weights_are_dropped(checks.has_shape(handle(x), (8, 24, 24)), expected, p, kind="module")


@causal_attention.check(
    "property", weight=4, needs="test_the_gate", ko="드롭아웃은 가중치마다 따로, 가중치에만 걸립니다."
)
def test_dropout_of_weights_alone(student, reference, draw):
    """Every weight is dropped or kept for itself, for all features of its value alike, and nothing else is dropped."""
    handle, _ = showing_weights(student, reference, draw)
    output = checks.has_shape(handle(marked(draw, 8)), (8, 24, 48))
    checks.close(output[..., 24:], output[..., :24].double(), kind="module")
    dropped = output[:, 12:, :12] == 0  # tokens of the second half look at those of the first, so all are visible
    draws = [torch.unique(dropped.movedim(axis, 0).flatten(1), dim=0) for axis in range(3)]
    checks.is_true(
        all(len(rows) == size for rows, size in zip(draws, dropped.shape, strict=True)),
        "One draw of dropout serves several weights: every weight has to be dropped or kept for itself.",
        "한 번의 추첨이 여러 가중치에 쓰입니다. 가중치마다 따로 떨어뜨려야 합니다.",
    )


@causal_attention.check("parameters", needs="test_the_gate", ko="마스크는 버퍼이고 모듈과 함께 옮겨집니다.")
def test_mask_is_a_buffer(student, draw):
    """The mask, context_length x context_length, is a buffer, and every buffer follows the module to another device."""
    longest = 1065 + int(draw.integers(0, 15, 1))
    handle = student.CausalAttention(3, 7, longest, P)
    handle.to(device="meta")
    buffers = {name: fact for name, fact in handle.facts().items() if fact.kind == "buffer"}
    checks.is_true(
        any(torch.Size(fact.shape).numel() >= longest**2 for fact in buffers.values()),
        f"There is no buffer that holds the mask; the buffers are {sorted(buffers)}. Use `register_buffer`.",
        f"마스크를 담은 버퍼가 없습니다. 있는 버퍼는 {sorted(buffers)}입니다. `register_buffer`를 쓰세요.",
    )
    left = sorted(name for name, fact in buffers.items() if fact.device != "meta")
    checks.is_true(
        not left,
        f"After `.to()` the buffers {left} are still on the old device.",
        f"`.to()` 뒤에도 버퍼 {left}가 예전 장치에 남아 있습니다.",
    )


@causal_attention.check(
    "parameters",
    needs=("test_value", "test_mask_is_a_buffer"),
    ko="forward가 쓰는 마스크가 바로 그 버퍼입니다.",
)
def test_mask_buffer_is_used(student, reference, draw):
    """The mask that forward uses is the buffer, in eval and for shorter sequences too: zeros in it show."""
    handle, module = checks.twin(student, reference, draw, NAME, 3, 7, 5, 0.0)
    handle.to(dtype=torch.float64)
    handle.load({name: torch.zeros_like(held) for name, held in handle.buffers().items() if held.numel() >= 25})
    for switch, T in ((handle.train, 5), (handle.train, 4), (handle.eval, 5), (handle.eval, 4)):
        switch()
        x = draw.normal(2, T, 3, dtype=torch.float64)
        with torch.no_grad():
            unchanged = module(x)
        if handle.error(x) is None:
            checks.is_true(
                not is_close(handle(x), unchanged, tolerance("module", "float64")),
                "The buffer makes no difference: forward uses another mask, which `.to()` leaves behind.",
                "버퍼가 바뀌어도 결과가 같습니다. forward가 다른 마스크를 쓰는데, `.to()`는 그것을 옮기지 않습니다.",
                for_students=True,
            )


@causal_attention.check(
    "gradient",
    weight=2,
    ko="학습 중에 드롭아웃이 켜져 있어도 x와 모든 매개변수의 그래디언트가 올바릅니다.",
)
def test_gradients_with_dropout(student, reference, draw):
    """In training with dropout the gradients with respect to the input and to all parameters are right too."""
    handle, module = showing_weights(student, reference, draw)

    def dropped(output):
        return checks.has_shape(output, (2, 24, 48))[..., :24]

    checks.gradients_match(handle, module, marked(draw, 2), dropped=dropped)


@causal_attention.check("errors", needs="test_the_gate", ko="context_length보다 긴 문장은 ValueError입니다.")
def test_too_many_tokens(student, draw):
    """A sequence longer than the context length raises ValueError, in training and in eval."""
    handle = student.CausalAttention(3, 7, 5, P)
    for switch in (handle.train, handle.eval):
        switch()
        for B, T in ((2, 6), (1, 11), (7, 6)):
            checks.raises(handle, "ValueError", draw.normal(B, T, 3))
