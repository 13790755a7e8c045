"""Hidden checks of `attention`: queries, keys and values of different sizes, unscaled."""

import torch

from grader.suite import checks, exercise

attention = exercise("attention")

DTYPES = (torch.float32, torch.float64, torch.bfloat16)

SIZES = ((6, 2, 3, 4), (4, 7, 2, 5), (4, 7, 2, 5))  # queries, keys, features, values


def parts(draw, *leading, queries=4, keys=6, features=3, values=5, dtype=torch.float32):
    """Return a random query, key and value with the given sizes."""
    return (
        draw.normal(*leading, queries, features, dtype=dtype),
        draw.normal(*leading, keys, features, dtype=dtype),
        draw.normal(*leading, keys, values, dtype=dtype),
    )


def raised(tokens, height):
    """Return tokens with one feature more, of this size."""
    return torch.cat([tokens, torch.full_like(tokens[..., :1], height)], dim=-1)


@attention.check(
    "property",
    weight=4,
    ko="결과에 든 수의 개수가 맞고, 주어진 것이 바뀌면 결과도 바뀝니다(하나까지는 예외). 값은 아직 묻지 않습니다.",
)
def test_the_gate(student, reference, draw):
    """The result holds as many numbers as asked for and changes with all inputs but one at most; values come later."""
    checks.uses_every_input(student, reference, "attention", *parts(draw, queries=6, values=3), draw=draw)


@attention.check(
    "shape", weight=5, needs=("test_the_gate",), ko="하나뿐인 크기가 있어도 결과의 모양은 글에 적힌 그대로입니다."
)
def test_shape(student, draw):
    """The result has the shape that the text says, also where a size is 1."""
    cases = [
        checks.given(*parts(draw)),
        checks.given(*parts(draw, 2, queries=1, keys=3)),
        checks.given(*parts(draw, queries=3, keys=1, features=1, values=1)),
    ]
    for answer, case in zip(checks.answers(student.attention, cases), cases, strict=True):
        checks.has_shape(answer, (*case.args[0].shape[:-1], case.args[2].shape[-1]))


@attention.check(
    "dtype",
    weight=5,
    needs=("test_the_gate",),
    ko="결과의 dtype은 입력의 dtype과 같습니다: float32, float64, bfloat16.",
)
def test_keeps_the_dtype(student, draw):
    """The result has the dtype of what is given: float32, float64 or bfloat16."""
    cases = [checks.given(*parts(draw, queries=6, values=3, dtype=dtype)) for dtype in DTYPES]
    checks.have_dtypes(checks.answers(student.attention, cases), DTYPES)


@attention.check("gradient", weight=7, needs=("test_the_gate",), ko="결과에서 모든 입력으로 그래디언트가 흐릅니다.")
def test_gradients_flow(student, reference, draw):
    """From the result a gradient flows to everything that is given."""
    checks.gradients_flow(student, reference, "attention", *parts(draw))


@attention.check(
    "purity", weight=15, needs=("test_the_gate",), ko="호출한 뒤에도 주어진 것은 그대로이고 기울기를 요구하지 않습니다."
)
def test_inputs_unchanged(student, draw):
    """What is given is the same after the call."""
    checks.input_unchanged(student, "attention", *parts(draw, queries=6, values=3))


@attention.check(
    "document", weight=3, ko="노트의 토큰에서 노트에 찍힌 문맥 벡터가 나오고, 노트의 모양이 그대로 나옵니다."
)
def test_matches_the_note(student, reference, golden, draw):
    """The note's tokens in all three roles give its context vectors, and its embedded words their printed shape."""
    inputs = golden("N0 inputs").float32
    checks.matches_figure(student.attention(inputs, inputs, inputs), golden("N0 In[15]"))
    words = parts(draw, 1, queries=3, keys=3, features=4, values=4)
    answer = checks.matches_reference(student, reference, "attention", *words)
    checks.has_shape(answer, golden("N1 In[6]").shape)


@attention.check("value", weight=5, ko="쿼리와 키의 개수가 다르고 값의 크기가 달라도 올바른 문맥 벡터가 나옵니다.")
def test_sizes_that_differ(student, reference, draw):
    """Other numbers of queries and keys, and values of another size, give the right context vectors."""
    cases = []
    for queries, keys, features, values in SIZES:
        query, key, value = parts(draw, queries=queries, keys=keys, features=features, values=values)
        cases.append(checks.given(query, key, value / 10))
    checks.matches_reference_on_each(student, reference, "attention", cases)


@attention.check("value", weight=4, ko="모든 크기가 같아도 쿼리, 키, 값의 역할과 방향이 올바릅니다.")
def test_equal_sizes(student, reference, draw):
    """Where all sizes are equal, the three roles and the direction of the softmax are still right."""
    square = parts(draw, queries=5, keys=5, features=5, values=5)
    query, key, _ = parts(draw, queries=4, keys=4, features=4, values=4)
    cases = [checks.given(*square), checks.given(query, key, torch.eye(4))]
    checks.matches_reference_on_each(student, reference, "attention", cases)


@attention.check("value", weight=5, ko="앞에 차원이 몇 개 더 있으면 항목마다 따로 어텐션을 계산합니다.")
def test_leading_dimensions(student, reference, draw):
    """With one to three dimensions in front, every item gets its own attention."""
    cases = [
        checks.given(*parts(draw, 2, 3, queries=5, keys=4, features=7)),
        checks.given(*parts(draw, 2)),
        checks.given(*parts(draw, 2, 1, 3)),
        checks.given(*parts(draw, 3, queries=3, keys=3, features=3, values=3)),
    ]
    checks.matches_reference_on_each(student, reference, "attention", cases)


@attention.check(
    "shape",
    weight=3,
    needs=("test_sizes_that_differ",),
    ko="쿼리, 키, 특징이 하나뿐이어도, 노트보다 훨씬 많아도 결과는 모양이 (..., Tq, dv)인 올바른 텐서입니다.",
)
def test_few_and_many(student, reference, draw):
    """A single query, key or feature, and far more of them, give the right tensor of shape (..., Tq, dv)."""
    many = 1025 + draw.large()
    query, key, value = parts(draw, queries=1, keys=2, features=many)
    cases = [
        checks.given(query / many**0.5, key, value),
        checks.given(*parts(draw, queries=1, keys=many, features=2, values=1)),
        checks.given(*parts(draw, queries=many, keys=1, features=1, values=2)),
        checks.given(*parts(draw, queries=2, keys=3, features=1, values=many)),
        checks.given(*parts(draw, 300 + draw.large(), 1, queries=1, keys=2)),
    ]
    checks.matches_reference_on_each(student, reference, "attention", cases)


@attention.check(
    "stability",
    weight=15,
    needs=("test_sizes_that_differ",),
    ko="점수가 수백이고 행마다 크게 달라도 유한하고 올바른 결과가 나옵니다.",
)
def test_scores_in_the_hundreds(student, reference, draw):
    """Scores in the hundreds, far apart from row to row, give finite and right results."""
    query, key, value = parts(draw)
    levels = torch.tensor([[15.0], [-15.0], [0.0], [10.0]])  # of the four queries
    cases = [checks.given(torch.cat([query, levels], dim=-1), raised(key, 15.0), value)]
    checks.matches_reference_on_each(student, reference, "attention", cases, kind="extreme")


@attention.check("dtype", weight=2, needs=("test_sizes_that_differ",), ko="float64 입력은 float64로 계산합니다.")
def test_float64_stays_float64(student, reference, draw):
    """What is given in float64 is computed in float64."""
    query, key, value = parts(draw, dtype=torch.float64)
    checks.matches_reference(student, reference, "attention", raised(query, 24.0), raised(key, 24.0), value)


@attention.check(
    "gradient", weight=8, needs=("test_sizes_that_differ",), ko="쿼리, 키, 값으로 올바른 그래디언트가 흐릅니다."
)
def test_gradients(student, reference, draw):
    """The right gradients flow to the query, the key and the value."""
    checks.gradient_matches(student, reference, "attention", *parts(draw))


@attention.check(
    "value",
    weight=2,
    needs=("test_sizes_that_differ",),
    ko="입력이 메모리에 이어져 있지 않아도(전치, 간격을 둔 조각, expand) 결과가 맞습니다.",
)
def test_any_layout(student, reference, draw):
    """Inputs that are transposed, sliced or expanded views, not contiguous in memory, give the right result."""
    checks.any_layout(student, reference, "attention", *parts(draw, 2, 3))


@attention.check(
    "property",
    weight=2,
    needs=("test_sizes_that_differ",),
    ko="같은 텐서에 다른 값이 들어 있으면 새로 계산합니다.",
    guard="an answer that is kept for a tensor, as functools.cache keeps it",
)
def test_computed_anew(student, reference, draw):
    """A tensor that holds other numbers in a second call gives another answer: nothing is kept for an object."""
    checks.computed_anew(student, reference, "attention", *parts(draw), before=parts(draw))


@attention.check(
    "policy",
    needs=("test_sizes_that_differ",),
    ko="라이브러리의 어텐션 함수나 모듈을 쓰지 않고 직접 계산합니다.",
)
def test_written_by_hand(student, reference, draw):
    """The result is computed without an attention function or module of a library."""
    queries, keys, features, values = draw.choice(SIZES)
    query, key, value = parts(draw, queries=queries, keys=keys, features=features, values=values)
    also = [checks.given(*parts(draw, *leading)) for leading in ((2,), (2, 3), (2, 1, 3))]
    checks.no_forbidden_call(student, reference, "attention", query, key, value / 10, also=also)
