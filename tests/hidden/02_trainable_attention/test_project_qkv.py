"""Hidden checks of `project_qkv`: three matrices, three results in their order, whatever stands in front."""

import torch

from grader.suite import checks, exercise
from grader.suite.core.compare import as_tensors

project_qkv = exercise("project_qkv")

NAME = "project_qkv"
DTYPES = (torch.float32, torch.float64, torch.bfloat16)
RANDOM = "The same call gives another answer the second time.", "같은 호출이 두 번째에 다른 결과를 냅니다."


def parts(draw, *leading, tokens=5, d_in=4, d_out=3, dtype=torch.float32):
    """Return random tokens and three random matrices."""
    return (
        draw.normal(*leading, tokens, d_in, dtype=dtype),
        *(draw.normal(d_in, d_out, dtype=dtype) for _ in range(3)),
    )


@project_qkv.check(
    "property",
    weight=5,
    ko="결과에 든 수의 개수가 맞고, 결과가 주어진 것에 달려 있습니다. 값은 아직 묻지 않습니다.",
)
def test_the_gate(student, draw):
    """The result holds as many numbers as asked for and depends on what is given; values come later."""
    arguments = parts(draw, d_out=4)
    changed = [
        [other if each is one else each for each in arguments]
        for one, other in zip(arguments, parts(draw, d_out=4), strict=True)
    ]
    calls = [checks.given(*each) for each in (arguments, *changed, arguments)]
    base, *others, again = (
        torch.cat([result.flatten() for result in as_tensors(results, 3)])
        for results in checks.answers(student.project_qkv, calls)
    )
    checks.has_shape(base, (3 * 5 * 4,))
    checks.is_true(torch.equal(base, again), *RANDOM)
    unused = [
        what
        for what, other in zip(("x", "W_query", "W_key", "W_value"), others, strict=True)
        if other.shape != base.shape or torch.equal(base, other)
    ]
    listed = ", ".join(unused)  # one matrix in several roles is a slip, which the checks of values and gradients see
    checks.is_true(
        len(unused) < 3 and "x" not in unused,
        f"Your answer stays the same when {listed} changes.",
        f"{listed}의 값이 바뀌어도 결과는 그대로입니다.",
        for_students=True,
    )


@project_qkv.check(
    "shape",
    weight=5,
    needs=("test_the_gate",),
    ko="토큰이나 특징이 하나뿐이어도 세 결과의 모양은 (..., T, d_out)입니다.",
)
def test_shape(student, draw):
    """All three results have the shape (..., T, d_out), also with a single token or feature."""
    sizes = ((), 5, 4, 3), ((2,), 1, 4, 3), ((), 4, 1, 3), ((), 4, 3, 1), ((1, 2), 1, 1, 1)
    cases = [
        checks.given(*parts(draw, *leading, tokens=T, d_in=d_in, d_out=d_out)) for leading, T, d_in, d_out in sizes
    ]
    for results, (leading, T, _, d_out) in zip(checks.answers(student.project_qkv, cases), sizes, strict=True):
        for result in as_tensors(results, 3):
            checks.has_shape(result, (*leading, T, d_out))


@project_qkv.check(
    "dtype",
    weight=5,
    needs=("test_the_gate",),
    ko="세 결과의 dtype은 x의 dtype과 같습니다: float32, float64, bfloat16.",
)
def test_keeps_the_dtype(student, draw):
    """All three results have the dtype of x: float32, float64 or bfloat16."""
    cases = [checks.given(*parts(draw, d_out=4, dtype=dtype)) for dtype in DTYPES]
    for results, dtype in zip(checks.answers(student.project_qkv, cases), DTYPES, strict=True):
        checks.have_dtypes(as_tensors(results, 3), [dtype] * 3)


@project_qkv.check(
    "gradient", weight=7, needs=("test_the_gate",), ko="세 결과에서 x와 각 행렬로 그래디언트가 흐릅니다."
)
def test_gradients_flow(student, reference, draw):
    """From each result a gradient flows to the tokens and to its matrix."""
    arguments = parts(draw)
    for output in range(3):
        checks.gradients_flow(student, reference, NAME, *arguments, output=output)


@project_qkv.check(
    "purity", weight=15, needs=("test_the_gate",), ko="호출한 뒤에도 주어진 것은 그대로이고 기울기를 요구하지 않습니다."
)
def test_inputs_unchanged(student, draw):
    """What is given is the same after the call."""
    checks.input_unchanged(student, NAME, *parts(draw, d_out=4))
    checks.input_unchanged(student, NAME, *parts(draw, tokens=4, d_out=4))


@project_qkv.check("document", weight=3, ko="노트의 토큰에서 노트에 찍힌 쿼리와, 키와 값의 모양이 나옵니다.")
def test_second_token_of_the_note(student, golden):
    """The note's tokens, with matrices drawn as it draws them, give its query and the sizes of keys and values."""
    generator = torch.Generator().manual_seed(123)
    matrices = [torch.rand(3, 2, generator=generator) for _ in range(3)]
    queries, keys, values = as_tensors(student.project_qkv(golden("N0 inputs").float32, *matrices), 3)
    for result, name in ((queries, "keys"), (keys, "keys"), (values, "values")):
        checks.has_shape(result, tuple(golden(f"N0 In[19] {name}").value.int().tolist()))
    checks.matches_figure(queries[1], golden("N0 In[18]"))


@project_qkv.check("document", weight=3, ko="노트의 정수 예제에서 노트에 찍힌 쿼리, 키, 값이 나옵니다.")
def test_whole_numbers_of_the_note(student, golden):
    """The note's whole numbers give the queries, keys and values that it prints."""
    matrices = (golden(f"N2 w_{name}").float32 for name in ("query", "key", "value"))
    results = as_tensors(student.project_qkv(golden("N2 x").float32, *matrices), 3)
    for result, name in zip(results, ("queries", "keys", "values"), strict=True):
        checks.matches_figure(result, golden(f"N2 In[projections] {name}"))


@project_qkv.check("value", weight=10, ko="임의의 토큰과 행렬에서 쿼리, 키, 값이 순서대로 나옵니다.")
def test_random_tokens(student, reference, draw):
    """Random tokens and matrices give the queries, the keys and the values, in this order."""
    sizes = ((5, 4, 3), (5, 4, 3), (3, 2, 7), (4, 6, 6))
    cases = [checks.given(*parts(draw, tokens=tokens, d_in=d_in, d_out=d_out)) for tokens, d_in, d_out in sizes]
    checks.matches_reference_on_each(student, reference, NAME, cases)


@project_qkv.check("value", weight=6, ko="모든 크기가 같아도 행렬의 방향과 순서가 올바릅니다.")
def test_equal_sizes(student, reference, draw):
    """Where all sizes are equal, the direction and the order of the matrices are still right."""
    cases = [checks.given(*parts(draw, tokens=size, d_in=size, d_out=size)) for size in (3, 5)]
    checks.matches_reference_on_each(student, reference, NAME, cases)


@project_qkv.check("value", weight=8, ko="앞에 차원이 몇 개 더 있어도 토큰마다 투영합니다.")
def test_leading_dimensions(student, reference, draw):
    """With one to three dimensions in front, every token is projected for itself."""
    cases = [
        checks.given(*parts(draw, 2)),
        checks.given(*parts(draw, 2, 6)),
        checks.given(*parts(draw, 2, 1, 3)),
        checks.given(*parts(draw, 3, tokens=3, d_in=3, d_out=3)),
        checks.given(*parts(draw, 1, 1, tokens=1)),
    ]
    checks.matches_reference_on_each(student, reference, NAME, cases)


@project_qkv.check(
    "value", weight=3, needs=("test_random_tokens",), ko="토큰이나 특징이나 항목이 작은 예보다 훨씬 많아도 맞습니다."
)
def test_large_sizes(student, reference, draw):
    """Far more tokens, features or items than in small examples are treated rightly."""
    many = 1025 + draw.large()
    x, *matrices = parts(draw, tokens=2, d_in=many)
    cases = [
        checks.given(x / many**0.5, *matrices),
        checks.given(*parts(draw, tokens=many, d_in=2)),
        checks.given(*parts(draw, tokens=2, d_in=2, d_out=many)),
        checks.given(*parts(draw, many, tokens=1, d_in=2)),
    ]
    checks.matches_reference_on_each(student, reference, NAME, cases)


@project_qkv.check("dtype", weight=3, needs=("test_random_tokens",), ko="float64 입력은 float64로 계산합니다.")
def test_float64_stays_float64(student, reference, draw):
    """What is given in float64 is computed in float64."""
    large, (small, *matrices) = 1e3 * draw.normal(5, 4, dtype=torch.float64), parts(draw, dtype=torch.float64)
    turned = [torch.cat([matrix, -matrix]) for matrix in matrices]  # so that lost digits show
    checks.matches_reference(student, reference, NAME, torch.cat([large + small, large], dim=1), *turned)


@project_qkv.check(
    "gradient", weight=8, needs=("test_random_tokens",), ko="x와 세 행렬로 올바른 그래디언트가 흐릅니다."
)
def test_gradients(student, reference, draw):
    """The right gradients flow from each result to the tokens and to its matrix."""
    arguments = parts(draw, 2)
    for output in range(3):
        checks.gradient_matches(student, reference, NAME, *arguments, output=output)


@project_qkv.check(
    "value",
    weight=2,
    needs=("test_random_tokens",),
    ko="입력이 메모리에 이어져 있지 않아도(전치, 간격을 둔 조각, expand) 결과가 맞습니다.",
)
def test_any_layout(student, reference, draw):
    """Inputs that are transposed, sliced or expanded views, not contiguous in memory, give the right result."""
    checks.any_layout(student, reference, NAME, *parts(draw, 2, 3))


@project_qkv.check(
    "property",
    weight=2,
    needs=("test_random_tokens",),
    ko="같은 텐서에 다른 값이 들어 있으면 새로 계산합니다.",
    guard="an answer that is kept for a tensor, as functools.cache keeps it",
)
def test_computed_anew(student, reference, draw):
    """A tensor that holds other numbers in a second call gives another answer: nothing is kept for an object."""
    checks.computed_anew(student, reference, NAME, *parts(draw), before=parts(draw))


@project_qkv.check(
    "device",
    weight=5,
    needs=("test_the_gate",),
    ko="CPU가 아닌 장치(GPU 등)에서도 결과가 그 장치에 있고 값과 그래디언트가 같습니다.",
)
def test_on_another_device(student, draw):
    """On another device than the CPU, such as a GPU, the result is there, with the same values and gradients."""
    checks.on_another_device(student, NAME, *parts(draw, 2, 3))
