"""Hidden checks of `dot_product_scores`: every query with every key, other numbers of both, nothing scaled."""

import torch

from grader.suite import checks, exercise

dot_product_scores = exercise("dot_product_scores")

NAME = "dot_product_scores"


def pair(draw, *leading, queries=3, keys=5, features=7, dtype=torch.float32):
    """Return random queries and keys."""
    return draw.normal(*leading, queries, features, dtype=dtype), draw.normal(*leading, keys, features, dtype=dtype)


@dot_product_scores.check("document", weight=1, ko="노트의 쿼리와 키에서 노트에 찍힌 점수가 나옵니다.")
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


@dot_product_scores.check("value", weight=3, ko="쿼리와 키의 개수가 달라도 모든 쌍의 내적이 나옵니다.")
def test_sizes_that_differ(student, reference, draw):
    """Other numbers of queries and of keys give every pair's dot product."""
    for queries, keys, features in ((3, 5, 7), (3, 5, 7), (6, 2, 3), (2, 7, 2), (4, 3, 3)):
        checks.matches_reference(student, reference, NAME, *pair(draw, queries=queries, keys=keys, features=features))


@dot_product_scores.check("value", weight=2, ko="모든 크기가 같아도 행은 쿼리, 열은 키입니다.")
def test_equal_sizes(student, reference, draw):
    """Where all sizes are equal, the rows still belong to the queries and the columns to the keys."""
    for size in (4, 5):
        checks.matches_reference(student, reference, NAME, *pair(draw, queries=size, keys=size, features=size))


@dot_product_scores.check("value", weight=3, ko="앞에 차원이 하나 또는 둘 더 있으면 항목마다 따로 비교합니다.")
def test_leading_dimensions(student, reference, draw):
    """With one or two dimensions in front, every item is compared for itself."""
    for leading, sizes in (
        ((2,), {}),
        ((2, 6), {}),
        ((3,), {"queries": 3, "keys": 3, "features": 3}),
        ((1, 1), {"queries": 1}),
    ):
        checks.matches_reference(student, reference, NAME, *pair(draw, *leading, **sizes))


@dot_product_scores.check(
    "shape", weight=1, needs=("test_sizes_that_differ",), ko="쿼리, 키, 특징이 하나뿐이어도 모양은 (Tq, Tk)입니다."
)
def test_smallest_sizes(student, reference, draw):
    """A single query, key or feature still gives a tensor of shape (Tq, Tk)."""
    for sizes in ({"queries": 1}, {"keys": 1}, {"features": 1}, {"queries": 1, "keys": 1, "features": 1}):
        checks.matches_reference(student, reference, NAME, *pair(draw, **sizes))


@dot_product_scores.check(
    "value",
    weight=1,
    needs=("test_sizes_that_differ",),
    ko="토큰이나 특징이나 항목이 작은 예보다 훨씬 많아도 맞습니다.",
)
def test_large_sizes(student, reference, draw):
    """Far more tokens, features or items than in small examples are treated rightly."""
    for axis in ("queries", "keys", "features"):
        checks.matches_reference(student, reference, NAME, *pair(draw, **{axis: draw.large()}))
    checks.matches_reference(student, reference, NAME, *pair(draw, draw.large()))


@dot_product_scores.check(
    "dtype", weight=1, needs=("test_sizes_that_differ",), ko="결과의 dtype은 쿼리의 dtype과 같습니다."
)
def test_keeps_the_dtype(student, reference, draw):
    """The result has the dtype of the queries, float32 or float64."""
    for dtype in (torch.float32, torch.float64):
        answer = checks.matches_reference(student, reference, NAME, *pair(draw, dtype=dtype))
        checks.has_dtype(answer, dtype)


@dot_product_scores.check(
    "gradient", weight=2, needs=("test_sizes_that_differ",), ko="쿼리와 키로 올바른 그래디언트가 흐릅니다."
)
def test_gradients(student, reference, draw):
    """The right gradients flow to the queries and to the keys."""
    checks.gradient_matches(student, reference, NAME, *pair(draw))
    checks.gradient_matches(student, reference, NAME, *pair(draw, 2))


@dot_product_scores.check(
    "property",
    weight=1,
    needs=("test_sizes_that_differ",),
    ko="같은 텐서에 다른 값이 들어 있으면 새로 계산합니다.",
    guard="an answer that is kept for a tensor, as functools.cache keeps it",
)
def test_computed_anew(student, reference, draw):
    """A tensor that holds other numbers in a second call gives another answer: nothing is kept for an object."""
    checks.computed_anew(student, reference, NAME, *pair(draw), before=pair(draw))


@dot_product_scores.check(
    "purity", weight=1, needs=("test_sizes_that_differ",), ko="호출한 뒤에도 쿼리와 키는 그대로입니다."
)
def test_inputs_unchanged(student, draw):
    """The queries and the keys are the same after the call."""
    checks.input_unchanged(student, NAME, *pair(draw))
