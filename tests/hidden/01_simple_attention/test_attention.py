"""Hidden checks of `attention`: queries, keys and values of different sizes, unscaled."""

import torch

from grader.suite import checks, exercise

attention = exercise("attention")

DTYPES = (torch.float32, torch.float64)

SIZES = ((6, 2, 3, 4), (4, 7, 2, 5), (4, 7, 2, 5))  # queries, keys, features, values


def parts(draw, *leading, queries=4, keys=6, features=3, values=5, dtype=torch.float32):
    """Return a random query, key and value with the given sizes."""
    return (
        draw.normal(*leading, queries, features, dtype=dtype),
        draw.normal(*leading, keys, features, dtype=dtype),
        draw.normal(*leading, keys, values, dtype=dtype),
    )


@attention.check(
    "document", weight=1, ko="노트의 토큰에서 노트에 찍힌 문맥 벡터가 나오고, 노트의 모양이 그대로 나옵니다."
)
def test_matches_the_note(student, reference, golden, draw):
    """The note's tokens in all three roles give its context vectors, and its embedded words their printed shape."""
    inputs = golden("N0 inputs").float32
    checks.matches_figure(student.attention(inputs, inputs, inputs), golden("N0 In[15]"))
    words = parts(draw, 1, queries=3, keys=3, features=4, values=4)
    answer = checks.matches_reference(student, reference, "attention", *words)
    checks.has_shape(answer, golden("N1 In[6]").shape)


@attention.check("value", weight=3, ko="쿼리와 키의 개수가 다르고 값의 크기가 달라도 올바른 문맥 벡터가 나옵니다.")
def test_sizes_that_differ(student, reference, draw):
    """Other numbers of queries and keys, and values of another size, give the right context vectors."""
    cases = []
    for queries, keys, features, values in SIZES:
        query, key, value = parts(draw, queries=queries, keys=keys, features=features, values=values)
        cases.append(checks.given(query, key, value / 10))
    checks.matches_reference_on_each(student, reference, "attention", cases)


@attention.check("value", weight=2, ko="모든 크기가 같아도 쿼리, 키, 값의 역할과 방향이 올바릅니다.")
def test_equal_sizes(student, reference, draw):
    """Where all sizes are equal, the three roles and the direction of the softmax are still right."""
    square = parts(draw, queries=5, keys=5, features=5, values=5)
    query, key, _ = parts(draw, queries=4, keys=4, features=4, values=4)
    cases = [checks.given(*square), checks.given(query, key, torch.eye(4))]
    checks.matches_reference_on_each(student, reference, "attention", cases)


@attention.check("value", weight=3, ko="앞에 차원이 하나 또는 둘 더 있으면 항목마다 따로 어텐션을 계산합니다.")
def test_leading_dimensions(student, reference, draw):
    """With one or two dimensions in front, every item gets its own attention."""
    cases = [
        checks.given(*parts(draw, 2, 3, queries=5, keys=4, features=7)),
        checks.given(*parts(draw, 2)),
        checks.given(*parts(draw, 3, queries=3, keys=3, features=3, values=3)),
    ]
    checks.matches_reference_on_each(student, reference, "attention", cases)


@attention.check(
    "shape",
    weight=1,
    needs=("test_sizes_that_differ",),
    ko="쿼리, 키, 특징이 하나뿐이어도, 노트보다 훨씬 많아도 결과는 모양이 (..., Tq, dv)인 올바른 텐서입니다.",
)
def test_few_and_many(student, reference, draw):
    """A single query, key or feature, and far more of them, give the right tensor of shape (..., Tq, dv)."""
    query, key, value = parts(draw, queries=1, keys=draw.large(), features=draw.large(), values=draw.large())
    cases = [
        checks.given(query / 8, key, value),
        checks.given(*parts(draw, queries=draw.large(), keys=1, features=1, values=1)),
        checks.given(*parts(draw, draw.large(), 1, queries=1, keys=1)),
    ]
    checks.matches_reference_on_each(student, reference, "attention", cases)


@attention.check("dtype", weight=1, needs=("test_sizes_that_differ",), ko="결과의 dtype은 입력의 dtype과 같습니다.")
def test_keeps_the_dtype(student, reference, draw):
    """The result has the dtype of the inputs, float32 or float64."""
    cases = [checks.given(*parts(draw, dtype=dtype)) for dtype in DTYPES]
    checks.have_dtypes(checks.matches_reference_on_each(student, reference, "attention", cases), DTYPES)


@attention.check(
    "gradient", weight=1, needs=("test_sizes_that_differ",), ko="쿼리, 키, 값으로 올바른 그래디언트가 흐릅니다."
)
def test_gradients(student, reference, draw):
    """The right gradients flow to the query, the key and the value."""
    checks.gradient_matches(student, reference, "attention", *parts(draw))


@attention.check("purity", weight=1, needs=("test_sizes_that_differ",), ko="호출한 뒤에도 쿼리, 키, 값은 그대로입니다.")
def test_inputs_unchanged(student, reference, draw):
    """The query, the key and the value are the same after the call; other numbers in them are computed anew."""
    checks.computed_anew(student, reference, "attention", *parts(draw), before=parts(draw), unchanged=True)


@attention.check(
    "policy",
    needs=("test_sizes_that_differ",),
    ko="라이브러리의 어텐션 함수나 모듈을 쓰지 않고 직접 계산합니다.",
)
def test_written_by_hand(student, reference, draw):
    """The result is computed without an attention function or module of a library."""
    queries, keys, features, values = draw.choice(SIZES)
    query, key, value = parts(draw, queries=queries, keys=keys, features=features, values=values)
    checks.no_forbidden_call(student, reference, "attention", query, key, value / 10)
