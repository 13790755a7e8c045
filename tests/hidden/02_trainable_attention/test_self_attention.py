"""Hidden checks of `self_attention`: projections, scaling, softmax axis and mixture, sequence by sequence.

T, d_in and d_out are pairwise different and d_out is no perfect square, so that every wrong divisor and axis shows;
equal sizes follow, in which they are silent.
"""

import torch

from grader.suite import checks, exercise

self_attention = exercise("self_attention")

NAME = "self_attention"
DTYPES = (torch.float32, torch.float64, torch.bfloat16)
SIZES = ((5, 3, 7), (5, 3, 7), (4, 6, 3), (2, 5, 12), (6, 4, 2))  # tokens, d_in, d_out


def parts(draw, *leading, tokens=5, d_in=3, d_out=7, dtype=torch.float32):
    """Return random tokens and three random matrices, whose scaled scores are of the size of one."""
    matrices = (draw.normal(d_in, d_out, dtype=torch.float64) * 1.2 * d_in**-0.5 for _ in range(3))
    return (draw.normal(*leading, tokens, d_in, dtype=dtype), *(matrix.to(dtype) for matrix in matrices))


@self_attention.check(
    "property",
    weight=4,
    ko="결과에 든 수의 개수가 맞고, 결과가 주어진 것에 달려 있습니다. 값은 아직 묻지 않습니다.",
)
def test_the_gate(student, reference, draw):
    """The result holds as many numbers as asked for and depends on what is given; values come later."""
    checks.uses_every_input(student, reference, NAME, *parts(draw, d_in=3, d_out=3), draw=draw)


@self_attention.check(
    "shape", weight=5, needs=("test_the_gate",), ko="토큰이나 특징이 하나뿐이어도 결과의 모양은 (..., T, d_out)입니다."
)
def test_shape(student, draw):
    """The result has the shape (..., T, d_out), also with a single token or feature."""
    sizes = ((), 5, 3, 7), ((2,), 1, 3, 7), ((), 4, 1, 3), ((), 4, 3, 1), ((1, 2), 1, 1, 1)
    cases = [
        checks.given(*parts(draw, *leading, tokens=T, d_in=d_in, d_out=d_out)) for leading, T, d_in, d_out in sizes
    ]
    for answer, (leading, T, _, d_out) in zip(checks.answers(student.self_attention, cases), sizes, strict=True):
        checks.has_shape(answer, (*leading, T, d_out))


@self_attention.check(
    "dtype",
    weight=5,
    needs=("test_the_gate",),
    ko="결과의 dtype은 입력의 dtype과 같습니다: float32, float64, bfloat16.",
)
def test_keeps_the_dtype(student, draw):
    """The result has the dtype of what is given: float32, float64 or bfloat16."""
    cases = [checks.given(*parts(draw, d_in=3, d_out=3, dtype=dtype)) for dtype in DTYPES]
    checks.have_dtypes(checks.answers(student.self_attention, cases), DTYPES)


@self_attention.check(
    "gradient", weight=7, needs=("test_the_gate",), ko="결과에서 모든 입력으로 그래디언트가 흐릅니다."
)
def test_gradients_flow(student, reference, draw):
    """From the result a gradient flows to everything that is given."""
    checks.gradients_flow(student, reference, NAME, *parts(draw))


@self_attention.check(
    "purity", weight=15, needs=("test_the_gate",), ko="호출한 뒤에도 주어진 것은 그대로이고 기울기를 요구하지 않습니다."
)
def test_inputs_unchanged(student, draw):
    """What is given is the same after the call."""
    checks.input_unchanged(student, NAME, *parts(draw, d_in=3, d_out=3))


@self_attention.check("document", weight=2, ko="노트의 토큰과 행렬에서 노트에 찍힌 문맥 벡터가 나옵니다.")
def test_tokens_of_the_note(student, golden):
    """The note's tokens, with matrices drawn as the note draws them, give the context vectors that it prints."""
    generator = torch.Generator().manual_seed(123)
    matrices = [torch.rand(3, 2, generator=generator) for _ in range(3)]
    context = student.self_attention(golden("N0 inputs").float32, *matrices)
    checks.matches_figure(context, golden("N0 In[24]"))
    checks.matches_figure(context[1], golden("N0 In[23]"))


@self_attention.check("document", weight=1, ko="노트의 정수 예제에서 노트에 찍힌 문맥 벡터가 나옵니다.")
def test_whole_numbers_of_the_note(student, golden):
    """The note's whole numbers give the context vectors that it prints."""
    matrices = (golden(f"N2 w_{name}").float32 for name in ("query", "key", "value"))
    checks.matches_figure(student.self_attention(golden("N2 x").float32, *matrices), golden("N2 In[15]"))


@self_attention.check("value", weight=5, ko="임의의 토큰과 행렬에서 정의대로의 출력이 나옵니다.")
def test_random_tokens(student, reference, draw):
    """Random tokens and matrices of several sizes give the output of the definition."""
    for tokens, d_in, d_out in SIZES:
        scaling = checks.Scaling(d_out, "d_out", argument=1, sizes={"d_in": d_in, "the number of tokens": tokens})
        x, *matrices = parts(draw, tokens=tokens, d_in=d_in, d_out=d_out)
        checks.matches_reference(student, reference, NAME, x, *matrices, scaling=scaling)


@self_attention.check("value", weight=4, ko="모든 크기가 같아도 역할과 방향이 올바릅니다.")
def test_equal_sizes(student, reference, draw):
    """Where all sizes are equal, the roles and the directions are still right."""
    x, W_query, W_key, _ = parts(draw, tokens=4, d_in=4, d_out=4)
    cases = [checks.given(*parts(draw, tokens=size, d_in=size, d_out=size)) for size in (5, 3)]
    cases.append(checks.given(x, W_query, W_key, torch.eye(4)))
    checks.matches_reference_on_each(student, reference, NAME, cases)


@self_attention.check("value", weight=5, ko="앞에 차원이 몇 개 더 있으면 문장마다 따로 계산합니다.")
def test_leading_dimensions(student, reference, draw):
    """With one to three dimensions in front, every sequence attends to itself alone."""
    cases = [
        checks.given(*parts(draw, 2)),
        checks.given(*parts(draw, 2, 6)),
        checks.given(*parts(draw, 2, 1, 3)),
        checks.given(*parts(draw, 3, tokens=3, d_in=3, d_out=3)),
        checks.given(*parts(draw, 4, 1)),
    ]
    checks.matches_reference_on_each(student, reference, NAME, cases)


@self_attention.check(
    "value", weight=2, needs=("test_random_tokens",), ko="토큰이나 특징이나 항목이 작은 예보다 훨씬 많아도 맞습니다."
)
def test_large_sizes(student, reference, draw):
    """Far more tokens, features or items than in small examples are treated rightly."""
    many = 1025 + draw.large()
    cases = [
        checks.given(*parts(draw, tokens=300 + draw.large(), d_out=2)),
        checks.given(*parts(draw, tokens=3, d_in=many)),
        checks.given(*parts(draw, tokens=2, d_out=many)),
        checks.given(*parts(draw, 300 + draw.large(), tokens=2)),
    ]
    checks.matches_reference_on_each(student, reference, NAME, cases)


@self_attention.check(
    "stability",
    weight=15,
    needs=("test_random_tokens",),
    ko="점수가 수백이고 행마다 크게 달라도 유한하고 올바른 결과가 나옵니다.",
)
def test_scores_in_the_hundreds(student, reference, draw):
    """Scores in the hundreds, far apart from row to row, give finite and right results."""
    x, *matrices = parts(draw, tokens=8)
    checks.matches_reference(student, reference, NAME, 15 * x, *matrices, kind="extreme")


@self_attention.check("dtype", weight=3, needs=("test_random_tokens",), ko="float64 입력은 float64로 계산합니다.")
def test_float64_stays_float64(student, reference, draw):
    """What is given in float64 is computed in float64."""
    x, W_query, W_key, W_value = parts(draw, tokens=6, d_in=4, d_out=4, dtype=torch.float64)
    x[:, 0], W_query, W_key, W_value[0] = 35.0, torch.eye(4).double(), torch.eye(4).double(), 0.0  # scores near 600
    checks.matches_reference(student, reference, NAME, x, W_query, W_key, W_value)


@self_attention.check(
    "gradient", weight=8, needs=("test_random_tokens",), ko="x와 세 행렬로 올바른 그래디언트가 흐릅니다."
)
def test_gradients(student, reference, draw):
    """The right gradients flow to the tokens and to all three matrices."""
    checks.gradient_matches(student, reference, NAME, *parts(draw))
    checks.gradient_matches(student, reference, NAME, *parts(draw, 2))


@self_attention.check(
    "value",
    weight=2,
    needs=("test_random_tokens",),
    ko="입력이 메모리에 이어져 있지 않아도(전치, 간격을 둔 조각, expand) 결과가 맞습니다.",
)
def test_any_layout(student, reference, draw):
    """Inputs that are transposed, sliced or expanded views, not contiguous in memory, give the right result."""
    checks.any_layout(student, reference, NAME, *parts(draw, 2, 3))


@self_attention.check(
    "property",
    weight=2,
    needs=("test_random_tokens",),
    ko="같은 텐서에 다른 값이 들어 있으면 새로 계산합니다.",
)
def test_computed_anew(student, reference, draw):
    """A tensor that holds other numbers in a second call gives another answer: nothing is kept for an object."""
    checks.computed_anew(student, reference, NAME, *parts(draw), before=parts(draw))


@self_attention.check(
    "device",
    weight=5,
    needs=("test_the_gate",),
    ko="CPU가 아닌 장치(GPU 등)에서도 결과가 그 장치에 있고 값과 그래디언트가 같습니다.",
)
def test_on_another_device(student, draw):
    """On another device than the CPU, such as a GPU, the result is there, with the same values and gradients."""
    checks.on_another_device(student, NAME, *parts(draw, 2, 3))


@self_attention.check(
    "policy",
    needs=("test_random_tokens",),
    ko="라이브러리의 어텐션 함수나 모듈을 쓰지 않고 직접 계산합니다.",
)
def test_written_by_hand(student, reference, draw):
    """The result is computed without an attention function or module of a library."""
    tokens, d_in, d_out = draw.choice(SIZES)
    also = [checks.given(*parts(draw, *leading)) for leading in ((2,), (2, 3), (2, 1, 3))]
    checks.no_forbidden_call(student, reference, NAME, *parts(draw, tokens=tokens, d_in=d_in, d_out=d_out), also=also)
