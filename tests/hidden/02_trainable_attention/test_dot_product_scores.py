"""Hidden checks of `dot_product_scores`: every query with every key, other numbers of both, nothing scaled."""

import torch

from grader.suite import checks, exercise

dot_product_scores = exercise("dot_product_scores")

NAME = "dot_product_scores"
DTYPES = (torch.float32, torch.float64, torch.bfloat16)


def pair(draw, *leading, queries=3, keys=5, features=7, dtype=torch.float32):
    """Return random queries and keys."""
    return draw.normal(*leading, queries, features, dtype=dtype), draw.normal(*leading, keys, features, dtype=dtype)


@dot_product_scores.check(
    "property",
    weight=5,
    ko="결과에 든 수의 개수가 맞고, 주어진 것이 바뀌면 결과도 따라 바뀝니다. 값은 아직 묻지 않습니다.",
)
def test_the_gate(student, reference, draw):
    """The result holds as many numbers as asked for and changes with everything that is given; values come later."""
    checks.uses_every_input(student, reference, NAME, *pair(draw), draw=draw)


@dot_product_scores.check(
    "shape", weight=5, needs=("test_the_gate",), ko="쿼리, 키, 특징이 하나뿐이어도 결과의 모양은 (..., Tq, Tk)입니다."
)
def test_shape(student, draw):
    """The result has the shape (..., Tq, Tk), also with a single query, key or feature."""
    sizes = ((), 3, 5, 7), ((2,), 1, 5, 7), ((), 3, 1, 7), ((), 3, 5, 1), ((1, 2), 1, 1, 1)
    cases = [checks.given(*pair(draw, *leading, queries=Tq, keys=Tk, features=d)) for leading, Tq, Tk, d in sizes]
    for answer, (leading, Tq, Tk, _) in zip(checks.answers(student.dot_product_scores, cases), sizes, strict=True):
        checks.has_shape(answer, (*leading, Tq, Tk))


@dot_product_scores.check(
    "dtype",
    weight=5,
    needs=("test_the_gate",),
    ko="결과의 dtype은 입력의 dtype과 같습니다: float32, float64, bfloat16.",
)
def test_keeps_the_dtype(student, draw):
    """The result has the dtype of what is given: float32, float64 or bfloat16."""
    cases = [checks.given(*pair(draw, dtype=dtype)) for dtype in DTYPES]
    checks.have_dtypes(checks.answers(student.dot_product_scores, cases), DTYPES)


@dot_product_scores.check(
    "gradient", weight=7, needs=("test_the_gate",), ko="결과에서 모든 입력으로 그래디언트가 흐릅니다."
)
def test_gradients_flow(student, reference, draw):
    """From the result a gradient flows to everything that is given."""
    checks.gradients_flow(student, reference, NAME, *pair(draw, 2))


@dot_product_scores.check(
    "purity", weight=15, needs=("test_the_gate",), ko="호출한 뒤에도 주어진 것은 그대로이고 기울기를 요구하지 않습니다."
)
def test_inputs_unchanged(student, draw):
    """What is given is the same after the call."""
    checks.input_unchanged(student, NAME, *pair(draw))


@dot_product_scores.check("document", weight=5, ko="노트의 쿼리와 키에서 노트에 찍힌 점수가 나옵니다.")
def test_scores_of_the_notes(student, golden):
    """The notes' queries and keys give the scores that the notes print, for one query, one pair and all pairs."""
    generator = torch.Generator().manual_seed(123)
    inputs = golden("N0 inputs").float32
    queries, keys = (inputs @ torch.rand(3, 2, generator=generator) for _ in range(2))
    scores = checks.has_shape(student.dot_product_scores(queries[1:2], keys), (1, 6))
    checks.matches_figure(scores[0], golden("N0 In[21]"))
    score = checks.has_shape(student.dot_product_scores(queries[1:2], keys[1:2]), (1, 1))
    checks.matches_figure(score[0, 0], golden("N0 In[20]"))
    queries, keys = (golden(f"N2 In[projections] {name}").float32 for name in ("queries", "keys"))
    checks.matches_figure(student.dot_product_scores(queries, keys), golden("N2 In[4]"))


@dot_product_scores.check("value", weight=11, ko="쿼리와 키의 개수가 달라도 모든 쌍의 내적이 나옵니다.")
def test_sizes_that_differ(student, reference, draw):
    """Other numbers of queries and of keys give every pair's dot product."""
    sizes = ((3, 5, 7), (3, 5, 7), (6, 2, 3), (2, 7, 2), (4, 3, 3))
    cases = [
        checks.given(*pair(draw, queries=queries, keys=keys, features=features)) for queries, keys, features in sizes
    ]
    checks.matches_reference_on_each(student, reference, NAME, cases)


@dot_product_scores.check("value", weight=6, ko="모든 크기가 같아도 행은 쿼리, 열은 키입니다.")
def test_equal_sizes(student, reference, draw):
    """Where all sizes are equal, the rows still belong to the queries and the columns to the keys."""
    cases = [checks.given(*pair(draw, queries=size, keys=size, features=size)) for size in (4, 5)]
    checks.matches_reference_on_each(student, reference, NAME, cases)


@dot_product_scores.check("value", weight=8, ko="앞에 차원이 몇 개 더 있으면 항목마다 따로 비교합니다.")
def test_leading_dimensions(student, reference, draw):
    """With one to three dimensions in front, every item is compared for itself."""
    cases = [
        checks.given(*pair(draw, 2)),
        checks.given(*pair(draw, 2, 6)),
        checks.given(*pair(draw, 2, 1, 3)),
        checks.given(*pair(draw, 3, queries=3, keys=3, features=3)),
        checks.given(*pair(draw, 1, 1, queries=1)),
    ]
    checks.matches_reference_on_each(student, reference, NAME, cases)


@dot_product_scores.check(
    "value",
    weight=3,
    needs=("test_sizes_that_differ",),
    ko="토큰이나 특징이나 항목이 작은 예보다 훨씬 많아도 맞습니다.",
)
def test_large_sizes(student, reference, draw):
    """Far more tokens, features or items than in small examples are treated rightly."""
    many = 1025 + draw.large()
    queries, keys = pair(draw, queries=2, keys=3, features=many)
    cases = [
        checks.given(queries / many**0.5, keys),
        checks.given(*pair(draw, queries=many, keys=2, features=2)),
        checks.given(*pair(draw, queries=2, keys=many, features=2)),
        checks.given(*pair(draw, many, queries=1, keys=2, features=2)),
    ]
    checks.matches_reference_on_each(student, reference, NAME, cases)


@dot_product_scores.check(
    "dtype", weight=3, needs=("test_sizes_that_differ",), ko="float64 입력은 float64로 계산합니다."
)
def test_float64_stays_float64(student, reference, draw):
    """What is given in float64 is computed in float64."""
    large, (queries, keys) = 1e3 * draw.normal(3, 7, dtype=torch.float64), pair(draw, dtype=torch.float64)
    turned = torch.cat([keys, -keys], dim=1)  # so that lost digits show
    checks.matches_reference(student, reference, NAME, torch.cat([large + queries, large], dim=1), turned)


@dot_product_scores.check(
    "gradient", weight=8, needs=("test_sizes_that_differ",), ko="쿼리와 키로 올바른 그래디언트가 흐릅니다."
)
def test_gradients(student, reference, draw):
    """The right gradients flow to the queries and to the keys."""
    checks.gradient_matches(student, reference, NAME, *pair(draw))
    checks.gradient_matches(student, reference, NAME, *pair(draw, 2))


@dot_product_scores.check(
    "value",
    weight=2,
    needs=("test_sizes_that_differ",),
    ko="입력이 메모리에 이어져 있지 않아도(전치, 간격을 둔 조각, expand) 결과가 맞습니다.",
)
def test_any_layout(student, reference, draw):
    """Inputs that are transposed, sliced or expanded views, not contiguous in memory, give the right result."""
    checks.any_layout(student, reference, NAME, *pair(draw, 2, 3))


@dot_product_scores.check(
    "property",
    weight=2,
    needs=("test_sizes_that_differ",),
    ko="같은 텐서에 다른 값이 들어 있으면 새로 계산합니다.",
    guard="an answer that is kept for a tensor, as functools.cache keeps it",
)
def test_computed_anew(student, reference, draw):
    """A tensor that holds other numbers in a second call gives another answer: nothing is kept for an object."""
    checks.computed_anew(student, reference, NAME, *pair(draw), before=pair(draw))


@dot_product_scores.check(
    "device",
    weight=5,
    needs=("test_the_gate",),
    ko="CPU가 아닌 장치(GPU 등)에서도 결과가 그 장치에 있고 값과 그래디언트가 같습니다.",
)
def test_on_another_device(student, draw):
    """On another device than the CPU, such as a GPU, the result is there, with the same values and gradients."""
    checks.on_another_device(student, NAME, *pair(draw, 2, 3))
