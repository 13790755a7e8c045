"""Hidden checks of `CausalAttention`: the attention, its mask, sequences shorter than the longest, dropout, parameters.

Batch, tokens, features and context length are pairwise different and d_out is no perfect square, so that every wrong
axis and divisor shows; equal sizes and sizes of one follow, and every size is tried with two inputs. All of these
modules are made before the first is called, so that what one leaves behind for another shows. The weights are not
returned: where they have to be seen, W_value is loaded so that the output holds them.
"""

import torch

from grader.suite import checks, exercise
from grader.suite.core.compare import is_close
from grader.suite.library.modules.module_checks import load
from grader.tolerances import tolerance

causal_attention = exercise("CausalAttention")

NAME = "CausalAttention"
P, MORE = 0.2, 0.7
FAR = 150.0  # beyond a fill of -100, and within what a softmax of float64 leaves of the visible scores
LEVEL = 2000.0  # beyond a fill of -1000 and every plain exponential
FUTURE = torch.ones(4, 4, dtype=torch.bool).triu(diagonal=1)
FULL = ((2, 5, 3, 7), (3, 3, 3, 3), (4, 3, 6, 2))  # B, T, d_in, d_out; the last d_out is no size of the first
SMALLEST = ((1, 4, 5, 6), (2, 6, 4, 1), (3, 1, 2, 5), (2, 3, 1, 4))
LAYERS = ("W_query", "W_key", "W_value")


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


@causal_attention.check(
    "property", weight=2, ko="출력의 차원과 원소의 수가 맞고, 출력이 x와 층에 달려 있습니다. 값은 아직 묻지 않습니다."
)
def test_the_gate(student, reference, draw):
    """The output has as many dimensions and entries as asked, and depends on x and on the layers; values come later."""
    handle, module = checks.partial_twin(student, reference, draw, NAME, 3, 7, 5, 0.0)
    handle.eval()
    weights = [f"{name}.weight" for name in ("W_query", "W_key", "W_value")]
    x = draw.normal(2, 5, 3)
    x = x if handle.error(x) is None else x[:, :4]  # who refuses the longest sequence may be right about shorter ones
    checks.module_uses_every_input(handle, module.eval(), x, draw=draw, parameters=weights)


@causal_attention.check("document", weight=1, ko="노트의 배치에서 노트에 찍힌 모양의 올바른 결과가 나옵니다.")
def test_shape_of_the_note(student, reference, golden, draw):
    """The note's batch, the same sentence twice, gives its printed shape and the right output."""
    inputs = golden("N0 inputs").float32
    batch = torch.stack([inputs, inputs])
    shape = tuple(golden("N0 In[38]").value.int().tolist())
    handle, module = checks.twin(student, reference, draw, NAME, inputs.shape[-1], shape[-1], shape[1], 0.0)
    checks.has_shape(checks.module_matches(handle, module, batch), shape)


@causal_attention.check("value", weight=1, ko="가중치를 넣으면 가장 긴 문장에서 출력이 정의와 같습니다.")
def test_random_weights(student, reference, draw):
    """With random weights loaded, sequences of the full length give the output of the definition."""
    twins = [checks.twin(student, reference, draw, NAME, d_in, d_out, T, 0.0) for _, T, d_in, d_out in FULL]
    for (B, T, d_in, d_out), (handle, module) in zip(FULL, twins, strict=True):
        lengths = {"d_in": d_in, "the number of tokens": T}
        scaling = checks.Scaling(d_out, "d_out", parameters=("W_query.weight",), sizes=lengths)
        for _ in range(2):
            checks.module_matches(handle, module, draw.normal(B, T, d_in), scaling=scaling)


@causal_attention.check("value", weight=3, ko="context_length보다 짧은 문장도 올바르게 계산합니다.")
def test_shorter_sequences(student, reference, draw):
    """Sequences shorter than the context length are treated rightly, of changing length in one module."""
    handle, module = checks.twin(student, reference, draw, NAME, 3, 7, 8, 0.0)
    for B, T in ((2, 5), (3, 7), (5, 2), (4, 8)):
        checks.module_matches(handle, module, draw.normal(B, T, 3))
    handle.eval()
    module.eval()
    for B, T in ((2, 8), (3, 4)):
        checks.module_matches(handle, module, draw.normal(B, T, 3))


@causal_attention.check("value", weight=1, ko="점수가 0인 보이는 토큰도 자기 몫의 가중치를 받습니다.")
def test_scores_of_zero(student, reference, draw):
    """A token of zeros, whose scores are all zero, attends and is attended to like any other."""
    handle, module = checks.twin(student, reference, draw, NAME, 3, 7, 5, 0.0)
    x = draw.normal(2, 5, 3)
    x[0, 1] = x[1, 3] = x[1, 4] = 0
    checks.module_matches(handle, module, x)


@causal_attention.check(
    "shape", weight=1, needs=("test_the_gate",), ko="크기가 1인 축이 있어도 모양은 (B, T, d_out)입니다."
)
def test_smallest_sizes(student, draw):
    """A single item, token or feature still gives a tensor of shape (B, T, d_out)."""
    for B, T, d_in, d_out in SMALLEST:
        checks.has_shape(student.CausalAttention(d_in, d_out, 6, 0.0)(draw.normal(B, T, d_in)), (B, T, d_out))


@causal_attention.check("value", weight=1, ko="qkv_bias=True이면 세 층의 편향이 계산에 들어갑니다.")
def test_with_bias(student, reference, draw):
    """With qkv_bias=True, the biases of the three layers take part."""
    for qkv_bias in (True, False):
        handle, module = checks.twin(student, reference, draw, NAME, 3, 7, 6, 0.0, qkv_bias=qkv_bias)
        checks.module_matches(handle, module, draw.normal(2, 5, 3))


@causal_attention.check("value", weight=2, ko="eval에서는 드롭아웃이 꺼지고, 미래는 여전히 가려집니다.")
def test_eval_is_right(student, reference, draw):
    """In eval a module with dropout gives what one without gives, also after it was in training."""
    handle, module = checks.twin(student, reference, draw, NAME, 3, 7, 6, P)
    x = draw.normal(2, 5, 3)
    handle(x)
    handle.eval()
    module.eval()
    for tokens in (x, x, draw.normal(2, 5, 3), draw.normal(2, 6, 3)):
        checks.module_matches(handle, module, tokens)


@causal_attention.check(
    "property", weight=2, needs=("test_the_gate",), ko="eval에서는 아무것도 무작위로 떨어지지 않습니다."
)
def test_eval_drops_nothing(student, draw):
    """In eval the same input gives the same output every time, also after the module was in training."""
    handle = student.CausalAttention(3, 7, 24, P)
    x = draw.normal(2, 24, 3)
    handle(x)
    handle.eval()
    first = checks.has_shape(handle(x), (2, 24, 7))
    checks.close(handle(x), first.double(), kind="module")


@causal_attention.check(
    "property", weight=3, needs=("test_the_gate",), ko="뒤의 토큰을 바꾸어도 앞 토큰의 출력은 그대로입니다."
)
def test_future_is_invisible(student, draw):
    """A change of later tokens changes no earlier output, in training and in eval."""
    handle = student.CausalAttention(3, 7, 8, 0.0)
    checks.future_is_invisible(handle, draw.normal(2, 5, 3), draw)
    handle.eval()
    checks.future_is_invisible(handle, draw.normal(2, 8, 3), draw)


@causal_attention.check("property", weight=1, needs=("test_the_gate",), ko="배치의 항목은 서로 영향을 주지 않습니다.")
def test_items_for_themselves(student, draw):
    """An item gives the same alone and among others, whatever they are."""
    handle = student.CausalAttention(3, 7, 5, 0.0)
    x, others = draw.normal(3, 5, 3), draw.normal(2, 5, 3)
    alone = torch.cat([checks.has_shape(handle(x[item : item + 1]), (1, 5, 7)) for item in range(3)]).double()
    checks.close(handle(x), alone, kind="module")
    checks.close(checks.has_shape(handle(torch.cat([others, x[1:]])), (4, 5, 7))[2:], alone[1:], kind="module")


@causal_attention.check(
    "stability",
    weight=15,
    needs=("test_random_weights",),
    ko="점수가 아무리 크거나 작아도 미래는 가려지고 가중치가 맞습니다.",
)
def test_far_scores(student, reference, draw):
    """Where scores lie far from zero, at 2000 or -2000, the weights are right and a token of the future gets none."""
    handle, module = checks.twin(student, reference, draw, NAME, 9, 6, 4, 0.0)
    handle.to(dtype=torch.float64)
    rows = torch.tensor([1.0, -1.0, -1.0, 1.0]).unsqueeze(1) * LEVEL
    for level, hidden in ((-FAR, FAR), (0.0, FAR), (-LEVEL, 0.0), (-LEVEL, FAR), (LEVEL, 0.0), (rows, FAR)):
        scoring(handle, module, draw.normal(4, 4) + level + torch.where(FUTURE, hidden, 0.0))
        checks.module_matches(handle, module, marked(draw, 2, T=4, dtype=torch.float64))


@causal_attention.check(
    "property",
    weight=4,
    needs=("test_the_gate",),
    ko="학습 중에는 보이는 가중치가 dropout 비율만큼 0이 되고 나머지는 커집니다.",
)
def test_dropout_in_training(student, reference, draw):
    """In training the asked share of eval's weights is dropped, and the others are divided by 1 - dropout."""
    for p in (P, MORE):
        handle, _ = showing_weights(student, reference, draw, d_out=24, p=p)
        x = marked(draw, 32)
        handle.eval()
        expected = checks.has_shape(handle(x), (32, 24, 24)).double()
        handle.train()
        checks.weights_are_dropped(checks.has_shape(handle(x), (32, 24, 24)), expected, p, kind="module")


@causal_attention.check(
    "property", weight=2, needs=("test_dropout_in_training",), ko="드롭아웃은 가중치마다 따로, 가중치에만 걸립니다."
)
def test_dropout_of_weights_alone(student, reference, draw):
    """Every weight is dropped or kept for itself, for all features of its value alike, and nothing else is dropped."""
    handle, _ = showing_weights(student, reference, draw)
    output = checks.has_shape(handle(marked(draw, 32)), (32, 24, 48))
    checks.close(output[..., 24:], output[..., :24].double(), kind="module")
    dropped = output[:, 12:, :12] == 0  # tokens of the second half look at those of the first, so all are visible
    checks.drawn_apart(dropped, 0, 1, 2, places=("items", "queries", "keys"))


@causal_attention.check(
    "property", weight=2, needs=("test_dropout_in_training",), ko="드롭아웃은 부를 때마다 새로 뽑습니다."
)
def test_dropout_is_drawn_anew(student, reference, draw):
    """Other weights are dropped in every call, also after a time in eval."""
    handle, _ = showing_weights(student, reference, draw)
    x = marked(draw, 2)
    first = checks.has_shape(handle(x), (2, 24, 48)) == 0
    handle.eval()
    hidden = checks.has_shape(handle(x), (2, 24, 48)) == 0
    handle.train()
    second = checks.has_shape(handle(x), (2, 24, 48)) == 0
    checks.is_true(
        not torch.equal(first, second) and not torch.equal(hidden, second),
        "Two calls in training drop the same weights, or the second one none.",
        "학습 중에 두 번 불렀는데 같은 가중치가 0이 되거나, 두 번째에는 아무것도 0이 되지 않습니다.",
    )


@causal_attention.check(
    "parameters",
    weight=2,
    needs=("test_the_gate",),
    ko="매개변수는 세 층의 것뿐이고, 편향은 요청할 때만 있습니다.",
)
def test_parameters(student):
    """The three layers have a weight each, a bias each only if asked for, and there is nothing else to learn."""
    for options, parts in (({}, ("weight",)), ({"qkv_bias": False}, ("weight",)), ({"qkv_bias": True}, None)):
        made = student.CausalAttention(3, 7, 5, P, **options).parameters()
        found = {name: tuple(value.shape) for name, value in made.items()}
        shapes = {"weight": (7, 3), "bias": (7,)}
        wanted = {f"{layer}.{part}": shapes[part] for layer in LAYERS for part in parts or shapes}
        checks.is_true(
            found == wanted,
            f"The parameters are {found}, but {wanted} are asked for.",
            f"매개변수가 {found}인데 {wanted}이어야 합니다.",
        )


@causal_attention.check(
    "parameters", weight=2, needs=("test_the_gate",), ko="마스크는 버퍼이고 모듈과 함께 옮겨집니다."
)
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
    weight=1,
    needs=("test_random_weights", "test_mask_is_a_buffer"),
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
    "parameters", weight=1, needs=("test_random_weights",), ko="state_dict로 옮기면 결과도 옮겨집니다."
)
def test_state_dict_round_trip(student, reference, draw):
    """A second module, used before, gives the first one's output as soon as it has loaded its state_dict."""
    first, module = checks.twin(student, reference, draw, NAME, 3, 7, 5, 0.0)
    second = student.CausalAttention(3, 7, 5, 0.0)
    x = draw.normal(2, 4, 3)
    second(x)
    second.load_state_dict(first.state_dict())
    checks.module_matches(second, module, x)


@causal_attention.check(
    "value", weight=1, needs=("test_random_weights",), ko="전치하거나 잘라내거나 늘린 뷰를 주어도 결과가 맞습니다."
)
def test_views(student, reference, draw):
    """Tensors that are views of others (transposed, sliced, expanded) are treated like any others."""
    handle, module = checks.twin(student, reference, draw, NAME, 3, 7, 6, 0.0)
    checks.module_any_layout(handle, module, draw.normal(2, 5, 3))


@causal_attention.check(
    "value", weight=1, needs=("test_random_weights",), ko="토큰이나 특징이나 항목이 작은 예보다 훨씬 많아도 맞습니다."
)
def test_large_sizes(student, reference, draw):
    """Far more tokens, features or items than in small examples are treated rightly."""
    T, many = 300 + draw.large(), 1000 + draw.large()
    handle, module = checks.twin(student, reference, draw, NAME, 5, 3, T, 0.0)
    for shape in ((1, T - 1, 5), (1, T, 5), (many, 3, 5)):
        checks.module_matches(handle, module, draw.normal(*shape))
    handle, module = checks.twin(student, reference, draw, NAME, many, 300 + draw.large(), 4, 0.0)
    checks.module_matches(handle, module, draw.normal(2, 4, many) / many**0.5)


@causal_attention.check(
    "dtype", weight=2, needs=("test_the_gate",), ko="결과의 dtype은 모듈과 입력의 dtype과 같습니다."
)
def test_follows_the_dtype(student, draw):
    """The output has the dtype of the module and its input: float32, and float64 and bfloat16 after `.to(...)`."""
    handle = student.CausalAttention(3, 7, 6, 0.0)
    for dtype in (torch.float32, torch.bfloat16, torch.float64):
        handle.to(dtype=dtype)
        checks.has_dtype(handle(draw.normal(2, 5, 3, dtype=dtype)), dtype)


@causal_attention.check(
    "dtype", weight=1, needs=("test_random_weights",), ko="float64로 바꾼 모듈은 float64의 정밀도로 계산합니다."
)
def test_float64_is_exact(student, reference, draw):
    """A module that was turned to float64 computes as exactly as float64."""
    handle, module = checks.twin(student, reference, draw, NAME, 5, 9, 6, 0.0)
    handle.to(dtype=torch.float64)
    checks.module_matches(handle, module, draw.normal(3, 6, 5, dtype=torch.float64), kind="exact")


@causal_attention.check(
    "gradient", weight=3, needs=("test_the_gate",), ko="그래디언트가 x와 모든 매개변수까지 흐릅니다."
)
def test_gradients_flow(student, reference, draw):
    """Gradients reach the input and all parameters."""
    handle, module = checks.partial_twin(student, reference, draw, NAME, 3, 7, 6, 0.0, qkv_bias=True)
    checks.module_gradients_flow(handle, module, draw.normal(2, 5, 3))


@causal_attention.check(
    "gradient", weight=8, needs=("test_random_weights",), ko="x와 모든 매개변수의 그래디언트가 올바릅니다."
)
def test_gradients(student, reference, draw):
    """The gradients with respect to the input and to all parameters are right, also in eval."""
    handle, module = checks.twin(student, reference, draw, NAME, 3, 7, 6, 0.0, qkv_bias=True)
    x = draw.normal(2, 5, 3)
    checks.module_gradients_match(handle, module, x)
    handle.eval()
    checks.module_gradients_match(handle, module, x)


@causal_attention.check(
    "gradient",
    weight=7,
    needs=("test_dropout_of_weights_alone", "test_random_weights"),
    ko="학습 중에 드롭아웃이 켜져 있어도 x와 모든 매개변수의 그래디언트가 올바릅니다.",
)
def test_gradients_with_dropout(student, reference, draw):
    """In training with dropout the gradients with respect to the input and to all parameters are right too."""
    handle, module = showing_weights(student, reference, draw)

    def dropped(output):
        return checks.has_shape(output, (2, 24, 48))[..., :24]

    checks.module_gradients_match(handle, module, marked(draw, 2), dropped=dropped)


@causal_attention.check(
    "errors", weight=1, needs=("test_the_gate",), ko="context_length보다 긴 문장은 ValueError입니다."
)
def test_too_many_tokens(student, draw):
    """A sequence longer than the context length raises ValueError, in training and in eval."""
    handle = student.CausalAttention(3, 7, 5, P)
    for switch in (handle.train, handle.eval):
        switch()
        for B, T in ((2, 6), (1, 11), (7, 6)):
            raised = handle.error(draw.normal(B, T, 3))
            checks.is_true(
                raised is not None and "ValueError" in (raised.type_name, *raised.bases),
                f"ValueError is asked for, but {raised.type_name if raised else 'nothing'} was raised.",
                f"ValueError가 나야 하는데 {raised.type_name if raised else '아무 예외도 나지'} 않았습니다.",
            )


@causal_attention.check(
    "property", weight=1, needs=("test_random_weights",), ko="같은 텐서에 다른 값이 들어 있으면 새로 계산합니다."
)
def test_computed_anew(student, reference, draw):
    """A tensor that holds other numbers in a second call gives another answer: nothing is kept for an object."""
    handle, module = checks.twin(student, reference, draw, NAME, 3, 7, 5, 0.0)
    checks.module_computed_anew(handle, module, draw.normal(2, 4, 3), before=(draw.normal(2, 4, 3),))


@causal_attention.check("purity", weight=15, needs=("test_the_gate",), ko="호출한 뒤에도 입력은 그대로입니다.")
def test_input_unchanged(student, draw):
    """The input holds the same numbers after the call."""
    checks.module_input_unchanged(student.CausalAttention(3, 7, 5, 0.0), draw.normal(2, 4, 3))


@causal_attention.check(
    "device",
    weight=5,
    needs=("test_the_gate",),
    ko="CPU가 아닌 장치(GPU 등)에서도 결과가 그 장치에 있고 값과 그래디언트가 같습니다.",
)
def test_on_another_device(student, draw):
    """On another device than the CPU, such as a GPU, the result is there, with the same values and gradients."""
    checks.module_on_another_device(student, NAME, (3, 7, 6, P), draw.normal(2, 5, 3))


@causal_attention.check("policy", needs=("test_random_weights",), ko="라이브러리의 어텐션을 쓰지 않고 직접 계산합니다.")
def test_written_by_hand(student, reference, draw):
    """The attention is written out, without one of the library calls that are not allowed."""
    B, T, d_in, d_out = draw.choice(FULL)
    for options in ({}, {"qkv_bias": True}):
        handle, module = checks.twin(student, reference, draw, NAME, d_in, d_out, T, 0.0, **options)
        shorter = checks.given(draw.normal(B, T - 1, d_in))
        checks.no_forbidden_call_in_module(handle, module, draw.normal(B, T, d_in), also=[shorter])
