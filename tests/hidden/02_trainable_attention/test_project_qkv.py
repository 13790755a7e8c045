"""Hidden checks of `project_qkv`: three matrices, three results in their order, whatever stands in front."""

import torch

from grader.suite import checks, exercise
from grader.suite.compare import as_tensors

project_qkv = exercise("project_qkv")

NAME = "project_qkv"


def parts(draw, *leading, tokens=5, d_in=4, d_out=3, dtype=torch.float32):
    """Return random tokens and three random matrices."""
    return (
        draw.normal(*leading, tokens, d_in, dtype=dtype),
        *(draw.normal(d_in, d_out, dtype=dtype) for _ in range(3)),
    )


@project_qkv.check("document", weight=1, ko="노트의 토큰에서 노트에 찍힌 쿼리와, 키와 값의 모양이 나옵니다.")
def test_second_token_of_the_note(student, golden):
    """The note's tokens, with matrices drawn as it draws them, give its query and the sizes of keys and values."""
    generator = torch.Generator().manual_seed(123)
    matrices = [torch.rand(3, 2, generator=generator) for _ in range(3)]
    queries, keys, values = as_tensors(student.project_qkv(golden("N0 inputs").float32, *matrices), 3)
    for result, name in ((queries, "keys"), (keys, "keys"), (values, "values")):
        checks.has_shape(result, tuple(golden(f"N0 In[19] {name}").value.int().tolist()))
    checks.matches_figure(queries[1], golden("N0 In[18]"))


@project_qkv.check("document", weight=1, ko="노트의 정수 예제에서 노트에 찍힌 쿼리, 키, 값이 나옵니다.")
def test_whole_numbers_of_the_note(student, golden):
    """The note's whole numbers give the queries, keys and values that it prints."""
    matrices = (golden(f"N2 w_{name}").float32 for name in ("query", "key", "value"))
    results = as_tensors(student.project_qkv(golden("N2 x").float32, *matrices), 3)
    for result, name in zip(results, ("queries", "keys", "values"), strict=True):
        checks.matches_figure(result, golden(f"N2 In[projections] {name}"))


@project_qkv.check("value", weight=3, ko="임의의 토큰과 행렬에서 쿼리, 키, 값이 순서대로 나옵니다.")
def test_random_tokens(student, reference, draw):
    """Random tokens and matrices give the queries, the keys and the values, in this order."""
    for tokens, d_in, d_out in ((5, 4, 3), (5, 4, 3), (3, 2, 7), (4, 6, 6)):
        checks.matches_reference(student, reference, NAME, *parts(draw, tokens=tokens, d_in=d_in, d_out=d_out))


@project_qkv.check("value", weight=2, ko="모든 크기가 같아도 행렬의 방향과 순서가 올바릅니다.")
def test_equal_sizes(student, reference, draw):
    """Where all sizes are equal, the direction and the order of the matrices are still right."""
    for size in (3, 5):
        checks.matches_reference(student, reference, NAME, *parts(draw, tokens=size, d_in=size, d_out=size))


@project_qkv.check("value", weight=3, ko="앞에 차원이 하나 또는 둘 더 있어도 토큰마다 투영합니다.")
def test_leading_dimensions(student, reference, draw):
    """With one or two dimensions in front, every token is projected for itself."""
    for leading, sizes in (
        ((2,), {}),
        ((2, 6), {}),
        ((3,), {"tokens": 3, "d_in": 3, "d_out": 3}),
        ((1, 1), {"tokens": 1}),
    ):
        checks.matches_reference(student, reference, NAME, *parts(draw, *leading, **sizes))


@project_qkv.check(
    "shape", weight=1, needs=("test_random_tokens",), ko="토큰이나 특징이 하나뿐이어도 결과의 모양은 (T, d_out)입니다."
)
def test_smallest_sizes(student, reference, draw):
    """A single token or feature still gives three tensors of shape (T, d_out)."""
    for tokens, d_in, d_out in ((1, 4, 3), (4, 1, 3), (4, 3, 1), (1, 1, 1)):
        checks.matches_reference(student, reference, NAME, *parts(draw, tokens=tokens, d_in=d_in, d_out=d_out))


@project_qkv.check(
    "value", weight=1, needs=("test_random_tokens",), ko="토큰이나 특징이나 항목이 작은 예보다 훨씬 많아도 맞습니다."
)
def test_large_sizes(student, reference, draw):
    """Far more tokens, features or items than in small examples are treated rightly."""
    for axis in ("tokens", "d_in", "d_out"):
        checks.matches_reference(student, reference, NAME, *parts(draw, **{axis: draw.large()}))
    checks.matches_reference(student, reference, NAME, *parts(draw, draw.large()))


@project_qkv.check("dtype", weight=1, needs=("test_random_tokens",), ko="세 결과의 dtype은 x의 dtype과 같습니다.")
def test_keeps_the_dtype(student, reference, draw):
    """All three results have the dtype of x, float32 or float64."""
    for dtype in (torch.float32, torch.float64):
        for result in checks.matches_reference(student, reference, NAME, *parts(draw, dtype=dtype)):
            checks.has_dtype(result, dtype)


@project_qkv.check(
    "gradient", weight=2, needs=("test_random_tokens",), ko="x와 세 행렬로 올바른 그래디언트가 흐릅니다."
)
def test_gradients(student, reference, draw):
    """The right gradients flow from each result to the tokens and to its matrix."""
    arguments = parts(draw, 2)
    for output in range(3):
        checks.gradient_matches(student, reference, NAME, *arguments, output=output)


@project_qkv.check(
    "property",
    weight=1,
    needs=("test_random_tokens",),
    ko="같은 텐서에 다른 값이 들어 있으면 새로 계산합니다.",
    guard="an answer that is kept for a tensor, as functools.cache keeps it",
)
def test_computed_anew(student, reference, draw):
    """A tensor that holds other numbers in a second call gives another answer: nothing is kept for an object."""
    checks.computed_anew(student, reference, NAME, *parts(draw), before=parts(draw))


@project_qkv.check("purity", weight=1, needs=("test_random_tokens",), ko="호출한 뒤에도 x와 세 행렬은 그대로입니다.")
def test_inputs_unchanged(student, draw):
    """The tokens and the matrices are the same after the call."""
    checks.input_unchanged(student, NAME, *parts(draw))
    checks.input_unchanged(student, NAME, *parts(draw, tokens=4, d_out=4))
