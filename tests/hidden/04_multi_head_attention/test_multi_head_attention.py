"""Checks of `multi_head_attention`: the whole way from tokens to tokens, with every matrix drawn at random.

With one feature a head or as many tokens as heads, many wrong layouts give the right numbers; so the sizes are pairwise
different first, and the special ones come after. The first size comes twice, with other numbers.
"""

import torch

from grader.suite import checks, exercise

multi_head_attention = exercise("multi_head_attention")

NAME = "multi_head_attention"
SIZES = (
    {},
    {},
    {"T": 2, "H": 5, "head_dim": 3},
    {"T": 3, "H": 3, "head_dim": 3},
    {"T": 6, "H": 4, "head_dim": 1},
    {"T": 6, "H": 1, "head_dim": 5},
    {"T": 1, "H": 2, "head_dim": 3},
)
FAR = 150.0  # beyond a fill of -100, and within what a softmax of float64 leaves of the visible scores
LEVEL = 2000.0  # beyond a fill of -1000 and every plain exponential


def inputs(draw, *lead, T=5, H=3, head_dim=7, dtype=torch.float32):
    """Return (x, W_Q, W_K, W_V, W_O, num_heads); the scores are of the order of one."""
    d_model = H * head_dim
    matrices = (draw.normal(d_model, d_model, dtype=torch.float64) * d_model**-0.5 for _ in range(4))
    return (draw.normal(*lead, T, d_model, dtype=dtype), *(matrix.to(dtype) for matrix in matrices), H)


def scored(draw, scores, *, H=2, head_dim=6):
    """Return float64 inputs for which every head's scores, after the scaling, are the given ones (T, T)."""
    T, d_model = len(scores), H * head_dim
    W_Q, W_K = torch.zeros(2, d_model, d_model, dtype=torch.float64)
    for start in range(0, d_model, head_dim):
        W_Q[:T, start : start + T] = torch.eye(T)
        W_K[:T, start : start + T] = scores.T * head_dim**0.5
    W_V, W_O = draw.normal(2, d_model, d_model, dtype=torch.float64) * d_model**-0.5
    x = torch.cat([torch.eye(T, dtype=torch.float64), draw.normal(T, d_model - T, dtype=torch.float64)], dim=-1)
    return x, W_Q, W_K, W_V, W_O, H


def of_the_note(golden):
    """Return the note's example: tokens, four matrices and two heads."""
    names = ("N2 multi-head x", "N2 W_Q", "N2 W_K", "N2 W_V", "N2 W_O")
    return (*(golden(name).float32 for name in names), 2)


@multi_head_attention.check(
    "property",
    weight=3,
    ko="결과의 차원과 원소의 수가 맞고, 결과가 주어진 것에 달려 있습니다. 값은 아직 묻지 않습니다.",
)
def test_the_gate(student, reference, draw):
    """The result has as many dimensions and entries as asked, and depends on what is given; values come later."""
    checks.uses_every_input(student, reference, NAME, *inputs(draw, 2, T=4, H=2, head_dim=3), draw=draw)


@multi_head_attention.check("document", weight=2, ko="노트의 토큰과 행렬에서 노트에 찍힌 출력이 나옵니다.")
def test_output_of_the_note(student, golden):
    """The note's tokens and matrices give the output that the note prints."""
    checks.matches_figure(student.multi_head_attention(*of_the_note(golden)), golden("N2 In[45]"))


@multi_head_attention.check("document", weight=2, ko="causal=True이면 노트의 마스크 예제와 같은 출력이 나옵니다.")
def test_causal_output_of_the_note(student, golden):
    """With causal=True they give the output of the note's masked example."""
    checks.matches_figure(student.multi_head_attention(*of_the_note(golden), causal=True), golden("N2 In[last]"))


@multi_head_attention.check("value", weight=3, ko="임의의 토큰과 행렬에서 정의대로의 출력이 나옵니다.")
def test_random_batch(student, reference, draw):
    """Random tokens and matrices of several sizes give the output of the definition."""
    for sizes in SIZES:
        x, *others, heads = inputs(draw, 2, **sizes)
        lengths = {"d_model": x.shape[-1], "num_heads": heads, "the number of tokens": x.shape[-2]}
        scaling = checks.Scaling(x.shape[-1] // heads, "head_dim", argument=1, sizes=lengths)
        checks.matches_reference(student, reference, NAME, x, *others, heads, scaling=scaling)


@multi_head_attention.check("value", weight=1, ko="앞쪽 차원이 없거나, 둘이거나, 헤드 수와 크기가 같아도 됩니다.")
def test_leading_dimensions(student, reference, draw):
    """No leading dimension and two of them work as well as one, also one of the size of the number of heads."""
    cases = [checks.given(*inputs(draw, *lead)) for lead in ((), (2, 4), (3,), (1,), (3, 3))]
    checks.matches_reference_on_each(student, reference, NAME, cases)


@multi_head_attention.check("value", weight=10, ko="causal=True이면 각 토큰이 자신과 그 앞만 봅니다.")
def test_causal(student, reference, draw):
    """With causal=True, every token sees itself and what stands before it."""
    sizes = (
        ((2,), {}),
        ((2,), {}),
        ((), {"T": 4, "H": 2, "head_dim": 5}),
        ((2, 3), {"T": 3}),
        ((2,), {"T": 1}),
        ((4,), {"T": 4, "H": 4, "head_dim": 2}),
    )
    cases = [checks.given(*inputs(draw, *lead, **each), causal=True) for lead, each in sizes]
    checks.matches_reference_on_each(student, reference, NAME, cases)


@multi_head_attention.check(
    "stability",
    weight=15,
    needs=("test_causal",),
    ko="점수가 아무리 크거나 작아도 결과가 맞고 미래의 토큰은 가중치를 받지 않습니다.",
)
def test_far_scores(student, reference, draw):
    """Where scores lie far from zero, at 2000 or -2000, the result is right, and a later token gets no weight."""
    scores, future = draw.normal(5, 5, dtype=torch.float64), torch.ones(5, 5).triu(diagonal=1).bool()
    rows = torch.tensor([1.0, -1.0, -1.0, 1.0, -1.0]).unsqueeze(1) * LEVEL
    cases = []
    for level, hidden in ((-FAR, FAR), (0.0, FAR), (-LEVEL, 0.0), (-LEVEL, FAR), (LEVEL, 0.0), (rows, FAR)):
        cases.append(checks.given(*scored(draw, scores + level + torch.where(future, hidden, 0.0)), causal=True))
    cases.append(checks.given(*scored(draw, scores + rows)))
    checks.matches_reference_on_each(student, reference, NAME, cases)


@multi_head_attention.check("shape", weight=2, needs=("test_the_gate",), ko="결과의 모양은 x의 모양과 같습니다.")
def test_shape(student, draw):
    """The result has the shape of x, also where one of its sizes is 1 or there is no batch."""
    for lead, T, H, head_dim in (((2,), 5, 3, 7), ((), 1, 2, 3), ((1,), 4, 1, 3), ((2, 1), 2, 3, 1)):
        arguments = inputs(draw, *lead, T=T, H=H, head_dim=head_dim)
        checks.has_shape(student.multi_head_attention(*arguments), (*lead, T, H * head_dim))


@multi_head_attention.check(
    "property", weight=7, needs=("test_the_gate",), ko="causal=True이면 미래를 바꾸어도 과거의 출력은 그대로입니다."
)
def test_future_is_invisible(student, draw):
    """With causal=True, a change of later tokens changes no earlier output."""
    x, *others = inputs(draw, 2)
    checks.future_is_invisible(lambda tokens: student.multi_head_attention(tokens, *others, causal=True), x, draw)


@multi_head_attention.check(
    "property", weight=2, needs=("test_the_gate",), ko="causal이 아니면 토큰의 순서를 바꿀 때 출력의 순서만 바뀝니다."
)
def test_order_of_tokens(student, draw):
    """Without causal, tokens in another order give the same outputs in that order."""
    x, *others = inputs(draw, 2)
    order = torch.tensor([3, 0, 4, 2, 1])
    before = checks.has_shape(student.multi_head_attention(x, *others), (2, 5, 21))
    checks.close(student.multi_head_attention(x[:, order], *others), before[:, order].double())


@multi_head_attention.check(
    "value",
    weight=1,
    needs=("test_random_batch",),
    ko="전치하거나 잘라내거나 늘린 뷰를 주어도 결과가 맞습니다.",
)
def test_views(student, reference, draw):
    """Tensors that are views of others (transposed, sliced, expanded) are treated like any others."""
    checks.any_layout(student, reference, NAME, *inputs(draw, 2))


@multi_head_attention.check(
    "value",
    weight=2,
    needs=("test_random_batch",),
    ko="토큰, 항목, 헤드, 특징이 작은 예보다 훨씬 많아도, causal=True여도 됩니다.",
)
def test_large_sizes(student, reference, draw):
    """Far more tokens, items, heads or features than in small examples are treated rightly, causal or not."""
    cases = []
    for causal in (False, True):
        for lead, sizes in (
            ((), {"T": 300 + draw.large(), "H": 1, "head_dim": 3}),
            ((1000 + draw.large(),), {"T": 3, "H": 2, "head_dim": 2}),
        ):
            cases.append(checks.given(*inputs(draw, *lead, **sizes), causal=causal))
    for sizes in ({"H": draw.large(), "head_dim": 1}, {"H": 1, "head_dim": 300 + draw.large()}):
        cases.append(checks.given(*inputs(draw, T=2, **sizes)))
    checks.matches_reference_on_each(student, reference, NAME, cases)


@multi_head_attention.check("dtype", weight=4, needs=("test_the_gate",), ko="결과의 dtype은 x의 dtype과 같습니다.")
def test_keeps_the_dtype(student, draw):
    """The result has the dtype of x, float32, float64 or bfloat16, causal or not."""
    dtypes = (torch.float32, torch.float64, torch.bfloat16)
    cases = [checks.given(*inputs(draw, 2, dtype=dtype), causal=causal) for dtype in dtypes for causal in (False, True)]
    checks.keeps_dtypes(student, NAME, cases)


@multi_head_attention.check(
    "dtype", weight=1, needs=("test_random_batch",), ko="float64에서는 float64의 정밀도로 계산합니다."
)
def test_float64_is_exact(student, reference, draw):
    """Tokens and matrices in float64 give a result as exact as float64."""
    arguments = inputs(draw, 2, H=2, head_dim=9, dtype=torch.float64)
    checks.matches_reference(student, reference, NAME, *arguments, kind="exact")


@multi_head_attention.check("gradient", weight=8, needs=("test_the_gate",), ko="기울기가 x와 네 행렬까지 흐릅니다.")
def test_gradients_flow(student, reference, draw):
    """Gradients reach the tokens and all four matrices."""
    checks.gradients_flow(student, reference, NAME, *inputs(draw, 2))


@multi_head_attention.check("gradient", weight=5, needs=("test_random_batch",), ko="x와 네 행렬의 기울기가 올바릅니다.")
def test_gradients(student, reference, draw):
    """The gradients with respect to the tokens and to all four matrices are right."""
    checks.gradient_matches(student, reference, NAME, *inputs(draw, 2))


@multi_head_attention.check(
    "gradient",
    weight=3,
    needs=("test_random_batch", "test_causal"),
    ko="causal=True에서도 x와 네 행렬의 기울기가 올바릅니다.",
)
def test_causal_gradients(student, reference, draw):
    """With causal=True, the gradients with respect to the tokens and to all four matrices are right too."""
    checks.gradient_matches(student, reference, NAME, *inputs(draw, 2), causal=True)


@multi_head_attention.check(
    "property",
    weight=1,
    needs=("test_random_batch",),
    ko="같은 텐서에 다른 값이 들어 있으면 새로 계산합니다.",
    guard="an answer that is kept for a tensor, as functools.cache keeps it",
)
def test_computed_anew(student, reference, draw):
    """A tensor that holds other numbers in a second call gives another answer: nothing is kept for an object."""
    checks.computed_anew(student, reference, NAME, *inputs(draw, 2), before=inputs(draw, 2))


@multi_head_attention.check("purity", weight=15, needs=("test_the_gate",), ko="입력은 바뀌지 않습니다.")
def test_input_unchanged(student, draw):
    """The tokens and the matrices hold the same numbers after the call."""
    checks.input_unchanged(student, NAME, *inputs(draw, 2))
    checks.input_unchanged(student, NAME, *inputs(draw, 2), causal=True)


@multi_head_attention.check("errors", weight=2, needs=("test_the_gate",), ko="나누어떨어지지 않으면 ValueError입니다.")
def test_indivisible_features(student, draw):
    """Features that cannot be shared equally among the heads raise ValueError."""
    for H, head_dim, heads in ((2, 5, 4), (1, 7, 2)):
        checks.raises(student, NAME, "ValueError", *inputs(draw, 2, H=H, head_dim=head_dim)[:-1], heads)


@multi_head_attention.check(
    "device",
    weight=5,
    needs=("test_the_gate",),
    ko="CPU가 아닌 장치(GPU 등)에서도 결과가 그 장치에 있고 값과 그래디언트가 같습니다.",
)
def test_on_another_device(student, draw):
    """On another device than the CPU, such as a GPU, the result is there, with the same values and gradients."""
    checks.on_another_device(student, NAME, *inputs(draw, 2), causal=True)
    checks.on_another_device(student, NAME, *inputs(draw, 2), gradients=False)


@multi_head_attention.check("policy", needs=("test_random_batch",), ko="금지된 호출 없이 직접 계산합니다.")
def test_written_by_hand(student, reference, draw):
    """The attention is written out, without one of the library calls that are not allowed."""
    also = [checks.given(*inputs(draw, *leading)) for leading in ((), (2, 3))]
    checks.no_forbidden_call(student, reference, NAME, *inputs(draw, 2, **draw.choice(SIZES)), also=also)


@multi_head_attention.check("policy", needs=("test_causal",), ko="causal=True에서도 금지된 호출 없이 직접 계산합니다.")
def test_causal_is_written_by_hand(student, reference, draw):
    """With causal=True, the attention is written out as well."""
    also = [checks.given(*inputs(draw, *leading), causal=True) for leading in ((), (2, 3))]
    checks.no_forbidden_call(student, reference, NAME, *inputs(draw, 2), also=also, causal=True)
