"""Hidden checks of `CausalAttention`: its causal mask, and dropout on the weights only.

The weights are not returned: where they have to be seen, W_value is loaded so that the output holds them.
"""

import torch

from grader.suite import checks, exercise

NAME = "CausalAttention"
DROPOUT, LARGE_DROPOUT = 0.2, 0.7
FUTURE = torch.ones(8, 8, dtype=torch.bool).triu(diagonal=1)

causal_attention = exercise(NAME)
causal_attention.contract(
    init="d_in d_out T+ p",
    further={"qkv_bias": True},
    x="B T d_in",
    result="B T d_out",
    causal=True,
)


def showing_weights(student, reference, draw, *, copies=2, p=DROPOUT):
    """Return the student's module, and the solution's in eval: of `one_hot_tokens` they give copies of the weights."""
    values = {"W_value.weight": torch.eye(24, 29).repeat(copies, 1)}
    handle, module = checks.twin(student, reference, draw, NAME, 29, 24 * copies, 24, p, values=values)
    return handle, module.eval()


def one_hot_tokens(draw, B):
    """Return tokens (B, 24, 29) that begin with the rows of the identity."""
    return torch.cat([torch.eye(24).expand(B, 24, 24), draw.normal(B, 24, 5)], dim=-1)


@causal_attention.check("document", ko="노트의 배치에서 노트에 찍힌 모양의 올바른 결과가 나옵니다.")
def test_shape_of_the_note(student, reference, golden, draw):
    """The note's batch, the same sentence twice, gives its printed shape and the right output."""
    inputs = golden("N0 inputs").float32
    batch = torch.stack([inputs, inputs])
    shape = tuple(golden("N0 In[38]").value.int().tolist())
    twin = checks.twin(student, reference, draw, NAME, inputs.shape[-1], shape[-1], shape[1], 0.0)
    checks.has_shape(checks.matches(*twin, batch), shape)


@causal_attention.check("value", ko="점수가 0인 보이는 토큰도 자기 몫의 가중치를 받습니다.")
def test_scores_of_zero(student, reference, draw):
    """A token of zeros, whose scores are all zero, attends and is attended to like any other."""
    x = draw.normal(2, 5, 3)
    x[0, 1] = x[1, 3] = x[1, 4] = 0
    checks.matches(*checks.twin(student, reference, draw, NAME, 3, 7, 5, 0.0), x)


@causal_attention.check("stability", ko="점수가 아무리 크거나 작아도 미래는 가려지고 가중치가 맞습니다.")
def test_far_scores(student, reference, draw):
    """Where scores lie far from zero, such as at 2000 or -2000, the weights are right and a future token gets none."""
    # The first eight features of a token are its query, the next its key, and its value is made of the last.
    values = {"W_query.weight": torch.eye(10, 19), "W_key.weight": torch.eye(10, 19).roll(8, 1)}
    values["W_value.weight"] = draw.normal(10, 19)
    values["W_query.weight"][:, 8:] = values["W_key.weight"][:, 16:] = values["W_value.weight"][:, :16] = 0
    handle, module = checks.twin(student, reference, draw, NAME, 19, 10, 8, 0.0, values=values)
    keys = draw.far_scores(8, 8, hidden=FUTURE).T * 10**0.5  # which forward divides by again
    parts = torch.eye(8, dtype=torch.float64), keys, draw.normal(8, 3, dtype=torch.float64)
    x = torch.cat(parts, dim=1).repeat(2, 1, 1)
    checks.matches(handle.to(dtype=torch.float64), module, x, kind="extreme", dtype="float32")


@causal_attention.check(
    "property",
    weight=10,
    needs="test_the_gate",
    ko="학습 중에는 보이는 가중치가 dropout 비율만큼 0이 되고 나머지는 커집니다.",
)
def test_dropout_in_training(student, reference, draw):
    """In training the asked share of eval's weights is dropped, and the others are divided by 1 - dropout."""
    for p in (DROPOUT, LARGE_DROPOUT):
        handle, _ = showing_weights(student, reference, draw, copies=1, p=p)
        weights, expected = handle.in_both_modes(one_hot_tokens(draw, 8))
        checks.has_shape(expected, (8, 24, 24))
        checks.weights_are_dropped(weights, expected.double(), p, kind="module")


@causal_attention.check(
    "property", weight=10, needs="test_the_gate", ko="dropout은 가중치마다 따로, 가중치에만 걸립니다."
)
def test_dropout_of_weights_alone(student, reference, draw):
    """In training each weight is dropped independently, for all features of its value, and nothing else is dropped."""
    handle, _ = showing_weights(student, reference, draw)
    output = checks.has_shape(handle(one_hot_tokens(draw, 8)), (8, 24, 48))
    checks.close(output[..., 24:], output[..., :24].double(), kind="module")
    checks.drawn_apart(output[:, 12:, :12] == 0, 0, 1, 2)  # the second half looks at the first, so all are visible


@causal_attention.check("parameters", needs="test_the_gate", ko="마스크는 버퍼이고 모듈과 함께 옮겨집니다.")
def test_mask_is_a_buffer(student, draw):
    """A buffer is as large as the mask, context_length x context_length, and follows the module to another device."""
    longest = 1065 + int(draw.integers(0, 15, 1))  # more than an answer made for small examples has
    facts = student.CausalAttention.built(3, 7, longest, DROPOUT).to(device="meta").facts()
    buffers = {name: fact for name, fact in facts.items() if fact.kind == "buffer"}
    checks.is_true(
        any(torch.Size(fact.shape).numel() >= longest**2 and fact.device == "meta" for fact in buffers.values()),
        f"No buffer that moves with the module holds the mask; they are {sorted(buffers)}. Use `register_buffer`.",
        f"마스크를 담고 모듈과 함께 옮겨지는 버퍼가 없습니다. 있는 것: {sorted(buffers)}. `register_buffer`를 쓰세요.",
    )


@causal_attention.check(
    "parameters", needs=("test_value", "test_mask_is_a_buffer"), ko="forward가 쓰는 마스크가 바로 그 버퍼입니다."
)
def test_mask_buffer_is_used(student, reference, draw):
    """The mask that forward uses is the buffer, in eval and for shorter sequences too: zeros in it show."""
    handle, module = checks.twin(student, reference, draw, NAME, 3, 7, 5, 0.0)
    handle.to(dtype=torch.float64)
    handle.load({name: torch.zeros_like(held) for name, held in handle.buffers().items() if held.numel() >= 25})
    for switch, T in ((handle.train, 5), (handle.train, 4), (handle.eval, 5), (handle.eval, 4)):
        switch()
        x = draw.normal(2, T, 3, dtype=torch.float64)
        (output,) = handle.on_each([checks.given(x)])
        right = module(x).detach()
        # A call that fails differs, too.
        alike = torch.is_tensor(output) and output.shape == right.shape and torch.allclose(output.double(), right)
        checks.is_true(
            not alike,
            "The buffer makes no difference: forward uses another mask, which `.to()` leaves behind.",
            "버퍼가 바뀌어도 결과가 같습니다. forward가 다른 마스크를 쓰는데, `.to()`는 그것을 옮기지 않습니다.",
            for_students=True,
        )


@causal_attention.check(
    "gradient", weight=4, ko="학습 중에 dropout이 켜져 있어도 x와 모든 매개변수의 그래디언트가 올바릅니다."
)
def test_gradients_with_dropout(student, reference, draw):
    """In training with dropout the gradients with respect to the input and to all parameters are right too."""
    handle, module = showing_weights(student, reference, draw)

    x = one_hot_tokens(draw, 2)
    checks.gradients_match(handle, module, x, dropped=lambda out: checks.has_shape(out, (2, 24, 48))[..., :24])


@causal_attention.check("errors", needs="test_the_gate", ko="context_length보다 긴 문장은 ValueError입니다.")
def test_too_many_tokens(student, draw):
    """A sequence longer than the context length raises ValueError, in training and in eval."""
    handle = student.CausalAttention.built(3, 7, 5, DROPOUT)
    for switch in (handle.train, handle.eval):
        switch()
        checks.raises(handle, "ValueError", *(checks.given(draw.normal(B, T, 3)) for B, T in ((2, 6), (1, 11), (7, 6))))
