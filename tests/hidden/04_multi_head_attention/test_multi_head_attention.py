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
FAR = 150.0  # beyond a fill of -100, and within what a plain exponential of float64 can hold


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


@multi_head_attention.check("document", weight=1, ko="노트의 토큰과 행렬에서 노트에 찍힌 출력이 나온다.")
def test_output_of_the_note(student, golden):
    """The note's tokens and matrices give the output that the note prints."""
    checks.matches_figure(student.multi_head_attention(*of_the_note(golden)), golden("N2 In[45]"))


@multi_head_attention.check("document", weight=1, ko="causal=True이면 노트의 마스크 예제와 같은 출력이 나온다.")
def test_causal_output_of_the_note(student, golden):
    """With causal=True they give the output of the note's masked example."""
    checks.matches_figure(student.multi_head_attention(*of_the_note(golden), causal=True), golden("N2 In[last]"))


@multi_head_attention.check("value", weight=4, ko="임의의 토큰과 행렬에서 정의대로의 출력이 나온다.")
def test_random_batch(student, reference, draw):
    """Random tokens and matrices of several sizes give the output of the definition."""
    for sizes in SIZES:
        x, *others, heads = inputs(draw, 2, **sizes)
        lengths = {"d_model": x.shape[-1], "num_heads": heads, "the number of tokens": x.shape[-2]}
        scaling = checks.Scaling(x.shape[-1] // heads, "head_dim", argument=1, sizes=lengths)
        checks.matches_reference(student, reference, NAME, x, *others, heads, scaling=scaling)


@multi_head_attention.check("value", weight=2, ko="앞쪽 차원이 없거나, 둘이거나, 헤드 수와 크기가 같아도 된다.")
def test_leading_dimensions(student, reference, draw):
    """No leading dimension and two of them work as well as one, also one of the size of the number of heads."""
    for lead in ((), (2, 4), (3,)):
        checks.matches_reference(student, reference, NAME, *inputs(draw, *lead))


@multi_head_attention.check("value", weight=8, ko="causal=True이면 각 토큰이 자신과 그 앞만 본다.")
def test_causal(student, reference, draw):
    """With causal=True, every token sees itself and what stands before it."""
    for lead, sizes in (
        ((2,), {}),
        ((2,), {}),
        ((), {"T": 4, "H": 2, "head_dim": 5}),
        ((2, 3), {"T": 3}),
        ((2,), {"T": 1}),
    ):
        checks.matches_reference(student, reference, NAME, *inputs(draw, *lead, **sizes), causal=True)


@multi_head_attention.check(
    "stability", weight=1, needs=("test_causal",), ko="보이는 점수가 훨씬 작아도 미래의 토큰은 가중치를 받지 않는다."
)
def test_large_hidden_scores(student, reference, draw):
    """With causal=True, a later token gets no weight even where the visible scores lie far below its own."""
    scores = draw.normal(5, 5, dtype=torch.float64)
    for seen, hidden in ((-FAR, 0.0), (0.0, FAR)):
        shifts = torch.where(torch.ones(5, 5).tril().bool(), seen, hidden)
        checks.matches_reference(student, reference, NAME, *scored(draw, scores + shifts), causal=True)


@multi_head_attention.check("property", weight=3, ko="미래를 바꾸어도 과거의 출력은 그대로다.")
def test_future_is_invisible(student, reference, draw):
    """With causal=True, a change of later tokens changes no earlier output."""
    x, *others = inputs(draw, 2)
    checks.matches_reference(student, reference, NAME, x, *others, causal=True)
    checks.future_is_invisible(lambda tokens: student.multi_head_attention(tokens, *others, causal=True), x, draw)


@multi_head_attention.check(
    "value",
    weight=3,
    needs=("test_random_batch",),
    ko="토큰, 항목, 헤드, 특징이 작은 예보다 훨씬 많아도, causal=True여도 된다.",
)
def test_large_sizes(student, reference, draw):
    """Far more tokens, items, heads or features than in small examples are treated rightly, causal or not."""
    for causal in (False, True):
        for lead, sizes in (
            ((), {"T": draw.large(), "H": 1, "head_dim": 3}),
            ((draw.large(),), {"T": 3, "H": 2, "head_dim": 2}),
        ):
            checks.matches_reference(student, reference, NAME, *inputs(draw, *lead, **sizes), causal=causal)
    for sizes in ({"H": draw.large(), "head_dim": 1}, {"H": 1, "head_dim": draw.large()}):
        checks.matches_reference(student, reference, NAME, *inputs(draw, T=2, **sizes))


@multi_head_attention.check("dtype", weight=1, needs=("test_random_batch",), ko="결과의 dtype은 x의 dtype과 같다.")
def test_keeps_the_dtype(student, reference, draw):
    """The result has the dtype of x, float32 or float64, causal or not."""
    for dtype in (torch.float32, torch.float64):
        arguments = inputs(draw, 2, dtype=dtype)
        checks.has_dtype(student.multi_head_attention(*arguments, causal=True), dtype)
        checks.has_dtype(checks.matches_reference(student, reference, NAME, *arguments), dtype)


@multi_head_attention.check("gradient", weight=1, needs=("test_random_batch",), ko="x와 네 행렬의 기울기가 올바르다.")
def test_gradients(student, reference, draw):
    """The gradients with respect to the tokens and to all four matrices are right."""
    checks.gradient_matches(student, reference, NAME, *inputs(draw, 2))


@multi_head_attention.check(
    "gradient",
    weight=1,
    needs=("test_random_batch", "test_causal"),
    ko="causal=True에서도 x와 네 행렬의 기울기가 올바르다.",
)
def test_causal_gradients(student, reference, draw):
    """With causal=True, the gradients with respect to the tokens and to all four matrices are right too."""
    checks.gradient_matches(student, reference, NAME, *inputs(draw, 2), causal=True)


@multi_head_attention.check(
    "property",
    weight=1,
    needs=("test_random_batch",),
    ko="같은 텐서에 다른 값이 들어 있으면 새로 계산한다.",
    guard="an answer that is kept for a tensor, as functools.cache keeps it",
)
def test_computed_anew(student, reference, draw):
    """A tensor that holds other numbers in a second call gives another answer: nothing is kept for an object."""
    checks.computed_anew(student, reference, NAME, *inputs(draw, 2), before=inputs(draw, 2))


@multi_head_attention.check("purity", weight=1, needs=("test_random_batch",), ko="입력은 바뀌지 않는다.")
def test_input_unchanged(student, draw):
    """The tokens and the matrices hold the same numbers after the call."""
    checks.input_unchanged(student, NAME, *inputs(draw, 2))
    checks.input_unchanged(student, NAME, *inputs(draw, 2), causal=True)


@multi_head_attention.check("errors", weight=1, needs=("test_random_batch",), ko="나누어떨어지지 않으면 ValueError다.")
def test_indivisible_features(student, draw):
    """Features that cannot be shared equally among the heads raise ValueError."""
    for H, head_dim, heads in ((2, 5, 4), (1, 7, 2)):
        checks.raises(student, NAME, "ValueError", *inputs(draw, 2, H=H, head_dim=head_dim)[:-1], heads)


@multi_head_attention.check("policy", needs=("test_random_batch",), ko="금지된 호출 없이 직접 계산한다.")
def test_written_by_hand(student, reference, draw):
    """The attention is written out, without one of the library calls that are not allowed."""
    checks.no_forbidden_call(student, reference, NAME, *inputs(draw, 2, **draw.choice(SIZES)))


@multi_head_attention.check("policy", needs=("test_causal",), ko="causal=True에서도 금지된 호출 없이 직접 계산한다.")
def test_causal_is_written_by_hand(student, reference, draw):
    """With causal=True, the attention is written out as well."""
    checks.no_forbidden_call(student, reference, NAME, *inputs(draw, 2), causal=True)
