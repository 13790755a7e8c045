"""Checks of `multi_head_scores`: every head for itself, nothing scaled, any number of leading dimensions.

Some sizes have T = head_dim, where a forgotten transpose gives a wrong number instead of an error.
"""

import torch

from grader.suite import checks, exercise

multi_head_scores = exercise("multi_head_scores")

NAME = "multi_head_scores"


def pair(draw, *sizes, dtype=torch.float32):
    """Return random queries and keys of one size."""
    return draw.normal(*sizes, dtype=dtype), draw.normal(*sizes, dtype=dtype)


@multi_head_scores.check("property", weight=4, ko="결과의 차원과 원소의 수가 맞고, 쿼리나 키가 바뀌면 결과도 바뀝니다.")
def test_the_gate(student, reference, draw):
    """The result has as many dimensions and entries as asked, and changes with the queries and with the keys."""
    checks.uses_every_input(student, reference, NAME, *pair(draw, 2, 3, 5, 7), draw=draw)


@multi_head_scores.check("document", weight=3, ko="노트의 쿼리와 키에서 노트에 찍힌 점수가 나옵니다.")
def test_scores_of_the_note(student, golden):
    """The note's queries and keys give the scores that the note prints, for both heads and for one alone."""
    queries, keys = (golden(f"N2 In[39] {name}h transposed").float32 for name in "QK")
    checks.matches_figure(student.multi_head_scores(queries, keys), golden("N2 In[einsum]"))
    second = student.multi_head_scores(queries[1:], keys[1:])
    checks.has_shape(second, (1, 3, 3))
    checks.matches_figure(second[0], golden("N2 In[50] scores"))


@multi_head_scores.check("value", weight=12, ko="임의의 쿼리와 키에서 헤드마다 모든 쌍의 내적이 나옵니다.")
def test_random_heads(student, reference, draw):
    """Random queries and keys with a batch axis give every pair's dot product, head by head."""
    sizes = ((2, 3, 5, 7), (2, 3, 5, 7), (3, 3, 5, 7), (3, 2, 4, 4), (2, 4, 4, 4), (1, 1, 1, 1), (2, 3, 1, 6))
    cases = [checks.given(*pair(draw, *each)) for each in sizes]
    checks.matches_reference_on_each(student, reference, NAME, cases)


@multi_head_scores.check("value", weight=6, ko="앞쪽 차원이 없거나 둘, 셋이어도 됩니다.")
def test_leading_dimensions(student, reference, draw):
    """No leading dimension, two and three of them work as well as one."""
    sizes = ((3, 5, 7), (2, 4, 3, 5, 7), (2, 1, 4, 3, 5, 7))
    checks.matches_reference_on_each(student, reference, NAME, [checks.given(*pair(draw, *each)) for each in sizes])


@multi_head_scores.check("shape", weight=5, needs=("test_the_gate",), ko="모양은 (..., H, T, T)입니다.")
def test_shape(student, draw):
    """The shape is (..., H, T, T), also where one of these is 1."""
    for sizes in ((2, 3, 5, 7), (2, 1, 4, 3), (1, 3, 1, 2), (3, 5, 7)):
        checks.has_shape(student.multi_head_scores(*pair(draw, *sizes)), (*sizes[:-1], sizes[-2]))


@multi_head_scores.check(
    "property", weight=5, needs=("test_the_gate",), ko="쿼리와 키를 맞바꾸면 점수의 행과 열이 맞바뀝니다."
)
def test_queries_and_keys_are_alike(student, draw):
    """With queries and keys exchanged, the rows of the scores become their columns."""
    queries, keys = pair(draw, 2, 3, 5, 7)
    scores = checks.has_shape(student.multi_head_scores(queries, keys), (2, 3, 5, 5))
    checks.close(student.multi_head_scores(keys, queries), scores.mT.double())


@multi_head_scores.check("property", weight=5, needs=("test_the_gate",), ko="헤드는 서로 영향을 주지 않습니다.")
def test_heads_for_themselves(student, draw):
    """A head gives the same scores alone as among others."""
    queries, keys = pair(draw, 2, 3, 5, 7)
    scores = checks.has_shape(student.multi_head_scores(queries, keys), (2, 3, 5, 5))
    checks.close(student.multi_head_scores(queries[:, 1:2], keys[:, 1:2]), scores[:, 1:2].double())


@multi_head_scores.check(
    "value",
    weight=3,
    needs=("test_random_heads",),
    ko="전치하거나 잘라내거나 늘린 뷰를 주어도 결과가 맞습니다.",
    guard="`view`, which refuses a tensor that is not contiguous",
)
def test_views(student, reference, draw):
    """Tensors that are views of others (transposed, sliced, expanded) are treated like any others."""
    checks.any_layout(student, reference, NAME, *pair(draw, 2, 3, 5, 7))


@multi_head_scores.check(
    "value",
    weight=3,
    needs=("test_random_heads",),
    ko="항목, 헤드, 토큰, 특징이 작은 예보다 훨씬 많아도 됩니다.",
    guard="sizes that are written into an answer",
)
def test_large_sizes(student, reference, draw):
    """Far more items, heads, tokens or features than in small examples are treated rightly."""
    cases = []
    for axis in range(4):
        sizes = [1, 2, 3, 4]
        sizes[axis] = (300 if axis == 2 else 1000) + draw.large()
        cases.append(checks.given(*pair(draw, *sizes)))
    checks.matches_reference_on_each(student, reference, NAME, cases)


@multi_head_scores.check("dtype", weight=5, needs=("test_the_gate",), ko="결과의 dtype은 쿼리의 dtype과 같습니다.")
def test_keeps_the_dtype(student, draw):
    """The result has the dtype of the queries: float32, float64, bfloat16 and float16."""
    dtypes = (torch.float32, torch.float64, torch.bfloat16, torch.float16)
    checks.keeps_dtypes(student, NAME, [checks.given(*pair(draw, 2, 3, 5, 7, dtype=dtype)) for dtype in dtypes])


@multi_head_scores.check(
    "dtype", weight=1, needs=("test_random_heads",), ko="float64에서는 float64의 정밀도로 계산합니다."
)
def test_float64_is_exact(student, reference, draw):
    """Queries and keys in float64 give scores as exact as float64."""
    checks.matches_reference(student, reference, NAME, *pair(draw, 2, 3, 5, 7, dtype=torch.float64), kind="exact")


@multi_head_scores.check("gradient", weight=8, needs=("test_the_gate",), ko="기울기가 쿼리와 키까지 흐릅니다.")
def test_gradients_flow(student, reference, draw):
    """Gradients reach the queries and the keys."""
    checks.gradients_flow(student, reference, NAME, *pair(draw, 2, 3, 5, 7))


@multi_head_scores.check(
    "gradient", weight=7, needs=("test_random_heads",), ko="기울기가 쿼리와 키까지 올바르게 흐릅니다."
)
def test_gradient_reaches_both(student, reference, draw):
    """The gradients of the queries and of the keys are right."""
    checks.gradient_matches(student, reference, NAME, *pair(draw, 2, 3, 5, 7))


@multi_head_scores.check(
    "property", weight=3, needs=("test_random_heads",), ko="같은 텐서에 다른 값이 들어 있으면 새로 계산합니다."
)
def test_computed_anew(student, reference, draw):
    """A tensor that holds other numbers in a second call gives another answer: nothing is kept for an object."""
    checks.computed_anew(student, reference, NAME, *pair(draw, 2, 3, 5, 7), before=pair(draw, 2, 3, 5, 7))


@multi_head_scores.check("purity", weight=15, needs=("test_the_gate",), ko="입력은 바뀌지 않습니다.")
def test_input_unchanged(student, draw):
    """The queries and keys hold the same numbers after the call."""
    checks.input_unchanged(student, NAME, *pair(draw, 2, 3, 5, 7))


@multi_head_scores.check(
    "device",
    weight=5,
    needs=("test_the_gate",),
    ko="CPU가 아닌 장치(GPU 등)에서도 결과가 그 장치에 있고 값과 그래디언트가 같습니다.",
)
def test_on_another_device(student, draw):
    """On another device than the CPU, such as a GPU, the result is there, with the same values and gradients."""
    checks.on_another_device(student, NAME, *pair(draw, 2, 3, 5, 7))
