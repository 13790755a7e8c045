"""Hidden checks of `self_attention`: projections, scaling, softmax axis and mixture, sequence by sequence.

T, d_in and d_out are pairwise different and d_out is no perfect square, so that every wrong divisor and axis shows;
equal sizes follow, in which they are silent.
"""

import torch

from grader.suite import checks, exercise

self_attention = exercise("self_attention")

NAME = "self_attention"
SIZES = ((5, 3, 7), (5, 3, 7), (4, 6, 3), (2, 5, 12), (6, 4, 2))  # tokens, d_in, d_out


def parts(draw, *leading, tokens=5, d_in=3, d_out=7, dtype=torch.float32):
    """Return random tokens and three random matrices, whose scaled scores are of the size of one."""
    matrices = (draw.normal(d_in, d_out, dtype=torch.float64) * 1.2 * d_in**-0.5 for _ in range(3))
    return (draw.normal(*leading, tokens, d_in, dtype=dtype), *(matrix.to(dtype) for matrix in matrices))


@self_attention.check("document", weight=1, ko="노트의 토큰과 행렬에서 노트에 찍힌 문맥 벡터가 나옵니다.")
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


@self_attention.check("value", weight=4, ko="임의의 토큰과 행렬에서 정의대로의 출력이 나옵니다.")
def test_random_tokens(student, reference, draw):
    """Random tokens and matrices of several sizes give the output of the definition."""
    for tokens, d_in, d_out in SIZES:
        scaling = checks.Scaling(d_out, "d_out", argument=1, sizes={"d_in": d_in, "the number of tokens": tokens})
        x, *matrices = parts(draw, tokens=tokens, d_in=d_in, d_out=d_out)
        checks.matches_reference(student, reference, NAME, x, *matrices, scaling=scaling)


@self_attention.check("value", weight=2, ko="모든 크기가 같아도 역할과 방향이 올바릅니다.")
def test_equal_sizes(student, reference, draw):
    """Where all sizes are equal, the roles and the directions are still right."""
    for size in (5, 3):
        checks.matches_reference(student, reference, NAME, *parts(draw, tokens=size, d_in=size, d_out=size))
    x, W_query, W_key, _ = parts(draw, tokens=4, d_in=4, d_out=4)
    checks.matches_reference(student, reference, NAME, x, W_query, W_key, torch.eye(4))


@self_attention.check("value", weight=4, ko="앞에 차원이 하나 또는 둘 더 있으면 문장마다 따로 계산합니다.")
def test_leading_dimensions(student, reference, draw):
    """With one or two dimensions in front, every sequence attends to itself alone."""
    for leading, sizes in (((2,), {}), ((2, 6), {}), ((3,), {"tokens": 3, "d_in": 3, "d_out": 3}), ((4, 1), {})):
        checks.matches_reference(student, reference, NAME, *parts(draw, *leading, **sizes))


@self_attention.check(
    "shape", weight=1, needs=("test_random_tokens",), ko="토큰이나 특징이 하나뿐이어도 모양은 (..., T, d_out)입니다."
)
def test_smallest_sizes(student, reference, draw):
    """A single token or feature still gives a tensor of shape (..., T, d_out)."""
    for leading, sizes in (((), {"tokens": 1}), ((), {"d_in": 1}), ((), {"d_out": 1}), ((1, 1), {"tokens": 1})):
        checks.matches_reference(student, reference, NAME, *parts(draw, *leading, **sizes))


@self_attention.check(
    "value", weight=1, needs=("test_random_tokens",), ko="토큰이나 특징이나 항목이 작은 예보다 훨씬 많아도 맞습니다."
)
def test_large_sizes(student, reference, draw):
    """Far more tokens, features or items than in small examples are treated rightly."""
    for axis in ("tokens", "d_in", "d_out"):
        checks.matches_reference(student, reference, NAME, *parts(draw, **{axis: draw.large()}))
    checks.matches_reference(student, reference, NAME, *parts(draw, draw.large()))


@self_attention.check("dtype", weight=1, needs=("test_random_tokens",), ko="결과의 dtype은 x의 dtype과 같습니다.")
def test_keeps_the_dtype(student, reference, draw):
    """The result has the dtype of x, float32 or float64."""
    for dtype in (torch.float32, torch.float64):
        answer = checks.matches_reference(student, reference, NAME, *parts(draw, dtype=dtype))
        checks.has_dtype(answer, dtype)


@self_attention.check(
    "gradient", weight=2, needs=("test_random_tokens",), ko="x와 세 행렬로 올바른 그래디언트가 흐릅니다."
)
def test_gradients(student, reference, draw):
    """The right gradients flow to the tokens and to all three matrices."""
    checks.gradient_matches(student, reference, NAME, *parts(draw))
    checks.gradient_matches(student, reference, NAME, *parts(draw, 2))


@self_attention.check(
    "property", weight=1, needs=("test_random_tokens",), ko="같은 텐서에 다른 값이 들어 있으면 새로 계산합니다."
)
def test_computed_anew(student, reference, draw):
    """A tensor that holds other numbers in a second call gives another answer: nothing is kept for an object."""
    checks.computed_anew(student, reference, NAME, *parts(draw), before=parts(draw))


@self_attention.check("purity", weight=1, needs=("test_random_tokens",), ko="호출한 뒤에도 x와 세 행렬은 그대로입니다.")
def test_inputs_unchanged(student, draw):
    """The tokens and the matrices are the same after the call."""
    checks.input_unchanged(student, NAME, *parts(draw))


@self_attention.check(
    "policy",
    needs=("test_random_tokens",),
    ko="라이브러리의 어텐션 함수나 모듈을 쓰지 않고 직접 계산합니다.",
)
def test_written_by_hand(student, reference, draw):
    """The result is computed without an attention function or module of a library."""
    tokens, d_in, d_out = draw.choice(SIZES)
    checks.no_forbidden_call(student, reference, NAME, *parts(draw, tokens=tokens, d_in=d_in, d_out=d_out))
