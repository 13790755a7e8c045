"""Hidden checks of `CausalAttention`: its causal mask, and dropout on the weights only.

The weights are not returned: where they have to be seen, W_value is loaded so that the output holds them.
"""

import torch

from grader.suite import checks, exercise

DROPOUT, LARGE_DROPOUT = 0.2, 0.75
FUTURE = torch.ones(8, 8, dtype=torch.bool).triu(diagonal=1)

causal_attention = exercise("CausalAttention")
causal_attention.contract(
    init="d_in d_out T+ p",
    further={"qkv_bias": True},
    x="B T d_in",
    result="B T d_out",
    causal=True,
)


def showing_weights(twin, *, copies=2, p=DROPOUT):
    """Return both modules, the solution's in eval: for `one_hot_tokens` they give the weights, `copies` times."""
    values = {"W_value.weight": torch.eye(24, 29).repeat(copies, 1)}
    submitted, solution = twin(29, 24 * copies, 24, p, values=values)
    return submitted, solution.eval()


def one_hot_tokens(draw, B):
    """Return tokens (B, 24, 29) that begin with the rows of the identity."""
    return torch.cat([torch.eye(24).expand(B, 24, 24), draw.normal(B, 24, 5)], dim=-1)


@causal_attention.check("document", ko="노트의 배치에서 노트에 찍힌 모양의 올바른 결과가 나옵니다.")
def test_shape_of_the_note(twin, golden):
    """The note's batch, the same sentence twice, gives its printed shape and the right output."""
    inputs = golden("N0 inputs").float32
    batch = torch.stack([inputs, inputs])
    shape = tuple(golden("N0 In[38]").value.int().tolist())
    pair = twin(inputs.shape[-1], shape[-1], shape[1], 0.0)
    checks.has_shape(checks.matches(*pair, batch), shape)


@causal_attention.check("value", ko="점수가 0인 보이는 토큰도 자기 몫의 가중치를 받습니다.")
def test_scores_of_zero(twin, draw):
    """A token of zeros, whose scores are all zero, attends and is attended to like any other."""
    x = draw.normal(2, 5, 3)
    x[0, 1] = x[1, 3] = x[1, 4] = 0
    checks.matches(*twin(3, 7, 5, 0.0), x)


@causal_attention.check("stability", ko="점수가 아무리 크거나 작아도 미래는 가려지고 가중치가 맞습니다.")
def test_far_scores(twin, draw):
    """Where scores lie far from zero, such as at 2000 or -2000, the weights are right and a future token gets none."""
    # The first eight features of a token are its query, the next eight its key; the value is made of the last three.
    query, key, value = (torch.zeros(10, 19) for _ in range(3))
    query[:8, :8], key[:8, 8:16], value[:, 16:] = torch.eye(8), torch.eye(8), draw.normal(10, 3)
    values = {"W_query.weight": query, "W_key.weight": key, "W_value.weight": value}
    submitted, solution = twin(19, 10, 8, 0.0, values=values)
    # Query i is row i of eye(8), so its product with key j is scores[i, j]; forward divides by the root of d_out.
    scores = draw.far_scores(8, 8, hidden=FUTURE)
    parts = torch.eye(8, dtype=torch.float64), scores.T * 10**0.5, draw.normal(8, 3, dtype=torch.float64)
    x = torch.cat(parts, dim=1).repeat(2, 1, 1)
    checks.matches(submitted.to(dtype=torch.float64), solution, x, kind="extreme", dtype="float32")


@causal_attention.check(
    "property", weight=10, ko="학습 중에는 보이는 가중치가 dropout 비율만큼 0이 되고 나머지는 커집니다."
)
def test_dropout_in_training(twin, draw):
    """In training a fraction `dropout` of the attention weights is zeroed, and the rest are divided by 1 - dropout."""
    submitted, _ = showing_weights(twin, copies=1, p=LARGE_DROPOUT)
    weights, expected = submitted.in_both_modes(one_hot_tokens(draw, 3))
    checks.has_shape(expected, (3, 24, 24))
    checks.weights_are_dropped(weights, expected.double(), LARGE_DROPOUT, kind="module")


@causal_attention.check("property", weight=10, ko="dropout은 가중치마다 따로, 가중치에만 걸립니다.")
def test_dropout_of_weights_alone(twin, draw):
    """In training dropout acts on each attention weight independently, and on nothing else."""
    submitted, _ = showing_weights(twin)
    output = checks.has_shape(submitted(one_hot_tokens(draw, 6)), (6, 24, 48))
    checks.close(output[..., 24:], output[..., :24].double(), kind="module")
    checks.drawn_apart(output[:, 12:, :12] == 0, 0, 1, 2)  # the second half looks at the first, so all are visible


@causal_attention.check("parameters", ko="마스크는 버퍼이고 모듈과 함께 옮겨집니다.")
def test_mask_is_a_buffer(student, draw):
    """The mask, context_length x context_length, is in a buffer, so it moves with the module to another device."""
    context_length = draw.large()
    entries = context_length**2  # a mask of a fixed size, such as 1024 x 1024, is no multiple of it
    facts = student.CausalAttention.built(3, 7, context_length, DROPOUT).to(device="meta").facts()
    buffers = {name: fact for name, fact in facts.items() if fact.kind == "buffer"}
    sizes = [torch.Size(fact.shape).numel() for fact in buffers.values() if fact.device == "meta"]
    checks.is_true(
        any(size >= entries and size % entries == 0 for size in sizes),
        f"No buffer that moves with the module holds the mask; they are {sorted(buffers)}. Use `register_buffer`.",
        f"마스크를 담고 모듈과 함께 옮겨지는 버퍼가 없습니다. 있는 것: {sorted(buffers)}. `register_buffer`를 쓰세요.",
    )


@causal_attention.check(
    "parameters", needs=("test_value", "test_mask_is_a_buffer"), ko="forward가 쓰는 마스크가 바로 그 버퍼입니다."
)
def test_mask_buffer_is_used(twin, draw):
    """forward uses the buffer as its mask: setting it to zero changes the output, in eval and for shorter input too."""
    submitted, solution = twin(3, 7, 5, 0.0)
    submitted.to(dtype=torch.float64)
    submitted.load({name: torch.zeros_like(held) for name, held in submitted.buffers().items() if held.numel() >= 25})
    for switch, T in ((submitted.train, 5), (submitted.train, 4), (submitted.eval, 5), (submitted.eval, 4)):
        switch()
        x = draw.normal(2, T, 3, dtype=torch.float64)
        (output,) = submitted.on_each([checks.given(x)])
        expected = solution(x).detach()
        # A call that fails differs, too.
        alike = torch.is_tensor(output) and output.shape == expected.shape and torch.allclose(output.double(), expected)
        checks.is_true(
            not alike,
            "The buffer makes no difference: forward uses another mask, which `.to()` leaves behind.",
            "버퍼가 바뀌어도 결과가 같습니다. forward가 다른 마스크를 쓰는데, `.to()`는 그것을 옮기지 않습니다.",
            for_students=True,
        )


@causal_attention.check(
    "gradient", weight=4, ko="학습 중에 dropout이 켜져 있어도 x와 모든 매개변수의 그래디언트가 올바릅니다."
)
def test_gradients_with_dropout(twin, draw):
    """In training with dropout the gradients with respect to the input and to all parameters are right too."""
    submitted, solution = showing_weights(twin)
    x = one_hot_tokens(draw, 2)
    checks.gradients_match(submitted, solution, x, dropped=lambda out: checks.has_shape(out, (2, 24, 48))[..., :24])


@causal_attention.check("errors", ko="context_length보다 긴 문장은 ValueError입니다.")
def test_too_many_tokens(student, draw):
    """A sequence longer than the context length raises ValueError, in training and in eval."""
    submitted = student.CausalAttention.built(3, 7, 5, DROPOUT)
    for switch in (submitted.train, submitted.eval):
        switch()
        checks.raises(
            submitted, "ValueError", *(checks.given(draw.normal(B, T, 3)) for B, T in ((2, 6), (1, 11), (7, 6)))
        )
